#include "sheaf/search/index_files_internal.h"
#include "sheaf/search/index_words_internal.h"
#include "sheaf/search/word_suggestion.h"

#include <charconv>

namespace sheaf::search {
namespace {

// A store has some hundred thousand words. The limit is for sites that make up words.
constexpr std::uint64_t kMaxVocabulary = 1'000'000;
constexpr const char* kVocabularyCount = "words";
constexpr std::size_t kMaxWaitingWords = 50'000;

}  // namespace

void IndexWords::open(const Xapian::Database& database) {
  const std::string words = database.get_metadata(kVocabularyCount);
  std::from_chars(words.data(), words.data() + words.size(), count_);
  had_words_ = count_ > 0;
}

void IndexWords::learn(const std::string& word) {
  if (!is_worth_knowing(word) || known_words_.size() >= kMaxVocabulary) return;
  if (known_words_.insert(hash_(word)).second) new_words_.insert(word);
}

bool IndexWords::is_full() const { return new_words_.size() >= kMaxWaitingWords; }

/// Words are written in sorted order: they fill the blocks of the table one after the other, at a fraction of
/// the cost of random writes.
bool IndexWords::write(Xapian::WritableDatabase& database) {
  if (new_words_.empty()) return false;
  for (const std::string& word : new_words_) {
    const std::string key = std::string(kVocabularyPrefix) + word;
    if (count_ >= kMaxVocabulary) break;
    if (had_words_ && !database.get_metadata(key).empty()) continue;
    database.set_metadata(key, "1");
    ++count_;
  }
  new_words_.clear();
  database.set_metadata(kVocabularyCount, std::to_string(count_));
  return true;
}

}  // namespace sheaf::search
