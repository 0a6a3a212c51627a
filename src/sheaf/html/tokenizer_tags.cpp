// Tags and their attributes: the hottest part of the tokenizer.
#include "sheaf/html/char_ref.h"
#include "sheaf/html/tokenizer.h"
#include "sheaf/text/scan.h"

#include <array>

namespace sheaf::html {
namespace {

enum ByteClass : std::uint8_t {
  kEndsTagName = 1,        // white space, / and >
  kEndsAttributeName = 2,  // white space, /, > and =
  kChanges = 4,            // upper case and NUL
  kSpace = 8,
  kEndsUnquoted = 16,  // white space and >
  kChangesValue = 32,  // & and NUL
};

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (const std::size_t c : {0x20U, 0x0AU, 0x09U, 0x0DU, 0x0CU})
    classes[c] = kEndsTagName | kEndsAttributeName | kSpace | kEndsUnquoted;
  classes['/'] = kEndsTagName | kEndsAttributeName;
  classes['>'] = kEndsTagName | kEndsAttributeName | kEndsUnquoted;
  classes['='] = kEndsAttributeName;
  for (std::size_t c = 0x41; c <= 0x5A; ++c) classes[c] = kChanges;
  classes[0] = kChanges | kChangesValue;
  classes['&'] = kChangesValue;
  return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

inline std::uint8_t class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }

// Advances `p` to the first byte of class `stop`. Returns the classes of the skipped bytes.
inline std::uint8_t pass(const char*& p, const char* end, std::uint8_t stop) {
  std::uint8_t seen = 0;
  for (; p != end; ++p) {
    const std::uint8_t byte_class = class_of(*p);
    if ((byte_class & stop) != 0) break;
    seen |= byte_class;
  }
  return seen;
}

inline const char* pass_space(const char* p, const char* end) {
  while (p != end && (class_of(*p) & kSpace) != 0) ++p;
  return p;
}

}  // namespace

Tokenizer::Markup Tokenizer::read_tag(Token& token, const char* open, const char* name, TokenKind kind) {
  const char* p = name;
  const std::uint8_t seen = pass(p, end_, kEndsTagName);
  if (p == end_) {  // eof-in-tag: the tag is dropped
    emit_end(token);
    return Markup::token;
  }
  token.kind = kind;
  token.offset = offset(open);
  token.self_closing = false;
  token.name = (seen & kChanges) != 0 ? lower_name(name, p)
                                      : document_.names_.intern({std::string_view(name, p), end_});
  if (document_.attributes_.size() != kept_attributes_) document_.attributes_.resize(kept_attributes_);
  token.attribute_begin = static_cast<std::uint32_t>(kept_attributes_);
  if (*p != '>') {
    p = read_attributes(token, p);
    if (p == nullptr) {
      emit_end(token);
      return Markup::token;
    }
  }
  token.attribute_count = static_cast<std::uint32_t>(document_.attributes_.size() - kept_attributes_);
  p_ = p + 1;
  if (token.name == Name::none) [[unlikely]] {
    hit_.names = true;
    return Markup::nothing;
  }
  if (kind == TokenKind::start_tag) last_start_tag_ = token.name;
  return Markup::token;
}

// Reads from the end of the tag name to the > and returns its position.
const char* Tokenizer::read_attributes(Token& token, const char* p) {
  const std::uint32_t serial = document_.names_.next_serial();
  while (p != nullptr) {
    p = pass_space(p, end_);
    if (p == end_) return nullptr;
    if (*p == '>') return p;
    if (*p == '/') {
      ++p;
      if (p != end_ && *p == '>') {
        token.self_closing = true;
        return p;
      }
      continue;
    }
    p = read_attribute(token, p, serial);
  }
  return nullptr;
}

const char* Tokenizer::read_attribute(Token& token, const char* p, std::uint32_t serial) {
  const char* begin = p;
  if (*p == '=') ++p;  // unexpected-equals-sign-before-attribute-name: part of the name
  const std::uint8_t seen = pass(p, end_, kEndsAttributeName);
  const char* name_end = p;
  TextRef value;
  const std::size_t text_size = document_.text_.size();
  p = pass_space(p, end_);
  if (p != end_ && *p == '=') p = read_value(pass_space(p + 1, end_), value);
  if (p == nullptr || p == end_) return nullptr;

  std::vector<Attribute>& attributes = document_.attributes_;
  if (attributes.size() - token.attribute_begin >= limits_.attributes) [[unlikely]] {
    hit_.attributes = true;
    document_.text_.resize(text_size);
    return p;
  }
  const Name name = (seen & kChanges) != 0
                        ? lower_name(begin, name_end)
                        : document_.names_.intern({std::string_view(begin, name_end), end_});
  NameTable::Mark& mark = document_.names_.mark(name);
  if (name == Name::none || mark.serial == serial) [[unlikely]] {
    if (name == Name::none) hit_.names = true;
    document_.text_.resize(text_size);  // duplicate-attribute: the first one counts
    return p;
  }
  mark.serial = serial;
  attributes.push_back({value, name, AttributeNamespace::none});
  return p;
}

const char* Tokenizer::read_value(const char* p, TextRef& value) {
  if (p == end_) return nullptr;
  const char quote = *p;
  if (quote == '"' || quote == '\'') {
    ++p;
    const char* stop = text::scan::find_value_end(p, end_, quote);
    if (stop == end_) return nullptr;
    if (*stop == quote) {
      value = {offset(p), static_cast<std::uint32_t>(stop - p)};
      return stop + 1;
    }
    stop = text::scan::find_byte(stop, end_, quote);
    if (stop == end_) return nullptr;
    value = keep_changed(p, stop);
    return stop + 1;
  }
  const char* begin = p;
  const std::uint8_t seen = pass(p, end_, kEndsUnquoted);
  if (p == end_) return nullptr;
  value = (seen & kChangesValue) != 0 ? keep_changed(begin, p)
                                      : TextRef{offset(begin), static_cast<std::uint32_t>(p - begin)};
  return p;
}

// Copies a value that has references, CR or NUL, and replaces them. No reference can extend past the value,
// because the byte after the value cannot be part of a reference.
TextRef Tokenizer::keep_changed(const char* begin, const char* end) {
  std::string& out = document_.text_;
  const std::uint32_t start = document_.text_end();
  for (const char* p = begin; p != end;) {
    const char* stop = text::scan::find_any(p, end, '&', '\r', '\0', '\0');
    out.append(p, stop);
    if (stop == end) break;
    p = stop + 1;
    if (*stop == '\r') {
      out += '\n';
      if (p != end && *p == '\n') ++p;
    } else if (*stop == '\0') {
      out += "\xEF\xBF\xBD";
    } else {
      const CharRef ref = read_char_ref(p, end, RefPlace::attribute, reference_);
      out += ref.consumed == 0 ? std::string_view("&") : ref.text;
      p += ref.consumed;
    }
  }
  return {start, document_.text_end() - start};
}

Name Tokenizer::lower_name(const char* begin, const char* end) {
  buffer_.clear();
  for (const char* p = begin; p != end; ++p) {
    if (*p == '\0') {
      buffer_ += "\xEF\xBF\xBD";
    } else {
      buffer_ += *p >= 'A' && *p <= 'Z' ? static_cast<char>(*p + 0x20) : *p;
    }
  }
  return document_.names_.intern(buffer_);
}

}  // namespace sheaf::html
