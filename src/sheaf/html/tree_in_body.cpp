// The "in body" insertion mode: characters and start tags. End tags are in tree_body_end.cpp.
#include "sheaf/html/tree_builder.h"
#include "sheaf/text/scan.h"
#include "sheaf/text/text_compare.h"

#include <array>

namespace sheaf::html {
namespace {

// The rules of the standard for start tags in the body.
enum class StartRule : std::uint8_t {
  ordinary,
  html,
  body,
  frameset,
  in_head,
  block,
  heading,
  preformatted,
  form,
  list_item,
  description,
  plaintext,
  button,
  anchor,
  formatting,
  nobr,
  marked,
  table,
  void_element,
  input,
  void_child,
  hr,
  image,
  textarea,
  xmp,
  iframe,
  noembed,
  noscript,
  select,
  option,
  optgroup,
  ruby_base,
  ruby_text,
  math,
  svg,
  ignored,
  selected_content,
};

using StartRules = std::array<StartRule, index_of(kLastKnownElement) + 1>;

constexpr void set_rule(StartRules& rules, StartRule rule, std::initializer_list<Name> names) {
  for (const Name name : names) rules[index_of(name)] = rule;
}

constexpr StartRules make_start_rules() {
  using enum Name;
  StartRules rules{};
  set_rule(rules, StartRule::html, {html});
  set_rule(rules, StartRule::body, {body});
  set_rule(rules, StartRule::frameset, {frameset});
  set_rule(rules, StartRule::in_head,
           {base, basefont, bgsound, link, meta, noframes, script, style, template_, title});
  set_rule(rules, StartRule::block,
           {address, article,  aside,      blockquote, center,  details, dialog, dir,  div,
            dl,      fieldset, figcaption, figure,     footer,  header,  hgroup, main, menu,
            nav,     ol,       p,          search,     section, summary, ul});
  set_rule(rules, StartRule::heading, {h1, h2, h3, h4, h5, h6});
  set_rule(rules, StartRule::preformatted, {pre, listing});
  set_rule(rules, StartRule::form, {form});
  set_rule(rules, StartRule::list_item, {li});
  set_rule(rules, StartRule::description, {dd, dt});
  set_rule(rules, StartRule::plaintext, {plaintext});
  set_rule(rules, StartRule::button, {button});
  set_rule(rules, StartRule::anchor, {a});
  set_rule(rules, StartRule::formatting, {b, big, code, em, font, i, s, small, strike, strong, tt, u});
  set_rule(rules, StartRule::nobr, {nobr});
  set_rule(rules, StartRule::marked, {applet, marquee, object});
  set_rule(rules, StartRule::table, {table});
  set_rule(rules, StartRule::void_element, {area, br, embed, img, keygen, wbr});
  set_rule(rules, StartRule::input, {input});
  set_rule(rules, StartRule::void_child, {param, source, track});
  set_rule(rules, StartRule::hr, {hr});
  set_rule(rules, StartRule::image, {image});
  set_rule(rules, StartRule::textarea, {textarea});
  set_rule(rules, StartRule::xmp, {xmp});
  set_rule(rules, StartRule::iframe, {iframe});
  set_rule(rules, StartRule::noembed, {noembed});
  set_rule(rules, StartRule::noscript, {noscript});
  set_rule(rules, StartRule::select, {select});
  set_rule(rules, StartRule::option, {option});
  set_rule(rules, StartRule::optgroup, {optgroup});
  set_rule(rules, StartRule::ruby_base, {rb, rtc});
  set_rule(rules, StartRule::ruby_text, {rp, rt});
  set_rule(rules, StartRule::math, {math});
  set_rule(rules, StartRule::svg, {svg});
  set_rule(rules, StartRule::ignored, {caption, col, colgroup, frame, head, tbody, td, tfoot, th, thead, tr});
  set_rule(rules, StartRule::selected_content, {selectedcontent});
  return rules;
}

constexpr StartRules kStartRules = make_start_rules();

}  // namespace

TreeBuilder::Outcome TreeBuilder::in_body(Token& token) {
  switch (token.kind) {
    case TokenKind::text: body_text(token); return Outcome::done;
    case TokenKind::start_tag: return body_start(token);
    case TokenKind::end_tag: return body_end(token);
    case TokenKind::comment: insert_comment(token); return Outcome::done;
    case TokenKind::null:
    case TokenKind::doctype: return Outcome::done;
    case TokenKind::end_of_file: return body_eof(token);
  }
  return Outcome::done;
}

void TreeBuilder::body_text(const Token& token) {
  if (token.text.empty()) return;  // the text was only a line feed that was skipped
  reconstruct_formatting();
  insert_text(token.text, token.offset);
  if (frameset_ok_ && !text::scan::is_all_space(token.text.data(), token.text.data() + token.text.size()))
    frameset_ok_ = false;
}

TreeBuilder::Outcome TreeBuilder::body_eof(Token& token) {
  return template_modes_.empty() ? Outcome::done : in_template(token);
}

TreeBuilder::Outcome TreeBuilder::body_start(Token& token) {
  const StartRule rule =
      token.name <= kLastKnownElement ? kStartRules[index_of(token.name)] : StartRule::ordinary;
  switch (rule) {
    case StartRule::selected_content: has_selected_content_ = true; [[fallthrough]];
    case StartRule::ordinary:
      reconstruct_formatting();
      insert(token);
      break;
    case StartRule::html: start_html_again(token); break;
    case StartRule::body: start_body_again(token); break;
    case StartRule::frameset: start_frameset_in_body(token); break;
    case StartRule::in_head: return in_head(token);
    case StartRule::block: start_block(token); break;
    case StartRule::heading: start_heading(token); break;
    case StartRule::preformatted:
      start_block(token);
      skip_line_feed_ = true;
      frameset_ok_ = false;
      break;
    case StartRule::form: start_form(token); break;
    case StartRule::list_item: start_list_item(token); break;
    case StartRule::description: start_description(token); break;
    case StartRule::plaintext:
      start_block(token);
      tokenizer_.set_mode(TextMode::plaintext);
      break;
    case StartRule::button: start_button(token); break;
    case StartRule::anchor: start_anchor(token); break;
    case StartRule::formatting: start_formatting(token); break;
    case StartRule::nobr: start_nobr(token); break;
    case StartRule::marked:
      reconstruct_formatting();
      insert(token);
      push_marker();
      frameset_ok_ = false;
      break;
    case StartRule::table:
      if (document_.quirks_ != QuirksMode::quirks) close_paragraph_in_button_scope();
      insert(token);
      frameset_ok_ = false;
      mode_ = Mode::in_table;
      break;
    case StartRule::void_element:
      reconstruct_formatting();
      insert_void(token);
      frameset_ok_ = false;
      break;
    case StartRule::input: start_input(token); break;
    case StartRule::void_child: insert_void(token); break;
    case StartRule::hr: start_hr(token); break;
    case StartRule::image: token.name = Name::img; return Outcome::again;
    case StartRule::textarea:
      insert_raw(token, TextMode::rcdata);
      skip_line_feed_ = true;
      frameset_ok_ = false;
      break;
    case StartRule::xmp:
      close_paragraph_in_button_scope();
      reconstruct_formatting();
      frameset_ok_ = false;
      insert_raw(token, TextMode::rawtext);
      break;
    case StartRule::iframe:
      frameset_ok_ = false;
      insert_raw(token, TextMode::rawtext);
      break;
    case StartRule::noembed: insert_raw(token, TextMode::rawtext); break;
    case StartRule::noscript:
      if (options_.scripting == Scripting::on) {
        insert_raw(token, TextMode::rawtext);
      } else {
        reconstruct_formatting();
        insert(token);
      }
      break;
    case StartRule::select: start_select(token); break;
    case StartRule::option: start_option(token); break;
    case StartRule::optgroup: start_optgroup(token); break;
    case StartRule::ruby_base:
      if (open_.has_in(kScope, Name::ruby)) close_implied();
      insert(token);
      break;
    case StartRule::ruby_text:
      if (open_.has_in(kScope, Name::ruby)) close_implied(Name::rtc);
      insert(token);
      break;
    case StartRule::math: start_foreign_root(token, Namespace::mathml); break;
    case StartRule::svg: start_foreign_root(token, Namespace::svg); break;
    case StartRule::ignored: break;
  }
  return Outcome::done;
}

void TreeBuilder::start_html_again(const Token& token) {
  if (!open_.contains(Name::template_)) add_attributes(open_[0].node, token);
}

void TreeBuilder::start_body_again(const Token& token) {
  if (open_.size() < 2 || open_[1].name != Name::body || open_.contains(Name::template_)) return;
  frameset_ok_ = false;
  add_attributes(open_[1].node, token);
}

void TreeBuilder::start_frameset_in_body(const Token& token) {
  if (open_.size() < 2 || open_[1].name != Name::body || !frameset_ok_) return;
  document_.remove(open_[1].node);
  while (open_.size() > 1) pop();
  insert(token);
  mode_ = Mode::in_frameset;
}

void TreeBuilder::start_block(const Token& token) {
  close_paragraph_in_button_scope();
  insert(token);
}

void TreeBuilder::start_heading(const Token& token) {
  close_paragraph_in_button_scope();
  if (open_.top().has(kHeading)) pop();
  insert(token);
}

void TreeBuilder::start_form(const Token& token) {
  const bool in_template = open_.contains(Name::template_);
  if (form_ != kNoNode && !in_template) return;
  close_paragraph_in_button_scope();
  const NodeId form = insert(token);
  if (!in_template) form_ = form;
}

// A new li closes the li that would contain it, unless another special element is in between.
void TreeBuilder::start_list_item(const Token& token) {
  frameset_ok_ = false;
  for (std::size_t i = open_.size(); i-- > 0;) {
    ++result_.steps;
    if (open_[i].name == Name::li) {
      close_implied(Name::li);
      pop_until(Name::li);
      break;
    }
    if (open_[i].has(kListItemStop)) break;
  }
  start_block(token);
}

void TreeBuilder::start_description(const Token& token) {
  frameset_ok_ = false;
  for (std::size_t i = open_.size(); i-- > 0;) {
    ++result_.steps;
    const Name name = open_[i].name;
    if (name == Name::dd || name == Name::dt) {
      close_implied(name);
      pop_until(name);
      break;
    }
    if (open_[i].has(kListItemStop)) break;
  }
  start_block(token);
}

void TreeBuilder::start_button(const Token& token) {
  if (open_.has_in(kScope, Name::button)) {
    close_implied();
    pop_until(Name::button);
  }
  reconstruct_formatting();
  insert(token);
  frameset_ok_ = false;
}

void TreeBuilder::start_anchor(const Token& token) {
  const std::size_t at = find_formatting(Name::a);
  if (at != OpenElements::npos) {
    const NodeId open_anchor = formatting_[at].node;
    adopt(token);
    forget_formatting(open_anchor);
    const std::size_t open_at =
        document_.nodes_[open_anchor].open ? open_.index_of_node(open_anchor) : OpenElements::npos;
    if (open_at != OpenElements::npos) remove_open(open_at);
  }
  start_formatting(token);
}

void TreeBuilder::start_formatting(const Token& token) {
  reconstruct_formatting();
  push_formatting(insert(token), token.name);
}

void TreeBuilder::start_nobr(const Token& token) {
  reconstruct_formatting();
  if (open_.has_in(kScope, Name::nobr)) adopt(token);
  start_formatting(token);
}

bool TreeBuilder::is_hidden_input(const Token& token) const {
  for (std::uint32_t i = 0; i < token.attribute_count; ++i) {
    const Attribute& attribute = document_.attributes_[token.attribute_begin + i];
    if (attribute.name == Name::type)
      return text::equal_text(document_.value(attribute), "hidden", text::TextCase::ignore);
  }
  return false;
}

void TreeBuilder::start_input(const Token& token) {
  if (is_fragment_of(Name::select)) return;
  if (open_.has_in(kScope, Name::select)) pop_until(Name::select);
  reconstruct_formatting();
  if (!is_hidden_input(token)) frameset_ok_ = false;
  insert_void(token);
}

void TreeBuilder::start_hr(const Token& token) {
  close_paragraph_in_button_scope();
  if (open_.has_in(kScope, Name::select)) close_implied();
  insert_void(token);
  frameset_ok_ = false;
}

void TreeBuilder::start_select(const Token& token) {
  if (is_fragment_of(Name::select)) return;
  if (open_.has_in(kScope, Name::select)) {
    pop_until(Name::select);
    return;
  }
  reconstruct_formatting();
  insert(token);
  frameset_ok_ = false;
}

void TreeBuilder::start_option(const Token& token) {
  if (open_.has_in(kScope, Name::select)) {
    close_implied(Name::optgroup);
  } else if (current() == Name::option) {
    pop();
  }
  reconstruct_formatting();
  insert(token);
}

void TreeBuilder::start_optgroup(const Token& token) {
  if (open_.has_in(kScope, Name::select)) {
    close_implied();
  } else if (current() == Name::option) {
    pop();
  }
  reconstruct_formatting();
  insert(token);
}

void TreeBuilder::start_foreign_root(Token& token, Namespace ns) {
  reconstruct_formatting();
  adjust_attributes(token, ns);
  insert_foreign(token, ns);
}

}  // namespace sheaf::html
