#include "sheaf/extract/state/state_html.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/escaping.h"
#include "sheaf/extract/state/state_names.h"
#include "sheaf/markdown/markdown.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

namespace sheaf::extract {
namespace {

using Kind = StateNode::Kind;
using NameTag = std::pair<std::string_view, std::string_view>;

constexpr std::size_t kMaxOutput = std::size_t{8} << 20;
constexpr unsigned kMaxWritten = 200;  // levels
constexpr std::size_t kHeadingBytes = 200;
constexpr std::size_t kComparedTexts = 8;

constexpr auto kLeftOut =
    std::to_array<std::string_view>({"aside", "button", "footer", "form", "iframe", "input", "link", "meta",
                                     "nav", "script", "select", "style", "svg"});
constexpr auto kTypeKeys =
    std::to_array<std::string_view>({"_type", "nodeType", "type", "tagName", "tag", "blockName", "name",
                                     "component", "__component", "__typename", "kind", "style"});
constexpr auto kInnerKeys =
    std::to_array<std::string_view>({"data", "attrs", "attributes", "props", "properties", "fields"});
constexpr auto kListKeys = std::to_array<std::string_view>(
    {"children", "content", "innerBlocks", "nodes", "items", "rows", "cells", "rich_text", "title", "value",
     "text", "document", "root", "body", "blocks"});
constexpr auto kTextKeys = std::to_array<std::string_view>(
    {"text", "value", "plain_text", "insert", "code", "html", "innerHTML", "content", "literal", "children",
     "data", "paragraph", "heading", "quote", "title", "body"});
constexpr auto kHtmlKeys =
    std::to_array<std::string_view>({"__html", "rendered", "cooked", "html", "innerHTML"});
constexpr auto kHeadingKeys =
    std::to_array<std::string_view>({"heading", "title", "headline", "header", "question", "subheading"});

bool is_item(std::string_view tag) { return tag.ends_with(">li"); }
bool is_void(std::string_view tag) { return tag == "br" || tag == "hr"; }

/// Whether a text is Markdown rather than plain text.
bool has_markdown(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); at = std::min(text.size(), text.find('\n', at)) + 1) {
    const std::string_view line = text.substr(at, 4);
    for (const std::string_view mark : {"# ", "## ", "###", "- ", "* ", "> ", "1. ", "```", "![", "| "})
      if (line.starts_with(mark)) return true;
  }
  return text.find("](") != std::string_view::npos || text.find("**") != std::string_view::npos;
}

/// Removes front matter, and the imports and exports of MDX.
std::string_view without_front_matter(std::string_view text) {
  if (text.starts_with("---\n"))
    if (const std::size_t end = text.find("\n---\n", 3); end != std::string_view::npos)
      text.remove_prefix(end + 5);
  while (text.starts_with("import ") || text.starts_with("export ") || text.starts_with('\n'))
    text.remove_prefix(std::min(text.size(), text.find('\n')) +
                       (text.find('\n') != std::string_view::npos ? 1 : 0));
  return text;
}

class StateWriter {
 public:
  StateWriter(const StateTree& tree, std::string& out) : tree_(tree), out_(out), written_(tree.size()) {}

  void write(StateId id, unsigned level = 0) {
    const StateNode& node = tree_[id];
    if (level > kMaxWritten || out_.size() > kMaxOutput) return;
    if (node.kind == Kind::text) return write_text(node.text);
    if (node.kind == Kind::atom) return;
    const StateId own = tree_.resolve(id);
    if (written_[own]) return;
    written_[own] = true;
    switch (node.kind) {
      case Kind::list: return write_list(own, level);
      case Kind::object: return write_object(own, level);
      default: return write_call(own, level);
    }
  }

 private:
  /// Where text goes: to a page, as paragraphs; or into an element, as it is.
  [[nodiscard]] bool inside() const { return open_ > 0; }

  void write_text(std::string_view text) {
    if (text.starts_with('$') && text.size() < 12 && text.find(' ') == std::string_view::npos) return;
    if (in_code_) return base::append_html_text(out_, text);
    if (has_markup(text)) {
      out_ += text;
      return;
    }
    if (text.find("&lt;p") != std::string_view::npos || text.find("&lt;/") != std::string_view::npos)
      return write_escaped(text);
    if (inside()) return write_plain(text);
    const bool is_ascii =
        std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (is_ascii && text.find(' ') == std::string_view::npos) return;  // a name or an address
    text = without_front_matter(text);
    if (has_markdown(text)) {
      markdown::render_markdown(text, scratch_);
      out_ += scratch_;
      return;
    }
    // Paragraphs are parted by empty lines, or by line ends if there is none.
    const bool blank = text.find("\n\n") != std::string_view::npos;
    while (!text.empty()) {
      const std::size_t end = std::min(text.size(), text.find(blank ? "\n\n" : "\n"));
      out_ += "<p>";
      write_plain(text.substr(0, end));
      out_ += "</p>\n";
      text.remove_prefix(end);
      while (text.starts_with('\n')) text.remove_prefix(1);
    }
  }

  /// Text that is escaped once already keeps its references.
  void write_plain(std::string_view text) {
    constexpr std::size_t kLongest = 12;
    for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&')) {
      const std::string_view name = text.substr(at + 1, kLongest);
      const std::size_t end = static_cast<std::size_t>(
          std::ranges::find_if(name, [](char c) { return c != '#' && !base::is_alphanumeric(c); }) -
          name.begin());
      const bool is_reference = end > 0 && end < name.size() && name[end] == ';';
      base::append_html_text(out_, text.substr(0, at));
      out_ += is_reference ? "&" : "&amp;";
      text.remove_prefix(at + 1);
    }
    base::append_html_text(out_, text);
  }

  void write_escaped(std::string_view text) {
    constexpr auto kNames =
        std::to_array<NameTag>({{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}});
    for (std::size_t at = 0; at < text.size();) {
      const auto* const found = std::ranges::find_if(
          kNames, [&](const NameTag& name) { return text.substr(at).starts_with(name.first); });
      if (found == kNames.end()) {
        out_ += text[at++];
      } else {
        out_ += found->second;
        at += found->first.size();
      }
    }
  }

  void open(std::string_view tag) {
    out_.append("<").append(tag).append(">");
    ++open_;
  }
  void close(std::string_view tag) {
    --open_;
    out_.append("</").append(tag).append(">");
    if (open_ == 0) out_ += '\n';
  }

  /// Elements of React, `["$","p",null,{...}]`; of other frameworks, `["p",{...},"text"]`; otherwise a list.
  void write_list(StateId list, unsigned level) {
    const StateId first = tree_[list].first;
    if (first == kNoState) return;
    const StateId second = tree_.written(first).next;
    const std::string_view name = tree_[first].kind == Kind::text ? tree_[first].text : std::string_view();
    if (name == "$" && second != kNoState) {
      const StateId key = tree_.written(second).next;
      const StateId props = key == kNoState ? kNoState : tree_.written(key).next;
      return write_element(tree_[second].text, props, kNoState, level);
    }
    const bool has_props = second != kNoState && tree_[second].kind == Kind::object;
    if (has_props && name.size() < 12 && !tag_of_type(name).empty())
      return write_element(name, second, tree_.written(second).next, level);
    write_children(list, level);
  }

  /// jsx("p", {children: ...}), createElement("p", {...}, ...).
  void write_call(StateId call, unsigned level) {
    const std::string_view name = tree_[call].text;
    const StateId first = tree_[call].first;
    const bool creates =
        name.find("jsx") != std::string_view::npos || name.ends_with("createElement") || name == "h";
    if (!creates || first == kNoState) return write_children(call, level);
    const std::string_view path = tree_[first].text;
    const StateId props = tree_.written(first).next;
    write_element(path.substr(path.rfind('.') + 1), props,
                  props == kNoState ? kNoState : tree_.written(props).next, level);
  }

  void write_element(std::string_view name, StateId props, StateId children, unsigned level) {
    if (std::ranges::binary_search(kLeftOut, name)) return;
    std::string_view tag = name.starts_with('$') ? std::string_view() : tag_of_type(name);
    if (name == "code" && !in_code_) tag = "code";
    if (name == "header" || tag == "=" || tag == "html" || tag == "list") tag = "div";
    if (tag.empty() || tag == "+" || is_item(tag)) tag = {};
    if (tag == "img" || tag == "a") {
      if (props != kNoState) write_linked(tag, props, props, level);
      return;
    }
    if (is_void(tag)) {
      out_.append("<").append(tag).append(">");
      return;
    }
    const bool code = tag == "pre";
    if (!tag.empty()) open(tag);
    if (code) in_code_ = true;
    if (children != kNoState) {
      for (StateId child = children; child != kNoState; child = tree_.written(child).next)
        write(child, level + 1);
    } else if (props != kNoState && tree_[props].kind == Kind::object) {
      write_props(props, level);
    }
    if (code) in_code_ = false;
    if (!tag.empty()) close(tag);
  }

  /// The content of an element of a framework.
  void write_props(StateId props, unsigned level) {
    if (const StateId children = tree_.member(props, "children"); children != kNoState)
      return write(children, level + 1);
    if (const StateId html = tree_.member(props, "dangerouslySetInnerHTML"); html != kNoState) {
      out_ += tree_.member_text(html, "__html");
      return;
    }
    if (open_ == 0) write_members(props, level);
  }

  void write_children(StateId parent, unsigned level) {
    std::string_view list;  // the list around items that have none
    for (StateId child = tree_[parent].first; child != kNoState; child = tree_.written(child).next) {
      const std::string_view tag = tree_[child].kind == Kind::object ? tag_of(child) : std::string_view();
      const std::string_view wanted = is_item(tag) ? tag.substr(0, 2) : std::string_view();
      if (wanted != list) {
        if (!list.empty()) close(list);
        if (!wanted.empty()) open(wanted);
        list = wanted;
      }
      if (in_list_ && list.empty() && tag != "li") {
        open("li");
        in_list_ = false;
        write(child, level + 1);
        in_list_ = true;
        close("li");
      } else if (cell_tag_.empty() || (!tag.empty() && tag != "p")) {
        write(child, level + 1);
      } else {
        write_cell(child, level);
      }
    }
    if (!list.empty()) close(list);
  }

  /// A row or a cell of a table that is an array of arrays.
  void write_cell(StateId child, unsigned level) {
    const std::string_view tag = std::exchange(cell_tag_, cell_tag_ == "tr" ? "td" : "");
    open(tag);
    write(child, level + 1);
    close(tag);
    cell_tag_ = tag;
  }

  /// The element that an object of a document stands for; empty if it is none.
  [[nodiscard]] std::string_view tag_of(StateId object) const {
    if (tree_.member_text(object, "_type") == "block" || tree_.member_text(object, "type") == "block") {
      if (const std::string_view item = tree_.member_text(object, "listItem"); !item.empty())
        return item == "number" ? "ol>li" : "ul>li";
      const std::string_view tag = tag_of_type(tree_.member_text(object, "style"));
      return tag.empty() ? "p" : tag;
    }
    for (const std::string_view key : kTypeKeys)
      if (const std::string_view tag = tag_of_type(tree_.member_text(object, key)); !tag.empty()) {
        // The lists of some editors have the type of items, and a text instead of items.
        if ((tag == "ul" || tag == "ol") && inner(object, kListKeys) == kNoState)
          return tag == "ul" ? "ul>li" : "ol>li";
        return tag;
      }
    return {};
  }

  /// The first member of these names that has values, in the object or in its attributes.
  [[nodiscard]] StateId inner(StateId object, std::span<const std::string_view> keys) const {
    const auto find = [&](StateId in) {
      for (const std::string_view key : keys)
        if (const StateId found = tree_.member(in, key);
            found != kNoState && tree_[found].kind != Kind::text && tree_[found].children > 0)
          return found;
      return kNoState;
    };
    if (const StateId found = find(object); found != kNoState) return found;
    const std::string_view type = tree_.member_text(object, "type");
    if (const StateId own = type.empty() ? kNoState : tree_.member(object, type); own != kNoState)
      if (const StateId found = find(own); found != kNoState) return found;
    for (const std::string_view key : kInnerKeys)
      if (const StateId in = tree_.member(object, key); in != kNoState && tree_[in].kind == Kind::object)
        if (const StateId found = find(in); found != kNoState) return found;
    return kNoState;
  }
  [[nodiscard]] std::string_view inner_text(StateId object, std::span<const std::string_view> keys) const {
    for (const std::string_view key : keys)
      if (const StateId found = tree_.member(object, key);
          found != kNoState && tree_[found].kind <= Kind::text && !tree_[found].text.empty() &&
          tree_[found].text != "null")
        return tree_[found].text;
    for (const std::string_view key : kInnerKeys)
      if (const StateId in = tree_.member(object, key); in != kNoState && tree_[in].kind == Kind::object)
        for (const std::string_view inside : keys)
          if (const StateId found = tree_.member(in, inside);
              found != kNoState && tree_[found].kind <= Kind::text && !tree_[found].text.empty())
            return tree_[found].text;
    return {};
  }

  void write_object(StateId object, unsigned level) {
    const std::string_view tag = tag_of(object);
    const bool is_leaf = tag.empty() || tag == "=" || tag == "span";
    const std::string_view leaf = is_leaf ? leaf_text(object) : std::string_view();
    if (!leaf.empty()) return write_leaf(object, leaf);
    if (tag.empty()) return write_members(object, level);
    if (tag == "html") {
      out_ += inner_text(object, kTextKeys);
      return;
    }
    if (tag == "img" || tag == "a") return write_linked(tag, object, kNoState, level);
    if (tag == "pre") return write_code(object, level);
    if (is_void(tag)) {
      out_.append("<").append(tag).append(">");
      return;
    }
    if (tag == "codeline") {
      write_inside(object, level);
      out_ += '\n';
      return;
    }
    std::string element(is_item(tag) ? "li" : tag);
    if (tag == "h") element = heading_tag(object);
    if (tag == "list") element = is_ordered(object) ? "ol" : "ul";
    if (tag == "+" || tag == "=") return write_inside(object, level);
    const bool lists = element == "ul" || element == "ol";
    const bool was_list = std::exchange(in_list_, lists);
    const std::string_view cells = std::exchange(cell_tag_, tag == "table" ? "tr" : tag == "tr" ? "td" : "");
    open(element);
    write_inside(object, level);
    close(element);
    cell_tag_ = cells;
    in_list_ = was_list;
  }

  /// The text of a leaf: an object with a text and at most marks beside it.
  [[nodiscard]] std::string_view leaf_text(StateId object) const {
    for (const std::string_view key : {"text", "value", "plain_text", "insert", "literal"}) {
      const StateId found = tree_.member(object, key);
      if (found != kNoState && tree_[found].kind == Kind::text && (inside() || tag_of(object) == "="))
        return tree_[found].text;
    }
    return {};
  }

  void write_leaf(StateId object, std::string_view text) {
    std::vector<std::string_view> tags;
    const auto add = [&](std::string_view type) {
      const std::string_view tag = tag_of_type(type);
      if (tag == "pre") {
        tags.push_back("code");
      } else if (tag == "strong" || tag == "em" || tag == "code" || tag == "sup" || tag == "sub") {
        tags.push_back(tag);
      }
    };
    std::string_view href;
    if (const StateId marks = tree_.member(object, "marks"); marks != kNoState)
      for (StateId mark = tree_[marks].first; mark != kNoState; mark = tree_.written(mark).next) {
        add(tree_[mark].kind == Kind::text ? tree_[mark].text : tree_.member_text(mark, "type"));
        if (tree_[mark].kind == Kind::object && tag_of(mark) == "a")
          href = inner_text(mark, std::to_array<std::string_view>({"href", "url"}));
      }
    for (const std::string_view style : {"bold", "italic", "code"})
      if (const StateId found = tree_.member(object, style); found != kNoState && tree_[found].text == "true")
        add(style);
    if (!href.empty()) {
      out_ += "<a href=\"";
      base::append_html_text(out_, href);
      out_ += "\">";
    }
    if (!in_code_)
      for (const std::string_view tag : tags) open(tag);
    ++open_;
    in_code_ ? base::append_html_text(out_, text) : write_plain(text);
    --open_;
    if (!in_code_)
      for (std::size_t i = tags.size(); i-- > 0;) close(tags[i]);
    if (!href.empty()) out_ += "</a>";
  }

  void write_inside(StateId object, unsigned level) {
    if (const StateId list = inner(object, kListKeys); list != kNoState) {
      // `{"content": "An item", "items": [...]}`
      if (const std::string_view text = tree_.member_text(object, "content");
          !text.empty() && list != tree_.member(object, "content"))
        write_text(text);
      return write(list, level + 1);
    }
    const std::string_view text = inner_text(object, kTextKeys);
    if (!text.empty()) write_text(text);
  }

  void write_linked(std::string_view tag, StateId object, StateId props, unsigned level) {
    const bool image = tag == "img";
    std::string_view url = inner_text(object, std::to_array<std::string_view>({"url", "href", "src", "uri"}));
    if (url.empty())
      for (const std::string_view key : {"file", "image", "asset"}) {
        StateId in = tree_.member(object, key);
        if (in == kNoState && tree_.member(object, "data") != kNoState)
          in = tree_.member(tree_.member(object, "data"), key);
        if (in != kNoState && url.empty()) url = tree_.member_text(in, "url");
      }
    if (image && url.empty()) return;
    out_ += image ? "<img src=\"" : "<a href=\"";
    base::append_html_text(out_, url);
    out_ += '"';
    if (image) {
      out_ += " alt=\"";
      base::append_html_text(
          out_, inner_text(object, std::to_array<std::string_view>({"alt", "alternativeText", "caption"})));
      out_ += '"';
    }
    out_ += '>';
    if (image) return;
    ++open_;
    props == kNoState ? write_inside(object, level) : write_props(props, level);
    --open_;
    out_ += "</a>";
  }

  void write_code(StateId object, unsigned level) {
    out_ += "<pre><code";
    const std::string_view language =
        inner_text(object, std::to_array<std::string_view>({"language", "lang"}));
    if (!language.empty()) {
      out_ += " class=\"language-";
      base::append_html_text(out_, language);
      out_ += '"';
    }
    out_ += '>';
    const bool was = std::exchange(in_code_, true);
    write_inside(object, level);
    in_code_ = was;
    out_ += "</code></pre>\n";
  }

  [[nodiscard]] std::string heading_tag(StateId object) const {
    for (const std::string_view text :
         {inner_text(object, std::to_array<std::string_view>({"level", "depth"})),
          tree_.member_text(object, "tag")})
      if (!text.empty() && text.back() >= '1' && text.back() <= '6') return std::string("h") + text.back();
    return "h2";
  }
  [[nodiscard]] bool is_ordered(StateId object) const {
    const std::string_view kind =
        inner_text(object, std::to_array<std::string_view>({"ordered", "listType", "format", "style"}));
    return kind == "true" || kind == "ordered" || kind == "number" || kind == "ol";
  }

  /// Writes an object of unknown meaning: its heading, and its members that have text.
  void write_members(StateId object, unsigned level) {
    if (const StateId ops = tree_.member(object, "ops"); ops != kNoState && tree_[ops].kind == Kind::list)
      return write_delta(ops);
    for (const std::string_view key : kHtmlKeys)
      if (const std::string_view html = tree_.member_text(object, key); has_markup(html)) {
        out_ += html;
        return;
      }
    for (const std::string_view key : kHeadingKeys) {
      const std::string_view heading = tree_.member_text(object, key);
      if (heading.empty() || heading.size() > kHeadingBytes || inside()) continue;
      open("h2");
      write_plain(heading);
      close("h2");
      break;
    }
    std::vector<std::string_view> texts;
    for (StateId child = tree_[object].first; child != kNoState; child = tree_.written(child).next) {
      const std::string_view key = tree_.written(child).key;
      const StateNode& node = tree_[child];
      if (state_key(key) == StateKey::beside || std::ranges::find(kHeadingKeys, key) != kHeadingKeys.end())
        continue;
      if (node.kind != Kind::text) {
        if (node.children > 0) write(child, level + 1);
        continue;
      }
      const bool is_text = node.text.size() >= 40 && node.text.find(' ') != std::string_view::npos;
      if (!is_text && !has_markup(node.text)) continue;
      // Often the same text in two forms.
      const bool again = std::ranges::any_of(
          texts, [&](std::string_view other) { return same_beginning(other, node.text); });
      if (again) continue;
      if (texts.size() < kComparedTexts) texts.push_back(node.text);
      write_text(node.text);
    }
  }

  /// Whether two texts begin with the same letters, apart from tags.
  static bool same_beginning(std::string_view a, std::string_view b) {
    constexpr int kCompared = 32;
    const auto next = [](std::string_view& text) -> char {
      while (!text.empty()) {
        const char c = text.front();
        if (c == '<') {
          text.remove_prefix(std::min(text.size(), text.find('>')));
          if (!text.empty()) text.remove_prefix(1);
          continue;
        }
        text.remove_prefix(1);
        if (base::is_alphanumeric(c) || static_cast<unsigned char>(c) >= 0x80) return text::lower_ascii(c);
      }
      return '\0';
    };
    for (int i = 0; i < kCompared; ++i) {
      const char c = next(a);
      if (c != next(b)) return false;
      if (c == '\0') return i > 0;
    }
    return true;
  }

  /// Quill's operations: the attributes of a line are those of its line end.
  void write_delta(StateId ops) {
    std::string line;
    std::string_view list;
    const auto end_line = [&](StateId op) {
      const StateId attributes = tree_.member(op, "attributes");
      const auto attribute = [&](std::string_view key) -> std::string_view {
        const StateId found = attributes == kNoState ? kNoState : tree_.member(attributes, key);
        return found == kNoState ? std::string_view() : tree_[found].text;
      };
      const std::string_view kind = attribute("list");
      const std::string_view wanted = kind.empty() ? "" : kind == "ordered" ? "ol" : "ul";
      if (wanted != list) {
        if (!list.empty()) close(list);
        if (!wanted.empty()) open(wanted);
        list = wanted;
      }
      std::string tag = !kind.empty()                      ? "li"
                        : !attribute("code-block").empty() ? "pre"
                        : !attribute("blockquote").empty() ? "blockquote"
                                                           : "p";
      if (const std::string_view level = attribute("header"); level.size() == 1)
        tag = std::string("h") + level.front();
      out_ += "<" + tag + ">" + line + "</" + tag + ">\n";
      line.clear();
    };
    for (StateId op = tree_[ops].first; op != kNoState && out_.size() <= kMaxOutput;
         op = tree_.written(op).next) {
      std::string_view text = tree_.member_text(op, "insert");
      while (!text.empty()) {
        const std::size_t end = std::min(text.size(), text.find('\n'));
        base::append_html_text(line, text.substr(0, end));
        if (end < text.size()) end_line(op);
        text.remove_prefix(std::min(text.size(), end + 1));
      }
    }
    if (!line.empty()) out_ += "<p>" + line + "</p>\n";
    if (!list.empty()) close(list);
  }

  const StateTree& tree_;
  std::string& out_;
  std::vector<bool> written_;
  unsigned open_ = 0;  // elements
  bool in_code_ = false;
  bool in_list_ = false;       // children become items
  std::string_view cell_tag_;  // what the arrays in a table become
  std::string scratch_;
};

}  // namespace

void write_state_html(const StateTree& tree, StateId part, std::string& out) {
  StateWriter(tree, out).write(part);
}

}  // namespace sheaf::extract
