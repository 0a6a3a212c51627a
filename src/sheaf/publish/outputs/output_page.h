#pragma once

#include <sheaf/time.h>

#include <optional>
#include <string>

namespace sheaf::publish {

/// What the outputs say about a page.
struct OutputPage {
  std::string url;
  std::string title;
  std::string description;
  std::string modified;  ///< as written in the page
  std::string file;      ///< of its Markdown, relative to the folder of the sitemap; empty: none
  friend bool operator==(const OutputPage&, const OutputPage&) = default;
};

/// A page that was unpublished.
struct RemovedPage {
  std::string url;
  Instant removed_at;
};

}  // namespace sheaf::publish
