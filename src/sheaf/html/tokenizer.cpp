#include "sheaf/html/tokenizer.h"

// Tags and their attributes: the hottest part of the tokenizer.
#include "sheaf/base/ascii.h"
#include "sheaf/html/char_ref.h"
#include "sheaf/text/scan.h"
#include "sheaf/text/text_compare.h"

#include <array>

namespace sheaf::html {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Whether [p, end) begins with `word` (lower case), ignoring case.
bool begins_with(const char* p, const char* end, std::string_view word) {
  if (static_cast<std::size_t>(end - p) < word.size()) return false;
  for (const char c : word)
    if (text::lower_ascii(*p++) != c) return false;
  return true;
}

enum class Case : std::uint8_t { keep, lower };

// Normalizes the text of a comment or doctype: CR LF and CR become LF, NUL becomes U+FFFD. Returns a view of
// the input if nothing changes.
std::string_view normalized(const char* begin, const char* end, std::string& buffer, Case change) {
  const auto changes = [&](char c) {
    return c == '\0' || c == '\r' || (change == Case::lower && text::lower_ascii(c) != c);
  };
  const char* p = begin;
  if (change == Case::keep) p = text::scan::find_raw_change(begin, end);
  while (p != end && !changes(*p)) ++p;
  if (p == end) return {begin, static_cast<std::size_t>(end - begin)};
  buffer.assign(begin, p);
  for (; p != end; ++p) {
    if (*p == '\0') {
      buffer += kReplacement;
    } else if (*p == '\r') {
      buffer += '\n';
      if (p + 1 != end && p[1] == '\n') ++p;
    } else {
      buffer += change == Case::lower ? text::lower_ascii(*p) : *p;
    }
  }
  return buffer;
}

}  // namespace

Tokenizer::Tokenizer(std::string_view input, Document& document, const ParseLimits& limits, LimitsHit& hit)
    : document_(document),
      limits_(limits),
      hit_(hit),
      begin_(input.data()),
      end_(input.data() + input.size()),
      p_(input.data()) {
  document_.reset(input);
}

bool Tokenizer::emit_end(Token& token) {
  p_ = end_;
  token.kind = TokenKind::end_of_file;
  token.offset = offset(end_);
  return true;
}

bool Tokenizer::emit_text(Token& token, const char* from, std::string_view text, const char* to) {
  token.kind = TokenKind::text;
  token.offset = offset(from);
  token.text = text;
  p_ = to;
  return true;
}

bool Tokenizer::next_in_data(Token& token) {
  const char* p = p_;
  if (p == end_) return emit_end(token);
  const char* scan_from = p;
  if (*p == '<') {
    const Markup markup = read_markup(token, p);
    if (markup != Markup::text) return markup == Markup::token;
    scan_from = p + 1;
  } else if (*p == '&') {
    const CharRef ref = read_char_ref(p + 1, end_, RefPlace::text, reference_);
    if (ref.consumed != 0) return emit_text(token, p, ref.text, p + 1 + ref.consumed);
    scan_from = p + 1;
  } else if (*p == '\r') {
    if (p + 1 == end_ || p[1] != '\n') return emit_text(token, p, "\n", p + 1);
    ++p;
    scan_from = p + 1;
  } else if (*p == '\0') {
    emit_text(token, p, {}, p + 1);
    token.kind = TokenKind::null;
    return true;
  }
  const char* stop = text::scan::find_text_end(scan_from, end_);
  return emit_text(token, p, {p, static_cast<std::size_t>(stop - p)}, stop);
}

// "Tag open state".
Tokenizer::Markup Tokenizer::read_markup(Token& token, const char* open) {
  const char* p = open + 1;
  if (p == end_) return Markup::text;
  if (base::is_letter(*p)) return read_tag(token, open, p, TokenKind::start_tag);
  if (*p == '/') return read_end_markup(token, open);
  if (*p == '!') return read_declaration(token, open);
  if (*p != '?') return Markup::text;
  read_bogus_comment(token, open, p);
  return Markup::token;
}

// "End tag open state".
Tokenizer::Markup Tokenizer::read_end_markup(Token& token, const char* open) {
  const char* p = open + 2;
  if (p == end_) return Markup::text;
  if (base::is_letter(*p)) return read_tag(token, open, p, TokenKind::end_tag);
  if (*p == '>') {
    p_ = p + 1;
    return Markup::nothing;
  }
  read_bogus_comment(token, open, p);
  return Markup::token;
}

// "Markup declaration open state".
Tokenizer::Markup Tokenizer::read_declaration(Token& token, const char* open) {
  const char* p = open + 2;
  const std::string_view rest(p, static_cast<std::size_t>(end_ - p));
  if (rest.starts_with("--")) {
    read_comment(token, open, p + 2);
  } else if (begins_with(p, end_, "doctype")) {
    read_doctype(token, open, p + 7);
  } else if (cdata_allowed_ && rest.starts_with("[CDATA[")) {
    p_ = p + 7;
    set_mode(TextMode::cdata);
    return Markup::nothing;
  } else {
    read_bogus_comment(token, open, p);
  }
  return Markup::token;
}

void Tokenizer::set_mode(TextMode mode) {
  mode_ = mode;
  switch (mode) {
    case TextMode::data: break;
    case TextMode::rcdata:
    case TextMode::rawtext: raw_end_ = find_raw_end(p_); break;
    case TextMode::script_data: raw_end_ = find_script_end(p_); break;
    case TextMode::plaintext: raw_end_ = end_; break;
    case TextMode::cdata: {
      const std::string_view rest(p_, static_cast<std::size_t>(end_ - p_));
      const std::size_t close = rest.find("]]>");
      raw_end_ = close == std::string_view::npos ? end_ : p_ + close;
      break;
    }
  }
}

// Reads text up to raw_end_, then the end tag (in CDATA, the ]]>).
bool Tokenizer::next_in_raw(Token& token) {
  const char* p = p_;
  if (p == raw_end_) {
    if (p == end_) return emit_end(token);
    const bool cdata = mode_ == TextMode::cdata;
    mode_ = TextMode::data;
    if (!cdata) return read_tag(token, p, p + 2, TokenKind::end_tag) == Markup::token;
    p_ = p + 3;
    return false;
  }
  const char* scan_from = p;
  if (*p == '\r') {
    if (p + 1 == raw_end_ || p[1] != '\n') return emit_text(token, p, "\n", p + 1);
    ++p;
    scan_from = p + 1;
  } else if (*p == '\0') {
    emit_text(token, p, kReplacement, p + 1);
    if (mode_ == TextMode::cdata) token.kind = TokenKind::null;
    return true;
  } else if (*p == '&' && mode_ == TextMode::rcdata) {
    const CharRef ref = read_char_ref(p + 1, raw_end_, RefPlace::text, reference_);
    if (ref.consumed != 0) return emit_text(token, p, ref.text, p + 1 + ref.consumed);
    scan_from = p + 1;
  }
  const char* stop = mode_ == TextMode::rcdata
                         ? text::scan::find_any(scan_from, raw_end_, '&', '\r', '\0', '\0')
                         : text::scan::find_raw_change(scan_from, raw_end_);
  return emit_text(token, p, {p, static_cast<std::size_t>(stop - p)}, stop);
}

// Whether the `<` at `open` begins an end tag with that name.
bool Tokenizer::is_end_tag(const char* open, std::string_view name) const {
  if (end_ - open < 3 || open[1] != '/' || !begins_with(open + 2, end_, name)) return false;
  const char* after = open + 2 + name.size();
  return after != end_ && (text::is_space(*after) || *after == '/' || *after == '>');
}

const char* Tokenizer::find_raw_end(const char* p) const {
  if (last_start_tag_ == Name::none) return end_;  // in a fragment, no end tag is "appropriate"
  const std::string_view name = document_.names_.text(last_start_tag_);
  for (; (p = text::scan::find_byte(p, end_, '<')) != end_; ++p)
    if (is_end_tag(p, name)) return p;
  return end_;
}

// The script data states. After `<!--` (escaped), a `<script` opens a second level (double escaped) in which
// `</script` does not end the element; `-->` ends both levels. `dashes` counts the dashes just before p, up
// to two.
const char* Tokenizer::find_script_end(const char* p) const {
  const std::string_view name = last_start_tag_ == Name::none ? "" : document_.names_.text(last_start_tag_);
  const auto opens_script = [this](const char* at) {
    if (!begins_with(at, end_, "script")) return false;
    const char* after = at + 6;
    return after != end_ && (text::is_space(*after) || *after == '/' || *after == '>');
  };
  enum class State : std::uint8_t { plain, escaped, double_escaped };
  State state = State::plain;
  int dashes = 0;
  while (p != end_) {
    if (state == State::plain) {
      p = text::scan::find_byte(p, end_, '<');
      if (p == end_) return end_;
    }
    const char c = *p;
    if (state != State::plain && c == '-') {
      dashes = dashes == 2 ? 2 : dashes + 1;
      ++p;
      continue;
    }
    if (state != State::plain && c == '>' && dashes == 2) state = State::plain;
    dashes = 0;
    if (c != '<') {
      ++p;
      continue;
    }
    if (state == State::double_escaped) {
      if (p + 1 != end_ && p[1] == '/' && opens_script(p + 2)) state = State::escaped;
    } else if (!name.empty() && is_end_tag(p, name)) {
      return p;
    } else if (state == State::escaped) {
      if (opens_script(p + 1)) state = State::double_escaped;
    } else if (end_ - p >= 4 && p[1] == '!' && p[2] == '-' && p[3] == '-') {
      state = State::escaped;
      dashes = 2;
      p += 3;
    }
    ++p;
  }
  return end_;
}

void Tokenizer::emit_comment(Token& token, const char* open, const char* begin, const char* end,
                             const char* after) {
  token.kind = TokenKind::comment;
  token.offset = offset(open);
  token.text = normalized(begin, end, buffer_, Case::keep);
  p_ = after;
}

// The comment states. A comment ends at `-->` or `--!>`, or is empty if it begins with `>` or `->`. If the
// input ends inside a comment, trailing dashes that could begin the end mark are not part of its data.
void Tokenizer::read_comment(Token& token, const char* open, const char* data) {
  const std::string_view rest(data, static_cast<std::size_t>(end_ - data));
  if (rest.starts_with('>')) return emit_comment(token, open, data, data, data + 1);
  if (rest.starts_with("->")) return emit_comment(token, open, data, data, data + 2);
  for (const char* p = data;;) {
    p = text::scan::find_byte(p, end_, '-');
    if (p == end_) return emit_comment(token, open, data, end_, end_);
    const char* dash = p;
    while (p != end_ && *p == '-') ++p;
    if (p - dash == 1) {
      if (p == end_) return emit_comment(token, open, data, dash, end_);
      continue;
    }
    if (p == end_) return emit_comment(token, open, data, p - 2, end_);
    if (*p == '>') return emit_comment(token, open, data, p - 2, p + 1);
    if (*p != '!') continue;
    if (p + 1 == end_) return emit_comment(token, open, data, p - 2, end_);
    if (p[1] == '>') return emit_comment(token, open, data, p - 2, p + 2);
  }
}

void Tokenizer::read_bogus_comment(Token& token, const char* open, const char* data) {
  const char* close = text::scan::find_byte(data, end_, '>');
  emit_comment(token, open, data, close, close == end_ ? end_ : close + 1);
}

// The doctype states, after the keyword.
void Tokenizer::read_doctype(Token& token, const char* open, const char* p) {
  token.kind = TokenKind::doctype;
  token.offset = offset(open);
  token.force_quirks = false;
  token.text = {};
  token.public_id.reset();
  token.system_id.reset();
  p = text::scan::skip_space(p, end_);
  const char* name = p;
  while (p != end_ && *p != '>' && !text::is_space(*p)) ++p;
  if (p == name) {
    token.force_quirks = true;
  } else {
    token.text = normalized(name, p, buffer_, Case::lower);
    p = read_doctype_ids(token, text::scan::skip_space(p, end_));
  }
  if (p == end_) {
    p_ = end_;
    return;
  }
  p_ = p + 1;
}

const char* Tokenizer::skip_bogus_doctype(const char* p) const { return text::scan::find_byte(p, end_, '>'); }

// "After DOCTYPE name state" and the following states. Returns the position of the closing >, or the end of
// the input.
const char* Tokenizer::read_doctype_ids(Token& token, const char* p) {
  if (p != end_ && *p == '>') return p;
  if (begins_with(p, end_, "public")) {
    p = read_doctype_id(token, text::scan::skip_space(p + 6, end_), token.public_id, public_buffer_);
    if (token.force_quirks) return p;
    p = text::scan::skip_space(p, end_);
    if (p != end_ && *p == '>') return p;
    p = read_doctype_id(token, p, token.system_id, system_buffer_);
  } else if (begins_with(p, end_, "system")) {
    p = read_doctype_id(token, text::scan::skip_space(p + 6, end_), token.system_id, system_buffer_);
  } else {
    token.force_quirks = true;
    return skip_bogus_doctype(p);
  }
  if (token.force_quirks) return p;
  p = text::scan::skip_space(p, end_);
  if (p == end_) token.force_quirks = true;
  return skip_bogus_doctype(p);  // anything after the identifiers is an error, but does not cause quirks mode
}

// Reads a quoted identifier and returns the position after it. Anything else forces quirks mode; the position
// of the closing > is then returned.
const char* Tokenizer::read_doctype_id(Token& token, const char* p, std::optional<std::string_view>& id,
                                       std::string& buffer) {
  if (p == end_ || (*p != '"' && *p != '\'')) {
    token.force_quirks = true;
    return skip_bogus_doctype(p);
  }
  const char quote = *p++;
  const char* begin = p;
  while (p != end_ && *p != quote && *p != '>') ++p;
  id = normalized(begin, p, buffer, Case::keep);
  if (p != end_ && *p == quote) return p + 1;
  token.force_quirks = true;
  return p;
}

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
