// The input up to the first LF is a metadata line. A head says the same after it was written and read again,
// and without the bytes that are cut out for the checksum the line is still JSON and says all but the
// checksum.
#include "fuzz_support.h"
#include "page_checks.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/format/pages/head_decoder.h"
#include "sheaf/format/pages/page_encoder.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace sheaf::format;
using sheaf::fuzz::PaddedLine;
using sheaf::fuzz::require;
using sheaf::model::CollectionHead;

constexpr Limits kHeadLimits{.depth = 12};

struct HeadReading {
  Read<std::optional<DecodedHead>> result;
  std::vector<Finding> findings;
};

HeadReading decode(std::string_view text) {
  std::vector<Finding> findings;
  const PaddedLine padded(text);
  auto result =
      decode_head(padded.line(), kHeadLimits, [&](const Finding& finding) { findings.push_back(finding); });
  return {std::move(result), std::move(findings)};
}

void check_written(const CollectionHead& head) {
  std::string written;
  encode_head(head, written);
  require(sheaf::fuzz::is_valid_utf8(written) && written.find('\n') == std::string::npos);
  const HeadReading again = decode(written);
  require(again.result && *again.result && (*again.result)->head == head);
  require(std::ranges::all_of(again.findings, [](const Finding& finding) {
    return finding.code == Code::naive_time || finding.code == Code::unsafe_url_kept;
  }));
  std::string rewritten;
  encode_head((*again.result)->head, rewritten);
  require(rewritten == written);
}

void check_cut(std::string_view text, const DecodedHead& decoded, const std::vector<Finding>& findings) {
  const Cut cut = decoded.checksum;
  require(cut.begin <= cut.end && cut.end <= text.size());
  if (!decoded.head.checksum) {
    require(cut.begin == cut.end);
    return;
  }
  std::string rest(text.substr(0, cut.begin));
  rest += text.substr(cut.end);
  const HeadReading again = decode(rest);
  require(again.result && *again.result);
  require(check_json(rest).valid);
  CollectionHead expected = decoded.head;
  expected.checksum.reset();
  require((*again.result)->head == expected);
  require((*again.result)->checksum.begin == (*again.result)->checksum.end);
  // Findings may stand after the cut and so elsewhere, but no new ones come up.
  require(again.findings.size() <= findings.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = sheaf::fuzz::as_text(data, size);
  const std::string_view text = input.substr(0, input.find('\n'));
  const HeadReading decoded = decode(text);
  for (const Finding& finding : decoded.findings)
    require(level_of(finding.code) != Level::fatal || !decoded.result);
  const JsonCheck check = check_json(text);
  if (!decoded.result) {
    const Finding& fatal = decoded.result.error();
    require(level_of(fatal.code) == Level::fatal && fatal.offset <= text.size());
    const bool utf8 = sheaf::fuzz::is_valid_utf8(text);
    require((fatal.code == Code::not_utf8) == !utf8);
    require((fatal.code == Code::invalid_json) == (utf8 && !check.valid));
    return 0;
  }
  require(check.valid);
  if (!*decoded.result) return 0;
  check_written((*decoded.result)->head);
  check_cut(text, **decoded.result, decoded.findings);
  return 0;
}
