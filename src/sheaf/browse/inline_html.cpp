#include "sheaf/browse/inline_html.h"

#include "sheaf/base/code_points.h"
#include "sheaf/browse/block_html.h"
#include "sheaf/model/text_offsets.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sheaf::browse {
namespace {

constexpr std::size_t kMaxInlineDepth = 8;

void open_inline(markup::HtmlWriter& out, const Inline& range) {
  switch (range.kind) {
    case InlineKind::link: out.open_web_link(range.url); break;
    case InlineKind::code:
    case InlineKind::math: out.open("code"); break;
    case InlineKind::strong: out.open("strong"); break;
    case InlineKind::em: out.open("em"); break;
    case InlineKind::sub: out.open("sub"); break;
    case InlineKind::sup: out.open("sup"); break;
  }
}

}  // namespace

void write_inline(markup::HtmlWriter& out, std::string_view text, const List<Inline>& inlines) {
  text = base::cut_utf8(text, kMaxShownText);
  std::vector<std::uint32_t> units;
  units.reserve(2 * inlines.size());
  for (const Inline& range : inlines) {
    units.push_back(range.from);
    units.push_back(range.to);
  }
  const std::vector<std::size_t> places = model::byte_offsets(text, units);
  std::vector<std::size_t> ends;
  std::size_t at = 0;
  const auto write_to = [&](std::size_t place) {
    if (place > at) out.text(text.substr(at, place - at)), at = place;
  };
  for (std::size_t i = 0; i < inlines.size(); ++i) {
    const std::size_t from = places[2 * i];
    const std::size_t to = places[2 * i + 1];
    if (from == model::kNoOffset || to == model::kNoOffset || from >= to || from < at) continue;
    while (!ends.empty() && ends.back() <= from) write_to(ends.back()), out.close(), ends.pop_back();
    if ((!ends.empty() && to > ends.back()) || ends.size() >= kMaxInlineDepth) continue;
    write_to(from);
    open_inline(out, inlines[i]);
    ends.push_back(to);
  }
  for (; !ends.empty(); ends.pop_back()) write_to(ends.back()), out.close();
  write_to(text.size());
}

}  // namespace sheaf::browse
