#include "sheaf/export/page_line.h"

#include "sheaf/base/hex.h"
#include "sheaf/format/json/json_text.h"

#include <fmt/format.h>

#include <sheaf/time.h>

namespace sheaf::exporting {
namespace {

/// Removes the next character from the front of a JSON string's inner text and decodes it. Returns 0 for a
/// character that our member names do not contain.
char take_character(std::string_view& key) {
  constexpr std::size_t kEscape = 6;  // \u0073
  if (key.front() != '\\') {
    const char c = key.front();
    key.remove_prefix(1);
    return c;
  }
  if (key.size() < kEscape || !key.starts_with("\\u00")) {
    key = {};
    return 0;
  }
  const int high = base::hex_value(key[4]);
  const int low = base::hex_value(key[5]);
  key.remove_prefix(kEscape);
  return static_cast<char>(high * 16 + low);
}

bool is_key(std::string_view raw, std::string_view wanted) {
  for (const char c : wanted)
    if (raw.empty() || take_character(raw) != c) return false;
  return raw.empty();
}

/// Appends the object without its closing brace, and without members called `name`, which few pages have.
void append_without(std::string& out, std::string_view json, std::string_view name) {
  std::string_view rest = json.substr(0, json.rfind('}'));
  const bool may_have_it =
      json.find(name) != std::string_view::npos || json.find("\\u00") != std::string_view::npos;
  if (!may_have_it) {
    out += rest;
    return;
  }
  out += '{';
  bool first = true;
  format::RawObject object(json);
  for (format::RawMember member; object.next(member);) {
    if (is_key(member.key, name)) continue;
    if (!first) out += ',';
    first = false;
    out += json.substr(member.begin, member.end - member.begin);
  }
}

}  // namespace

void append_page_line(std::string& out, const store::StoredPage& page,
                      std::optional<std::uint64_t> sequence) {
  append_without(out, page.json, kProvenanceMember);
  // A page always has other members, so a comma is correct here.
  out += ",\"";
  out += kProvenanceMember;
  out += R"(":{"site":)";
  format::append_json_string(out, page.site);
  out += R"(,"section":)";
  format::append_json_string(out, page.section);
  out += R"(,"fetched":")";
  out += format_time(page.fetched);
  out += '"';
  if (sequence) out += fmt::format(",\"sequence\":{}", *sequence);
  out += "}}";
}

void append_removal_line(std::string& out, const store::StoreChange& change) {
  out += R"({"url":)";
  format::append_json_string(out, change.url);
  out += ",\"";
  out += kProvenanceMember;
  out += R"(":{"site":)";
  format::append_json_string(out, change.site);
  out += R"(,"section":)";
  format::append_json_string(out, change.section);
  out += fmt::format(",\"sequence\":{},\"removed\":true}}}}", change.sequence);
}

}  // namespace sheaf::exporting
