#include "sheaf/extract/content/site_profile.h"

#include <algorithm>

namespace sheaf::extract {
namespace {

constexpr std::size_t kFewestPages = 5;  // fewer say nothing: two pages may well quote each other
constexpr std::size_t kFrameShare = 4;   // on one page of so many
constexpr std::size_t kNumberBytes = 8;
constexpr std::uint32_t kShortText =
    12;  // "Notes" or "Example" is a heading of many pages and content of each

/// On so many pages that it belongs to the frame.
bool recurs(std::uint32_t count, std::size_t pages) { return count > 2 && count * kFrameShare >= pages; }

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
  if (pages_ < kFewestPages || run.chars < kShortText || run.kind == RunKind::heading ||
      run.kind == RunKind::cell)
    return false;
  const auto found = counts_.find(run.hash());
  return found != counts_.end() && recurs(found->second, pages_);
}

std::string SiteProfile::save() const {
  std::vector<std::uint64_t> frame;
  for (const auto& [text, count] : counts_)
    if (recurs(count, pages_)) frame.push_back(text);
  std::ranges::sort(frame);
  std::string bytes;
  append_number(bytes, pages_);
  for (const std::uint64_t text : frame) append_number(bytes, text);
  return bytes;
}

std::optional<SiteProfile> SiteProfile::load(std::string_view bytes) {
  if (bytes.empty() || bytes.size() % kNumberBytes != 0 || bytes.size() / kNumberBytes > kMaxTexts)
    return std::nullopt;
  SiteProfile profile;
  profile.pages_ = read_number(bytes);
  while (!(bytes.remove_prefix(kNumberBytes), bytes.empty()))
    profile.counts_[read_number(bytes)] =
        static_cast<std::uint32_t>(std::max<std::size_t>(profile.pages_, 3));
  return profile;
}

}  // namespace sheaf::extract
