#include "sheaf/html/block_merge.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <variant>

namespace sheaf::html {
namespace {

using model::Block;

enum class Stage : std::uint8_t { texts, same_kind, everything };

template <class T>
const T* as(const Block& block) {
  return std::get_if<T>(&block.kind);
}

bool same_list(const Block& a, const Block& b) {
  const auto* first = as<model::ListBlock>(a);
  const auto* second = as<model::ListBlock>(b);
  return first != nullptr && second != nullptr && first->ordered == second->ordered;
}

bool same_code(const Block& a, const Block& b) {
  const auto* first = as<model::CodeBlock>(a);
  const auto* second = as<model::CodeBlock>(b);
  return first != nullptr && second != nullptr && first->language == second->language;
}

bool same_quote(const Block& a, const Block& b) {
  const auto* first = as<model::QuoteBlock>(a);
  const auto* second = as<model::QuoteBlock>(b);
  return first != nullptr && second != nullptr && first->citation == second->citation;
}

bool can_join(const Block& a, const Block& b, Stage stage) {
  if (stage == Stage::everything) return true;
  if (as<model::TextBlock>(a) != nullptr && as<model::TextBlock>(b) != nullptr) return true;
  return stage == Stage::same_kind && (same_list(a, b) || same_code(a, b) || same_quote(a, b));
}

/// How many blocks are left when runs are cut into groups of at most `size`.
std::size_t count_groups(std::span<const Block> blocks, Stage stage, std::size_t size) {
  std::size_t groups = 0;
  std::size_t in_group = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i == 0 || in_group == size || !can_join(blocks[i - 1], blocks[i], stage)) {
      ++groups;
      in_group = 0;
    }
    ++in_group;
  }
  return groups;
}

/// The smallest group size that meets the limit; 0 if none does.
std::size_t group_size(std::span<const Block> blocks, Stage stage, std::size_t max_blocks) {
  if (count_groups(blocks, stage, blocks.size()) > max_blocks) return 0;
  std::size_t low = 1;
  std::size_t high = blocks.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (count_groups(blocks, stage, middle) <= max_blocks) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

template <class T, class Part>
model::Text join(std::span<const Block> group, Part part, base::Arena& arena) {
  std::string text;
  for (const Block& block : group) {
    if (!text.empty()) text += "\n\n";
    text += part(*as<T>(block));
  }
  return arena.copy(text);
}

Block join_lists(std::span<const Block> group, base::Arena& arena) {
  std::vector<model::Text> items;
  for (const Block& block : group) {
    const auto& list = *as<model::ListBlock>(block);
    items.insert(items.end(), list.items.begin(), list.items.end());
  }
  const bool ordered = as<model::ListBlock>(group.front())->ordered;
  return {model::ListBlock{ordered, arena.copy(std::span<const model::Text>(items))}, {}};
}

Block join_as_text(std::span<const Block> group, base::Arena& arena) {
  std::string text;
  for (const Block& block : group) {
    if (!text.empty()) text += "\n\n";
    append_plain_text(block, text);
  }
  return {model::TextBlock{arena.copy(text)}, {}};
}

Block join_group(std::span<const Block> group, base::Arena& arena) {
  const Block& first = group.front();
  const bool alike = std::ranges::all_of(
      group.subspan(1), [&first](const Block& block) { return can_join(first, block, Stage::same_kind); });
  if (!alike) return join_as_text(group, arena);
  if (as<model::ListBlock>(first) != nullptr) return join_lists(group, arena);
  if (const auto* code = as<model::CodeBlock>(first))
    return {model::CodeBlock{code->language, join<model::CodeBlock>(
                                                 group, [](const auto& b) { return b.code; }, arena)},
            {}};
  if (const auto* quote = as<model::QuoteBlock>(first))
    return {model::QuoteBlock{join<model::QuoteBlock>(
                                  group, [](const auto& b) { return b.text; }, arena),
                              quote->citation},
            {}};
  return join_as_text(group, arena);
}

std::size_t join_groups(std::vector<Block>& blocks, Stage stage, std::size_t size, base::Arena& arena) {
  const std::size_t before = blocks.size();
  std::size_t written = 0;
  for (std::size_t begin = 0; begin < before;) {
    std::size_t end = begin + 1;
    while (end < before && end - begin < size && can_join(blocks[end - 1], blocks[end], stage)) ++end;
    blocks[written++] =
        end - begin == 1 ? blocks[begin] : join_group({blocks.data() + begin, end - begin}, arena);
    begin = end;
  }
  blocks.resize(written);
  return before - written;
}

void append_table(const model::TableBlock& table, std::string& out) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (i > 0) out += '\n';
    for (std::size_t j = 0; j < table.rows[i].size(); ++j) {
      if (j > 0) out += '\t';
      out += table.rows[i][j];
    }
  }
}

void append_link(model::Text text, model::Text url, std::string& out) {
  out += text;
  if (!text.empty()) out += ' ';
  out += '<';
  out += url;
  out += '>';
}

void append_media(const model::Media& media, std::string& out) {
  const auto* links = std::get_if<model::List<model::MediaLink>>(&media.url);
  append_link(media.name, links != nullptr ? links->front().href : std::get<model::Text>(media.url), out);
}

struct PlainText {
  std::string& out;

  void operator()(const model::TextBlock& block) const { out += block.text; }
  void operator()(const model::HeadingBlock& block) const { out += block.text; }
  void operator()(const model::LinkBlock& block) const { append_link(block.text, block.url, out); }
  void operator()(const model::ImageBlock& block) const { append_link(block.alt, block.url, out); }
  void operator()(const model::ListBlock& block) const {
    for (std::size_t i = 0; i < block.items.size(); ++i) {
      out += i > 0 ? "\n- " : "- ";
      out += block.items[i];
    }
  }
  void operator()(const model::CodeBlock& block) const { out += block.code; }
  void operator()(const model::TableBlock& block) const { append_table(block, out); }
  void operator()(const model::QuoteBlock& block) const {
    out += block.text;
    if (!block.citation) return;
    out += '\n';
    out += *block.citation;
  }
  void operator()(const model::VideoBlock& block) const { append_media(*block.media, out); }
  void operator()(const model::AudioBlock& block) const { append_media(*block.media, out); }
  void operator()(const model::StructuredBlock& block) const { out += block.data; }
  void operator()(const model::UnknownBlock& block) const { out += block.json; }
};

}  // namespace

void append_plain_text(const model::Block& block, std::string& out) {
  std::visit(PlainText{out}, block.kind);
}

std::size_t merge_blocks(std::vector<Block>& blocks, std::size_t max_blocks, base::Arena& arena) {
  max_blocks = std::max<std::size_t>(max_blocks, 1);
  if (blocks.size() <= max_blocks) return 0;
  for (const Stage stage : {Stage::texts, Stage::same_kind, Stage::everything})
    if (const std::size_t size = group_size(blocks, stage, max_blocks); size > 0)
      return join_groups(blocks, stage, size, arena);
  return 0;  // not reached: everything joins into one
}

}  // namespace sheaf::html
