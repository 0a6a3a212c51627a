#include "sheaf/html/site_profile.h"

#include <algorithm>

namespace sheaf::html {
namespace {

constexpr std::size_t kFewestPages = 5;  // fewer say nothing: two pages may well quote each other
constexpr std::size_t kFrameShare = 4;   // on one page of so many
constexpr std::uint32_t kShortText =
    12;  // "Notes" or "Example" is a heading of many pages and content of each

}  // namespace

void SiteProfile::add(const PageOutline& page) {
  ++pages_;
  seen_.clear();
  for (const TextRun& run : page.runs()) seen_.push_back(run.hash);
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
  const auto found = counts_.find(run.hash);
  return found != counts_.end() && found->second * kFrameShare >= pages_ && found->second > 2;
}

}  // namespace sheaf::html
