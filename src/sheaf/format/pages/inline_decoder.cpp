// The member `inline` of blocks (our extension) says which ranges of a text are links, code or emphasis.
#include "sheaf/base/url.h"
#include "sheaf/format/pages/block_decoder_internal.h"
#include "sheaf/model/inline_names.h"
#include "sheaf/model/text_offsets.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <variant>

namespace sheaf::format {

namespace {

/// One range as written; nullopt if something is missing or wrong.
std::optional<Inline> read_range(dom::element element) {
  dom::object object;
  dom::element from;
  dom::element to;
  std::string_view kind;
  if (element.get_object().get(object) != simdjson::SUCCESS ||
      object["from"].get(from) != simdjson::SUCCESS || object["to"].get(to) != simdjson::SUCCESS ||
      object["kind"].get(kind) != simdjson::SUCCESS)
    return std::nullopt;
  const auto begin = whole_number(from);
  const auto end = whole_number(to);
  const auto named = model::find_inline_kind(kind);
  constexpr std::int64_t kMax = std::numeric_limits<std::uint32_t>::max();
  if (!begin || !end || !named || *begin < 0 || *end <= *begin || *end > kMax) return std::nullopt;
  Inline range{static_cast<std::uint32_t>(*begin), static_cast<std::uint32_t>(*end), *named, {}};
  if (*named != InlineKind::link) return range;
  if (object["url"].get(range.url) != simdjson::SUCCESS || !base::is_http_url(range.url)) return std::nullopt;
  return range;
}

/// Sorts ranges, and removes those that exceed the text or partly overlap another.
void remove_invalid_ranges(Text text, std::vector<Inline>& ranges) {
  std::vector<std::uint32_t> places;
  for (const Inline& range : ranges) places.insert(places.end(), {range.from, range.to});
  const std::vector<std::size_t> bytes = model::byte_offsets(text, places);
  std::size_t index = 0;
  std::erase_if(ranges, [&](const Inline&) {
    const std::size_t i = 2 * index++;
    return bytes[i] == model::kNoOffset || bytes[i + 1] == model::kNoOffset;
  });
  std::ranges::stable_sort(ranges, [](const Inline& a, const Inline& b) {
    return a.from != b.from ? a.from < b.from : a.to > b.to;
  });
  std::vector<std::uint32_t> open;  // ends of the enclosing ranges
  std::erase_if(ranges, [&open](const Inline& range) {
    while (!open.empty() && open.back() <= range.from) open.pop_back();
    if (!open.empty() && range.to > open.back()) return true;
    open.push_back(range.to);
    return false;
  });
}

}  // namespace

/// The ranges of one text. A value that is not an array counts as one bad range.
List<Inline> BlockDecoder::inline_ranges(dom::element element, Text text, std::size_t& invalid) {
  dom::array values;
  if (element.get_array().get(values) != simdjson::SUCCESS) {
    ++invalid;
    return {};
  }
  std::vector<Inline> ranges;
  const std::size_t count = element_count(values);
  ranges.reserve(count);
  for (const dom::element value : values)
    if (const auto range = read_range(value)) ranges.push_back(*range);
  remove_invalid_ranges(text, ranges);
  invalid += count - ranges.size();
  return arena_.copy(std::span<const Inline>(ranges));
}

/// Reads one list of ranges for each text. Returns false if the number of lists differs from that of texts.
bool BlockDecoder::inline_lists(dom::element element, List<Text> texts, std::vector<List<Inline>>& out,
                                std::size_t& invalid) {
  dom::array values;
  if (element.get_array().get(values) != simdjson::SUCCESS || element_count(values) != texts.size())
    return false;
  std::size_t i = 0;
  for (const dom::element value : values) out.push_back(inline_ranges(value, texts[i++], invalid));
  return true;
}

bool BlockDecoder::inline_cells(dom::element element, const TableBlock& table, std::vector<List<Inline>>& out,
                                std::size_t& invalid) {
  dom::array values;
  if (element.get_array().get(values) != simdjson::SUCCESS || element_count(values) != table.rows.size())
    return false;
  std::size_t i = 0;
  for (const dom::element row : values)
    if (!inline_lists(row, table.rows[i++], out, invalid)) return false;
  return true;
}

void BlockDecoder::read_inlines(dom::element element, Block& block) {
  std::vector<List<Inline>> lists;
  std::size_t invalid = 0;
  bool fits = true;
  if (const auto* list = std::get_if<ListBlock>(&block.kind)) {
    fits = inline_lists(element, list->items, lists, invalid);
  } else if (const auto* table = std::get_if<TableBlock>(&block.kind)) {
    fits = inline_cells(element, *table, lists, invalid);
  } else if (const auto* text = std::get_if<TextBlock>(&block.kind)) {
    lists.push_back(inline_ranges(element, text->text, invalid));
  } else if (const auto* heading = std::get_if<HeadingBlock>(&block.kind)) {
    lists.push_back(inline_ranges(element, heading->text, invalid));
  } else if (const auto* quote = std::get_if<QuoteBlock>(&block.kind)) {
    lists.push_back(inline_ranges(element, quote->text, invalid));
  }
  if (!fits) return drop_field("inline", "must be an array with one entry for each item or cell");
  if (invalid > 0)
    context_.change(
        Code::invalid_field,
        fmt::format("block {}: {} of the ranges of inline are invalid; they were dropped", number_, invalid));
  if (std::ranges::any_of(lists, [](const List<Inline>& list) { return !list.empty(); }))
    block.inlines = arena_.copy(std::span<const List<Inline>>(lists));
}

}  // namespace sheaf::format
