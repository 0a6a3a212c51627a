#pragma once

#include "sheaf/base/free_memory.h"
#include "sheaf/format/pages/page_decoder.h"
#include <sheaf/page.h>

#include <expected>
#include <string>
#include <string_view>

namespace sheaf::format {

/// Decodes the JSON of stored pages. Only the limits of the pull that stored a page apply to it, so there are
/// none here.
class StoredPageDecoder {
 public:
  explicit StoredPageDecoder(Detail detail) : decoder_(limits(), detail) {}

  /// Returns the page, valid until the next call, or a message that says why it is invalid.
  std::expected<const Page*, std::string> operator()(std::string_view json) {
    if (json.size() < kSmall && text_.capacity() > 2 * kSmall) base::free_storage(text_);
    text_.reserve(json.size() + kLinePadding);
    text_.assign(json);
    text_.append(kLinePadding, '\0');
    return decode(std::string_view(text_).substr(0, json.size()));
  }

  /// Like operator(), but without a copy. `json` must be followed by kLinePadding readable bytes and
  /// must outlive the page.
  std::expected<const Page*, std::string> decode(std::string_view json) {
    std::string why_skipped;
    const auto outcome = decoder_.decode({json, 1, 0}, [&](const Finding& finding) {
      if (level_of(finding.code) == FindingLevel::page) why_skipped = finding.message;
    });
    if (!outcome) return std::unexpected(outcome.error().message);
    if (*outcome != PageDecoder::Outcome::page)
      return std::unexpected("readers would skip the page: " + why_skipped);
    return &decoder_.page();
  }

 private:
  static constexpr std::size_t kSmall = 4 * kMiB;

  static const Limits& limits() {
    static const Limits kLimits = [] {
      Limits limits;
      limits.page_bytes = UINT64_MAX;
      limits.blocks = UINT32_MAX;
      limits.values = UINT32_MAX;
      return limits;
    }();
    return kLimits;
  }

  PageDecoder decoder_;
  std::string text_;
};

}  // namespace sheaf::format
