#include "sheaf/search/term_stemmer.h"

#include "sheaf/base/ascii.h"

#include <xapian.h>

#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

namespace sheaf::search {
namespace {

// A language has few words, which recur. If there are more, the cache is cleared.
constexpr std::size_t kMaxRemembered = 100'000;
// A hostile site may claim any number of languages; those without rules share one stemmer.
constexpr std::size_t kMaxLanguageLength = 8;

struct WordHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

}  // namespace

struct TermStemmer::State {
  Xapian::Stem stem;
  bool has_rules = false;
  std::string word;
  std::vector<std::string> new_words;
  std::unordered_map<std::string, std::string, WordHash, std::equal_to<>> remembered;
};

TermStemmer::TermStemmer(std::string_view language) : state_(std::make_unique<State>()) {
  const std::string primary = primary_language(language);
  if (primary.empty()) return;
  try {
    state_->stem = Xapian::Stem(primary);
    state_->has_rules = true;
  } catch (const Xapian::InvalidArgumentError&) {
    state_->has_rules = false;  // for this language
  }
}

TermStemmer::~TermStemmer() = default;
TermStemmer::TermStemmer(TermStemmer&&) noexcept = default;
TermStemmer& TermStemmer::operator=(TermStemmer&&) noexcept = default;

bool TermStemmer::has_rules() const { return state_->has_rules; }

std::vector<std::string> TermStemmer::take_new_words() { return std::exchange(state_->new_words, {}); }

std::string_view TermStemmer::term_of(const SearchWord& word) {
  if (word.kind != WordKind::word || !word.only_letters) return word.text;
  auto& remembered = state_->remembered;
  if (const auto found = remembered.find(word.text); found != remembered.end()) return found->second;
  if (remembered.size() >= kMaxRemembered) {
    remembered.clear();
    state_->new_words.clear();
  }
  state_->word = word.text;
  std::string stem = state_->has_rules ? state_->stem(state_->word) : std::string();
  if (stem.empty()) stem = state_->word;
  state_->new_words.push_back(state_->word);
  return remembered.emplace(state_->word, std::move(stem)).first->second;
}

struct StemmerSet::ByLanguage {
  std::map<std::string, TermStemmer, std::less<>> stemmers;
  TermStemmer without_rules{""};
};

StemmerSet::StemmerSet() : stemmers_(std::make_unique<ByLanguage>()) {}
StemmerSet::~StemmerSet() = default;

TermStemmer& StemmerSet::of(std::string_view language) {
  const std::string primary = primary_language(language);
  const auto found = stemmers_->stemmers.find(primary);
  if (found != stemmers_->stemmers.end()) return found->second;
  TermStemmer made(primary);
  if (!made.has_rules()) return stemmers_->without_rules;
  return stemmers_->stemmers.emplace(primary, std::move(made)).first->second;
}

std::string primary_language(std::string_view tag) {
  std::string primary;
  for (const char c : tag) {
    if (c == '-' || c == '_') break;
    if (!base::is_letter(c) || primary.size() >= kMaxLanguageLength) return {};
    primary += base::lower_ascii(c);
  }
  return primary;
}

}  // namespace sheaf::search
