#pragma once

#include <sheaf/time.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store {

/// Changes to single pages of a section filled from HTML, and to the notes of its site. They are kept in
/// memory until PageStore::commit() writes them atomically. Committing page by page would cost a synced write
/// for each.
class SectionEdit {
 public:
  struct Page {
    std::string modified;
    std::string json;
    Instant as_of;
  };
  struct NoteChange {
    std::string name;
    std::optional<std::string> value;  ///< nullopt: remove the note
    bool whole_prefix = false;         ///< remove all notes whose names begin with `name`
  };
  using Pages = std::map<std::string, std::optional<Page>, std::less<>>;

  SectionEdit(std::string_view site, std::string_view section) : site_(site), section_(section) {}

  /// Adds or replaces a page. `url` and `modified` must be those in `json`.
  void put_page(std::string_view url, std::string_view modified, std::string_view json, Instant as_of);
  void remove_page(std::string_view url);  ///< no error if it is not stored
  void put_note(std::string_view name, std::string_view value);
  void remove_note(std::string_view name);
  void remove_notes(std::string_view prefix);
  /// Bytes of memory that the changes need, approximately.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  void clear();

  // For implementations of PageStore.

  [[nodiscard]] const std::string& site() const { return site_; }
  [[nodiscard]] const std::string& section() const { return section_; }
  [[nodiscard]] const Pages& pages() const { return pages_; }                    ///< by URL; nullopt: removed
  [[nodiscard]] const std::vector<NoteChange>& notes() const { return notes_; }  ///< in the order of calls

 private:
  std::string site_;
  std::string section_;
  Pages pages_;
  std::vector<NoteChange> notes_;
  std::size_t bytes_ = 0;
};

}  // namespace sheaf::store
