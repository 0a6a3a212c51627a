// The insertion modes of tables: in table, in table text, in caption, in column group, in table body, in row,
// in cell.
#include "sheaf/html/tree_builder.h"
#include "sheaf/text/scan.h"

#include <algorithm>

namespace sheaf::html {
namespace {

bool is_section(Name name) { return name == Name::tbody || name == Name::tfoot || name == Name::thead; }
bool is_cell(Name name) { return name == Name::td || name == Name::th; }

// Start tags that a caption, a cell or a row cannot contain: caption, col, colgroup, tbody, td, tfoot, th,
// thead, tr.
bool is_table_part(Name name) {
  return is_section(name) || is_cell(name) || name == Name::caption || name == Name::col ||
         name == Name::colgroup || name == Name::tr;
}

/// End tags that every mode within a table ignores, unless it has its own rule for them.
bool is_ignored_end(Name name) { return is_table_part(name) || name == Name::body || name == Name::html; }

}  // namespace

// "Clear the stack back to a table (table body, table row) context".
void TreeBuilder::clear_to(std::initializer_list<Name> context) {
  while (open_.size() > 1 && std::ranges::find(context, current()) == context.end() &&
         current() != Name::template_)
    pop();
}

TreeBuilder::Outcome TreeBuilder::in_table(Token& token) {
  switch (token.kind) {
    case TokenKind::text:
    case TokenKind::null:
      if (!open_.top().has(kFosters) && current() != Name::template_) break;
      pending_ = {};
      pending_copy_.clear();
      original_mode_ = mode_;
      mode_ = Mode::in_table_text;
      return Outcome::again;
    case TokenKind::comment: insert_comment(token); return Outcome::done;
    case TokenKind::doctype: return Outcome::done;
    case TokenKind::start_tag: return in_table_start(token);
    case TokenKind::end_tag: return in_table_end(token);
    case TokenKind::end_of_file: return in_body(token);
  }
  return in_table_other(token);
}

// Content that a table cannot contain is moved before the table ("foster parenting").
TreeBuilder::Outcome TreeBuilder::in_table_other(Token& token) {
  foster_ = true;
  const Outcome outcome = in_body(token);
  foster_ = false;
  return outcome;
}

TreeBuilder::Outcome TreeBuilder::in_table_start(Token& token) {
  switch (token.name) {
    case Name::caption:
      clear_to({Name::table, Name::html});
      push_marker();
      insert(token);
      mode_ = Mode::in_caption;
      return Outcome::done;
    case Name::colgroup:
      clear_to({Name::table, Name::html});
      insert(token);
      mode_ = Mode::in_column_group;
      return Outcome::done;
    case Name::col:
      clear_to({Name::table, Name::html});
      insert(Name::colgroup);
      mode_ = Mode::in_column_group;
      return Outcome::again;
    case Name::tbody:
    case Name::tfoot:
    case Name::thead:
      clear_to({Name::table, Name::html});
      insert(token);
      mode_ = Mode::in_table_body;
      return Outcome::done;
    case Name::td:
    case Name::th:
    case Name::tr:
      clear_to({Name::table, Name::html});
      insert(Name::tbody);
      mode_ = Mode::in_table_body;
      return Outcome::again;
    case Name::table:
      if (!open_.has_in(kTableScope, Name::table)) return Outcome::done;
      pop_until(Name::table);
      reset_mode();
      return Outcome::again;
    case Name::style:
    case Name::script:
    case Name::template_: return in_head(token);
    case Name::input:
      if (!is_hidden_input(token)) break;
      insert_void(token);
      return Outcome::done;
    case Name::form:
      if (form_ != kNoNode || open_.contains(Name::template_)) return Outcome::done;
      form_ = insert(token);
      pop();
      return Outcome::done;
    default: break;
  }
  return in_table_other(token);
}

TreeBuilder::Outcome TreeBuilder::in_table_end(Token& token) {
  switch (token.name) {
    case Name::table:
      if (!open_.has_in(kTableScope, Name::table)) return Outcome::done;
      pop_until(Name::table);
      reset_mode();
      return Outcome::done;
    case Name::template_: return in_head(token);
    default: return is_ignored_end(token.name) ? Outcome::done : in_table_other(token);
  }
}

void TreeBuilder::add_pending(const Token& token) {
  if (pending_.empty()) {
    pending_ = token.text;
    pending_offset_ = token.offset;
    if (document_.is_input(token.text)) return;
    pending_copy_ = token.text;
  } else if (pending_copy_.empty() && pending_.data() + pending_.size() == token.text.data()) {
    pending_ = {pending_.data(), pending_.size() + token.text.size()};
    return;
  } else {
    if (pending_copy_.empty()) pending_copy_ = pending_;
    pending_copy_ += token.text;
  }
  pending_ = pending_copy_;
}

void TreeBuilder::flush_pending() {
  if (pending_.empty()) return;
  if (text::scan::is_all_space(pending_.data(), pending_.data() + pending_.size())) {
    insert_text(pending_, pending_offset_);
    return;
  }
  foster_ = true;
  reconstruct_formatting();
  insert_text(pending_, pending_offset_);
  foster_ = false;
  frameset_ok_ = false;
}

TreeBuilder::Outcome TreeBuilder::in_table_text(Token& token) {
  if (token.kind == TokenKind::null) return Outcome::done;
  if (token.kind == TokenKind::text) {
    if (!token.text.empty()) add_pending(token);
    return Outcome::done;
  }
  flush_pending();
  mode_ = original_mode_;
  return Outcome::again;
}

// Closes the caption. Returns whether there was one.
bool TreeBuilder::leave_caption() {
  if (!open_.has_in(kTableScope, Name::caption)) return false;
  close_implied();
  pop_until(Name::caption);
  clear_formatting_to_marker();
  mode_ = Mode::in_table;
  return true;
}

TreeBuilder::Outcome TreeBuilder::in_caption(Token& token) {
  if (token.kind == TokenKind::end_tag) {
    if (token.name == Name::caption) {
      leave_caption();
      return Outcome::done;
    }
    if (token.name == Name::table) return leave_caption() ? Outcome::again : Outcome::done;
    if (is_ignored_end(token.name)) return Outcome::done;
  } else if (token.kind == TokenKind::start_tag && is_table_part(token.name)) {
    return leave_caption() ? Outcome::again : Outcome::done;
  }
  return in_body(token);
}

TreeBuilder::Outcome TreeBuilder::in_column_group(Token& token) {
  switch (token.kind) {
    case TokenKind::text:
      if (insert_space(token)) return Outcome::done;
      break;
    case TokenKind::comment: insert_comment(token); return Outcome::done;
    case TokenKind::doctype: return Outcome::done;
    case TokenKind::end_of_file: return in_body(token);
    case TokenKind::start_tag:
      if (token.name == Name::html) return in_body(token);
      if (token.name == Name::template_) return in_head(token);
      if (token.name != Name::col) break;
      insert_void(token);
      return Outcome::done;
    case TokenKind::end_tag:
      if (token.name == Name::col) return Outcome::done;
      if (token.name == Name::template_) return in_head(token);
      break;
    default: break;
  }
  if (current() != Name::colgroup) return Outcome::done;
  pop();
  mode_ = Mode::in_table;
  return token.kind == TokenKind::end_tag && token.name == Name::colgroup ? Outcome::done : Outcome::again;
}

// Closes the table section (tbody, thead or tfoot) before a token that it cannot contain.
TreeBuilder::Outcome TreeBuilder::leave_table_body() {
  if (!open_.has_any_in(kTableScope, Name::tbody, Name::thead, Name::tfoot)) return Outcome::done;
  clear_to({Name::tbody, Name::tfoot, Name::thead, Name::html});
  pop();
  mode_ = Mode::in_table;
  return Outcome::again;
}

TreeBuilder::Outcome TreeBuilder::in_table_body(Token& token) {
  const Name name = token.name;
  if (token.kind == TokenKind::start_tag) {
    if (name == Name::tr || is_cell(name)) {
      clear_to({Name::tbody, Name::tfoot, Name::thead, Name::html});
      mode_ = Mode::in_row;
      if (name == Name::tr) {
        insert(token);
        return Outcome::done;
      }
      insert(Name::tr);
      return Outcome::again;
    }
    if (is_table_part(name)) return leave_table_body();
  } else if (token.kind == TokenKind::end_tag) {
    if (is_section(name)) {
      if (!open_.has_in(kTableScope, name)) return Outcome::done;
      clear_to({Name::tbody, Name::tfoot, Name::thead, Name::html});
      pop();
      mode_ = Mode::in_table;
      return Outcome::done;
    }
    if (name == Name::table) return leave_table_body();
    if (is_ignored_end(name)) return Outcome::done;
  }
  return in_table(token);
}

// Closes the row. Returns whether there was one.
bool TreeBuilder::leave_row() {
  if (!open_.has_in(kTableScope, Name::tr)) return false;
  clear_to({Name::tr, Name::html});
  pop();
  mode_ = Mode::in_table_body;
  return true;
}

TreeBuilder::Outcome TreeBuilder::in_row(Token& token) {
  const Name name = token.name;
  if (token.kind == TokenKind::start_tag) {
    if (is_cell(name)) {
      clear_to({Name::tr, Name::html});
      insert(token);
      mode_ = Mode::in_cell;
      push_marker();
      return Outcome::done;
    }
    if (is_table_part(name)) return leave_row() ? Outcome::again : Outcome::done;
  } else if (token.kind == TokenKind::end_tag) {
    if (name == Name::tr) {
      leave_row();
      return Outcome::done;
    }
    if (name == Name::table) return leave_row() ? Outcome::again : Outcome::done;
    if (is_section(name))
      return open_.has_in(kTableScope, name) && leave_row() ? Outcome::again : Outcome::done;
    if (is_ignored_end(name)) return Outcome::done;
  }
  return in_table(token);
}

// "Close the cell".
void TreeBuilder::close_cell() {
  close_implied();
  while (open_.size() > 1) {
    const bool found = is_cell(current());
    pop();
    if (found) break;
  }
  clear_formatting_to_marker();
  mode_ = Mode::in_row;
}

TreeBuilder::Outcome TreeBuilder::in_cell(Token& token) {
  const Name name = token.name;
  if (token.kind == TokenKind::start_tag) {
    if (!is_table_part(name)) return in_body(token);
    if (!open_.has_any_in(kTableScope, Name::td, Name::th, Name::th)) return Outcome::done;
    close_cell();
    return Outcome::again;
  }
  if (token.kind != TokenKind::end_tag) return in_body(token);
  if (is_cell(name)) {
    if (!open_.has_in(kTableScope, name)) return Outcome::done;
    close_implied();
    pop_until(name);
    clear_formatting_to_marker();
    mode_ = Mode::in_row;
    return Outcome::done;
  }
  if (name == Name::table || name == Name::tr || is_section(name)) {
    if (!open_.has_in(kTableScope, name)) return Outcome::done;
    close_cell();
    return Outcome::again;
  }
  if (is_ignored_end(name)) return Outcome::done;
  return in_body(token);
}

}  // namespace sheaf::html
