#pragma once

#include <xapian.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <unordered_set>

namespace sheaf::search {

/// The words of pages, in the metadata of a database, for suggestions.
class IndexWords {
 public:
  /// Reads the state of the database.
  void open(const Xapian::Database& database);
  /// Adds a word of a page, unless it is known or useless as a suggestion.
  void learn(const std::string& word);
  /// Whether enough words are waiting to be written.
  [[nodiscard]] bool is_full() const;
  /// Writes new words. Returns false if there are none.
  bool write(Xapian::WritableDatabase& database);

 private:
  std::uint64_t count_ = 0;                      ///< words in the database
  bool had_words_ = false;                       ///< the database had words when it was opened
  std::unordered_set<std::size_t> known_words_;  ///< hashes of the words learnt since then
  std::set<std::string> new_words_;              ///< words that are not in the database yet
  std::hash<std::string> hash_;
};

}  // namespace sheaf::search
