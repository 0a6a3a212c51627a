#pragma once

#include "sheaf/publish/outputs/output_page.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::publish {

/// A section of llms.txt.
struct LlmsSection {
  std::string name;
  std::vector<OutputPage> pages;
  std::uint64_t total = 0;  ///< number of all pages; larger than that of `pages` if there were too many
};

struct LlmsHead {
  std::string title;
  std::string summary;      ///< may be empty
  std::string sitemap_url;  ///< URL of the sitemap that lists the collections
  std::string folder_url;   ///< URL that OutputPage::file is relative to
};

/// Makes llms.txt (https://llmstxt.org): an index of the pages with their descriptions, section by section,
/// sorted by URL. Links lead to the Markdown of a page if there is one. A pure function.
std::string write_llms_text(const LlmsHead& head, std::vector<LlmsSection> sections);

/// The URL of a file below a folder.
std::string url_of_file(std::string_view folder_url, std::string_view file);

}  // namespace sheaf::publish
