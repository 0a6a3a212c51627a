#pragma once

#include <sheaf/time.h>

#include <optional>
#include <string>

namespace sheaf::publish {

/// The data of a page that the outputs use.
struct OutputPage {
  std::string url;
  std::string title;
  std::string description;
  std::string modified;  ///< as written in the page
  std::string file;      ///< its Markdown file, relative to the folder of the sitemap; empty if it has none
  friend bool operator==(const OutputPage&, const OutputPage&) = default;
};

/// A page that was unpublished.
struct RemovedPage {
  std::string url;
  Instant removed_at;
};

}  // namespace sheaf::publish
