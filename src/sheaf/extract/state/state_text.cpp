#include "sheaf/extract/state/state_text.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/escaping.h"
#include "sheaf/extract/state/state_html.h"
#include "sheaf/extract/state/state_names.h"
#include "sheaf/extract/state/state_tree.h"
#include "sheaf/html/text_value.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace sheaf::extract {
namespace {

using Kind = StateNode::Kind;

constexpr std::size_t kLeastSource = 100;   // bytes
constexpr std::uint32_t kLeastProse = 200;  // letters, if the data has the page's title
constexpr std::uint32_t kLeastAlone = 400;  // and if not
constexpr unsigned kMaxClimb = 10;
constexpr unsigned kMaxTotalDepth = 200;
constexpr std::size_t kMaxTitle = 300;

/// Attributes that are long but never have text.
constexpr auto kOtherAttributes =
    std::to_array<std::string_view>({"action", "class", "content", "d", "data-src", "data-srcset", "href",
                                     "integrity", "points", "sizes", "src", "srcset", "style"});

class StateReader {
 public:
  StateReader(const html::Document& document, const StatePage& page) : document_(document), page_(page) {}

  std::string run() {
    tree_.clear();
    read_sources();
    tree_.connect();
    totals_.assign(tree_.size(), 0);
    visits_.assign(tree_.size(), 0);
    const StateId start = find_start();
    const bool is_found = start != 0;
    if (!is_found && !page_.is_shell) return {};
    const StateId part = go_down(start);
    if (total(part, 0) < (is_found ? kLeastProse : kLeastAlone)) return {};
    if (!is_found && tree_[part].kind == Kind::object && part == 0) return {};
    std::string html;
    if (is_found) write_title(part, html);
    write_state_html(tree_, part, html);
    return html;
  }

 private:
  void read_sources() {
    for (const html::NodeId node : html::Descendants(document_, document_.root())) {
      if (!document_.is_element(node)) continue;
      if (document_.is_html(node, html::Name::script)) {
        read_script(node);
      } else {
        read_attributes(node);
      }
    }
  }

  void read_script(html::NodeId script) {
    const std::string_view type = document_.attribute(script, html::Name::type).value_or("");
    // The metadata has what linked data (ld+json) says.
    const bool is_data =
        type.find("json") != std::string_view::npos && type.find("ld+") == std::string_view::npos;
    const bool is_code =
        type.empty() || type == "module" || type.find("javascript") != std::string_view::npos;
    const html::NodeId child = document_.first_child(script);
    if ((!is_data && !is_code) || child == html::kNoNode) return;
    const std::string_view text = document_.text(child);
    if (text.size() >= kLeastSource)
      tree_.read(text, document_.attribute(script, html::Name::id).value_or(""));
  }

  void read_attributes(html::NodeId element) {
    for (const html::Attribute& attribute : document_.attributes(element)) {
      const std::string_view value = document_.value(attribute);
      if (value.size() < kLeastSource) continue;
      const std::string_view name = document_.names().text(attribute.name);
      if (std::ranges::binary_search(kOtherAttributes, name)) continue;
      const char first = text::trim_space(value).front();
      if (first == '{' || first == '[') {
        const auto begin = static_cast<StateId>(tree_.size());
        tree_.read(value, name);
        if (name == "props") tree_.open_pairs(begin);
      } else if (first == '<' || has_markup(value)) {
        tree_.add_text(value, name);
      }
    }
  }

  /// How much prose a text has: its characters outside of tags; 0 if it is an address, a name, or code.
  static std::uint32_t prose_of(std::string_view text, bool is_leaf) {
    std::uint32_t chars = 0;
    std::uint32_t spaces = 0;
    std::uint32_t signs = 0;  // of program code
    bool in_tag = false;
    bool is_foreign = false;
    for (const char c : text) {
      if (c == '<') in_tag = true;
      if (!in_tag) {
        ++chars;
        spaces += c == ' ' ? 1U : 0U;
        signs += c == '{' || c == '}' || c == ';' || c == '=' ? 1U : 0U;
        is_foreign = is_foreign || static_cast<unsigned char>(c) >= 0xC0;
      }
      if (c == '>') in_tag = false;
    }
    if (spaces < 3 && !is_foreign) return is_leaf && text.find("://") == std::string_view::npos ? chars : 0;
    if (signs * 12 > chars) return is_leaf ? chars / 4 : 0;
    if (!is_foreign && spaces * 25 < chars) return 0;
    return chars < 80 && !is_leaf ? chars / 4 : chars;
  }

  static bool is_leaf_key(std::string_view key) {
    return key.empty() || key == "text" || key == "value" || key == "children" || key == "content" ||
           key == "insert" || key == "plain_text";
  }

  /// The prose in a node and below it.
  std::uint32_t total(StateId id, unsigned depth) {
    id = tree_.resolve(id);
    if (visits_[id] != 0 || depth > kMaxTotalDepth) return totals_[id];
    visits_[id] = 1;  // references may lead in a circle
    const StateNode& node = tree_[id];
    if (node.first == kNoState)
      return totals_[id] = node.kind == Kind::text ? prose_of(node.text, is_leaf_key(node.key)) : 0;
    std::uint64_t sum = 0;
    for (StateId child = node.first; child != kNoState; child = tree_.written(child).next)
      sum += part_of_total(child, depth + 1);
    return totals_[id] = static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, UINT32_MAX));
  }

  /// What a member adds to the prose of its container.
  std::uint32_t part_of_total(StateId child, unsigned depth) {
    const std::uint32_t all = total(child, depth);
    switch (state_key(tree_.written(child).key)) {
      case StateKey::text: return all;
      case StateKey::weak: return all / 3;
      default: return all / 16;
    }
  }

  [[nodiscard]] bool is_title(std::string_view text) const {
    if (text.size() < 3 || text.size() > kMaxTitle) return false;
    return std::ranges::any_of(page_.titles, [&](std::string_view title) {
      return html::same_words(text, title) || (text.size() > 15 && html::begins_with_words(title, text));
    });
  }

  /// The smallest object with a title of the page and prose; 0 if there is none. The nearer they are, the
  /// better.
  StateId find_start() {
    StateId best = 0;
    std::uint64_t best_value = 0;
    for (StateId id = 1; id < tree_.size(); ++id) {
      const StateNode& node = tree_[id];
      if (node.kind != Kind::text || node.first != kNoState) continue;
      StateId around = tree_.written(id).parent;
      if (tree_.above(id) != around) continue;  // what refers to it is nearer to the rest
      std::uint64_t level = 1;
      if (is_title(node.text)) {
        while (around != 0 && total(around, 0) < kLeastProse + node.text.size() && level < kMaxClimb) {
          around = tree_.above(around);
          ++level;
        }
      } else if (has_title(node.text)) {
        around = id;
      } else {
        continue;
      }
      if (around == 0 || total(around, 0) < kLeastProse) continue;
      const std::uint64_t value = std::uint64_t{total(around, 0)} * 8 / (7 + level * level);
      if (value <= best_value) continue;
      best_value = value;
      best = around;
      title_ = around == id ? kNoState : id;
    }
    return best;
  }

  /// Whether a text is HTML that begins with the page's title.
  [[nodiscard]] bool has_title(std::string_view text) const {
    constexpr std::size_t kBeginning = 4000;
    if (text.size() < 2 * kLeastProse || !has_markup(text.substr(0, kBeginning))) return false;
    text = text.substr(0, kBeginning);
    return std::ranges::any_of(page_.titles, [text](std::string_view title) {
      return title.size() > 8 && text.find(title) != std::string_view::npos;
    });
  }

  /// From an object with much around the text to the text itself.
  StateId go_down(StateId id) {
    for (unsigned depth = 0; depth < kMaxTotalDepth; ++depth) {
      const StateNode& node = tree_[id];
      StateId best = kNoState;
      std::uint64_t most = 0;
      std::uint64_t sum = 0;
      for (StateId child = node.first; child != kNoState; child = tree_.written(child).next) {
        const std::uint64_t part = part_of_total(child, 0);
        sum += part;
        if (part > most) {
          most = part;
          best = child;
        }
      }
      // The paragraphs of a text are in a list; what is in an object is of different kinds.
      const std::uint64_t needed = node.kind == Kind::object || id == 0 ? 70 : 97;
      if (best == kNoState || most * 100 < sum * needed) break;
      id = tree_.resolve(best);
    }
    return tree_.resolve(id);
  }

  /// Writes the title, and a standfirst beside it, if the text does not have them.
  void write_title(StateId part, std::string& html) {
    if (title_ == kNoState) return;
    StateId around = title_;
    for (unsigned level = 0; level < kMaxTotalDepth && around != 0; ++level) {
      if (around == part) return;
      around = tree_.above(around);
    }
    html += "<h1>";
    base::append_html_text(html, tree_[title_].text);
    html += "</h1>\n";
    for (const std::string_view key :
         {"standfirst", "dek", "lede", "lead", "intro", "introduction", "subtitle"}) {
      const StateId found = tree_.member(tree_.written(title_).parent, key);
      if (found == kNoState || found == part || tree_[found].kind != Kind::text || tree_[found].text.empty())
        continue;
      html += "<p>";
      html += tree_[found].text;
      html += "</p>\n";
      break;
    }
  }

  const html::Document& document_;
  const StatePage& page_;
  StateTree tree_;
  std::vector<std::uint32_t> totals_;
  std::vector<std::uint8_t> visits_;
  StateId title_ = kNoState;
};

}  // namespace

std::string read_state_text(const html::Document& document, const StatePage& page) {
  return StateReader(document, page).run();
}

}  // namespace sheaf::extract
