#include "sheaf/extract/blocks/block_merge.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <variant>

namespace sheaf::extract {
namespace {

template <class T>
const T* as(const Block& block) {
  return std::get_if<T>(&block.kind);
}

bool same_list(const Block& a, const Block& b) {
  const auto* first = as<ListBlock>(a);
  const auto* second = as<ListBlock>(b);
  return first != nullptr && second != nullptr && first->ordered == second->ordered;
}

bool same_code(const Block& a, const Block& b) {
  const auto* first = as<CodeBlock>(a);
  const auto* second = as<CodeBlock>(b);
  return first != nullptr && second != nullptr && first->language == second->language;
}

bool same_quote(const Block& a, const Block& b) {
  const auto* first = as<QuoteBlock>(a);
  const auto* second = as<QuoteBlock>(b);
  return first != nullptr && second != nullptr && first->citation == second->citation;
}

/// Whether two adjacent blocks can be joined to one block of the same kind.
bool same_kind(const Block& a, const Block& b) {
  if (as<TextBlock>(a) != nullptr && as<TextBlock>(b) != nullptr) return true;
  return same_list(a, b) || same_code(a, b) || same_quote(a, b);
}

/// How much is lost when a block becomes part of a text: little for a link, whose URL is kept in the text,
/// much for a table or the page's title. Deep headings weigh less than lists, and the h1 weighs most.
std::uint8_t weight(const Block& block) {
  constexpr std::array<std::uint8_t, 7> kHeadingWeights = {0, 13, 9, 8, 6, 5, 4};
  if (as<TextBlock>(block) != nullptr) return 0;
  if (as<LinkBlock>(block) != nullptr || as<QuoteBlock>(block) != nullptr) return 2;
  if (as<ImageBlock>(block) != nullptr) return 3;
  if (const auto* heading = as<HeadingBlock>(block))
    return kHeadingWeights[static_cast<std::size_t>(std::clamp(heading->level, 1, 6))];
  if (as<ListBlock>(block) != nullptr) return 7;
  if (as<CodeBlock>(block) != nullptr) return 10;
  if (as<TableBlock>(block) != nullptr) return 11;
  return 12;
}
constexpr std::size_t kCosts = 28;

/// The cost of joining two adjacent blocks: 0 for texts, 1 for other blocks that keep their kind. Joining a
/// heading to the block before it costs more, because it belongs to what follows.
std::size_t join_cost(const Block& a, const Block& b) {
  const std::size_t heavier = std::max(weight(a), weight(b));
  if (heavier > 0 && same_kind(a, b)) return 1;
  return 2 * heavier + (as<HeadingBlock>(b) != nullptr ? 1 : 0);
}

/// Chooses for every block whether it is joined to the previous one. Takes the `excess` cheapest joins; those
/// of equal cost are chosen evenly over the page.
std::vector<bool> choose_joins(std::span<const Block> blocks, std::size_t excess) {
  std::vector<std::uint8_t> costs(blocks.size());
  std::array<std::size_t, kCosts> counts{};
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    costs[i] = static_cast<std::uint8_t>(join_cost(blocks[i - 1], blocks[i]));
    ++counts[costs[i]];
  }
  std::array<std::size_t, kCosts> taken{};
  for (std::size_t cost = 0; cost < kCosts; ++cost) {
    taken[cost] = std::min(excess, counts[cost]);
    excess -= taken[cost];
  }
  std::array<std::size_t, kCosts> seen{};
  std::vector<bool> joined(blocks.size());
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    const std::size_t cost = costs[i];
    const std::size_t at = seen[cost]++;
    joined[i] = (at + 1) * taken[cost] / counts[cost] > at * taken[cost] / counts[cost];
  }
  return joined;
}

template <class T, class Part>
Text join(std::span<const Block> group, Part part, Arena& arena) {
  std::string text;
  for (const Block& block : group) {
    if (!text.empty()) text += "\n\n";
    text += part(*as<T>(block));
  }
  return arena.copy(text);
}

Block join_lists(std::span<const Block> group, Arena& arena) {
  std::vector<Text> items;
  std::vector<List<Inline>> inlines;
  bool has_inlines = false;
  for (const Block& block : group) {
    const auto& list = *as<ListBlock>(block);
    items.insert(items.end(), list.items.begin(), list.items.end());
    inlines.insert(inlines.end(), block.inlines.begin(), block.inlines.end());
    inlines.resize(items.size());
    has_inlines = has_inlines || !block.inlines.empty();
  }
  const auto& first = *as<ListBlock>(group.front());
  Block joined;
  joined.kind = ListBlock{first.ordered, arena.copy(std::span<const Text>(items)), first.start};
  if (has_inlines) joined.inlines = arena.copy(std::span<const List<Inline>>(inlines));
  return joined;
}

Block join_as_text(std::span<const Block> group, Arena& arena) {
  std::string text;
  for (const Block& block : group) {
    if (!text.empty()) text += "\n\n";
    append_plain_text(block, text);
  }
  return {TextBlock{arena.copy(text)}, {}};
}

Block join_group(std::span<const Block> group, Arena& arena) {
  const Block& first = group.front();
  const bool alike =
      std::ranges::all_of(group.subspan(1), [&first](const Block& block) { return same_kind(first, block); });
  if (!alike) return join_as_text(group, arena);
  if (as<ListBlock>(first) != nullptr) return join_lists(group, arena);
  if (const auto* code = as<CodeBlock>(first))
    return {
        CodeBlock{code->language, join<CodeBlock>(group, [](const auto& b) { return b.code; }, arena)}, {}};
  if (const auto* quote = as<QuoteBlock>(first))
    return {QuoteBlock{join<QuoteBlock>(
                           group, [](const auto& b) { return b.text; }, arena),
                       quote->citation},
            {}};
  return join_as_text(group, arena);
}

void join_groups(std::vector<Block>& blocks, const std::vector<bool>& joined, Arena& arena) {
  std::size_t written = 0;
  for (std::size_t begin = 0; begin < blocks.size();) {
    std::size_t end = begin + 1;
    while (end < blocks.size() && joined[end]) ++end;
    blocks[written++] =
        end - begin == 1 ? blocks[begin] : join_group({blocks.data() + begin, end - begin}, arena);
    begin = end;
  }
  blocks.resize(written);
}

void append_table(const TableBlock& table, std::string& out) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (i > 0) out += '\n';
    for (std::size_t j = 0; j < table.rows[i].size(); ++j) {
      if (j > 0) out += '\t';
      out += table.rows[i][j];
    }
  }
}

void append_link(Text text, Text url, std::string& out) {
  out += text;
  if (!text.empty()) out += ' ';
  out += '<';
  out += url;
  out += '>';
}

void append_media(const Media& media, std::string& out) {
  const auto* links = std::get_if<List<MediaLink>>(&media.url);
  append_link(media.name, links != nullptr ? links->front().href : std::get<Text>(media.url), out);
}

struct PlainText {
  std::string& out;

  void operator()(const TextBlock& block) const { out += block.text; }
  void operator()(const HeadingBlock& block) const { out += block.text; }
  void operator()(const LinkBlock& block) const { append_link(block.text, block.url, out); }
  void operator()(const ImageBlock& block) const { append_link(block.alt, block.url, out); }
  void operator()(const ListBlock& block) const {
    for (std::size_t i = 0; i < block.items.size(); ++i) {
      out += i > 0 ? "\n- " : "- ";
      out += block.items[i];
    }
  }
  void operator()(const CodeBlock& block) const { out += block.code; }
  void operator()(const TableBlock& block) const { append_table(block, out); }
  void operator()(const QuoteBlock& block) const {
    out += block.text;
    if (!block.citation) return;
    out += '\n';
    out += *block.citation;
  }
  void operator()(const VideoBlock& block) const { append_media(*block.media, out); }
  void operator()(const AudioBlock& block) const { append_media(*block.media, out); }
  void operator()(const StructuredBlock& block) const { out += block.data; }
  void operator()(const UnknownBlock& block) const { out += block.json; }
};

}  // namespace

void append_plain_text(const Block& block, std::string& out) { std::visit(PlainText{out}, block.kind); }

std::size_t merge_blocks(std::vector<Block>& blocks, std::size_t max_blocks, Arena& arena) {
  max_blocks = std::max<std::size_t>(max_blocks, 1);
  if (blocks.size() <= max_blocks) return 0;
  const std::size_t excess = blocks.size() - max_blocks;
  join_groups(blocks, choose_joins(blocks, excess), arena);
  return excess;
}

}  // namespace sheaf::extract
