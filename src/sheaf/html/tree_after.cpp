// The insertion modes for templates and after the body: in template, after body, the frameset modes and the
// two "after after" modes.
#include "sheaf/html/tree_builder.h"
#include "sheaf/text/text_compare.h"

namespace sheaf::html {

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
