#include "sheaf/crawl/site_template.h"

#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"
#include "sheaf/base/record.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

namespace sheaf::crawl {

SiteTemplate::SiteTemplate(extract::SiteProfile profile)
    : profile_(std::move(profile)), bytes_(profile_.save()) {
  constexpr std::size_t kIdBytes = 16;
  const base::Digest digest = base::sha256(bytes_);
  id_ = base::to_hex(std::span(digest).first(kIdBytes));
}

std::shared_ptr<const SiteTemplate> SiteTemplate::load(std::string_view bytes) {
  auto profile = extract::SiteProfile::load(bytes);
  return profile ? std::make_shared<const SiteTemplate>(std::move(*profile)) : nullptr;
}

namespace {

constexpr std::uint64_t kVersion = 1;  // of a saved template

constexpr std::uint64_t kFlags = 3;
constexpr std::size_t kWhole = 100;

// Percentages of the sampled pages. A text on fewer pages may be content of a part of the site.
struct Shares {
  std::size_t most;
  std::size_t nearly_all;
};
constexpr Shares kComesIn{60, 90};
constexpr Shares kStays{40, 75};

/// A hash that is the same on every machine, because state folders may be moved to another one.
std::uint64_t rank_of(std::string_view name) {
  base::Sha256 sha;
  sha.update(name);
  const base::Digest digest = sha.finish();
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < sizeof rank; ++i) rank = rank << 8U | digest[i];
  return rank;
}

// The two lowest bits of a key are unused, so they hold the two flags.
std::uint64_t pack(const extract::FrameText& text) {
  return text.key | (text.is_link ? 2U : 0U) | (text.is_kept ? 1U : 0U);
}

extract::FrameText unpack(std::uint64_t packed) {
  return {.key = packed & ~kFlags, .is_link = (packed & 2U) != 0, .is_kept = (packed & 1U) != 0};
}

/// Whether enough of the sampled pages have a text for it to belong to the template.
bool belongs(const TemplateSample::Count& text, std::size_t pages, const Shares& needed) {
  const std::size_t share = text.pages * kWhole / pages;
  if (share < needed.most) return false;
  return text.is_link || text.kept * 2 < text.pages || share >= needed.nearly_all;
}

}  // namespace

bool TemplateSample::offer(std::string_view name) {
  ++offered_;
  rank_ = rank_of(name);
  return pages_.size() < kMaxPages || rank_ < pages_.front().rank;
}

void TemplateSample::add(const std::optional<std::vector<extract::FrameText>>& texts) {
  if (pages_.size() == kMaxPages) {
    std::pop_heap(pages_.begin(), pages_.end());
    pages_.pop_back();
  }
  SampledPage page{.rank = rank_, .is_judged = texts.has_value(), .texts = {}};
  if (texts)
    for (const extract::FrameText& text : *texts) page.texts.push_back(pack(text));
  pages_.push_back(std::move(page));
  std::push_heap(pages_.begin(), pages_.end());
}

std::size_t TemplateSample::pages() const {
  return static_cast<std::size_t>(std::ranges::count_if(pages_, &SampledPage::is_judged));
}

std::vector<TemplateSample::Count> TemplateSample::count() const {
  std::vector<PackedText> all;
  for (const SampledPage& page : pages_) all.insert(all.end(), page.texts.begin(), page.texts.end());
  std::ranges::sort(all);
  std::vector<Count> counts;
  for (const PackedText text : all) {
    const extract::FrameText unpacked = unpack(text);
    if (counts.empty() || counts.back().key != unpacked.key)
      counts.push_back({.key = unpacked.key, .is_link = unpacked.is_link});
    ++counts.back().pages;
    counts.back().kept += unpacked.is_kept ? 1 : 0;
  }
  return counts;
}

std::size_t TemplateSample::pages_like(const std::vector<std::uint64_t>& keys) const {
  return static_cast<std::size_t>(std::ranges::count_if(pages_, [&](const SampledPage& page) {
    if (!page.is_judged) return false;
    const auto common = std::ranges::count_if(
        page.texts, [&](PackedText text) { return std::ranges::binary_search(keys, unpack(text).key); });
    return static_cast<std::size_t>(common) * 2 >= keys.size();
  }));
}

std::string LearnedTemplate::save() const {
  return base::RecordWriter()
      .number(kVersion)
      .number(offered)
      .number(sampled)
      .text(frame ? frame->bytes() : std::string())
      .bytes();
}

std::optional<LearnedTemplate> LearnedTemplate::load(std::string_view bytes) {
  base::RecordReader in(bytes);
  if (in.number() != kVersion) return std::nullopt;
  LearnedTemplate learned;
  learned.offered = in.number();
  learned.sampled = in.number();
  const std::string_view frame = in.text();
  if (!in.good()) return std::nullopt;
  if (!frame.empty()) learned.frame = SiteTemplate::load(frame);
  return frame.empty() || learned.frame ? std::optional(std::move(learned)) : std::nullopt;
}

LearnedTemplate learn_from_sample(const TemplateSample& sample, const LearnedTemplate* before) {
  LearnedTemplate learned{.offered = sample.offered(), .sampled = sample.pages()};
  if (sample.pages() < kMinPages) return learned;
  const std::vector<std::uint64_t> known =
      before != nullptr && before->frame ? before->frame->profile().frame() : std::vector<std::uint64_t>();
  std::vector<std::uint64_t> frame;
  const std::size_t pages = sample.pages();
  for (const TemplateSample::Count& count : sample.count()) {
    const Shares& needed = std::ranges::binary_search(known, count.key) ? kStays : kComesIn;
    if (belongs(count, pages, needed)) frame.push_back(count.key);
  }
  if (!frame.empty())
    learned.frame = std::make_shared<const SiteTemplate>(extract::SiteProfile(sample.pages(), frame));
  return learned;
}

std::shared_ptr<const SiteTemplate> empty_template(std::size_t pages) {
  return std::make_shared<const SiteTemplate>(extract::SiteProfile(pages, {}));
}

Relearn judge_template(const LearnedTemplate& before, const TemplateSample& sample) {
  const std::size_t pages = sample.pages();
  if (pages < kMinPages) return Relearn::no;
  if (before.sampled < TemplateSample::kMaxPages && sample.offered() >= 2 * before.offered)
    return Relearn::grown;
  if (before.frame && sample.pages_like(before.frame->profile().frame()) * 2 < pages) return Relearn::layout;
  return Relearn::no;
}

}  // namespace sheaf::crawl
