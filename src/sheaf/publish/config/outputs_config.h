#pragma once

#include <cstdint>
#include <string>

namespace sheaf::publish {

/// Other files that are made of the published pages ([outputs]).
struct OutputsConfig {
  bool llms_txt = false;
  bool markdown = false;  ///< a .md file for each page
  std::string feed = {};  ///< the name of the Atom feed of changes; empty: none
  std::uint32_t feed_entries = 100;
  std::uint32_t llms_pages = 1000;  ///< at most, for each section
  std::string title = {};           ///< of llms.txt and the feed; empty: the host
  std::string summary = {};
  bool index_now = false;
  std::string index_now_key = {};  ///< empty: one is made and kept
  std::string index_now_url = "https://api.indexnow.org/indexnow";

  [[nodiscard]] bool empty() const { return !llms_txt && !markdown && feed.empty() && !index_now; }
  /// Whether something of each page has to be remembered.
  [[nodiscard]] bool needs_pages() const { return llms_txt || markdown || !feed.empty(); }
};

}  // namespace sheaf::publish
