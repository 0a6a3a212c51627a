#include "sheaf/html/tree_builder.h"

#include "sheaf/text/scan.h"

#include <algorithm>

namespace sheaf::html {

TreeBuilder::TreeBuilder(std::string_view input, const ParseOptions& options, Document& document,
                         ParseResult& result)
    : document_(document),
      options_(options),
      result_(result),
      tokenizer_(input, document, options.limits, result.limits),
      open_(options.limits.depth, result.steps) {}

void TreeBuilder::run() {
  if (options_.fragment) start_fragment(*options_.fragment);
  Token token;
  do {
    if (document_.nodes_.size() > options_.limits.nodes) [[unlikely]] {
      // The rest of the input is ignored. The end of file closes all open elements and creates the elements
      // that every page has.
      result_.limits.nodes = true;
      token.kind = TokenKind::end_of_file;
    } else {
      tokenizer_.set_cdata_allowed(!open_.is_empty() && !open_.top().is_html());
      tokenizer_.next(token);
    }
    ++result_.steps;
    offset_ = token.offset;
    if (skip_line_feed_) [[unlikely]]
      skip_line_feed(token);
    while (dispatch(token) == Outcome::again) ++result_.steps;
  } while (token.kind != TokenKind::end_of_file);
  finish();
}

// "Tree construction dispatcher".
TreeBuilder::Outcome TreeBuilder::dispatch(Token& token) {
  if (open_.is_empty() || open_.top().is_html() || is_html_content(token)) [[likely]]
    return in_mode(token);
  return in_foreign(token);
}

TreeBuilder::Outcome TreeBuilder::in_mode(Token& token) {
  switch (mode_) {
    case Mode::initial: return initial(token);
    case Mode::before_html: return before_html(token);
    case Mode::before_head: return before_head(token);
    case Mode::in_head: return in_head(token);
    case Mode::in_head_noscript: return in_head_noscript(token);
    case Mode::after_head: return after_head(token);
    case Mode::in_body: return in_body(token);
    case Mode::text: return in_text(token);
    case Mode::in_table: return in_table(token);
    case Mode::in_table_text: return in_table_text(token);
    case Mode::in_caption: return in_caption(token);
    case Mode::in_column_group: return in_column_group(token);
    case Mode::in_table_body: return in_table_body(token);
    case Mode::in_row: return in_row(token);
    case Mode::in_cell: return in_cell(token);
    case Mode::in_template: return in_template(token);
    case Mode::after_body: return after_body(token);
    case Mode::in_frameset: return in_frameset(token);
    case Mode::after_frameset: return after_frameset(token);
    case Mode::after_after_body: return after_after_body(token);
    case Mode::after_after_frameset: return after_after_frameset(token);
  }
  return Outcome::done;
}

// The "text" insertion mode: inside script, style, title, textarea and similar elements.
TreeBuilder::Outcome TreeBuilder::in_text(Token& token) {
  if (token.kind == TokenKind::text) {
    insert_text(token.text, token.offset);
    return Outcome::done;
  }
  pop();
  mode_ = original_mode_;
  return token.kind == TokenKind::end_of_file ? Outcome::again : Outcome::done;
}

// A line feed right after <pre>, <listing> or <textarea> is not part of the content.
void TreeBuilder::skip_line_feed(Token& token) {
  skip_line_feed_ = false;
  if (token.kind != TokenKind::text || !token.text.starts_with('\n')) return;
  token.text.remove_prefix(1);
  ++token.offset;
}

// "HTML fragment parsing algorithm".
void TreeBuilder::start_fragment(const FragmentContext& context) {
  const Name name = document_.names_.intern(context.name);
  document_.quirks_ = context.quirks;
  const NodeId html = make_element(Name::html, Namespace::html, 0, 0);
  document_.append_child(kDocumentNode, html);
  document_.root_ = html;
  // The root has the flags of the context element, because the context is the "adjusted current node" while
  // only the root is open.
  std::uint16_t flags = html_element_flags(Name::html);
  if (context.ns != Namespace::html)
    flags = static_cast<std::uint16_t>((flags & ~kHtmlElement) | foreign_flags(name, context.ns, 0, 0));
  push(html, Name::html, flags);
  if (context.ns != Namespace::html) {
    reset_mode();
    return;
  }
  context_ = name;
  if (name == Name::template_) template_modes_.push_back(Mode::in_template);
  if (name == Name::form) form_ = kDocumentNode;  // stands for the context, which is not in the tree
  reset_mode();
  switch (name) {
    case Name::title:
    case Name::textarea: tokenizer_.set_mode(TextMode::rcdata); break;
    case Name::style:
    case Name::xmp:
    case Name::iframe:
    case Name::noembed:
    case Name::noframes: tokenizer_.set_mode(TextMode::rawtext); break;
    case Name::script: tokenizer_.set_mode(TextMode::script_data); break;
    case Name::noscript:
      if (options_.scripting == Scripting::on) tokenizer_.set_mode(TextMode::rawtext);
      break;
    case Name::plaintext: tokenizer_.set_mode(TextMode::plaintext); break;
    default: break;
  }
}

// "Reset the insertion mode appropriately".
void TreeBuilder::reset_mode() {
  for (std::size_t i = open_.size(); i-- > 0;) {
    const bool last = i == 0;
    const Name name = last && is_fragment() ? context_ : open_[i].name;
    if (mode_for(name, last, mode_)) return;
  }
  mode_ = Mode::in_body;
}

bool TreeBuilder::mode_for(Name name, bool last, Mode& mode) const {
  switch (name) {
    case Name::td:
    case Name::th:
      if (last) return false;
      mode = Mode::in_cell;
      return true;
    case Name::tr: mode = Mode::in_row; return true;
    case Name::tbody:
    case Name::thead:
    case Name::tfoot: mode = Mode::in_table_body; return true;
    case Name::caption: mode = Mode::in_caption; return true;
    case Name::colgroup: mode = Mode::in_column_group; return true;
    case Name::table: mode = Mode::in_table; return true;
    case Name::template_: mode = template_modes_.back(); return true;
    case Name::head:
      if (last) return false;
      mode = Mode::in_head;
      return true;
    case Name::body: mode = Mode::in_body; return true;
    case Name::frameset: mode = Mode::in_frameset; return true;
    case Name::html: mode = head_ == kNoNode ? Mode::before_head : Mode::after_head; return true;
    default: return false;
  }
}

// Fills selectedcontent elements with copies of the selected options. The standard has this rule in the
// definition of the element, not in tree construction.
void TreeBuilder::finish() {
  if (!has_selected_content_) return;
  while (!open_.is_empty()) pop();
  const auto made = static_cast<NodeId>(document_.nodes_.size());
  for (NodeId node = kDocumentNode; node < made; ++node)
    if (document_.is_html(node, Name::selectedcontent)) fill_selected_content(node);
}

void TreeBuilder::fill_selected_content(NodeId selected_content) {
  NodeId select = document_.parent(selected_content);
  while (select != kNoNode && !document_.is_html(select, Name::select)) {
    ++result_.steps;
    if (document_.is_html(select, Name::option) || document_.is_html(select, Name::selectedcontent)) return;
    select = document_.parent(select);
  }
  if (select == kNoNode || document_.attribute(select, Name::multiple)) return;
  // Only the first selectedcontent in a select is filled. The `open` flag marks a select as done; all
  // elements are closed now, so the flag is free.
  if (document_.nodes_[select].open) return;
  document_.nodes_[select].open = true;
  const NodeId option = chosen_option(select);
  if (option == kNoNode) return;
  while (document_.first_child(selected_content) != kNoNode)
    document_.remove(document_.first_child(selected_content));
  clone_children(option, selected_content);
}

// Returns the last option with a selected attribute, else the first option that is not disabled.
NodeId TreeBuilder::chosen_option(NodeId select) const {
  NodeId first = kNoNode;
  NodeId selected = kNoNode;
  for (NodeId node = document_.first_child(select); node != kNoNode;) {
    ++result_.steps;
    if (document_.is_html(node, Name::option)) {
      if (document_.attribute(node, Name::selected)) selected = node;
      if (first == kNoNode && !document_.attribute(node, Name::disabled)) first = node;
    }
    NodeId following = document_.first_child(node);
    for (NodeId up = node; following == kNoNode && up != select; up = document_.parent(up))
      following = document_.next(up);
    node = following;
  }
  return selected != kNoNode ? selected : first;
}

void TreeBuilder::clone_children(NodeId from, NodeId to) {
  NodeId target = to;
  for (NodeId node = document_.first_child(from); node != kNoNode;) {
    ++result_.steps;
    if (document_.nodes_.size() > options_.limits.nodes) {
      result_.limits.nodes = true;
      return;
    }
    const auto copy = static_cast<NodeId>(document_.nodes_.size());
    Document::Node clone = document_.nodes_[node];
    clone.first_child = kNoNode;
    clone.growable = false;  // the text is shared and no longer grows
    document_.nodes_.push_back(clone);
    document_.append_child(target, copy);
    if (document_.first_child(node) != kNoNode) {
      target = copy;
      node = document_.first_child(node);
      continue;
    }
    while (node != from && document_.next(node) == kNoNode) {
      node = document_.parent(node);
      if (node != from) target = document_.parent(target);
    }
    node = node == from ? kNoNode : document_.next(node);
  }
}

ParseResult parse(std::string_view input, const ParseOptions& options, Document& document) {
  ParseResult result;
  const std::size_t most = std::min(options.limits.input_bytes, ParseLimits{}.input_bytes);
  if (input.size() > most) {
    result.limits.input_bytes = true;
    std::size_t cut = most;
    while (cut > 0 && (static_cast<unsigned char>(input[cut]) & 0xC0) == 0x80) --cut;  // between characters
    input = input.substr(0, cut);
  }
  TreeBuilder(input, options, document, result).run();
  return result;
}

}  // namespace sheaf::html

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
