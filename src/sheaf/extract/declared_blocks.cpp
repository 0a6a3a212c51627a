#include "sheaf/extract/declared_blocks.h"

#include "sheaf/extract/content/declared_text.h"
#include "sheaf/extract/outline/declared_page.h"
#include "sheaf/html/text_value.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace sheaf::extract {
namespace {

using PartKind = DeclaredPart::Kind;

constexpr std::size_t kDeclaredBytes = 400;  // shorter texts are summaries
constexpr std::size_t kDeclaredShare = 3;    // a page with a third of the declared text or more shows it
constexpr float kShownShare = 0.5F;          // of the first three-word sequences of a text that is shown
constexpr std::size_t kMaxText = std::size_t{1} << 20;
constexpr std::size_t kShortText = 64;  // bytes; longer texts are compared by their words

/// The text of all blocks, with an index of its word sequences.
class ShownText {
 public:
  explicit ShownText(List<Block> blocks) : text_(text_of(blocks)) { trigrams_.read(text_); }

  [[nodiscard]] bool has(std::string_view text) const {
    if (text.size() <= kShortText && text_.find(text) != std::string::npos) return true;
    return trigrams_.share_of(text) >= kShownShare;
  }
  [[nodiscard]] std::size_t size() const { return text_.size(); }

 private:
  std::string text_;
  DeclaredText trigrams_;
};

bool is_question(const Block& block, Text question) {
  if (const auto* heading = std::get_if<HeadingBlock>(&block.kind))
    return html::same_words(heading->text, question);
  const auto* text = std::get_if<TextBlock>(&block.kind);
  return text != nullptr && html::same_words(text->text, question);
}

class PartAdder {
 public:
  PartAdder(const Metadata& metadata, const BuiltBlocks& built, Arena& arena)
      : parts_(metadata.declared_parts),
        is_product_((metadata.kinds & (kDeclaredProduct | kOpenGraphProduct)) != 0),
        shown_(built.blocks),
        arena_(arena),
        blocks_(built.blocks.begin(), built.blocks.end()) {}

  std::vector<Block> run() {
    add_texts(PartKind::paragraph, kDeclaredBytes);
    add_texts(PartKind::post, kDeclaredBytes);
    if (!is_product_) add_questions();  // on product pages they are written by customers
    add_product();
    add_list(PartKind::ingredient, PartKind::ingredient, false);
    add_list(PartKind::step, PartKind::section, true);
    return std::move(blocks_);
  }

 private:
  void add(BlockKind kind) { blocks_.push_back({kind, {}}); }

  /// A page that shows declared texts usually shows most of them. So they are added only if the page shows
  /// very little.
  void add_texts(PartKind kind, std::size_t least) {
    std::size_t declared = 0;
    for (const DeclaredPart& part : parts_)
      if (part.kind == kind) declared += part.text.size();
    if (declared < least || shown_.size() * kDeclaredShare > declared) return;
    for (const DeclaredPart& part : parts_) {
      if (part.kind != kind || shown_.has(part.text)) continue;
      if (!part.note.empty()) add(TextBlock{part.note});
      add(TextBlock{part.text});
    }
  }

  /// Inserts answers that are not shown after their question. If the question is not shown either, both are
  /// appended.
  void add_questions() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].kind != PartKind::question) continue;
      std::size_t end = i + 1;
      bool is_shown = true;
      for (; end < parts_.size() && parts_[end].kind == PartKind::answer; ++end)
        is_shown = is_shown && shown_.has(parts_[end].text);
      if (is_shown) continue;
      add_answers(parts_[i].text, parts_.subspan(i + 1, end - i - 1));
    }
  }

  void add_answers(Text question, std::span<const DeclaredPart> answers) {
    const auto found =
        std::ranges::find_if(blocks_, [&](const Block& block) { return is_question(block, question); });
    const bool is_asked = found != blocks_.end();
    const auto place =
        is_asked ? found - blocks_.begin() + 1 : static_cast<std::ptrdiff_t>(blocks_.size()) + 1;
    if (!is_asked) add(HeadingBlock{2, question});
    std::vector<Block> added;
    for (const DeclaredPart& answer : answers) added.push_back({TextBlock{answer.text}, {}});
    blocks_.insert(blocks_.begin() + place, added.begin(), added.end());
  }

  [[nodiscard]] std::size_t count(PartKind kind, bool shown_only) const {
    return static_cast<std::size_t>(std::ranges::count_if(parts_, [&](const DeclaredPart& part) {
      return part.kind == kind &&
             (!shown_only || shown_.has(kind == PartKind::property ? part.note : part.text));
    }));
  }
  [[nodiscard]] bool is_missing(PartKind kind) const { return 2 * count(kind, true) < count(kind, false); }

  void add_product() {
    std::size_t described = 0;
    for (const DeclaredPart& part : parts_)
      if (part.kind == PartKind::description) described += part.text.size();
    if (described > shown_.size() && is_missing(PartKind::description)) {
      for (const DeclaredPart& part : parts_)
        if ((part.kind == PartKind::price || part.kind == PartKind::description) && !shown_.has(part.text))
          add(TextBlock{part.text});
    }
    if (count(PartKind::property, false) < 2 || !is_missing(PartKind::property)) return;
    std::vector<List<Text>> rows;
    for (const DeclaredPart& part : parts_)
      if (part.kind == PartKind::property)
        rows.push_back(arena_.copy(std::span<const Text>(std::array<Text, 2>{part.text, part.note})));
    add(TableBlock{arena_.copy(std::span<const List<Text>>(rows))});
  }

  /// Appends the parts of one kind as lists, each below the part of kind `heading` that precedes it.
  void add_list(PartKind kind, PartKind heading, bool ordered) {
    if (!is_missing(kind)) return;
    std::vector<Text> items;
    const auto end_list = [&] {
      if (!items.empty()) add(ListBlock{ordered, arena_.copy(std::span<const Text>(items)), 1});
      items.clear();
    };
    for (const DeclaredPart& part : parts_) {
      if (part.kind == kind) items.push_back(part.text);
      if (part.kind != heading || heading == kind) continue;
      end_list();
      add(HeadingBlock{3, part.text});
    }
    end_list();
  }

  List<DeclaredPart> parts_;
  bool is_product_;
  ShownText shown_;
  Arena& arena_;
  std::vector<Block> blocks_;
};

}  // namespace

std::string text_of(List<Block> blocks) {
  std::string out;
  const auto add = [&out](Text text) {
    if (out.size() + text.size() < kMaxText) out.append(text).append("\n");
  };
  for (const Block& block : blocks) {
    if (const auto* text = std::get_if<TextBlock>(&block.kind)) add(text->text);
    if (const auto* heading = std::get_if<HeadingBlock>(&block.kind)) add(heading->text);
    if (const auto* quote = std::get_if<QuoteBlock>(&block.kind)) add(quote->text);
    if (const auto* link = std::get_if<LinkBlock>(&block.kind)) add(link->text);
    if (const auto* code = std::get_if<CodeBlock>(&block.kind)) add(code->code);
    if (const auto* list = std::get_if<ListBlock>(&block.kind))
      for (const Text item : list->items) add(item);
    if (const auto* table = std::get_if<TableBlock>(&block.kind))
      for (const auto& row : table->rows)
        for (const Text cell : row) add(cell);
  }
  return out;
}

void add_declared_parts(const Metadata& metadata, Arena& arena, BuiltBlocks& built) {
  const std::size_t most = BlockOptions{}.max_blocks;
  if (metadata.declared_parts.empty() || built.blocks.size() >= most) return;
  std::vector<Block> blocks = PartAdder(metadata, built, arena).run();
  if (blocks.size() == built.blocks.size()) return;
  blocks.resize(std::min(blocks.size(), most));
  built.blocks = arena.copy(std::span<const Block>(blocks));
}

}  // namespace sheaf::extract
