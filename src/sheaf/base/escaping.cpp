#include "sheaf/base/escaping.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/hex.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sheaf::base {
namespace {

constexpr auto make_encode_table() {
  constexpr std::uint8_t kFragment = 1;
  constexpr std::uint8_t kQuery = 2;
  constexpr std::uint8_t kPath = 4;
  constexpr std::uint8_t kUserinfo = 8;
  std::array<std::uint8_t, 256> table{};
  const auto add = [&](std::string_view characters, int sets) {
    for (const char c : characters) table[static_cast<unsigned char>(c)] |= static_cast<std::uint8_t>(sets);
  };
  for (std::size_t c = 0; c < table.size(); ++c) {
    if (c < 0x20 || c > 0x7E) table[c] = kFragment | kQuery | kPath | kUserinfo;
  }
  add(" \"<>", kFragment | kQuery | kPath | kUserinfo);
  add("`", kFragment | kPath | kUserinfo);
  add("#", kQuery | kPath | kUserinfo);
  add("'", kQuery);
  add("?^{}", kPath | kUserinfo);
  add("/:;=@[\\]|", kUserinfo);
  return table;
}

constexpr auto kEncode = make_encode_table();

void append_escape(std::string& out, char byte) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const auto value = static_cast<unsigned char>(byte);
  const std::array<char, 3> escape{'%', kHex[value >> 4], kHex[value & 15]};
  out.append(escape.data(), escape.size());
}

}  // namespace

void append_percent_encoded(std::string& out, std::string_view text, EncodeSet set) {
  const auto bit = static_cast<std::uint8_t>(set);
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && (kEncode[static_cast<unsigned char>(text[plain])] & bit) == 0) ++plain;
    out.append(text, 0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    if (static_cast<unsigned char>(text.front()) < 0x80) {
      append_escape(out, text.front());
      text.remove_prefix(1);
      continue;
    }
    const std::string_view before = text;
    if (take_code_point(text) == kReplacementCharacter) {
      out.append("%EF%BF%BD");
      continue;
    }
    for (const char byte : before.substr(0, before.size() - text.size())) append_escape(out, byte);
  }
}

std::string percent_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && text.size() - i > 2) {
      const int high = hex_value(text[i + 1]);
      const int low = hex_value(text[i + 2]);
      if (high >= 0 && low >= 0) {
        out.push_back(static_cast<char>(high << 4 | low));
        i += 2;
        continue;
      }
    }
    out.push_back(text[i]);
  }
  return out;
}

namespace {

std::string_view entity_of(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
  }
}

bool is_deceptive(char32_t c) {
  const bool is_control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0);
  return is_control || is_bidi_control(c) || c == 0xFFFE || c == 0xFFFF;
}

/// Runs of these characters, which are nearly all text, are copied in one step.
bool is_plain_ascii(char c) { return c >= 0x20 && c < 0x7F && entity_of(c).empty(); }

}  // namespace

void append_html_text(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (const std::string_view entity = entity_of(c); !entity.empty())
      out += entity;
    else
      out += c;
  }
}

std::string html_text(std::string_view text) {
  std::string out;
  append_html_text(out, text);
  return out;
}

void append_visible_html(std::string& out, std::string_view text) {
  while (true) {
    const std::size_t plain =
        static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain_ascii) - text.begin());
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) return;
    if (const std::string_view entity = entity_of(text.front()); !entity.empty()) {
      out += entity;
      text.remove_prefix(1);
      continue;
    }
    const char32_t code_point = take_code_point(text);
    append_utf8(out, is_deceptive(code_point) ? kReplacementCharacter : code_point);
  }
}

}  // namespace sheaf::base
