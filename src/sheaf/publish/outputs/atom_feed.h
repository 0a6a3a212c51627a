#pragma once

#include "sheaf/publish/outputs/output_page.h"

#include <string>
#include <vector>

namespace sheaf::publish {

struct AtomHead {
  std::string title;
  std::string site_url;
  std::string feed_url;
};

/// Makes an Atom feed (RFC 4287) of changed pages, newest first, with deleted-entry elements (RFC 6721) for
/// removed pages. Depends only on its arguments, so the file does not change if nothing has changed.
std::string write_atom_feed(const AtomHead& head, const std::vector<OutputPage>& pages,
                            const std::vector<RemovedPage>& removed);

}  // namespace sheaf::publish
