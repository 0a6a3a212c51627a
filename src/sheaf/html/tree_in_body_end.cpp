// The "in body" insertion mode: end tags.
#include "sheaf/html/tree_builder.h"

namespace sheaf::html {

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

}  // namespace sheaf::html
