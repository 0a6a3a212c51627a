#include "sheaf/feeds/feed.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/escaping.h"
#include "sheaf/feeds/feed_internal.h"

#include <fmt/format.h>
#include <simdjson.h>

namespace sheaf::feeds {

base::Result<Feed> parse_feed(std::string_view bytes, const FeedLimits& limits) {
  if (bytes.size() > limits.bytes)
    return base::fail(base::Errc::invalid_data,
                      fmt::format("the feed is larger than {} bytes", limits.bytes));
  std::string_view text = bytes;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text = base::trim_front<base::is_xml_space>(text);
  if (text.empty()) return base::fail(base::Errc::invalid_data, "the feed is empty");
  return text.front() == '{' ? parse_json_feed(text, limits) : parse_xml_feed(bytes, limits);
}

namespace {

std::string text_member(const simdjson::dom::object& object, std::string_view name) {
  std::string_view value;
  return object[name].get(value) == simdjson::SUCCESS ? std::string(value) : std::string();
}

/// `authors` of version 1.1, or `author` of version 1.
std::string author_of(const simdjson::dom::object& object) {
  simdjson::dom::object author;
  simdjson::dom::array authors;
  if (object["authors"].get(authors) == simdjson::SUCCESS)
    for (const simdjson::dom::element each : authors)
      if (each.get(author) == simdjson::SUCCESS) return text_member(author, "name");
  return object["author"].get(author) == simdjson::SUCCESS ? text_member(author, "name") : std::string();
}

/// Plain text as HTML with its paragraphs.
std::string html_of_plain(std::string_view text) {
  std::string html = "<p>";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "\n\n") {
      html += "</p><p>";
      ++i;
    } else {
      base::append_html_text(html, text.substr(i, 1));
    }
  }
  return html + "</p>";
}

SyndicatedEntry entry_of(const simdjson::dom::object& item) {
  SyndicatedEntry entry;
  entry.url = text_member(item, "url");
  if (entry.url.empty()) entry.url = text_member(item, "external_url");
  if (entry.url.empty()) entry.url = text_member(item, "id");
  entry.title = text_member(item, "title");
  entry.summary = text_member(item, "summary");
  entry.html = text_member(item, "content_html");
  if (entry.html.empty())
    if (const std::string text = text_member(item, "content_text"); !text.empty())
      entry.html = html_of_plain(text);
  entry.author = author_of(item);
  entry.language = text_member(item, "language");
  entry.published = text_member(item, "date_published");
  entry.modified = text_member(item, "date_modified");
  return entry;
}

}  // namespace

base::Result<Feed> parse_json_feed(std::string_view text, const FeedLimits& limits) {
  simdjson::dom::parser parser;
  simdjson::dom::object root;
  const simdjson::padded_string padded(text);
  if (const auto error = parser.parse(padded).get(root))
    return base::fail(base::Errc::invalid_data,
                      fmt::format("the feed is not valid JSON: {}", simdjson::error_message(error)));
  Feed feed;
  feed.kind = SyndicationFormat::json;
  if (!text_member(root, "version").contains("jsonfeed.org"))
    return base::fail(base::Errc::invalid_data,
                      "this JSON is not a JSON Feed: `version` does not name jsonfeed.org");
  feed.title = text_member(root, "title");
  feed.language = text_member(root, "language");
  feed.site_url = text_member(root, "home_page_url");
  simdjson::dom::array items;
  if (root["items"].get(items) != simdjson::SUCCESS)
    return base::fail(base::Errc::invalid_data, "the JSON Feed has no list `items`");
  const std::string author = author_of(root);
  for (const simdjson::dom::element each : items) {
    simdjson::dom::object item;
    if (each.get(item) != simdjson::SUCCESS) continue;
    if (feed.entries.size() >= limits.entries) {
      feed.is_truncated = true;
      break;
    }
    feed.entries.push_back(entry_of(item));
    if (feed.entries.back().author.empty()) feed.entries.back().author = author;
  }
  return feed;
}

}  // namespace sheaf::feeds
