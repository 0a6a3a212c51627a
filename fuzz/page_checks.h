#pragma once

#include "fuzz_support.h"
#include "sheaf/format/finding.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/format/limits.h"
#include "sheaf/format/lines/line.h"
#include "sheaf/format/pages/page_decoder.h"
#include "sheaf/format/pages/page_encoder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::fuzz {

/// A line as a reader hands it out. In a file the next line follows, so that is what stands in the padding: a
/// parser that takes it for its own shows.
class PaddedLine {
 public:
  explicit PaddedLine(std::string_view text) : memory_(text), size_(text.size()) {
    constexpr std::string_view kFollower =
        "\n{\"url\":\"http://next/\",\"title\":\"\"}]}],\"x\":[{\"y\":9999}]}\\\"\n";
    memory_ += kFollower;
    memory_.resize(std::max(memory_.size(), size_ + format::kLinePadding), '"');
  }

  [[nodiscard]] format::Line line() const {
    return {.text = std::string_view(memory_).substr(0, size_), .number = 1, .offset = 0};
  }

 private:
  std::string memory_;
  std::size_t size_;
};

struct DecodedPage {
  std::optional<format::Finding> fatal;
  bool skipped = false;
  std::vector<format::Finding> findings;
};

inline DecodedPage decode(format::PageDecoder& decoder, const format::Line& line) {
  DecodedPage result;
  const auto outcome =
      decoder.decode(line, [&](const format::Finding& finding) { result.findings.push_back(finding); });
  if (!outcome) {
    result.fatal = outcome.error();
  } else {
    result.skipped = *outcome == format::PageDecoder::Outcome::skipped;
  }
  return result;
}

inline bool same_finding(const format::Finding& a, const format::Finding& b) {
  return a.code == b.code && a.line == b.line && a.offset == b.offset && a.url == b.url &&
         a.message == b.message;
}

inline bool same_findings(const std::vector<format::Finding>& a, const std::vector<format::Finding>& b) {
  return std::ranges::equal(a, b, same_finding);
}

/// Findings about something that stays in the page. All others must be gone once it was written anew.
inline bool describes_what_is_kept(const format::Finding& finding) {
  using enum format::Code;
  return finding.code == unknown_block || finding.code == invalid_language || finding.code == empty_content ||
         finding.code == naive_time || finding.code == unsafe_url_kept;
}

/// `text` is JSON and says what `page` says, with nothing left to drop or mend. Gives what it looks like
/// written anew.
inline std::string require_says(std::string_view text, const Page& page, format::PageDecoder& decoder,
                                const format::Limits& limits) {
  require(is_valid_utf8(text));
  require(text.find('\n') == std::string_view::npos);
  const format::JsonCheck check = format::check_json(text);
  require(check.valid && check.depth <= limits.depth);
  const PaddedLine padded(text);
  const DecodedPage again = decode(decoder, padded.line());
  require(!again.fatal && !again.skipped);
  require(std::ranges::all_of(again.findings, describes_what_is_kept));
  require(decoder.page() == page);
  require(decoder.raw() == text);
  std::string encoded;
  format::encode_page(decoder.page(), encoded);
  return encoded;
}

/// What every page handed out with Detail::everything promises.
inline void check_page(const Page& page, std::string_view raw, const format::Limits& limits) {
  static format::PageDecoder decoder(limits, format::Detail::everything);
  require(page.content.size() <= limits.blocks);
  std::string encoded;
  format::encode_page(page, encoded);
  require(require_says(encoded, page, decoder, limits) == encoded);
  require(require_says(raw, page, decoder, limits) == encoded);
}

}  // namespace sheaf::fuzz
