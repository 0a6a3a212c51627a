// Creating and inserting nodes, and the stack of open elements.
#include "sheaf/html/tree_builder.h"
#include "sheaf/text/scan.h"

#include <algorithm>

namespace sheaf::html {

TreeBuilder::Place TreeBuilder::foster_place() const {
  const std::size_t table = open_.last(Name::table);
  const std::size_t last_template = open_.last(Name::template_);
  if (last_template != OpenElements::npos && (table == OpenElements::npos || last_template > table))
    return {open_[last_template].inside, kNoNode};
  if (table == OpenElements::npos) return {open_[0].inside, kNoNode};
  const NodeId node = open_[table].node;
  const NodeId parent = document_.parent(node);
  if (parent != kNoNode) return {parent, node};
  return {open_[table - 1].inside, kNoNode};
}

// Creates another element for the same token. Both share their attributes, which no longer change.
NodeId TreeBuilder::clone_element(NodeId node) {
  const Document::Node original = document_.nodes_[node];
  return make_element(original.name, original.ns, original.data_begin, original.data_size);
}

NodeId TreeBuilder::insert(Name name) {
  const NodeId node = make_element(name, Namespace::html, 0, 0);
  attach_deeper(node);
  push(node, name, html_element_flags(name));
  return node;
}

// Void elements are not pushed on the stack.
void TreeBuilder::insert_void(const Token& token) {
  tokenizer_.keep_attributes();
  attach(place(), make_element(token.name, Namespace::html, token.attribute_begin, token.attribute_count));
}

// "Generic raw text (or RCDATA) element parsing algorithm".
void TreeBuilder::insert_raw(const Token& token, TextMode mode) {
  insert(token);
  tokenizer_.set_mode(mode);
  original_mode_ = mode_;
  mode_ = Mode::text;
}

void TreeBuilder::insert_text(std::string_view text, std::uint32_t offset) {
  if (text.empty()) return;
  const Place where = place();
  const NodeId neighbour =
      where.before == kNoNode ? document_.last_child(where.parent) : document_.previous(where.before);
  if (neighbour != kNoNode && document_.kind(neighbour) == NodeKind::text) {
    document_.append_text(neighbour, text);
    return;
  }
  const TextRef ref = document_.keep(text);
  const NodeId node = document_.add_node(NodeKind::text, offset);
  document_.nodes_[node].data_begin = ref.begin;
  document_.nodes_[node].data_size = ref.size;
  attach(where, node);
}

void TreeBuilder::insert_comment(const Token& token, Place where) {
  const TextRef ref = document_.keep(token.text);
  const NodeId node = document_.add_node(NodeKind::comment, offset_);
  document_.nodes_[node].data_begin = ref.begin;
  document_.nodes_[node].data_size = ref.size;
  attach(where, node);
}

// Adds the attributes of a second html or body tag to the existing element, except those that it already has.
void TreeBuilder::add_attributes(NodeId node, const Token& token) {
  if (token.attribute_count == 0) return;
  NameTable& names = document_.names_;
  std::vector<Attribute>& all = document_.attributes_;
  const std::uint32_t serial = names.next_serial();
  for (const Attribute& attribute : document_.attributes(node)) names.mark(attribute.name).serial = serial;
  result_.steps += document_.attributes(node).size();

  const auto added = all.begin() + static_cast<std::ptrdiff_t>(token.attribute_begin);
  auto end = std::remove_if(added, all.end(),
                            [&](const Attribute& a) { return names.mark(a.name).serial == serial; });
  Document::Node& target = document_.nodes_[node];
  const std::uint32_t room =
      options_.limits.attributes - std::min(options_.limits.attributes, target.data_size);
  if (end - added > static_cast<std::ptrdiff_t>(room)) {
    end = added + static_cast<std::ptrdiff_t>(room);
    result_.limits.attributes = true;
  }
  if (end == added) return;
  all.erase(end, all.end());
  const auto count = static_cast<std::uint32_t>(all.size() - token.attribute_begin);
  if (target.data_size == 0) {
    target.data_begin = token.attribute_begin;
  } else if (target.data_begin + target.data_size != token.attribute_begin) {
    // The attributes of an element must be consecutive, so the existing ones are copied in front of the new
    // ones.
    const std::vector<Attribute> own(all.begin() + target.data_begin,
                                     all.begin() + target.data_begin + target.data_size);
    all.insert(all.begin() + token.attribute_begin, own.begin(), own.end());
    target.data_begin = token.attribute_begin;
    result_.steps += own.size();
  }
  target.data_size += count;
  tokenizer_.keep_attributes();
}

void TreeBuilder::pop_until(Name name) {
  while (open_.size() > 1) {
    const bool found = current() == name;
    pop();
    if (found) return;
  }
}

void TreeBuilder::pop_until_node(NodeId node) {
  while (open_.size() > 1) {
    const bool found = open_.top().node == node;
    pop();
    if (found) return;
  }
}

void TreeBuilder::remove_open(std::size_t index) {
  document_.nodes_[open_[index].node].open = false;
  open_.erase(index);
}

// "Generate implied end tags".
void TreeBuilder::close_implied(Name except) {
  while (open_.top().has(kImpliedEnd) && current() != except) pop();
}

void TreeBuilder::close_implied_thoroughly() {
  while (open_.top().has(kThoroughEnd)) pop();
}

std::string_view TreeBuilder::take_space(Token& token) {
  const char* begin = token.text.data();
  const auto size =
      static_cast<std::size_t>(text::scan::skip_space(begin, begin + token.text.size()) - begin);
  const std::string_view space = token.text.substr(0, size);
  token.text.remove_prefix(size);
  token.offset += static_cast<std::uint32_t>(size);
  return space;
}

bool TreeBuilder::insert_space(Token& token) {
  const std::uint32_t offset = token.offset;
  insert_text(take_space(token), offset);
  return token.text.empty();
}

bool TreeBuilder::drop_space(Token& token) {
  take_space(token);
  return token.text.empty();
}

}  // namespace sheaf::html
