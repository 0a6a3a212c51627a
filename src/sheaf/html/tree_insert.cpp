#include "sheaf/html/tree_builder.h"
#include "sheaf/text/scan.h"

#include <algorithm>

// Creating and inserting nodes, and the stack of open elements.
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

// The list of active formatting elements and the adoption agency algorithm.

// "Reconstruct the active formatting elements", without the early exits, which reconstruct_formatting() has.
void TreeBuilder::reopen_formatting() {
  std::size_t i = formatting_.size() - 1;
  while (i > 0 && formatting_[i - 1].node != kNoNode && !document_.nodes_[formatting_[i - 1].node].open) --i;
  result_.steps += formatting_.size() - i;
  for (; i < formatting_.size(); ++i) {
    Formatting& entry = formatting_[i];
    const NodeId node = clone_element(entry.node);
    attach_deeper(node);
    push(node, entry.name, html_element_flags(entry.name));
    document_.nodes_[entry.node].listed = false;
    document_.nodes_[node].listed = true;
    entry.node = node;
  }
}

// Compares attributes as sets in linear time: marks the names of one element with their positions, then looks
// up the names of the other element.
bool TreeBuilder::same_attributes(NodeId a, NodeId b) {
  const std::span<const Attribute> left = document_.attributes(a);
  const std::span<const Attribute> right = document_.attributes(b);
  if (left.size() != right.size()) return false;
  if (left.data() == right.data() || left.empty()) return true;
  result_.steps += left.size();
  NameTable& names = document_.names_;
  const std::uint32_t serial = names.next_serial();
  for (std::size_t i = 0; i < left.size(); ++i)
    names.mark(left[i].name) = {.serial = serial, .value = static_cast<std::uint32_t>(i)};
  return std::ranges::all_of(right, [&](const Attribute& attribute) {
    const NameTable::Mark mark = names.mark(attribute.name);
    return mark.serial == serial && document_.value(left[mark.value]) == document_.value(attribute);
  });
}

// "Push onto the list of active formatting elements", with the Noah's Ark clause: at most three equal
// elements.
void TreeBuilder::push_formatting(NodeId node, Name name) {
  std::size_t alike = 0;
  std::size_t earliest = 0;
  std::size_t i = formatting_.size();
  for (; i > 0 && formatting_[i - 1].node != kNoNode; --i) {
    if (formatting_[i - 1].name != name || !same_attributes(formatting_[i - 1].node, node)) continue;
    ++alike;
    earliest = i - 1;
  }
  const std::size_t since_marker = formatting_.size() - i;
  result_.steps += since_marker;
  if (alike >= 3) {
    erase_formatting(earliest);
  } else if (since_marker >= options_.limits.formatting) {
    result_.limits.formatting = true;
    erase_formatting(i);
  }
  formatting_.push_back({node, name});
  document_.nodes_[node].listed = true;
}

void TreeBuilder::clear_formatting_to_marker() {
  while (!formatting_.empty()) {
    const NodeId node = formatting_.back().node;
    formatting_.pop_back();
    if (node == kNoNode) return;
    document_.nodes_[node].listed = false;
  }
}

void TreeBuilder::erase_formatting(std::size_t index) {
  document_.nodes_[formatting_[index].node].listed = false;
  formatting_.erase(formatting_.begin() + static_cast<std::ptrdiff_t>(index));
}

void TreeBuilder::forget_formatting(NodeId node) {
  const std::size_t index = find_formatting_node(node);
  if (index != OpenElements::npos) erase_formatting(index);
}

// The index of the last element with that name after the last marker.
std::size_t TreeBuilder::find_formatting(Name name) const {
  for (std::size_t i = formatting_.size(); i > 0 && formatting_[i - 1].node != kNoNode; --i) {
    ++result_.steps;
    if (formatting_[i - 1].name == name) return i - 1;
  }
  return OpenElements::npos;
}

std::size_t TreeBuilder::find_formatting_node(NodeId node) const {
  if (!document_.nodes_[node].listed) return OpenElements::npos;
  for (std::size_t i = formatting_.size(); i > 0; --i) {
    ++result_.steps;
    if (formatting_[i - 1].node == node) return i - 1;
  }
  return OpenElements::npos;
}

// "Adoption agency algorithm" for an end tag, or for a start tag whose element must not be nested in itself
// (a, nobr).
void TreeBuilder::adopt(const Token& token) {
  if (current() == token.name && !document_.nodes_[open_.top().node].listed) {
    pop();
    return;
  }
  for (int round = 0; round < 8; ++round)
    if (!adopt_once(token)) return;
}

// One iteration of the outer loop of the algorithm. Returns whether to continue.
bool TreeBuilder::adopt_once(const Token& token) {
  const std::size_t at = find_formatting(token.name);
  if (at == OpenElements::npos) {
    end_other(token);
    return false;
  }
  const NodeId element = formatting_[at].node;
  if (!document_.nodes_[element].open) {
    erase_formatting(at);
    return false;
  }
  if (!open_.has_node_in_scope(element)) return false;
  const std::size_t open_at = open_.index_of_node(element);
  std::size_t furthest = open_at + 1;
  while (furthest < open_.size() && !open_[furthest].has(kSpecial)) ++furthest;
  result_.steps += furthest - open_at;
  if (furthest == open_.size()) {
    pop_until_node(element);
    erase_formatting(at);
    return false;
  }
  adopt_around(at, open_at, furthest);
  return true;
}

// The part of the algorithm that moves nodes: the furthest block is moved out of the formatting element, and
// its content is wrapped in a new one.
void TreeBuilder::adopt_around(std::size_t formatting_at, std::size_t open_at, std::size_t furthest_at) {
  const OpenElement common_ancestor = open_[open_at - 1];
  const NodeId element = open_[open_at].node;
  const NodeId furthest = open_[furthest_at].node;
  std::size_t bookmark = formatting_at;
  NodeId last = furthest;
  std::size_t counter = 0;
  for (std::size_t i = furthest_at - 1; i != open_at; --i) {
    ++counter;
    const NodeId node = open_[i].node;
    std::size_t listed = find_formatting_node(node);
    if (counter > 3 && listed != OpenElements::npos) {
      erase_formatting(listed);
      if (listed < bookmark) --bookmark;
      if (listed < formatting_at) --formatting_at;
      listed = OpenElements::npos;
    }
    if (listed == OpenElements::npos) {
      remove_open(i);
      --furthest_at;
      continue;
    }
    const NodeId copy = clone_element(node);
    document_.nodes_[node].listed = document_.nodes_[node].open = false;
    document_.nodes_[copy].listed = document_.nodes_[copy].open = true;
    formatting_[listed].node = copy;
    open_[i].node = open_[i].inside = copy;
    if (last == furthest) bookmark = listed + 1;
    document_.remove(last);
    document_.append_child(copy, last);
    last = copy;
  }
  document_.remove(last);
  attach(place_in(common_ancestor), last);

  const NodeId copy = clone_element(element);
  result_.steps += counter;
  for (NodeId child = document_.first_child(furthest); child != kNoNode; child = document_.next(child))
    ++result_.steps;
  document_.move_children(furthest, copy);
  document_.append_child(furthest, copy);

  if (formatting_at < bookmark) --bookmark;
  const Name name = formatting_[formatting_at].name;
  erase_formatting(formatting_at);
  formatting_.insert(formatting_.begin() + static_cast<std::ptrdiff_t>(bookmark), {copy, name});
  document_.nodes_[copy].listed = document_.nodes_[copy].open = true;
  const std::uint16_t flags = open_[open_at].flags;
  remove_open(open_at);
  open_.insert(furthest_at, {copy, copy, name, flags});
}

}  // namespace sheaf::html
