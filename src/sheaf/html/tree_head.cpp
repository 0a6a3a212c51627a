// Insertion modes from the start of the page to the body: initial, before html, before head, in head, in head
// noscript, after head.
#include "sheaf/base/ascii.h"
#include "sheaf/html/tree_builder.h"

#include <algorithm>
#include <array>

namespace sheaf::html {
namespace {

// Prefixes of public identifiers, in lower case, that cause quirks mode ("initial" mode).
constexpr std::array<std::string_view, 55> kQuirksPrefixes = {
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
};

bool is_end_of_start(Name name) {
  return name == Name::head || name == Name::body || name == Name::html || name == Name::br;
}

}  // namespace

bool TreeBuilder::is_head_content(Name name) {
  switch (name) {
    case Name::base:
    case Name::basefont:
    case Name::bgsound:
    case Name::link:
    case Name::meta:
    case Name::noframes:
    case Name::script:
    case Name::style:
    case Name::template_:
    case Name::title: return true;
    default: return false;
  }
}

QuirksMode TreeBuilder::quirks_of(const Token& token) {
  const std::string public_id = base::lower_text(token.public_id.value_or(""));
  const std::string system_id = base::lower_text(token.system_id.value_or(""));
  const auto begins = [&](std::string_view prefix) { return public_id.starts_with(prefix); };
  const bool frameset_or_transitional =
      begins("-//w3c//dtd html 4.01 frameset//") || begins("-//w3c//dtd html 4.01 transitional//");
  if (token.force_quirks || token.text != "html" || public_id == "-//w3o//dtd w3 html strict 3.0//en//" ||
      public_id == "-/w3c/dtd html 4.0 transitional/en" || public_id == "html" ||
      system_id == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd" ||
      std::ranges::any_of(kQuirksPrefixes, begins) || (!token.system_id && frameset_or_transitional))
    return QuirksMode::quirks;
  if (begins("-//w3c//dtd xhtml 1.0 frameset//") || begins("-//w3c//dtd xhtml 1.0 transitional//") ||
      frameset_or_transitional)
    return QuirksMode::limited_quirks;
  return QuirksMode::no_quirks;
}

void TreeBuilder::insert_doctype(const Token& token) {
  const auto part = [&](const std::optional<std::string_view>& text) {
    return Attribute{document_.keep(text.value_or("")), Name::none,
                     text ? AttributeNamespace::none : Document::kMissingPart};
  };
  std::vector<Attribute>& attributes = document_.attributes_;
  const auto begin = static_cast<std::uint32_t>(attributes.size());
  attributes.insert(attributes.end(), {part(token.text), part(token.public_id), part(token.system_id)});
  tokenizer_.keep_attributes();
  const NodeId node = document_.add_node(NodeKind::doctype, offset_);
  document_.nodes_[node].data_begin = begin;
  document_.nodes_[node].data_size = 3;
  document_.append_child(kDocumentNode, node);
}

TreeBuilder::Outcome TreeBuilder::initial(Token& token) {
  switch (token.kind) {
    case TokenKind::text:
      if (drop_space(token)) return Outcome::done;
      break;
    case TokenKind::comment: insert_comment(token, {kDocumentNode, kNoNode}); return Outcome::done;
    case TokenKind::doctype:
      insert_doctype(token);
      document_.quirks_ = quirks_of(token);
      mode_ = Mode::before_html;
      return Outcome::done;
    default: break;
  }
  document_.quirks_ = QuirksMode::quirks;
  mode_ = Mode::before_html;
  return Outcome::again;
}

TreeBuilder::Outcome TreeBuilder::before_html(Token& token) {
  switch (token.kind) {
    case TokenKind::doctype: return Outcome::done;
    case TokenKind::comment: insert_comment(token, {kDocumentNode, kNoNode}); return Outcome::done;
    case TokenKind::text:
      if (drop_space(token)) return Outcome::done;
      break;
    case TokenKind::start_tag:
      if (token.name != Name::html) break;
      tokenizer_.keep_attributes();
      break;
    case TokenKind::end_tag:
      if (!is_end_of_start(token.name)) return Outcome::done;
      break;
    default: break;
  }
  const bool own = token.kind == TokenKind::start_tag && token.name == Name::html;
  const NodeId html = make_element(Name::html, Namespace::html, own ? token.attribute_begin : 0,
                                   own ? token.attribute_count : 0);
  document_.append_child(kDocumentNode, html);
  push(html, Name::html, html_element_flags(Name::html));
  mode_ = Mode::before_head;
  return own ? Outcome::done : Outcome::again;
}

TreeBuilder::Outcome TreeBuilder::before_head(Token& token) {
  switch (token.kind) {
    case TokenKind::doctype: return Outcome::done;
    case TokenKind::comment: insert_comment(token); return Outcome::done;
    case TokenKind::text:
      if (drop_space(token)) return Outcome::done;
      break;
    case TokenKind::start_tag:
      if (token.name == Name::html) return in_body(token);
      if (token.name != Name::head) break;
      head_ = insert(token);
      mode_ = Mode::in_head;
      return Outcome::done;
    case TokenKind::end_tag:
      if (!is_end_of_start(token.name)) return Outcome::done;
      break;
    default: break;
  }
  head_ = insert(Name::head);
  mode_ = Mode::in_head;
  return Outcome::again;
}

TreeBuilder::Outcome TreeBuilder::in_head(Token& token) {
  switch (token.kind) {
    case TokenKind::doctype: return Outcome::done;
    case TokenKind::comment: insert_comment(token); return Outcome::done;
    case TokenKind::text: return insert_space(token) ? Outcome::done : leave_head(token);
    case TokenKind::start_tag: return in_head_start(token);
    case TokenKind::end_tag: return in_head_end(token);
    default: return leave_head(token);
  }
}

TreeBuilder::Outcome TreeBuilder::leave_head(Token& /*token*/) {
  pop();
  mode_ = Mode::after_head;
  return Outcome::again;
}

TreeBuilder::Outcome TreeBuilder::in_head_start(Token& token) {
  switch (token.name) {
    case Name::html: return in_body(token);
    case Name::base:
    case Name::basefont:
    case Name::bgsound:
    case Name::link:
    case Name::meta: insert_void(token); return Outcome::done;
    case Name::title: insert_raw(token, TextMode::rcdata); return Outcome::done;
    case Name::noframes:
    case Name::style: insert_raw(token, TextMode::rawtext); return Outcome::done;
    case Name::noscript:
      if (options_.scripting == Scripting::on) {
        insert_raw(token, TextMode::rawtext);
      } else {
        insert(token);
        mode_ = Mode::in_head_noscript;
      }
      return Outcome::done;
    case Name::script: insert_raw(token, TextMode::script_data); return Outcome::done;
    case Name::template_: start_template(token); return Outcome::done;
    case Name::head: return Outcome::done;
    default: return leave_head(token);
  }
}

TreeBuilder::Outcome TreeBuilder::in_head_end(Token& token) {
  switch (token.name) {
    case Name::head:
      pop();
      mode_ = Mode::after_head;
      return Outcome::done;
    case Name::template_: end_template(); return Outcome::done;
    case Name::body:
    case Name::html:
    case Name::br: return leave_head(token);
    default: return Outcome::done;
  }
}

void TreeBuilder::start_template(Token& token) {
  insert(token);
  push_marker();
  frameset_ok_ = false;
  mode_ = Mode::in_template;
  template_modes_.push_back(Mode::in_template);
}

void TreeBuilder::end_template() {
  if (!open_.contains(Name::template_)) return;
  close_implied_thoroughly();
  pop_until(Name::template_);
  clear_formatting_to_marker();
  template_modes_.pop_back();
  reset_mode();
}

TreeBuilder::Outcome TreeBuilder::in_head_noscript(Token& token) {
  const auto leave = [this] {
    pop();
    mode_ = Mode::in_head;
    return Outcome::again;
  };
  switch (token.kind) {
    case TokenKind::doctype: return Outcome::done;
    case TokenKind::comment: return in_head(token);
    case TokenKind::text: return insert_space(token) ? Outcome::done : leave();
    case TokenKind::start_tag:
      switch (token.name) {
        case Name::html: return in_body(token);
        case Name::basefont:
        case Name::bgsound:
        case Name::link:
        case Name::meta:
        case Name::noframes:
        case Name::style: return in_head(token);
        case Name::head:
        case Name::noscript: return Outcome::done;
        default: return leave();
      }
    case TokenKind::end_tag:
      if (token.name == Name::noscript) {
        leave();
        return Outcome::done;
      }
      return token.name == Name::br ? leave() : Outcome::done;
    default: return leave();
  }
}

TreeBuilder::Outcome TreeBuilder::after_head(Token& token) {
  switch (token.kind) {
    case TokenKind::doctype: return Outcome::done;
    case TokenKind::comment: insert_comment(token); return Outcome::done;
    case TokenKind::text:
      if (insert_space(token)) return Outcome::done;
      break;
    case TokenKind::start_tag:
      switch (token.name) {
        case Name::html: return in_body(token);
        case Name::body:
          insert(token);
          frameset_ok_ = false;
          mode_ = Mode::in_body;
          return Outcome::done;
        case Name::frameset:
          insert(token);
          mode_ = Mode::in_frameset;
          return Outcome::done;
        case Name::head: return Outcome::done;
        default: break;
      }
      if (!is_head_content(token.name)) break;
      push(head_, Name::head, html_element_flags(Name::head));
      in_head(token);
      remove_open(open_.index_of_node(head_));
      return Outcome::done;
    case TokenKind::end_tag:
      if (token.name == Name::template_) return in_head(token);
      if (!is_end_of_start(token.name) || token.name == Name::head) return Outcome::done;
      break;
    default: break;
  }
  insert(Name::body);
  mode_ = Mode::in_body;
  return Outcome::again;
}

}  // namespace sheaf::html
