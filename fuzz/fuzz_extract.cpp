// Any bytes become a page of a collection, and one that a reader takes whole:
// - its line is read back without a finding that would drop or change anything;
// - title, description and language are there;
// - the same bytes give the same line again, from memory used before;
// - so do they with a selector that matches nothing.
// The first byte chooses what came with the page: its address, a Content-Type, an X-Robots-Tag, links.
#include "fuzz_support.h"
#include "sheaf/extract/extract.h"
#include "sheaf/format/pages/page_decoder.h"
#include "sheaf/format/pages/page_encoder.h"
#include "sheaf/html/selector.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace sheaf;
using fuzz::require;

/// Whether a reader would take the page otherwise than it was written.
bool changes_page(format::Code code) {
  return format::level_of(code) != format::Level::warning || code == format::Code::invalid_field ||
         code == format::Code::heading_clamped || code == format::Code::legacy_block;
}

std::string line_of(extract::Extractor& extractor, std::string_view bytes,
                    const extract::ExtractOptions& options) {
  std::string line;
  format::encode_page(extractor.extract(bytes, options).page, line);
  return line;
}

void check_line(std::string line) {
  static format::PageDecoder decoder(format::Limits{}, format::Detail::everything);
  const std::size_t size = line.size();
  require(line.find('\n') == std::string::npos, "a line feed in the line");
  line.append(format::kLinePadding, '\0');
  std::string trouble;
  bool noindex = false;
  const auto outcome =
      decoder.decode({std::string_view(line).substr(0, size), 2, 0}, [&](const format::Finding& finding) {
        if (finding.code == format::Code::noindex) noindex = true;
        if (changes_page(finding.code)) trouble = finding.message;
      });
  require(outcome.has_value(), outcome ? "" : "not read back: " + outcome.error().message);
  if (noindex) return;  // readers leave such a page out
  require(*outcome == format::PageDecoder::Outcome::page && trouble.empty(),
          "read back otherwise: " + trouble);
  const Page& page = decoder.page();
  require(!page.title.empty() && !page.description.empty() && !page.language.empty(),
          "a required field is empty");
  require(page.content.size() <= 1000, "too many blocks");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static extract::Extractor extractor;
  const std::uint8_t choice = data[0];
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  extract::ExtractOptions options;
  options.url = (choice & 1U) != 0 ? "https://example.com/blog/a-page.html" : "https://example.com/";
  if ((choice & 16U) != 0) options.url = "https://example.com/%20caf%E9-";  // of which no title can be made
  if ((choice & 2U) != 0) options.content_type = "text/html; charset=windows-1252";
  if ((choice & 4U) != 0) options.robots_header = "noindex, nofollow";
  if ((choice & 8U) != 0) options.links = extract::LinkBlocks::all;
  if ((choice & 32U) != 0) options.inline_structure = extract::InlineStructure::keep;
  options.fallback_modified = Instant{1700000000, 0};
  const std::string line = line_of(extractor, bytes, options);
  check_line(line);
  require(line_of(extractor, bytes, options) == line, "another page from the same bytes");
  // Matches nothing, whatever is in the page.
  static const auto nothing = html::Selector::compile("br > br");
  options.leave_out = &*nothing;
  require(line_of(extractor, bytes, options) == line, "another page with a selector that matches nothing");
  return 0;
}
