#include "sheaf/format/json_text.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace sheaf::format {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

/// From an opening quote to just past the closing one.
std::size_t skip_string(std::string_view text, std::size_t at) {
  ++at;
  while (at < text.size()) {
    const std::size_t quote = text.find('"', at);
    if (quote == std::string_view::npos) return text.size();
    std::size_t slashes = 0;
    while (slashes < quote - at && text[quote - 1 - slashes] == '\\') ++slashes;
    if (slashes % 2 == 0) return quote + 1;
    at = quote + 1;
  }
  return text.size();
}

std::size_t skip_container(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    switch (text[at]) {
      case '"': at = skip_string(text, at); continue;
      case '{':
      case '[': ++depth; break;
      case '}':
      case ']':
        if (--depth == 0) return at + 1;
        break;
      default: break;
    }
    ++at;
  }
  return at;
}

std::size_t skip_value(std::string_view text, std::size_t at) {
  if (at >= text.size()) return at;
  if (text[at] == '"') return skip_string(text, at);
  if (text[at] == '{' || text[at] == '[') return skip_container(text, at);
  while (at < text.size() && text[at] != ',' && text[at] != '}' && text[at] != ']' && !is_space(text[at]))
    ++at;
  return at;
}

/// From the opening bracket or the end of an element to the start of the next one, or text.size() at the end.
std::size_t next_element(std::string_view text, std::size_t at) {
  at = skip_space(text, at);
  if (at < text.size() && (text[at] == ',' || text[at] == '{' || text[at] == '['))
    at = skip_space(text, at + 1);
  if (at >= text.size() || text[at] == '}' || text[at] == ']') return text.size();
  return at;
}

bool is_escaped(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

/// How many characters stand before the first that a JSON string must escape. Eight are looked at together: a
/// byte has its high bit set in `hits` if it is one of them; a byte after one may too (by the borrow), which
/// does no harm, as the first counts.
std::size_t plain_prefix(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighBits = 0x80 * kOnes;
  const auto below = [](std::uint64_t word, std::uint64_t limit) { return (word - limit * kOnes) & ~word; };
  const auto first_hit = [&](std::size_t at) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    const std::uint64_t hits =
        (below(word, 0x20) | below(word ^ ('"' * kOnes), 1) | below(word ^ ('\\' * kOnes), 1)) & kHighBits;
    return static_cast<std::size_t>(std::countr_zero(hits)) / 8;  // 8 if there is none
  };
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8)
    if (const std::size_t hit = first_hit(at); hit < 8) return at + hit;
  if (text.size() >= 8 && at < text.size()) {
    // The rest together with the end of what was looked at already, which has no hit.
    at = text.size() - 8;
    return at + first_hit(at);
  }
  while (at < text.size() && !is_escaped(text[at])) ++at;
  return at;
}

}  // namespace

RawObject::RawObject(std::string_view text) : text_(text), at_(next_element(text, 0)) {}

bool RawObject::next(RawMember& member) {
  if (at_ >= text_.size()) return false;
  member.begin = at_;
  const std::size_t key_end = skip_string(text_, at_);
  member.key = text_.substr(at_ + 1, key_end - at_ - 2);
  const std::size_t colon = skip_space(text_, key_end);
  const std::size_t value = skip_space(text_, colon + 1);
  member.end = skip_value(text_, value);
  member.value = text_.substr(value, member.end - value);
  const std::size_t comma = skip_space(text_, member.end);
  at_ = comma < text_.size() && text_[comma] == ',' ? skip_space(text_, comma + 1) : text_.size();
  return true;
}

RawArray::RawArray(std::string_view text) : text_(text), at_(next_element(text, 0)) {}

bool RawArray::next(std::string_view& element) {
  if (at_ >= text_.size()) return false;
  const std::size_t end = skip_value(text_, at_);
  element = text_.substr(at_, end - at_);
  const std::size_t comma = skip_space(text_, end);
  at_ = comma < text_.size() && text_[comma] == ',' ? skip_space(text_, comma + 1) : text_.size();
  return true;
}

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += '"';
  while (true) {
    const std::size_t plain = plain_prefix(text);
    out.append(text.data(), plain);
    if (plain == text.size()) break;
    const auto c = static_cast<unsigned char>(text[plain]);
    text.remove_prefix(plain + 1);
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      default:
        out += "\\u00";
        out += kDigits[c >> 4];
        out += kDigits[c & 15];
    }
  }
  out += '"';
}

}  // namespace sheaf::format
