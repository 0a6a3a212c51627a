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
  /// Its hash and its role: a link and the same words in a sentence have two. The last two bits are 0.
  std::uint64_t key = 0;
  bool is_link = false;  ///< nearly all of it is links: a menu's entry
  bool is_kept = false;  ///< taken for content where nothing is known of the site

  friend bool operator==(const FrameText&, const FrameText&) = default;
};

/// The run as such a text. Nothing for runs that are content of many pages by nature: headings, code, cells
/// of tables, and short texts that are not links.
std::optional<FrameText> as_frame_text(const TextRun& run);

/// What recurs over the pages of one site: texts that stand on many of them are the site's frame, not a
/// page's content. Fed with a sample of the site's pages, then handed to extraction.
class SiteProfile {
 public:
  SiteProfile() = default;
  /// A frame that was found by another rule than that of add(): the keys of FrameTexts, from a sample of so
  /// many pages. add() must not be called then.
  SiteProfile(std::size_t pages, std::span<const std::uint64_t> keys);

  /// Counts the texts of one page, each once.
  void add(const PageOutline& page);

  /// Whether a run's text stands on so many of the pages seen that it belongs to the frame.
  [[nodiscard]] bool is_frame(const TextRun& run) const;

  /// A frame of FrameTexts: extraction leaves out just these. Other frames lower the scores of their texts,
  /// and with them those of their surroundings.
  [[nodiscard]] bool is_exact() const { return has_keys_; }

  [[nodiscard]] std::size_t pages() const { return pages_; }
  /// The texts of the frame, sorted.
  [[nodiscard]] std::vector<std::uint64_t> frame() const;

  /// What is needed to know the frame again, as bytes; the same profile gives the same bytes.
  [[nodiscard]] std::string save() const;
  /// Nothing, if the bytes are not those of a profile.
  [[nodiscard]] static std::optional<SiteProfile> load(std::string_view bytes);

 private:
  static constexpr std::size_t kMaxTexts = 1'000'000;  // a bound on memory; later texts are not counted
  std::unordered_map<std::uint64_t, std::uint32_t> counts_;
  std::vector<std::uint64_t> seen_;
  std::size_t pages_ = 0;
  bool has_keys_ = false;  ///< counts_ is by FrameText::key, not by the hash of the text
};

}  // namespace sheaf::extract
