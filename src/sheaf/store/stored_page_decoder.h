#pragma once

#include "sheaf/format/page_decoder.h"
#include "sheaf/model/page.h"

#include <expected>
#include <string>
#include <string_view>

namespace sheaf::store {

/// Makes pages of the JSON that a store holds, whatever the limits of whoever put it there were.
class StoredPageDecoder {
 public:
  explicit StoredPageDecoder(format::Detail detail) : decoder_(limits(), detail) {}

  /// The page, which lives until the next call; or why it is none.
  std::expected<const model::Page*, std::string> operator()(std::string_view json) {
    text_.assign(json);
    text_.append(format::kLinePadding, '\0');
    const auto ignore = [](const format::Finding&) {};
    const auto outcome = decoder_.decode({std::string_view(text_).substr(0, json.size()), 1, 0}, ignore);
    if (!outcome) return std::unexpected(outcome.error().message);
    if (*outcome != format::PageDecoder::Outcome::page)
      return std::unexpected(std::string("a reader would pass it over"));
    return &decoder_.page();
  }

 private:
  static const format::Limits& limits() {
    static const format::Limits kLimits = [] {
      format::Limits limits;
      limits.page_bytes = UINT64_MAX;
      limits.blocks = UINT32_MAX;
      return limits;
    }();
    return kLimits;
  }

  format::PageDecoder decoder_;
  std::string text_;
};

}  // namespace sheaf::store
