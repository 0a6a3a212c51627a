#include "sheaf/publish/outputs/site_outputs.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/base/escaping.h"
#include "sheaf/crypto/crypto.h"
#include "sheaf/format/json/json_writer.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/site/scp_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sheaf::publish {
namespace {

using site::escape_xml;

std::string entry_of(const OutputPage& page) {
  std::string entry = fmt::format(
      "  <entry>\n    <id>{0}</id>\n    <title>{1}</title>\n    <link href=\"{0}\"/>\n    "
      "<updated>{2}</updated>\n",
      escape_xml(page.url), escape_xml(page.title.empty() ? page.url : page.title),
      escape_xml(page.modified));
  if (!page.description.empty())
    entry += fmt::format("    <summary>{}</summary>\n", escape_xml(page.description));
  return entry + "  </entry>\n";
}

}  // namespace

std::string write_atom_feed(const AtomHead& head, const std::vector<OutputPage>& pages,
                            const std::vector<RemovedPage>& removed) {
  Instant newest{0, 0};
  for (const OutputPage& page : pages)
    if (const auto time = parse_time(page.modified)) newest = std::max(newest, time->instant);
  for (const RemovedPage& page : removed) newest = std::max(newest, page.removed_at);
  std::string feed = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{0}\n<feed xmlns=\"http://www.w3.org/2005/Atom\" "
      "xmlns:at=\"http://purl.org/atompub/tombstones/1.0\">\n  <id>{1}</id>\n  <title>{2}</title>\n"
      "  <author><name>{2}</name></author>\n  <link href=\"{3}\"/>\n  <link rel=\"self\" "
      "type=\"application/atom+xml\" href=\"{1}\"/>\n  <updated>{4}</updated>\n",
      kOutputMark, escape_xml(head.feed_url), escape_xml(head.title), escape_xml(head.site_url),
      format_time(newest));
  for (const OutputPage& page : pages) feed += entry_of(page);
  for (const RemovedPage& page : removed)
    feed += fmt::format("  <at:deleted-entry ref=\"{}\" when=\"{}\"/>\n", escape_xml(page.url),
                        format_time(page.removed_at));
  return feed + "</feed>\n";
}

namespace {

std::string_view meaning_of(int status) {
  switch (status) {
    case 400: return "it does not understand the request";
    case 403:
      return "it did not find the key file, or found another key in it; the site has to serve that file";
    case 422: return "the URLs do not belong to the host, or the key does not match";
    case 429: return "there were too many requests";
    default: return "it failed";
  }
}

}  // namespace

std::string index_now_body(const IndexNowSite& site, const std::vector<std::string>& urls) {
  format::JsonWriter json;
  json.begin_object().string("host", site.host).string("key", site.key).string("keyLocation", site.key_url);
  json.begin_array("urlList");
  for (const std::string& url : urls) json.element(url);
  json.end_array().end_object();
  return json.text();
}

base::Result<void> submit_to_index_now(http::fetch::Fetcher& fetcher, const IndexNowSite& site,
                                       const std::vector<std::string>& urls) {
  const std::string body = index_now_body(site, urls);
  const http::fetch::TextBody upload(body);
  http::fetch::FetchRequest request;
  request.url = site.endpoint;
  request.method = "POST";
  request.headers = {{"Content-Type", "application/json; charset=utf-8"}};
  request.body = &upload;
  SHEAF_TRY_ASSIGN(const auto response, fetcher.fetch_text(request));
  const int status = response.head.status;
  if (status == 200 || status == 202) return {};
  return base::fail(base::Errc::refused,
                    fmt::format("{} answered {}: {}", site.endpoint, status, meaning_of(status)));
}

std::string make_index_now_key() {
  std::array<std::uint8_t, 16> bytes{};
  crypto::fill_random(bytes);
  std::string key;
  for (const std::uint8_t byte : bytes) key += fmt::format("{:02x}", byte);
  return key;
}

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

namespace {

constexpr std::size_t kMaxNameBytes = 240;  // file systems allow 255

/// Whether a decoded part of a path is safe as the name of a file or folder.
bool is_file_name(std::string_view part) {
  return !part.empty() && part.size() <= kMaxNameBytes && !part.starts_with('.') &&
         std::ranges::none_of(part, [](char c) {
           return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '/' || c == '\\';
         });
}

}  // namespace

std::optional<std::string> markdown_file_of(std::string_view url, std::string_view folder) {
  if (!url.starts_with(folder) || url.find_first_of("?#") != std::string_view::npos) return std::nullopt;
  std::string_view rest = url.substr(folder.size());
  const bool is_folder = rest.empty() || rest.ends_with('/');
  if (is_folder && !rest.empty()) rest.remove_suffix(1);
  std::string file;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string part = base::percent_decode(rest.substr(0, end));
    if (!is_file_name(part)) return std::nullopt;
    if (!file.empty()) file += '/';
    file += part;
    if (end + 1 == rest.size()) return std::nullopt;  // an empty last part
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (is_folder) file += file.empty() ? "index.html" : "/index.html";
  return file + ".md";
}

}  // namespace sheaf::publish
