#include "sheaf/extract/state/state_names.h"

#include "sheaf/base/ascii.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace sheaf::extract {
namespace {

using NameTag = std::pair<std::string_view, std::string_view>;

// clang-format off
// What the types of nodes in documents mean, in lowercase without punctuation. "=" is a leaf of text, "+" has
// no element of its own, "h" a heading whose level is elsewhere; "ul>li" is an item without a list around it.
// clang-format off
constexpr auto kTags = std::to_array<NameTag>({
    {"a", "a"}, {"article", "article"}, {"b", "strong"}, {"blockquote", "blockquote"}, {"bold", "strong"}, {"bq", "blockquote"},
    {"br", "br"}, {"break", "br"}, {"bulletedlist", "ul"}, {"bulletedlistitem", "ul>li"}, {"bulletlist", "ul"},
    {"caption", "caption"}, {"code", "pre"}, {"codeblock", "pre"}, {"codefence", "pre"}, {"codeline", "codeline"}, {"dd", "dd"},
    {"del", "del"}, {"delimiter", "hr"}, {"div", "div"}, {"divider", "hr"}, {"dl", "dl"}, {"doc", "+"}, {"document", "+"}, {"dt", "dt"},
    {"em", "em"}, {"emphasis", "em"}, {"figcaption", "figcaption"}, {"figure", "figure"}, {"fragment", "+"},
    {"freeform", "html"}, {"h1", "h1"}, {"h2", "h2"}, {"h3", "h3"}, {"h4", "h4"}, {"h5", "h5"}, {"h6", "h6"},
    {"hardbreak", "br"}, {"header", "h"}, {"headerfive", "h5"}, {"headerfour", "h4"}, {"headerone", "h1"},
    {"headersix", "h6"}, {"headerthree", "h3"}, {"headertwo", "h2"}, {"heading", "h"}, {"heading1", "h1"},
    {"heading2", "h2"}, {"heading3", "h3"}, {"heading4", "h4"}, {"heading5", "h5"}, {"heading6", "h6"}, {"headingfive", "h5"},
    {"headingfour", "h4"}, {"headingone", "h1"}, {"headingsix", "h6"}, {"headingthree", "h3"}, {"headingtwo", "h2"},
    {"horizontalrule", "hr"}, {"hr", "hr"}, {"html", "html"}, {"hyperlink", "a"}, {"i", "em"}, {"image", "img"},
    {"img", "img"}, {"inlinecode", "code"}, {"italic", "em"}, {"kbd", "kbd"}, {"li", "li"}, {"linebreak", "br"}, {"link", "a"},
    {"list", "list"}, {"listitem", "li"}, {"main", "main"}, {"numberedlist", "ol"}, {"numberedlistitem", "ol>li"}, {"ol", "ol"},
    {"oli", "ol>li"}, {"orderedlist", "ol"}, {"orderedlistitem", "ol>li"}, {"p", "p"}, {"paragraph", "p"}, {"pre", "pre"},
    {"pullquote", "blockquote"}, {"quote", "blockquote"}, {"raw", "html"}, {"rawhtml", "html"}, {"root", "+"}, {"section", "section"},
    {"span", "span"}, {"strong", "strong"}, {"sub", "sub"}, {"subheader", "h3"}, {"subheading", "h3"}, {"subsubheader", "h4"},
    {"sup", "sup"}, {"table", "table"}, {"tablebody", "tbody"}, {"tablecell", "td"}, {"tablehead", "thead"}, {"tableheader", "th"},
    {"tableheadercell", "th"}, {"tablerow", "tr"}, {"taskitem", "li"}, {"tasklist", "ul"}, {"tbody", "tbody"},
    {"td", "td"}, {"text", "="}, {"th", "th"}, {"thead", "thead"}, {"thematicbreak", "hr"}, {"tr", "tr"}, {"ul", "ul"},
    {"uli", "ul>li"}, {"unorderedlist", "ul"}, {"unorderedlistitem", "ul>li"}, {"unstyled", "p"}});
constexpr auto kBeside = std::to_array<std::string_view>({
    "advert", "author", "breadcrumb", "comment", "config", "consent", "cookie", "copyright", "css", "footer", "i18n", "labels", "latest",
    "legal", "locale", "menu", "messages", "meta", "navigation", "newsletter", "nextpost", "popular", "prevpost", "promo", "recommend",
    "related", "review", "seo", "settings", "sidebar", "strings", "teaser", "toc", "translation", "trending", "user"});
constexpr auto kWeak = std::to_array<std::string_view>({"abstract", "description", "excerpt", "plain", "raw", "snippet", "summary"});
// clang-format on
static_assert(std::ranges::is_sorted(kTags, {}, &NameTag::first));

std::string plain_name(std::string_view type) {
  constexpr std::size_t kMost = 40;
  if (type.starts_with("core/")) type.remove_prefix(5);
  std::string name;
  for (const char c : type.substr(0, kMost))
    if (base::is_alphanumeric(c)) name += text::lower_ascii(c);
  return name;
}

}  // namespace

std::string_view tag_of_type(std::string_view type) {
  if (type.empty()) return {};
  const std::string name = plain_name(type);
  const auto found = std::ranges::lower_bound(kTags, name, {}, &NameTag::first);
  return found != kTags.end() && found->first == name ? found->second : std::string_view();
}

bool has_markup(std::string_view text) {
  const std::size_t last = text.rfind('>');
  if (last == std::string_view::npos) return false;
  text = text.substr(0, last);
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::string_view tag = text.substr(at + 1, 12);
    if (!tag.empty() && (tag.front() == '/' || base::is_alphanumeric(tag.front()))) return true;
  }
  return false;
}

StateKey state_key(std::string_view key) {
  if (key.empty()) return StateKey::text;
  const std::string name = plain_name(key);
  const auto has = [&name](std::string_view word) { return name.find(word) != std::string::npos; };
  if (std::ranges::any_of(kBeside, has)) return StateKey::beside;
  return std::ranges::any_of(kWeak, has) ? StateKey::weak : StateKey::text;
}

}  // namespace sheaf::extract
