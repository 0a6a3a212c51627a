#pragma once

#include "sheaf/format/finding.h"
#include "sheaf/format/limits.h"
#include "sheaf/format/lines/line.h"
#include <sheaf/page.h>
#include <sheaf/reader.h>

#include <cstdint>
#include <memory>
#include <string_view>

namespace sheaf::format {

using Detail = PageDetail;

/// Handling of a link block whose URL is not http or https.
enum class UnsafeLink : std::uint8_t {
  drop,       ///< as the drafts require of readers
  keep_text,  ///< turn it into a text block: for pages that are being published
};

/// Decodes one line to a page by the rules of docs/spec-readings.md, and reports findings.
class PageDecoder {
 public:
  PageDecoder(const Limits& limits, Detail detail, UnsafeLink unsafe_link = UnsafeLink::drop);
  ~PageDecoder();
  PageDecoder(PageDecoder&&) noexcept;
  PageDecoder& operator=(PageDecoder&&) noexcept;

  enum class Outcome : std::uint8_t { page, skipped };

  /// Findings that are not fatal go to `sink`. Errors are fatal: not_utf8, invalid_json, not_an_object,
  /// missing_field, wrong_type.
  Read<Outcome> decode(const Line& line, const FindingSink& sink);

  /// The page of the last successful `decode`. It borrows the line and this decoder, and is valid until the
  /// next call.
  [[nodiscard]] const Page& page() const;

  /// The page's JSON text: the line itself if no rule changed anything, else encoded again without what was
  /// dropped. Valid as long as the page.
  std::string_view raw();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf::format
