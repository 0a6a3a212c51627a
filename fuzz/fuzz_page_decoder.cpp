// The input up to the first LF is one line. The verdict on its form agrees with check_json, both levels of
// detail find the same, and a page says the same after it was written and read again.
#include "fuzz_support.h"
#include "page_checks.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/format/pages/page_decoder.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace sheaf::format;
using sheaf::fuzz::check_page;
using sheaf::fuzz::decode;
using sheaf::fuzz::DecodedPage;
using sheaf::fuzz::require;

// Room for every form of the drafts and for what an upgrade of draft 1 adds; small enough to be exceeded.
constexpr Limits kPageLimits{.blocks = 12, .depth = 12};

void check_form(std::string_view text, const DecodedPage& decoded) {
  const bool utf8 = sheaf::fuzz::is_valid_utf8(text);
  const JsonCheck check = check_json(text);
  const auto failed_as = [&](Code code) { return decoded.fatal && decoded.fatal->code == code; };
  require(failed_as(Code::not_utf8) == !utf8);
  require(failed_as(Code::invalid_json) == (utf8 && !check.valid));
  const auto is_too_deep = [](const Finding& finding) { return finding.code == Code::too_deep; };
  require(std::ranges::any_of(decoded.findings, is_too_deep) ==
          (utf8 && check.valid && check.depth > kPageLimits.depth));
  if (decoded.fatal)
    require(level_of(decoded.fatal->code) == Level::fatal && decoded.fatal->offset <= text.size());
  for (const Finding& finding : decoded.findings) {
    require(level_of(finding.code) != Level::fatal && finding.line == 1 && finding.offset <= text.size());
    require(!finding.message.empty() && sheaf::fuzz::is_valid_utf8(finding.message));
  }
}

/// A number that simdjson cannot hold sends a line the long way round. In an unknown member it
/// changes nothing else.
void check_long_way(std::string_view text, const DecodedPage& decoded, const sheaf::Page& page) {
  static PageDecoder decoder(kPageLimits, Detail::everything);
  std::string longer(text);
  longer.insert(longer.rfind('}'), ",\"~\":1e999");
  const sheaf::fuzz::PaddedLine padded(longer);
  const DecodedPage again = decode(decoder, padded.line());
  require(!again.fatal && !again.skipped && sheaf::fuzz::same_findings(again.findings, decoded.findings));
  sheaf::Page same = decoder.page();
  require(same.extra.size() == page.extra.size() + 1);
  same.extra = same.extra.first(page.extra.size());
  require(same == page);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static PageDecoder thorough(kPageLimits, Detail::everything);
  static PageDecoder quick(kPageLimits, Detail::checks);
  const std::string_view input = sheaf::fuzz::as_text(data, size);
  const std::string_view text = input.substr(0, input.find('\n'));
  const sheaf::fuzz::PaddedLine padded(text);

  const DecodedPage decoded = decode(thorough, padded.line());
  check_form(text, decoded);
  const DecodedPage checked = decode(quick, padded.line());
  require(decoded.fatal.has_value() == checked.fatal.has_value() && decoded.skipped == checked.skipped);
  require(!decoded.fatal || sheaf::fuzz::same_finding(*decoded.fatal, *checked.fatal));
  require(sheaf::fuzz::same_findings(decoded.findings, checked.findings));
  if (decoded.fatal || decoded.skipped) return 0;

  check_page(thorough.page(), thorough.raw(), kPageLimits);
  require(quick.raw() == thorough.raw());
  check_long_way(text, decoded, thorough.page());
  return 0;
}
