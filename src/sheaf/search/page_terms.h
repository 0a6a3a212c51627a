#pragma once

#include "sheaf/search/search_words.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::search {

/// The role of a text in a page, which decides how much its words weigh.
enum class TextRole : std::uint8_t { title, description, heading, body, code };

struct PageText {
  std::string_view text;
  TextRole role = TextRole::body;
  int level = 0;  ///< level of a heading
};

/// Only this many bytes of a page's text are searchable, so that a site cannot make a page arbitrarily
/// expensive.
inline constexpr std::size_t kMaxPageText = std::size_t{8} << 20U;

/// Calls `use` with each searchable text of a page, in reading order: title, description, then content. Ends
/// after kMaxPageText bytes, or when `use` returns false.
void each_page_text(const Page& page, const std::function<bool(const PageText&)>& use);

struct TermCount {
  std::string_view term;
  std::uint32_t count = 0;
  std::size_t hash = 0;
};

/// Terms of a page and their weights. A hash table that reuses its memory for the next page: a page has
/// hundreds of terms, and an allocation for each costs more than counting it.
class TermCounts {
 public:
  void add(std::string_view term, std::uint32_t weight) {
    const std::size_t hash = std::hash<std::string_view>()(term);
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    std::uint32_t& slot = slots_[place_of(term, hash)];
    if (slot == kFree) {
      slot = static_cast<std::uint32_t>(entries_.size());
      entries_.push_back({texts_.copy(term), 0, hash});
    }
    entries_[slot].count += weight;
  }

  [[nodiscard]] bool contains(std::string_view term) const {
    return !slots_.empty() && slots_[place_of(term, std::hash<std::string_view>()(term))] != kFree;
  }

  /// In the order in which terms were first added. Valid until the next change.
  [[nodiscard]] std::span<const TermCount> entries() const { return entries_; }

  void clear() {
    // Clearing the table of a large page would slow down every small page after it.
    const bool is_large = slots_.size() > kMinSlots && slots_.size() > 16 * entries_.size();
    slots_.assign(is_large ? kMinSlots : slots_.size(), kFree);
    entries_.clear();
    texts_.clear();
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  static constexpr std::size_t kMinSlots = 1024;

  /// The slot of the term, or the slot where it would be put.
  [[nodiscard]] std::size_t place_of(std::string_view term, std::size_t hash) const {
    std::size_t place = hash & (slots_.size() - 1);
    while (slots_[place] != kFree && entries_[slots_[place]].term != term)
      place = (place + 1) & (slots_.size() - 1);
    return place;
  }

  void grow() {
    slots_.assign(slots_.empty() ? kMinSlots : 2 * slots_.size(), kFree);
    for (std::uint32_t i = 0; i < entries_.size(); ++i)
      slots_[place_of(entries_[i].term, entries_[i].hash)] = i;
  }

  Arena texts_;
  std::vector<TermCount> entries_;
  /// Indexes into `entries_`. The size is a power of two, and at most half of the slots are used.
  std::vector<std::uint32_t> slots_;
};

/// Pairs of adjacent words in a heading or in a query. A page with a heading that has the typed words in the
/// same order is most likely the one that is looked for. Words are folded but not stemmed: a pair is only
/// found as it was written.
class WordPairs {
 public:
  using Use = std::function<void(std::string_view pair)>;

  /// Must be called with each word of a text, in order.
  void add(const SearchWord& word, const Use& use) {
    // The parts of an identifier are added instead of it. Scripts without spaces are indexed by pairs of
    // characters anyway.
    if (word.kind == WordKind::identifier) return;
    if (word.kind != WordKind::word) return end();
    if (!previous_.empty() && pairs_ < kMaxPairs) {
      previous_ += ' ';
      previous_ += word.text;
      use(previous_);
      ++pairs_;
    }
    previous_ = word.text;
  }

  /// Ends a text: the next word follows no other.
  void end() {
    previous_.clear();
    pairs_ = 0;
  }

 private:
  /// Per text. Nobody types more, but some headings are whole paragraphs.
  static constexpr std::size_t kMaxPairs = 24;

  std::string previous_;
  std::size_t pairs_ = 0;
};

/// The terms of a page in the index. A word of a title or heading counts several times.
struct PageTerms {
  TermCounts body;          ///< words of all texts, including the title
  TermCounts title;         ///< words of the title, for `title:` and because a match in the title weighs more
  TermCounts pairs;         ///< pairs of words in the title and in headings (WordPairs)
  std::uint64_t bytes = 0;  ///< bytes of text
  /// Folded but not stemmed words that were not seen before, or were forgotten since.
  std::vector<std::string> new_words;
};

/// Makes the terms of pages. Not thread-safe.
class PageTermMaker {
 public:
  /// The result is valid until the next call.
  const PageTerms& operator()(const Page& page);

 private:
  void add_path(const Page& page, TermStemmer& stemmer);

  StemmerSet stemmers_;
  WordSplitter splitter_;
  WordPairs pairs_;
  PageTerms terms_;
};

}  // namespace sheaf::search
