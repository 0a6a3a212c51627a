#include "sheaf/extract/outline/parse_page.h"

#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sheaf::extract {
namespace {

/// Whether everything inside an element is text, up to its end tag or the end of the page.
bool may_swallow(html::Name name) {
  return name == html::Name::iframe || name == html::Name::textarea || name == html::Name::title ||
         name == html::Name::noembed || name == html::Name::noframes;
}

/// The element that has swallowed the rest of the page, tags included, as its text; kNoNode if none has.
html::NodeId find_unclosed_element(const html::Document& document) {
  html::NodeId last = document.root();
  while (document.first_child(last) != html::kNoNode) last = document.last_child(last);
  if (document.kind(last) != html::NodeKind::text) return html::kNoNode;
  const html::NodeId around = document.parent(last);
  const bool swallows =
      may_swallow(document.name(around)) && document.text(last).find("</") != std::string_view::npos;
  return swallows ? around : html::kNoNode;
}

/// Where the tag that begins at `at` ends: its '>', outside of quotation marks.
std::size_t tag_end(std::string_view text, std::size_t at) {
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote == 0 && c == '>') return at;
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    }
  }
  return at;
}

/// Copies the text to `shown` with a `div` for each template that is the shadow tree of an element: browsers
/// show its content in the element. Leaves `shown` empty if there is none.
void open_shadow_trees(std::string_view text, std::string& shown) {
  constexpr std::string_view kTemplate = "template";
  const auto is_template = [text, kTemplate](std::size_t at) {
    return text::equal_text(text.substr(at, kTemplate.size()), kTemplate, text::TextCase::ignore);
  };
  shown.clear();
  std::size_t copied = 0;
  std::vector<bool> open;  // for each open template: whether it is a shadow tree
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const bool ends = at + 1 < text.size() && text[at + 1] == '/';
    const std::size_t name = at + (ends ? 2 : 1);
    if (!is_template(name) || (ends && open.empty())) continue;
    const std::size_t end = tag_end(text, at);
    const bool is_shadow =
        ends ? open.back() : text.substr(at, end - at).find("shadowroot") != std::string_view::npos;
    if (ends) {
      open.pop_back();
    } else {
      open.push_back(is_shadow);
    }
    if (is_shadow) {
      shown.append(text.substr(copied, name - copied)).append("div");
      copied = name + kTemplate.size();
    }
    at = std::min(end, text.size() - 1);
  }
  if (!shown.empty()) shown.append(text.substr(copied));
}

/// Copies the text to `closed` with an end tag after each `<name ... />`. Leaves `closed` empty if there is
/// no such tag.
void close_tags(std::string_view text, std::string_view name, std::string& closed) {
  closed.clear();
  std::size_t copied = 0;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    if (!text::equal_text(text.substr(at + 1, name.size()), name, text::TextCase::ignore)) continue;
    const std::size_t end = tag_end(text, at);
    if (end >= text.size() || text[end - 1] != '/') continue;
    closed.append(text.substr(copied, end + 1 - copied)).append("</").append(name).append(">");
    copied = end + 1;
    at = end;
  }
  if (!closed.empty()) closed.append(text.substr(copied));
}

}  // namespace

html::ParseResult parse_page(std::string_view text, const html::ParseOptions& options, std::string& closed,
                             html::Document& document) {
  html::ParseResult result = html::parse(text, options, document);
  if (document.names().find("shadowrootmode") != html::Name::none) {
    open_shadow_trees(text, closed);
    if (!closed.empty()) return html::parse(closed, options, document);
  }
  const html::NodeId swallower = find_unclosed_element(document);
  if (swallower == html::kNoNode) return result;
  close_tags(text, document.name_text(swallower), closed);
  return closed.empty() ? result : html::parse(closed, options, document);
}

}  // namespace sheaf::extract
