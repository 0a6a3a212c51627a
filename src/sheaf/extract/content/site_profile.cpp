#include "sheaf/extract/content/site_profile.h"

#include "sheaf/base/hash.h"

#include <algorithm>

namespace sheaf::extract {
namespace {

constexpr std::size_t kMinPages = 5;    // fewer prove nothing: two pages may quote each other
constexpr std::size_t kFrameShare = 4;  // a text of the frame is on at least one page in kFrameShare
constexpr std::size_t kNumberBytes = 8;
// Shorter texts are never frame: "Notes" or "Example" is on many pages, and content of each.
constexpr std::uint32_t kShortText = 12;

constexpr std::size_t kMinCount = 3;      // a text of the frame is on at least so many pages
constexpr std::uint32_t kLinkShare = 10;  // at most 1/kLinkShare of a menu entry is outside of its link
// Keys are stored, and two texts of a site must not have the same key; TextRun::hash() is too weak for that.
// A collision made on purpose harms only pages of the same site, so the seed need not be secret.
constexpr std::uint64_t kKeySeed = 0x5348'4541'4620'544DU;
constexpr std::uint64_t kFreeBits = 3;
constexpr std::uint64_t kHasKeys = ~std::uint64_t{0};  // precedes the number of pages; too large to be one

/// Whether a text that is on `count` of `pages` pages belongs to the frame.
bool recurs(std::uint32_t count, std::size_t pages) {
  return count >= kMinCount && count * kFrameShare >= pages;
}

void append_number(std::string& out, std::uint64_t value) {
  for (std::size_t i = 0; i < kNumberBytes; ++i) out += static_cast<char>(value >> (8 * i));
}

std::uint64_t read_number(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < kNumberBytes; ++i)
    value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return value;
}

}  // namespace

std::optional<FrameText> as_frame_text(const TextRun& run) {
  const bool is_link = run.link_chars * kLinkShare >= run.chars * (kLinkShare - 1);
  if (run.chars == 0 || run.kind == RunKind::heading || run.kind == RunKind::code) return std::nullopt;
  if (!is_link && (run.kind == RunKind::cell || run.chars < kShortText)) return std::nullopt;
  return FrameText{.key = base::keyed_hash({kKeySeed, is_link ? 1U : 0U}, run.text) & ~kFreeBits,
                   .is_link = is_link};
}

SiteProfile::SiteProfile(std::size_t pages, std::span<const std::uint64_t> keys)
    : pages_(pages), has_keys_(true) {
  for (const std::uint64_t key : keys) counts_[key] = static_cast<std::uint32_t>(std::max(pages, kMinCount));
}

void SiteProfile::add(const PageOutline& page) {
  ++pages_;
  seen_.clear();
  for (const TextRun& run : page.runs()) seen_.push_back(run.hash());
  std::ranges::sort(seen_);
  seen_.erase(std::unique(seen_.begin(), seen_.end()), seen_.end());
  for (const std::uint64_t text : seen_) {
    if (counts_.size() < kMaxTexts) {
      ++counts_[text];
    } else if (const auto found = counts_.find(text); found != counts_.end()) {
      ++found->second;
    }
  }
}

bool SiteProfile::is_frame(const TextRun& run) const {
  if (has_keys_) {
    if (counts_.empty()) return false;
    const auto text = as_frame_text(run);
    return text && counts_.contains(text->key);
  }
  if (pages_ < kMinPages || run.chars < kShortText || run.kind == RunKind::heading ||
      run.kind == RunKind::cell)
    return false;
  const auto found = counts_.find(run.hash());
  return found != counts_.end() && recurs(found->second, pages_);
}

std::vector<std::uint64_t> SiteProfile::frame() const {
  std::vector<std::uint64_t> texts;
  for (const auto& [text, count] : counts_)
    if (recurs(count, pages_)) texts.push_back(text);
  std::ranges::sort(texts);
  return texts;
}

std::string SiteProfile::save() const {
  std::string bytes;
  if (has_keys_) append_number(bytes, kHasKeys);
  append_number(bytes, pages_);
  for (const std::uint64_t text : frame()) append_number(bytes, text);
  return bytes;
}

std::optional<SiteProfile> SiteProfile::load(std::string_view bytes) {
  if (bytes.size() % kNumberBytes != 0 || bytes.size() / kNumberBytes > kMaxTexts) return std::nullopt;
  std::vector<std::uint64_t> numbers;
  for (; !bytes.empty(); bytes.remove_prefix(kNumberBytes)) numbers.push_back(read_number(bytes));
  std::span<const std::uint64_t> rest = numbers;
  const bool has_keys = !rest.empty() && rest.front() == kHasKeys;
  if (has_keys) rest = rest.subspan(1);
  if (rest.empty()) return std::nullopt;
  SiteProfile profile(rest.front(), rest.subspan(1));
  profile.has_keys_ = has_keys;
  return profile;
}

}  // namespace sheaf::extract
