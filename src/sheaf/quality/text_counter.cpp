#include "sheaf/quality/text_counter.h"

#include "sheaf/base/code_points.h"

#include <algorithm>
#include <tuple>

namespace sheaf::quality {
namespace {

constexpr std::uint64_t kMinCounted = 10;  // with fewer pages, a text on half of them is not significant
constexpr std::uint64_t kMaxShare = 2;     // a repeated text is on at least 1 of 2 pages
constexpr std::uint64_t kRareShare = 4;    // a text on fewer than 1 of 4 pages is dropped
// Minimum number of pages between two calls of drop_rare(), to bound their cost if all texts are frequent.
constexpr std::uint64_t kBetweenDrops = 16;
constexpr std::size_t kTextBytes = 120;

}  // namespace

void TextCounter::add(std::string_view url, const std::vector<RecurringText>& texts) {
  for (const RecurringText& text : texts) {
    if (const auto found = entries_.find(text.hash); found != entries_.end()) {
      ++found->second.pages;
      continue;
    }
    if (entries_.size() >= kMaxTexts && pages_ >= dropped_at_ + kBetweenDrops) drop_rare();
    if (entries_.size() >= kMaxTexts) continue;
    entries_.emplace(text.hash,
                     Entry{1, pages_, std::string(base::cut_utf8(text.text, kTextBytes)), std::string(url)});
  }
  ++pages_;
}

void TextCounter::drop_rare() {
  dropped_at_ = pages_;
  std::erase_if(entries_, [this](const auto& entry) {
    return entry.second.pages * kRareShare < pages_ - entry.second.since + 1;
  });
  if (entries_.size() < kMaxTexts) return;
  // All texts are still too recent to be rare, so texts that were seen only once are dropped.
  std::erase_if(entries_, [](const auto& entry) { return entry.second.pages < 2; });
}

std::vector<CountedText> TextCounter::most_frequent() const {
  std::vector<CountedText> result;
  if (pages_ < kMinCounted) return result;
  for (const auto& [hash, entry] : entries_)
    if (entry.pages * kMaxShare >= pages_) result.push_back({entry.text, entry.pages, entry.first_page});
  std::ranges::sort(result, [](const CountedText& a, const CountedText& b) {
    return std::tie(b.pages, a.text) < std::tie(a.pages, b.text);
  });
  return result;
}

}  // namespace sheaf::quality
