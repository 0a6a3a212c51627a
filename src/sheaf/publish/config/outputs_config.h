#pragma once

#include <cstdint>
#include <string>

namespace sheaf::publish {

/// Settings of [outputs]: other files that are made from the published pages.
struct OutputsConfig {
  bool llms_txt = false;
  bool markdown = false;  ///< write a .md file for each page
  std::string feed = {};  ///< file name of the Atom feed of changes; empty: no feed
  std::uint32_t feed_entries = 100;
  std::uint32_t llms_pages = 1000;  ///< maximum per section
  std::string title = {};           ///< of llms.txt and the feed; empty: the host
  std::string summary = {};
  bool index_now = false;
  std::string index_now_key = {};  ///< empty: a key is generated and stored
  std::string index_now_url = "https://api.indexnow.org/indexnow";

  [[nodiscard]] bool empty() const { return !llms_txt && !markdown && feed.empty() && !index_now; }
  /// Whether an output needs data of every page, which is then remembered.
  [[nodiscard]] bool needs_pages() const { return llms_txt || markdown || !feed.empty(); }
};

}  // namespace sheaf::publish
