#pragma once

#include "sheaf/extract/outline/page_outline.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sheaf::extract {

/// What recurs over the pages of one site: texts that stand on many of them are the site's frame, not a
/// page's content. Fed with a sample of the site's pages, then handed to extraction.
class SiteProfile {
 public:
  /// Counts the texts of one page, each once.
  void add(const PageOutline& page);

  /// Whether a run's text stands on so many of the pages seen that it belongs to the frame.
  [[nodiscard]] bool is_frame(const TextRun& run) const;

  [[nodiscard]] std::size_t pages() const { return pages_; }

  /// What is needed to know the frame again, as bytes; the same profile gives the same bytes.
  [[nodiscard]] std::string save() const;
  /// Nothing, if the bytes are not those of a profile.
  [[nodiscard]] static std::optional<SiteProfile> load(std::string_view bytes);

 private:
  static constexpr std::size_t kMaxTexts = 1'000'000;  // a bound on memory; later texts are not counted
  std::unordered_map<std::uint64_t, std::uint32_t> counts_;
  std::vector<std::uint64_t> seen_;
  std::size_t pages_ = 0;
};

}  // namespace sheaf::extract
