#include "sheaf/html/tree_builder.h"
#include "sheaf/text/text_compare.h"

namespace sheaf::html {

// The "in body" insertion mode: end tags.

TreeBuilder::Outcome TreeBuilder::body_end(Token& token) {
  switch (token.name) {
    case Name::template_: return in_head(token);
    case Name::body:
    case Name::html:
      if (!open_.has_in(kScope, Name::body)) break;
      mode_ = Mode::after_body;
      return token.name == Name::html ? Outcome::again : Outcome::done;
    case Name::address:
    case Name::article:
    case Name::aside:
    case Name::blockquote:
    case Name::button:
    case Name::center:
    case Name::details:
    case Name::dialog:
    case Name::dir:
    case Name::div:
    case Name::dl:
    case Name::fieldset:
    case Name::figcaption:
    case Name::figure:
    case Name::footer:
    case Name::header:
    case Name::hgroup:
    case Name::listing:
    case Name::main:
    case Name::menu:
    case Name::nav:
    case Name::ol:
    case Name::pre:
    case Name::search:
    case Name::section:
    case Name::select:
    case Name::summary:
    case Name::ul: end_block(token); break;
    case Name::form: end_form(); break;
    case Name::p: end_paragraph(token); break;
    case Name::li: end_list_item(token, kListScope); break;
    case Name::dd:
    case Name::dt: end_list_item(token, kScope); break;
    case Name::h1:
    case Name::h2:
    case Name::h3:
    case Name::h4:
    case Name::h5:
    case Name::h6: end_heading(); break;
    case Name::a:
    case Name::b:
    case Name::big:
    case Name::code:
    case Name::em:
    case Name::font:
    case Name::i:
    case Name::nobr:
    case Name::s:
    case Name::small:
    case Name::strike:
    case Name::strong:
    case Name::tt:
    case Name::u: adopt(token); break;
    case Name::applet:
    case Name::marquee:
    case Name::object: end_marked(token); break;
    case Name::br:  // treated as <br>, without the attributes of the end tag
      token.kind = TokenKind::start_tag;
      token.attribute_count = 0;
      token.self_closing = false;
      return body_start(token);
    default: end_other(token); break;
  }
  return Outcome::done;
}

void TreeBuilder::end_block(const Token& token) {
  if (current() == token.name) [[likely]] {  // a shortcut; the rule below has the same result
    pop();
    return;
  }
  if (!open_.has_in(kScope, token.name)) return;
  close_implied();
  pop_until(token.name);
}

void TreeBuilder::end_form() {
  if (open_.contains(Name::template_)) {
    if (!open_.has_in(kScope, Name::form)) return;
    close_implied();
    pop_until(Name::form);
    return;
  }
  const NodeId form = form_;
  form_ = kNoNode;
  if (form == kNoNode || !open_.has_node_in_scope(form)) return;
  close_implied();
  remove_open(open_.index_of_node(form));
}

void TreeBuilder::close_paragraph() {
  close_implied(Name::p);
  pop_until(Name::p);
}

void TreeBuilder::end_paragraph(const Token& /*token*/) {
  if (!open_.has_paragraph_in_button_scope()) insert(Name::p);
  close_paragraph();
}

void TreeBuilder::end_list_item(const Token& token, std::uint16_t scope) {
  if (!open_.has_in(scope, token.name)) return;
  close_implied(token.name);
  pop_until(token.name);
}

void TreeBuilder::end_heading() {
  if (!open_.has_flag_in_scope(kHeading)) return;
  close_implied();
  bool found = false;
  while (!found) {
    found = open_.top().has(kHeading);
    pop();
  }
}

void TreeBuilder::end_marked(const Token& token) {
  if (!open_.has_in(kScope, token.name)) return;
  close_implied();
  pop_until(token.name);
  clear_formatting_to_marker();
}

// "Any other end tag".
void TreeBuilder::end_other(const Token& token) {
  for (std::size_t i = open_.size(); i-- > 0;) {
    ++result_.steps;
    if (open_[i].name == token.name) {
      const NodeId node = open_[i].node;
      close_implied(token.name);
      pop_until_node(node);
      return;
    }
    if (open_[i].has(kSpecial)) return;
  }
}

// The insertion modes for templates and after the body: in template, after body, the frameset modes and the
// two "after after" modes.

TreeBuilder::Outcome TreeBuilder::switch_template(Mode mode) {
  template_modes_.back() = mode;
  mode_ = mode;
  return Outcome::again;
}

TreeBuilder::Outcome TreeBuilder::in_template(Token& token) {
  if (token.kind == TokenKind::end_of_file) return template_eof();
  if (token.kind == TokenKind::end_tag) return token.name == Name::template_ ? in_head(token) : Outcome::done;
  if (token.kind != TokenKind::start_tag) return in_body(token);
  if (is_head_content(token.name)) return in_head(token);
  switch (token.name) {
    case Name::caption:
    case Name::colgroup:
    case Name::tbody:
    case Name::tfoot:
    case Name::thead: return switch_template(Mode::in_table);
    case Name::col: return switch_template(Mode::in_column_group);
    case Name::tr: return switch_template(Mode::in_table_body);
    case Name::td:
    case Name::th: return switch_template(Mode::in_row);
    default: return switch_template(Mode::in_body);
  }
}

TreeBuilder::Outcome TreeBuilder::template_eof() {
  if (!open_.contains(Name::template_)) return Outcome::done;
  pop_until(Name::template_);
  clear_formatting_to_marker();
  template_modes_.pop_back();
  reset_mode();
  return Outcome::again;
}

// Inserts white space after the body into the body. Returns true if no other text is left.
bool TreeBuilder::space_to_body(Token& token) {
  Token space = token;
  space.text = take_space(token);
  in_body(space);
  return token.text.empty();
}

TreeBuilder::Outcome TreeBuilder::after_body(Token& token) {
  if (token.kind == TokenKind::end_tag && token.name == Name::html) {
    if (!is_fragment()) mode_ = Mode::after_after_body;
    return Outcome::done;
  }
  return outside_body(token, open_[0].node);
}

// "After body" and "after after body" differ only in the parent of comments.
TreeBuilder::Outcome TreeBuilder::outside_body(Token& token, NodeId comments_parent) {
  switch (token.kind) {
    case TokenKind::comment: insert_comment(token, {comments_parent, kNoNode}); return Outcome::done;
    case TokenKind::doctype: return Outcome::done;
    case TokenKind::end_of_file: return body_eof(token);
    case TokenKind::text:
      if (space_to_body(token)) return Outcome::done;
      break;
    case TokenKind::start_tag:
      if (token.name == Name::html) return in_body(token);
      break;
    default: break;
  }
  mode_ = Mode::in_body;
  return Outcome::again;
}

// Inserts the white space of a text in a frameset; all other text is dropped.
void TreeBuilder::insert_only_space(const Token& token) {
  for (std::size_t i = 0; i < token.text.size();) {
    std::size_t end = i;
    while (end < token.text.size() && text::is_space(token.text[end])) ++end;
    insert_text(token.text.substr(i, end - i), token.offset + static_cast<std::uint32_t>(i));
    i = end + 1;
  }
}

TreeBuilder::Outcome TreeBuilder::in_frameset(Token& token) {
  switch (token.kind) {
    case TokenKind::text: insert_only_space(token); break;
    case TokenKind::comment: insert_comment(token); break;
    case TokenKind::start_tag:
      if (token.name == Name::html) return in_body(token);
      if (token.name == Name::noframes) return in_head(token);
      if (token.name == Name::frameset) insert(token);
      if (token.name == Name::frame) insert_void(token);
      break;
    case TokenKind::end_tag:
      if (token.name != Name::frameset || open_.size() == 1) break;
      pop();
      if (!is_fragment() && current() != Name::frameset) mode_ = Mode::after_frameset;
      break;
    default: break;
  }
  return Outcome::done;
}

TreeBuilder::Outcome TreeBuilder::after_frameset(Token& token) {
  switch (token.kind) {
    case TokenKind::text: insert_only_space(token); break;
    case TokenKind::comment: insert_comment(token); break;
    case TokenKind::start_tag:
      if (token.name == Name::html) return in_body(token);
      if (token.name == Name::noframes) return in_head(token);
      break;
    case TokenKind::end_tag:
      if (token.name == Name::html) mode_ = Mode::after_after_frameset;
      break;
    default: break;
  }
  return Outcome::done;
}

TreeBuilder::Outcome TreeBuilder::after_after_body(Token& token) {
  return outside_body(token, kDocumentNode);
}

TreeBuilder::Outcome TreeBuilder::after_after_frameset(Token& token) {
  switch (token.kind) {
    case TokenKind::comment: insert_comment(token, {kDocumentNode, kNoNode}); break;
    case TokenKind::text: {
      Token space = token;
      std::string kept;
      for (const char c : token.text)
        if (text::is_space(c)) kept += c;
      space.text = kept;
      return in_body(space);
    }
    case TokenKind::start_tag:
      if (token.name == Name::html) return in_body(token);
      if (token.name == Name::noframes) return in_head(token);
      break;
    default: break;
  }
  return Outcome::done;
}

}  // namespace sheaf::html
