#include "sheaf/publish/sources/given_fields.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/escaping.h"
#include "sheaf/extract/metadata/date_text.h"
#include "sheaf/visibility/page_rules.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <string>

namespace sheaf::publish {
namespace {

/// Parses 2026-01-15 10:00:00+00, as databases write times, and other forms of dates.
std::optional<Instant> parse_sql_time(std::string_view value) {
  std::string text(value);
  if (text.size() > 10 && text[10] == ' ') text[10] = 'T';
  const std::size_t sign = text.size() > 3 ? text.size() - 3 : 0;
  if (sign > 10 && (text[sign] == '+' || text[sign] == '-')) text += ":00";
  if (const auto time = parse_time(text)) return time->instant;
  if (const auto date = extract::parse_date_value(value, extract::DateOrder::unknown)) return date->instant;
  return std::nullopt;
}

/// Converts plain text to HTML: empty lines separate paragraphs, line breaks are kept.
std::string html_of_text(std::string_view text) {
  std::string html = "<p>";
  bool blank = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '\r': break;
      case '\n': html += blank ? "</p>\n<p>" : "<br>"; break;
      default: base::append_html_text(html, text.substr(i, 1));
    }
    if (text[i] == '\n') blank = true;
    if (!base::is_xml_space(text[i])) blank = false;
  }
  return html + "</p>";
}

/// Whether the HTML is a whole page with a head, not only a body.
bool is_whole_page(std::string_view html) {
  const std::string start = base::lower_text(html.substr(0, 1024));
  return start.find("<html") != std::string::npos || start.find("<!doctype") != std::string::npos;
}

/// A scalar as text; a list as its texts, joined by commas; null and objects as nothing.
std::string text_of(simdjson::dom::element value) {
  if (value.is_string()) return std::string(value.get_string().value_unsafe());
  if (value.is_array()) {
    std::string joined;
    const simdjson::dom::array items = value.get_array().value_unsafe();
    for (const simdjson::dom::element each : items) joined += (joined.empty() ? "" : ", ") + text_of(each);
    return joined;
  }
  return value.is_object() || value.is_null() ? std::string() : simdjson::minify(value);
}

/// Takes a member that is a field of a page. Returns false if it is none.
bool take_field(std::string_view name, simdjson::dom::element value, SourceItem& item) {
  const std::pair<std::string_view, std::string*> texts[] = {
      {"url", &item.url},
      {"title", &item.given.title},
      {"description", &item.given.description},
      {"author", &item.given.author},
      {"language", &item.given.language},
      {"robots", &item.robots_header},
  };
  for (const auto& [field, text] : texts)
    if (name == field) return *text = text_of(value), true;
  if (name == "modified") return take_time_text(name, text_of(value), item.given.modified, item), true;
  if (name == "published" && !visibility::read_flag(text_of(value)))
    take_time_text(name, text_of(value), item.given.published, item);
  return false;
}

}  // namespace

void set_body(SourceItem& item, BodyKind kind, std::string_view body) {
  item.kind = kind == BodyKind::markdown ? ItemKind::markdown : ItemKind::html;
  item.content_type = "text/html; charset=utf-8";
  item.bytes = kind == BodyKind::text ? html_of_text(body) : std::string(body);
  item.all_content = item.kind == ItemKind::html && !is_whole_page(item.bytes);
}

void take_time_text(std::string_view name, std::string_view text, std::optional<Instant>& time,
                    SourceItem& item) {
  if (text.empty()) return;
  time = parse_sql_time(text);
  if (!time) item.trouble = fmt::format("its {} is not a time: {}", name, text);
}

bool take_body_line(SourceItem& item) {
  simdjson::dom::parser parser;
  simdjson::dom::object page;
  const simdjson::padded_string line(item.bytes);
  if (parser.parse(line).get(page) != simdjson::SUCCESS) return false;
  constexpr std::array<std::pair<std::string_view, BodyKind>, 3> kBodies = {
      {{"html", BodyKind::html}, {"markdown", BodyKind::markdown}, {"text", BodyKind::text}}};
  SourceItem taken;
  taken.name = item.name;
  std::size_t bodies = 0;
  for (const auto& [name, kind] : kBodies)
    if (std::string_view body; page[name].get(body) == simdjson::SUCCESS) {
      ++bodies;
      set_body(taken, kind, body);
    }
  if (bodies == 0) return false;
  if (bodies > 1) taken.trouble = "it has two of `html`, `markdown` and `text`: leave one";
  for (const auto [name, value] : page) {
    if (take_field(name, value, taken) || taken.skip != SkipReason::none) continue;
    const auto verdict = visibility::judge_setting(name, text_of(value), sheaf::now());
    taken.skip = reason_of(verdict.hold);
    if (!verdict.is_public()) taken.trouble = verdict.detail;
  }
  if (taken.url.empty() && taken.skip == SkipReason::none) taken.trouble = "it has no url";
  item = std::move(taken);
  return true;
}

}  // namespace sheaf::publish
