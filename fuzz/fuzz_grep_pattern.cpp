// The input up to the first NUL is a pattern, what follows the text of a page. What the pattern matches must
// pass the filter that looks at JSON text.
#include "fuzz_support.h"
#include "sheaf/base/code_points.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/grep/line_matcher.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace sheaf;
using fuzz::require;

void check(const grep::PatternOptions& options, const std::string& text) {
  auto pattern = grep::LinePattern::compile(options);
  if (!pattern) {
    require(!pattern.error().message.empty());
    return;
  }
  const grep::RawFilter filter(pattern->required(), pattern->letters());
  const Block blocks[] = {{HeadingBlock{2, "Heading"}, {}}, {CodeBlock{{}, text}, {}}};
  Page page;
  page.content = std::span<const Block>(blocks).subspan(1);
  grep::PageMatches matches;
  grep::LineMatcher matcher(std::move(*pattern), grep::SearchedBlocks::all, grep::MatchDetail::lines);
  if (!matcher.match(page, matches)) return;
  require(!matches.lines.empty());
  for (const grep::MatchedLine& line : matches.lines) {
    require(line.begin <= line.end && line.end <= line.text.size());
    require(line.text.find('\n') == std::string::npos);
  }
  std::string json;
  format::append_json_string(json, text);
  require(filter.passes(json));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::as_text(data, size);
  const std::string_view pattern = input.substr(0, input.find('\0'));
  const std::string text = base::make_valid_utf8(input.substr(std::min(pattern.size() + 1, input.size())));
  for (const bool ignores_case : {false, true})
    for (const bool is_fixed : {false, true}) check({std::string(pattern), is_fixed, ignores_case}, text);
  return 0;
}
