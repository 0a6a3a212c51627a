#include "sheaf/search/search_words.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <xapian.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

namespace sheaf::search {
namespace {

enum class CharacterClass : std::uint8_t { other, letter, digit, unspaced };

constexpr bool is_ascii_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_ascii_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

CharacterClass class_of_ascii(char c) {
  if (is_ascii_lower(c) || is_ascii_upper(c)) return CharacterClass::letter;
  return is_ascii_digit(c) ? CharacterClass::digit : CharacterClass::other;
}

bool is_unspaced_script(char32_t c) {
  if (c < 0xE00) return false;
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(static_cast<UChar32>(c), &status)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_HANGUL:
    case USCRIPT_BOPOMOFO:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR: return true;
    default: return c == 0x30FC;  // the prolonged sound mark, which two scripts share
  }
}

CharacterClass class_of(char32_t c) {
  const auto code = static_cast<UChar32>(c);
  const bool is_mark = (U_GET_GC_MASK(code) & U_GC_M_MASK) != 0;
  if (!is_mark && u_isalnum(code) == 0) return CharacterClass::other;
  if (is_unspaced_script(c)) return CharacterClass::unspaced;
  return u_isdigit(code) != 0 ? CharacterClass::digit : CharacterClass::letter;
}

struct Character {
  CharacterClass kind = CharacterClass::other;
  std::size_t size = 1;
};

/// The character at `at`, which must be less than the size of the text.
Character character_at(std::string_view text, std::size_t at) {
  if (static_cast<unsigned char>(text[at]) < 0x80) return {class_of_ascii(text[at]), 1};
  std::string_view rest = text.substr(at);
  const std::size_t before = rest.size();
  const char32_t c = base::take_code_point(rest);
  return {class_of(c), before - rest.size()};
}

bool is_word_character(const Character& c) {
  return c.kind == CharacterClass::letter || c.kind == CharacterClass::digit;
}

/// Number of bytes that join two parts of an identifier: "_" (one or more), "." or "::"; 0 if there is no
/// joiner.
std::size_t joiner_size(std::string_view text, std::size_t at) {
  if (text[at] != '_' && text[at] != '.' && text[at] != ':') return 0;
  std::size_t size = 0;
  while (at + size < text.size() && text[at + size] == '_') ++size;
  if (size == 0 && text.substr(at).starts_with("::")) size = 2;
  if (size == 0 && text.substr(at).starts_with('.')) size = 1;
  if (size == 0 || at + size >= text.size()) return 0;
  return is_word_character(character_at(text, at + size)) ? size : 0;
}

/// Whether a new part begins at `at`: fooBar, HTTPServer.
bool is_hump(std::string_view text, std::size_t begin, std::size_t at) {
  if (at <= begin || !is_ascii_upper(text[at])) return false;
  const char before = text[at - 1];
  if (is_ascii_lower(before) || is_ascii_digit(before)) return true;
  return is_ascii_upper(before) && at + 1 < text.size() && is_ascii_lower(text[at + 1]);
}

struct Replacement {
  char32_t letter;
  std::string_view plain;
};

// Letters that Unicode does not decompose, but that people type in a plain form.
constexpr std::array<Replacement, 8> kPlainLetters{{{0xE6, "ae"},
                                                    {0xF0, "d"},
                                                    {0xF8, "o"},
                                                    {0xFE, "th"},
                                                    {0x111, "d"},
                                                    {0x131, "i"},
                                                    {0x142, "l"},
                                                    {0x153, "oe"}}};

/// Whether marks on this letter are accents that people leave out. In other scripts (Cyrillic, Indic ones) a
/// mark makes another letter, which stemmers rely on; only the dots of the Russian yo are optional.
bool has_optional_marks(UChar32 letter) {
  constexpr UChar32 kCyrillicIe = 0x435;
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(letter, &status);
  return letter == kCyrillicIe || script == USCRIPT_LATIN || script == USCRIPT_GREEK ||
         script == USCRIPT_HEBREW || script == USCRIPT_ARABIC;
}

void append_folded(std::string& out, const icu::UnicodeString& decomposed) {
  bool drops_marks = false;
  icu::UnicodeString kept;
  for (int32_t i = 0; i < decomposed.length(); i = decomposed.moveIndex32(i, 1)) {
    const UChar32 c = decomposed.char32At(i);
    const bool is_mark = (U_GET_GC_MASK(c) & U_GC_MN_MASK) != 0;
    if (is_mark && drops_marks) continue;
    if (!is_mark) drops_marks = has_optional_marks(c);
    const auto* plain = std::ranges::find(kPlainLetters, static_cast<char32_t>(c), &Replacement::letter);
    if (plain != kPlainLetters.end())
      kept += icu::UnicodeString::fromUTF8(plain->plain);
    else
      kept.append(c);
  }
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* composer = icu::Normalizer2::getNFCInstance(status);
  if (U_SUCCESS(status)) kept = composer->normalize(kept, status);
  kept.toUTF8String(out);
}

/// Nearly all words are ASCII, which needs no library.
void append_folded(std::string& out, std::string_view word) {
  const bool is_ascii =
      std::ranges::all_of(word, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (is_ascii) {
    for (const char c : word) out += is_ascii_upper(c) ? static_cast<char>(c + ('a' - 'A')) : c;
    return;
  }
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* folder = icu::Normalizer2::getNFKCCasefoldInstance(status);
  const icu::Normalizer2* decomposer = icu::Normalizer2::getNFDInstance(status);
  const auto given =
      icu::UnicodeString::fromUTF8(icu::StringPiece(word.data(), static_cast<int32_t>(word.size())));
  if (U_FAILURE(status)) {
    out += word;
    return;
  }
  append_folded(out, decomposer->normalize(folder->normalize(given, status), status));
}

/// Finds the end of a word at `at` that needs no full processing; returns `at` if there is none. Most words
/// are such: lower-case ASCII letters except perhaps the first, and not part of an identifier.
std::size_t end_of_plain_word(std::string_view text, std::size_t at) {
  std::size_t end = at + (is_ascii_upper(text[at]) ? 1 : 0);
  while (end < text.size() && is_ascii_lower(text[end])) ++end;
  if (end == at || end == text.size()) return end;
  const bool goes_on = static_cast<unsigned char>(text[end]) >= 0x80 ||
                       class_of_ascii(text[end]) != CharacterClass::other || joiner_size(text, end) > 0;
  return goes_on ? at : end;
}

bool has_digit(std::string_view word) { return std::ranges::any_of(word, is_ascii_digit); }

}  // namespace

std::string fold_word(std::string_view word) {
  std::string folded;
  append_folded(folded, word);
  return folded;
}

void WordSplitter::each(std::string_view text, const Use& use) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (const std::size_t end = end_of_plain_word(text, at); end > at) {
      emit_plain_word(text, {at, end}, use);
      at = end;
      continue;
    }
    const Character c = character_at(text, at);
    if (c.kind == CharacterClass::unspaced) {
      at = emit_unspaced(text, at, use);
    } else if (is_word_character(c)) {
      const std::size_t end = end_of_identifier(text, at);
      emit_identifier(text, at, end, use);
      at = end;
    } else {
      at += c.size;
    }
  }
}

void WordSplitter::emit_plain_word(std::string_view text, Part part, const Use& use) {
  std::string_view word = text.substr(part.from, part.to - part.from);
  if (word.size() > kMaxWordLength) return;
  if (is_ascii_upper(word[0])) {
    folded_ = word;
    folded_[0] = static_cast<char>(word[0] + ('a' - 'A'));
    word = folded_;
  }
  use({word, WordKind::word, true, part.from, part.to});
}

std::size_t WordSplitter::end_of_identifier(std::string_view text, std::size_t from) {
  std::size_t at = from;
  while (at < text.size()) {
    if (const std::size_t joiner = joiner_size(text, at); joiner > 0) {
      at += joiner;
      continue;
    }
    const Character c = character_at(text, at);
    if (!is_word_character(c)) break;
    at += c.size;
  }
  return at;
}

void WordSplitter::emit_identifier(std::string_view text, std::size_t from, std::size_t to, const Use& use) {
  const std::string_view whole = text.substr(0, to);
  const auto next_part = [&](std::size_t at) {
    Part part{at, at};
    while (part.to < to) {
      if (joiner_size(whole, part.to) > 0 || is_hump(whole, part.from, part.to)) break;
      part.to += character_at(whole, part.to).size;
    }
    return part;
  };
  const Part first = next_part(from);
  if (first.to < to && to - from <= kMaxWordLength) {
    folded_.clear();
    append_folded(folded_, whole.substr(from));
    use({folded_, WordKind::identifier, false, from, to});
  }
  for (Part part = first;; part = next_part(part.to + joiner_size(whole, part.to))) {
    emit_part(whole, part, use);
    if (part.to >= to) return;
  }
}

void WordSplitter::emit_part(std::string_view text, Part part, const Use& use) {
  if (part.to - part.from > kMaxWordLength) return;
  folded_.clear();
  append_folded(folded_, text.substr(part.from, part.to - part.from));
  // Folding can make a word longer, and a mark alone leaves nothing.
  if (!folded_.empty() && folded_.size() <= 2 * kMaxWordLength)
    use({folded_, WordKind::word, !has_digit(folded_), part.from, part.to});
}

std::size_t WordSplitter::emit_unspaced(std::string_view text, std::size_t from, const Use& use) {
  std::size_t at = from;
  std::size_t size = character_at(text, at).size;
  while (true) {
    const std::size_t next = at + size;
    const Character c = next < text.size() ? character_at(text, next) : Character{};
    pair_.clear();
    if (c.kind != CharacterClass::unspaced) {
      append_folded(pair_, text.substr(at, size));
      use({pair_, at == from ? WordKind::alone : WordKind::last, false, at, next});
      return next;
    }
    append_folded(pair_, text.substr(at, size + c.size));
    use({pair_, WordKind::pair, false, at, next + c.size});
    at = next;
    size = c.size;
  }
}

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
