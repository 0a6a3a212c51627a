#include "sheaf/store/section_edit.h"

namespace sheaf::store {

void SectionEdit::put_page(std::string_view url, std::string_view modified, std::string_view json,
                           Instant as_of) {
  bytes_ += url.size() + modified.size() + json.size();
  pages_.insert_or_assign(std::string(url), Page{std::string(modified), std::string(json), as_of});
}

void SectionEdit::remove_page(std::string_view url) {
  bytes_ += url.size();
  pages_.insert_or_assign(std::string(url), std::nullopt);
}

void SectionEdit::put_note(std::string_view name, std::string_view value) {
  bytes_ += name.size() + value.size();
  notes_.push_back({std::string(name), std::string(value), false});
}

void SectionEdit::remove_note(std::string_view name) {
  bytes_ += name.size();
  notes_.push_back({std::string(name), std::nullopt, false});
}

void SectionEdit::remove_notes(std::string_view prefix) {
  bytes_ += prefix.size();
  notes_.push_back({std::string(prefix), std::nullopt, true});
}

void SectionEdit::clear() {
  pages_.clear();
  notes_.clear();
  bytes_ = 0;
}

}  // namespace sheaf::store
