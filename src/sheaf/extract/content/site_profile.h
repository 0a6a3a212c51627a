#pragma once

#include "sheaf/extract/outline/page_outline.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sheaf::extract {

/// A text of a page that may belong to the site's template.
struct FrameText {
  /// Hash of the text and of `is_link`: a link and the same words in a sentence have different keys. The
  /// lowest two bits are 0.
  std::uint64_t key = 0;
  bool is_link = false;  ///< nearly all of it is links: a menu entry
  bool is_kept = false;  ///< taken for content when nothing is known about the site

  friend bool operator==(const FrameText&, const FrameText&) = default;
};

/// Converts a run to a FrameText. nullopt for runs that recur on many pages although they are content:
/// headings, code, and table cells and short texts that are not links.
std::optional<FrameText> as_frame_text(const TextRun& run);

/// The texts that recur on the pages of one site. Texts that are on many pages are the site's frame, not
/// content. Learns from a sample of the site's pages and is then passed to extraction.
class SiteProfile {
 public:
  SiteProfile() = default;
  /// A frame that was found by another rule than the one of add(): `keys` are the keys of FrameTexts, found
  /// in a sample of `pages` pages. add() must not be called on it.
  SiteProfile(std::size_t pages, std::span<const std::uint64_t> keys);

  /// Counts each distinct text of a page once.
  void add(const PageOutline& page);

  /// Whether a run's text is on enough pages to belong to the frame.
  [[nodiscard]] bool is_frame(const TextRun& run) const;

  /// Whether the frame consists of FrameTexts. Then extraction leaves out exactly these texts. Any other
  /// frame lowers the scores of its texts, which also affects the texts around them.
  [[nodiscard]] bool is_exact() const { return has_keys_; }

  [[nodiscard]] std::size_t pages() const { return pages_; }
  /// The hashes or keys of the frame's texts, sorted.
  [[nodiscard]] std::vector<std::uint64_t> frame() const;

  /// Serialises the number of pages and the frame; equal profiles give equal bytes.
  [[nodiscard]] std::string save() const;
  /// Restores a saved profile. Returns nullopt if `bytes` was not made by save().
  [[nodiscard]] static std::optional<SiteProfile> load(std::string_view bytes);

 private:
  static constexpr std::size_t kMaxTexts = 1'000'000;  // bounds memory; further texts are not counted
  std::unordered_map<std::uint64_t, std::uint32_t> counts_;
  std::vector<std::uint64_t> seen_;
  std::size_t pages_ = 0;
  bool has_keys_ = false;  ///< counts_ has FrameText::key instead of TextRun::hash()
};

}  // namespace sheaf::extract
