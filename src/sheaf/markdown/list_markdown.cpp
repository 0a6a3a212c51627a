#include "sheaf/markdown/list_markdown.h"

#include "sheaf/markdown/formatted_text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace sheaf::markdown {
namespace {

/// CommonMark allows numbers of up to nine digits, but no negative numbers.
constexpr bool is_list_number(std::int64_t number) { return number >= 0 && number <= 999'999'999; }

/// One entry of a list block: its depth, marker and text. A nested entry has indentation and marker in its
/// text: "    2. text".
struct Item {
  std::size_t depth = 0;
  bool has_marker = true;
  std::optional<std::int32_t> number;  ///< the number, if the marker is ordered
  std::string_view text;
  std::size_t index = 0;  ///< index of the entry in its block
};

Item read_item(Text text) {
  Item item;
  std::size_t spaces = 0;
  while (spaces < text.size() && text[spaces] == ' ') ++spaces;
  item.depth = spaces / 2;
  item.text = text.substr(spaces);
  if (item.depth == 0) return item;
  if (item.text.starts_with("- ")) {
    item.text.remove_prefix(2);
    return item;
  }
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(item.text.data(), item.text.data() + item.text.size(), number);
  const std::string_view after = item.text.substr(static_cast<std::size_t>(end - item.text.data()));
  if (error == std::errc() && is_list_number(number) && after.starts_with(". ")) {
    item.number = number;
    item.text = after.substr(2);
    return item;
  }
  item.has_marker = false;
  return item;
}

class ListWriter {
 public:
  ListWriter(std::string& out, const Block& block, bool other_marks, std::size_t notes)
      : out_(out),
        list_(std::get<ListBlock>(block.kind)),
        inlines_(block.inlines),
        other_marks_(other_marks),
        notes_(notes) {}

  void write() {
    for (std::size_t i = 0; i < list_.items.size(); ++i) {
      Item item = read_item(list_.items[i]);
      item.index = i;
      if (item.has_marker) {
        add_item(item);
      } else {
        add_continuation(item);
      }
    }
  }

 private:
  struct Level {
    bool ordered = false;
    bool other_mark = false;
    bool fresh = true;        // the next item begins a new list
    std::int64_t number = 0;  // number of the last item
    std::size_t indent = 0;   // column of the marker
    std::size_t inside = 0;   // column of the text
  };

  void add_item(const Item& item) {
    const std::size_t depth = item.depth;
    const bool continues = depth < levels_.size();
    levels_.resize(std::min(levels_.size(), depth + 1));
    // If a list begins with a nested entry, the enclosing entries are empty.
    bool same_line = false;
    while (levels_.size() < depth) {
      open_level(false, 1);
      same_line = write_marker(same_line);
    }
    const bool ordered = depth == 0 ? list_.ordered && !starts_deep() : item.number.has_value();
    if (continues) {
      next_item(ordered, item.number);
    } else {
      open_level(ordered, item.number.value_or(depth == 0 ? first_number() : 1));
    }
    write_marker(same_line);
    append_lines(out_, marked(item), std::string(levels_.back().inside, ' '));
    out_ += '\n';
  }

  /// Appends more text of the parent entry, after its nested list.
  void add_continuation(const Item& item) {
    const std::size_t depth = std::min(item.depth, levels_.size());
    if (depth == 0) return add_item({0, true, std::nullopt, item.text, item.index});
    const bool after_list = levels_.size() > depth;
    levels_.resize(depth);
    const std::string indent(levels_.back().inside, ' ');
    // Without a nested list before it, the text would be part of the first text of the entry, so an empty
    // nested entry separates them.
    if (!after_list) out_.append("\n").append(indent).append("-\n");
    out_.append("\n").append(indent);
    append_lines(out_, marked(item), indent);
    out_ += '\n';
  }

  [[nodiscard]] std::int32_t first_number() const {
    return is_list_number(list_.start) ? static_cast<std::int32_t>(list_.start) : 1;
  }

  [[nodiscard]] FormattedText marked(const Item& item) const {
    const Text whole = list_.items[item.index];
    FormattedText text(whole, item.index < inlines_.size() ? inlines_[item.index] : List<Inline>(), notes_);
    text.skip(static_cast<std::size_t>(item.text.data() - whole.data()));
    return text;
  }

  /// Whether the first entry is a nested entry. If so, its marker determined `ordered` of the block.
  [[nodiscard]] bool starts_deep() const { return read_item(list_.items.front()).depth > 0; }

  void open_level(bool ordered, std::int64_t number) {
    Level level;
    level.ordered = ordered;
    level.other_mark = levels_.empty() && other_marks_;
    level.number = number;
    level.indent = levels_.empty() ? 0 : levels_.back().inside;
    levels_.push_back(level);
  }

  void next_item(bool ordered, std::optional<std::int32_t> number) {
    Level& level = levels_.back();
    const std::int64_t following = level.number + 1;
    // A number out of order begins a new list, which needs another marker. (A list of another kind has
    // another marker anyway.)
    if (ordered == level.ordered && number && *number != following) {
      level.other_mark = !level.other_mark;
      level.fresh = true;
    }
    level.ordered = ordered;
    level.number = number.value_or(following);
  }

  bool write_marker(bool same_line) {
    Level& level = levels_.back();
    const std::string marker = level.ordered ? std::to_string(level.number) + (level.other_mark ? ") " : ". ")
                                             : (level.other_mark ? "* " : "- ");
    // Directly after the text of an entry, only the number 1 begins a list; after an empty line any number
    // does.
    if (!same_line && level.ordered && level.number != 1 && level.fresh && levels_.size() > 1) out_ += '\n';
    level.fresh = false;
    if (!same_line) out_.append(level.indent, ' ');
    out_ += marker;
    level.inside = level.indent + marker.size();
    return true;
  }

  std::string& out_;
  const ListBlock& list_;
  List<List<Inline>> inlines_;
  bool other_marks_;
  std::size_t notes_;  // footnotes of the page
  std::vector<Level> levels_;
};

}  // namespace

void append_list(std::string& out, const Block& block, bool other_marks, std::size_t notes) {
  ListWriter(out, block, other_marks, notes).write();
}

}  // namespace sheaf::markdown
