#include "sheaf/http/message/entity_tag.h"

#include "sheaf/http/message/message.h"

namespace sheaf::http::message {
namespace {

/// etagc: any visible character except the quote, and non-ASCII bytes.
bool is_tag_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte != 0x7F && c != '"';
}

/// Removes one tag from the front of `text`.
std::optional<EntityTag> take_tag(std::string_view& text) {
  EntityTag tag;
  std::string_view rest = text;
  if (rest.starts_with("W/")) {
    tag.weak = true;
    rest.remove_prefix(2);
  }
  if (!rest.starts_with('"')) return std::nullopt;
  rest.remove_prefix(1);
  std::size_t length = 0;
  while (length < rest.size() && is_tag_char(rest[length])) ++length;
  if (length == rest.size() || rest[length] != '"') return std::nullopt;
  tag.opaque = rest.substr(0, length);
  text = rest.substr(length + 1);
  return tag;
}

}  // namespace

std::optional<EntityTag> parse_entity_tag(std::string_view text) noexcept {
  const auto tag = take_tag(text);
  return text.empty() ? tag : std::nullopt;
}

std::optional<TagList> parse_tag_list(std::string_view text) {
  text = trim_blanks(text);
  if (text == "*") return TagList{.any = true, .tags = {}};
  TagList list;
  while (!text.empty()) {
    if (text.front() != ',') {
      const auto tag = take_tag(text);
      if (!tag) return std::nullopt;
      list.tags.push_back(*tag);
      text = trim_blanks(text);
      if (text.empty()) break;
      if (text.front() != ',') return std::nullopt;
    }
    text = trim_blanks(text.substr(1));
  }
  if (list.tags.empty()) return std::nullopt;
  return list;
}

}  // namespace sheaf::http::message
