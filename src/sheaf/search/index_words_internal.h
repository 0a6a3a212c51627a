#pragma once

#include <xapian.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <unordered_set>

namespace sheaf::search {

/// The words that pages have, in the metadata of a database, for suggestions.
class IndexWords {
 public:
  /// Begins with what the database has.
  void open(const Xapian::Database& database);
  void learn(const std::string& word);
  /// Whether so many words wait to be written that it is time.
  [[nodiscard]] bool is_full() const;
  /// Writes new words. False if there are none.
  bool write(Xapian::WritableDatabase& database);

 private:
  std::uint64_t count_ = 0;                      ///< words in the database
  bool had_words_ = false;                       ///< there were some when it was opened
  std::unordered_set<std::size_t> known_words_;  ///< hashes of the words met since then
  std::set<std::string> new_words_;              ///< not in the database yet
  std::hash<std::string> hash_;
};

}  // namespace sheaf::search
