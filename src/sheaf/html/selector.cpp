#include "sheaf/html/selector.h"

#include "sheaf/html/query.h"
#include "sheaf/html/selector_parser.h"

namespace sheaf::html {
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
