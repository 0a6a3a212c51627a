#include "sheaf/publish/outputs/llms_text.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/publish/outputs/markdown_file.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::publish {
namespace {

/// The text as one line, with the characters escaped that could end a link or begin markup.
std::string inline_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == '\\' || c == '`' || c == '*' || c == '<') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

/// Encodes parentheses, which would end the link.
std::string link_target(std::string_view url) {
  std::string out;
  for (const char c : url) out += c == '(' ? "%28" : c == ')' ? "%29" : std::string(1, c);
  return out;
}

std::string entry_of(const OutputPage& page, const std::string& folder) {
  const std::string url = page.file.empty() ? page.url : url_of_file(folder, page.file);
  std::string line =
      fmt::format("- [{}]({})", inline_text(page.title.empty() ? page.url : page.title), link_target(url));
  if (!page.description.empty()) line += ": " + inline_text(page.description);
  return line + "\n";
}

}  // namespace

std::string url_of_file(std::string_view folder_url, std::string_view file) {
  std::string url(folder_url);
  for (const char c : file) {
    const bool is_plain = base::is_alphanumeric(c) || std::string_view("-._~/!$&'()*+,;=:@").contains(c);
    url += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return url;
}

std::string write_llms_text(const LlmsHead& head, std::vector<LlmsSection> sections) {
  std::string text = fmt::format("# {}\n\n", inline_text(head.title));
  if (!head.summary.empty()) text += fmt::format("> {}\n\n", inline_text(head.summary));
  text += fmt::format("All pages are also in collections (Site Content Protocol), which {} lists.\n\n{}\n",
                      head.sitemap_url, kOutputMark);
  for (LlmsSection& section : sections) {
    if (section.pages.empty()) continue;
    std::ranges::sort(section.pages, {}, &OutputPage::url);
    text += fmt::format("\n## {}\n\n", section.name);
    for (const OutputPage& page : section.pages) text += entry_of(page, head.folder_url);
    if (section.total > section.pages.size())
      text += fmt::format("\n{} more are in the collections.\n",
                          base::counted(section.total - section.pages.size(), "page", "pages"));
  }
  return text;
}

}  // namespace sheaf::publish
