#include "sheaf/quality/page_quality.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/hash.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <variant>

namespace sheaf::quality {
namespace {

// Shorter texts ("Notes", "Read more") are expected to recur.
constexpr std::size_t kMinBytes = 12;

class Measure {
 public:
  explicit Measure(PageQuality& result) : result_(result) {}

  void operator()(const TextBlock& block) { add(block.text); }
  void operator()(const QuoteBlock& block) { add(block.text); }
  void operator()(const LinkBlock& block) { add(block.text); }
  void operator()(const ListBlock& block) {
    for (const std::string_view item : block.items) add(item);
  }
  // Headings, code and cells legitimately recur on reference pages, so they are counted but not compared.
  void operator()(const HeadingBlock& block) { count(block.text); }
  void operator()(const CodeBlock& block) { count(block.code); }
  void operator()(const TableBlock& block) {
    for (const auto& row : block.rows)
      for (const std::string_view cell : row) count(cell);
  }
  void operator()(const ImageBlock& /*block*/) { result_.has_media = true; }
  void operator()(const VideoBlock& /*block*/) { result_.has_media = true; }
  void operator()(const AudioBlock& /*block*/) { result_.has_media = true; }
  void operator()(const StructuredBlock& block) { result_.has_media |= !block.data.empty(); }
  void operator()(const UnknownBlock& block) { result_.has_media |= !block.json.empty(); }

 private:
  void count(std::string_view text) { result_.chars += count_characters(text); }
  void add(std::string_view text) {
    count(text);
    if (text.size() >= kMinBytes) result_.texts.push_back({hash_of(text), text});
  }

  PageQuality& result_;
};

}  // namespace

std::uint64_t hash_of(std::string_view text) {
  static const base::HashKey key = base::HashKey::random();
  return base::keyed_hash(key, text);
}

std::uint64_t count_characters(std::string_view text) {
  std::uint64_t count = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) == 0x80) continue;
    // The first bytes of U+3000 to U+DFFF and of all characters beyond the basic multilingual plane.
    count += (byte >= 0xE3 && byte <= 0xED) || byte >= 0xF0 ? 2 : 1;
  }
  return count;
}

PageQuality measure_page(const Page& page) {
  PageQuality result;
  Measure measure(result);
  for (const Block& block : page.content) std::visit(measure, block.kind);
  std::ranges::sort(result.texts, {}, &RecurringText::hash);
  const auto duplicates = std::ranges::unique(result.texts, {}, &RecurringText::hash);
  result.texts.erase(duplicates.begin(), duplicates.end());
  return result;
}

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

namespace {

constexpr std::uint64_t kMinShares = 20;
constexpr std::uint64_t kMinShown = 400;  // characters; with less text, the title alone changes the share
// A share is unusual if it differs from the median by more than kDeviations median absolute deviations and by
// more than kMinDistance thousandths. A share below a quarter of the median is always unusual.
constexpr std::uint64_t kDeviations = 5;
constexpr std::uint64_t kMinDistance = 250;
constexpr std::uint64_t kMinOfMedian = 4;

using Counts = std::array<std::uint64_t, KeptShareHistogram::kWhole + 1>;

std::uint64_t median_of(const Counts& counts, std::uint64_t total) {
  std::uint64_t seen = 0;
  for (std::uint64_t i = 0; i < counts.size(); ++i) {
    seen += counts[i];
    if (seen * 2 >= total) return i;
  }
  return 0;
}

}  // namespace

std::optional<std::uint64_t> KeptShareHistogram::share(std::uint64_t kept_chars, std::uint64_t shown_chars) {
  if (shown_chars < kMinShown) return std::nullopt;
  // The share is capped because structured data may have more text than the page shows.
  return std::min(kWhole, kept_chars * kWhole / shown_chars);
}

std::optional<UsualShare> KeptShareHistogram::usual() const {
  if (pages_ < kMinShares) return std::nullopt;
  UsualShare usual{.median = median_of(counts_, pages_)};
  Counts distances{};
  for (std::uint64_t i = 0; i < counts_.size(); ++i)
    distances[i > usual.median ? i - usual.median : usual.median - i] += counts_[i];
  const std::uint64_t distance = std::max(kMinDistance, kDeviations * median_of(distances, pages_));
  usual.low = std::max(usual.median - std::min(usual.median, distance), usual.median / kMinOfMedian);
  usual.high = std::min(kWhole, usual.median + distance);
  return usual;
}

std::uint64_t KeptShareHistogram::below(std::uint64_t low) const {
  return std::accumulate(counts_.begin(), counts_.begin() + static_cast<std::ptrdiff_t>(low),
                         std::uint64_t{0});
}

std::uint64_t KeptShareHistogram::above(std::uint64_t high) const {
  return std::accumulate(counts_.begin() + static_cast<std::ptrdiff_t>(high) + 1, counts_.end(),
                         std::uint64_t{0});
}

}  // namespace sheaf::quality
