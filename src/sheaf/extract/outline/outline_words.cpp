// The words of text runs: hints, and how many of them are in the page's title.
#include "sheaf/extract/outline/hint_words.h"
#include "sheaf/extract/outline/page_outline.h"
#include "sheaf/text/text_words.h"

#include <algorithm>
#include <string_view>

namespace sheaf::extract {
namespace {

constexpr std::uint32_t kHintedWords = 20;  // the first words of a run show what it is
constexpr std::size_t kTitleWords = 64;

}  // namespace

RunWords PageOutline::words(const TextRun& run) const {
  if (whole_ != nullptr) return whole_->words(run);
  std::uint32_t words = 0;
  std::uint32_t of_title = 0;
  RunWords result;
  text::each_word(text_.padded(run.text), [&](std::uint32_t word) {
    if (may_have_text_hints(word)) result.hints |= text_hints(word);
    if (may_be_in_title(word) && in_title(word)) ++of_title;
    return ++words < kHintedWords;
  });
  if (words > 0) result.title_share = static_cast<float>(of_title) / static_cast<float>(words);
  return result;
}

void PageOutline::note_title(std::string_view title) {
  text::each_word(title, [this](std::uint32_t word) {
    title_words_.push_back(word);
    title_filter_[word % title_filter_.size()] = true;
    return title_words_.size() < kTitleWords;
  });
}

bool PageOutline::in_title(std::uint32_t word) const {
  return std::ranges::binary_search(title_words_, word);
}

}  // namespace sheaf::extract
