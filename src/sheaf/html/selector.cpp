#include "sheaf/html/selector.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/hex.h"
#include "sheaf/html/char_ref.h"
#include "sheaf/html/dom.h"

#include <utility>

namespace sheaf::html {
namespace {

bool is_name_char(char c) {
  return base::is_alphanumeric(c) || c == '-' || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::unexpected<base::Error> SelectorParser::unexpected(std::string_view expected) const {
  std::string message = "selector \"";
  message.append(text_).append("\": found ");
  if (at_end()) {
    message.append("the end");
  } else {
    message.append("'").append(1, peek()).append("'");
  }
  message.append(" at character ").append(std::to_string(at_ + 1)).append(", expected ").append(expected);
  return base::fail(base::Errc::invalid_argument, std::move(message));
}

bool SelectorParser::take(char c) {
  if (peek() != c || at_end()) return false;
  ++at_;
  return true;
}

bool SelectorParser::skip_space() {
  const std::size_t start = at_;
  while (!at_end() && text::is_space(peek())) ++at_;
  return at_ != start;
}

base::Result<Selector> SelectorParser::run() {
  Selector selector;
  do {
    SHEAF_TRY_ASSIGN(Selector::Complex next, complex());
    selector.list_.push_back(std::move(next));
  } while (take(','));
  if (!at_end())
    return unexpected("a space, '>', ',' or the end (siblings and pseudo-elements are not supported)");
  return selector;
}

base::Result<Selector::Complex> SelectorParser::complex() {
  Selector::Complex parts;
  skip_space();
  bool child = false;
  for (;;) {
    SHEAF_TRY_ASSIGN(Compound next, compound(false));
    next.child = child;
    parts.push_back(std::move(next));
    const bool space = skip_space();
    child = take('>');
    if (child) {
      skip_space();
    } else if (!space || at_end() || peek() == ',') {
      return parts;
    }
  }
}

base::Result<Selector::Compound> SelectorParser::compound(bool inside_not) {
  Compound result;
  const std::size_t start = at_;
  if (!take('*') && (is_name_char(peek()) || peek() == '\\')) {
    SHEAF_TRY_ASSIGN(std::string type, name("an element name"));
    result.any_type = false;
    result.type = name_test(std::move(type));
  }
  for (;;) {
    if (take('#')) {
      SHEAF_TRY_ASSIGN(std::string id, name("an id"));
      result.simples.push_back({.test = Selector::Test::id, .name = {}, .value = std::move(id)});
    } else if (take('.')) {
      SHEAF_TRY_ASSIGN(std::string class_name, name("a class"));
      result.simples.push_back(
          {.test = Selector::Test::has_class, .name = {}, .value = std::move(class_name)});
    } else if (take('[')) {
      SHEAF_TRY_ASSIGN(Simple simple, attribute());
      result.simples.push_back(std::move(simple));
    } else if (peek() == ':' && !inside_not) {
      SHEAF_TRY(negation(result));
    } else {
      break;
    }
  }
  if (at_ == start) return unexpected("an element name, '*', '#', '.', '[' or ':not('");
  return result;
}

base::Result<void> SelectorParser::negation(Compound& compound_of) {
  constexpr std::string_view start = ":not(";
  if (!text::equal_text(text_.substr(at_, start.size()), start, text::TextCase::ignore))
    return unexpected("':not(', the only pseudo-class supported");
  at_ += start.size();
  skip_space();
  SHEAF_TRY_ASSIGN(Compound inside, compound(true));
  skip_space();
  if (!take(')')) return unexpected("')' (one compound selector inside ':not()')");
  compound_of.negated.push_back(std::move(inside));
  return {};
}

base::Result<Selector::Simple> SelectorParser::attribute() {
  Simple simple;
  skip_space();
  SHEAF_TRY_ASSIGN(std::string attribute_name, name("an attribute name"));
  simple.name = name_test(std::move(attribute_name));
  simple.test = Selector::Test::has;
  skip_space();
  if (take(']')) return simple;
  constexpr std::pair<char, Selector::Test> operators[] = {{'~', Selector::Test::word},
                                                           {'|', Selector::Test::dash},
                                                           {'^', Selector::Test::prefix},
                                                           {'$', Selector::Test::suffix},
                                                           {'*', Selector::Test::substring}};
  simple.test = Selector::Test::equals;
  for (const auto& [sign, test] : operators)
    if (take(sign)) simple.test = test;
  if (!take('=')) return unexpected("']', '=', '~=', '|=', '^=', '$=' or '*='");
  SHEAF_TRY(attribute_value(simple));
  return simple;
}

base::Result<void> SelectorParser::attribute_value(Simple& simple) {
  skip_space();
  if (peek() == '"' || peek() == '\'') {
    SHEAF_TRY_ASSIGN(simple.value, string());
  } else {
    SHEAF_TRY_ASSIGN(simple.value, name("a value"));
  }
  skip_space();
  const char flag = text::lower_ascii(peek());
  if (flag == 'i' || flag == 's') {
    ++at_;
    if (flag == 'i') simple.value_case = text::TextCase::ignore;
    skip_space();
  }
  if (!take(']')) return unexpected("']'");
  return {};
}

// Reads a CSS identifier. Unlike in CSS it may start with a digit, because that is common.
base::Result<std::string> SelectorParser::name(std::string_view what) {
  std::string result;
  while (!at_end()) {
    if (is_name_char(peek())) {
      result += text_[at_++];
    } else if (peek() == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') {
      ++at_;
      escape(result);
    } else {
      break;
    }
  }
  if (result.empty()) return unexpected(what);
  return result;
}

base::Result<std::string> SelectorParser::string() {
  const char quote = text_[at_++];
  std::string result;
  while (!at_end() && peek() != quote) {
    if (take('\\')) {
      if (!at_end()) escape(result);
    } else {
      result += text_[at_++];
    }
  }
  if (!take(quote)) return unexpected("the closing quote");
  return result;
}

// Reads the part of an escape after the backslash: up to six hexadecimal digits and an optional space, or a
// single character.
void SelectorParser::escape(std::string& out) {
  std::uint32_t code = 0;
  int digits = 0;
  for (; digits < 6 && !at_end() && base::hex_value(peek()) >= 0; ++digits)
    code = code * 16 + static_cast<std::uint32_t>(base::hex_value(text_[at_++]));
  if (digits == 0) {
    out += text_[at_++];
    return;
  }
  if (!at_end() && text::is_space(peek())) ++at_;
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) code = 0xFFFD;
  char bytes[4];
  out.append(bytes, encode_utf8(code, bytes));
}

Selector::NameTest SelectorParser::name_test(std::string text) {
  static const NameTable known;
  Selector::NameTest test;
  for (const char c : text) test.lower += text::lower_ascii(c);
  test.known = known.find(test.lower);
  test.text = std::move(text);
  return test;
}

namespace {

bool is_space_free(std::string_view text) {
  for (const char c : text)
    if (text::is_space(c)) return false;
  return true;
}

bool begins(std::string_view text, std::string_view start, text::TextCase text_case) {
  return text.size() >= start.size() && text::equal_text(text.substr(0, start.size()), start, text_case);
}

bool ends(std::string_view text, std::string_view end, text::TextCase text_case) {
  return text.size() >= end.size() && text::equal_text(text.substr(text.size() - end.size()), end, text_case);
}

bool contains(std::string_view text, std::string_view part, text::TextCase text_case) {
  if (text_case == text::TextCase::exact) return text.find(part) != std::string_view::npos;
  for (std::size_t at = 0; at + part.size() <= text.size(); ++at)
    if (text::equal_text(text.substr(at, part.size()), part, text_case)) return true;
  return false;
}

}  // namespace

base::Result<Selector> Selector::compile(std::string_view text) { return SelectorParser(text).run(); }

bool Selector::matches(const Document& document, NodeId node) const {
  if (!document.is_element(node)) return false;
  for (const Complex& complex : list_)
    if (matches(document, node, complex)) return true;
  return false;
}

// Matches from right to left. A descendant combinator takes the nearest matching ancestor. If the compounds
// to its left then do not match, the search continues above that ancestor. It need not reconsider combinators
// further right: a higher ancestor for one of them would only leave fewer ancestors. So the work is at most
// depth times the number of compounds.
bool Selector::matches(const Document& document, NodeId node, const Complex& complex) {
  std::size_t i = complex.size() - 1;
  if (!matches(document, node, complex[i])) return false;
  bool can_retry = false;
  std::size_t retry_at = 0;
  NodeId retry_from = kNoNode;
  while (i > 0) {
    const bool child = complex[i].child;
    node = document.parent(node);
    if (!child) {
      while (node != kNoNode && !(document.is_element(node) && matches(document, node, complex[i - 1])))
        node = document.parent(node);
      if (node == kNoNode) return false;
      can_retry = true;
      retry_at = i;
      retry_from = node;
      --i;
    } else if (node != kNoNode && document.is_element(node) && matches(document, node, complex[i - 1])) {
      --i;
    } else if (can_retry) {
      i = retry_at;
      node = retry_from;
    } else {
      return false;
    }
  }
  return true;
}

bool Selector::matches(const Document& document, NodeId node, const Compound& compound) {
  if (!compound.any_type) {
    const bool html = document.ns(node) == Namespace::html;
    const bool same = html && compound.type.known != Name::none
                          ? document.name(node) == compound.type.known
                          : document.name_text(node) == (html ? compound.type.lower : compound.type.text);
    if (!same) return false;
  }
  for (const Simple& simple : compound.simples)
    if (!matches(document, node, simple)) return false;
  for (const Compound& negated : compound.negated)
    if (matches(document, node, negated)) return false;
  return true;
}

bool Selector::matches(const Document& document, NodeId node, const Simple& simple) {
  const text::TextCase quirk =
      document.quirks_mode() == QuirksMode::quirks ? text::TextCase::ignore : text::TextCase::exact;
  if (simple.test == Test::has_class) return has_class(document, node, simple.value);
  if (simple.test == Test::id) {
    const auto id = document.attribute(node, Name::id);
    return id && text::equal_text(*id, simple.value, quirk);
  }
  const bool html = document.ns(node) == Namespace::html;
  const auto found = html && simple.name.known != Name::none
                         ? document.attribute(node, simple.name.known)
                         : document.attribute(node, html ? simple.name.lower : simple.name.text);
  if (!found) return false;
  const std::string_view value = *found;
  const text::TextCase text_case = simple.value_case;
  switch (simple.test) {
    case Test::has: return true;
    case Test::equals: return text::equal_text(value, simple.value, text_case);
    case Test::word: return is_space_free(simple.value) && text::has_word(value, simple.value, text_case);
    case Test::dash:
      return begins(value, simple.value, text_case) &&
             (value.size() == simple.value.size() || value[simple.value.size()] == '-');
    case Test::prefix: return !simple.value.empty() && begins(value, simple.value, text_case);
    case Test::suffix: return !simple.value.empty() && ends(value, simple.value, text_case);
    case Test::substring: return !simple.value.empty() && contains(value, simple.value, text_case);
    case Test::id:
    case Test::has_class: break;
  }
  return false;
}

NodeId Selector::first(const Document& document, NodeId root) const {
  for (const NodeId node : Descendants(document, root))
    if (matches(document, node)) return node;
  return kNoNode;
}

std::vector<NodeId> Selector::all(const Document& document, NodeId root) const {
  std::vector<NodeId> found;
  for (const NodeId node : Descendants(document, root))
    if (matches(document, node)) found.push_back(node);
  return found;
}

}  // namespace sheaf::html
