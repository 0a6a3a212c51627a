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

/// An Atom feed (RFC 4287) of changed pages, newest first, with deleted-entry elements (RFC 6721) for removed
/// ones. Depends on nothing but its arguments, so that it is written only if something changed.
std::string write_atom_feed(const AtomHead& head, const std::vector<OutputPage>& pages,
                            const std::vector<RemovedPage>& removed);

}  // namespace sheaf::publish
