#include "sheaf/html/tree_builder.h"

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
