#include "sheaf/browse/page_body.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/browse/block_html.h"
#include "sheaf/browse/page_frame.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/markdown/page_markdown.h"

#include <algorithm>
#include <string>

namespace sheaf::browse {
namespace {

constexpr std::size_t kMaxIndent = 20;

/// The size of the string that begins `text`, with its quotes.
std::size_t json_string_size(std::string_view text) {
  std::size_t i = 1;
  while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
  return std::min(i + 1, text.size());
}

void break_line(std::string& out, std::size_t depth) {
  out += '\n';
  out.append(2 * std::min(depth, kMaxIndent), ' ');
}

}  // namespace

PrettyJson pretty_json(std::string_view json, std::size_t most) {
  std::string pretty;
  std::size_t depth = 0;
  std::size_t i = 0;
  while (i < json.size() && pretty.size() < most) {
    const char c = json[i];
    std::size_t size = 1;
    if (c == '"') {
      size = json_string_size(json.substr(i));
      pretty += base::cut_utf8(json.substr(i, size), most);
    } else if (c == '{' || c == '[') {
      pretty += c;
      const bool is_empty = i + 1 < json.size() && (json[i + 1] == '}' || json[i + 1] == ']');
      if (is_empty)
        pretty += json[i + 1], size = 2;
      else
        break_line(pretty, ++depth);
    } else if (c == '}' || c == ']') {
      break_line(pretty, depth > 0 ? --depth : 0);
      pretty += c;
    } else if (c == ',') {
      pretty += c;
      break_line(pretty, depth);
    } else if (c == ':') {
      pretty += ": ";
    } else if (!base::is_xml_space(c)) {
      pretty += c;
    }
    i += size;
  }
  PrettyJson result{.text = {}, .is_cut = i < json.size()};
  format::append_visible_json(result.text, pretty);
  return result;
}

namespace {

constexpr std::size_t kMaxSource = 1U << 20U;  ///< bytes of Markdown or JSON that are shown
constexpr std::size_t kMaxTitleLength = 1'000;
constexpr std::size_t kMaxUrlBytes = 2'000;

void write_source(markup::HtmlWriter& out, std::string_view text, std::string_view language, bool is_cut) {
  out.open("pre", {{"class", "source"}, {"tabindex", "0"}}).open("code");
  write_code(out, text, language);
  out.close().close();
  if (is_cut)
    out.element("p", "Only the first megabyte is shown; `sheaf get` prints all of it.", {{"class", "rest"}});
}

}  // namespace

void write_page_head(markup::HtmlWriter& out, std::string_view title, std::string_view url) {
  const std::string_view shown = base::cut_utf8(title, kMaxTitleLength);
  out.element("h1", std::string(shown) + (shown.size() < title.size() ? "..." : ""),
              {{"dir", "auto"}, {"class", "title"}});
  out.open("p", {{"class", "url"}}).web_link(url, base::cut_utf8(url, kMaxUrlBytes)).close();
}

void write_tabs(markup::HtmlWriter& out, const markup::OwnPath& self, std::string_view current,
                std::initializer_list<TabEntry> tabs) {
  out.open("nav", {{"class", "tabs"}, {"aria-label", "Forms of the page"}}).open("ul");
  for (const TabEntry& tab : tabs) {
    out.open("li");
    if (tab.value == current)
      out.link(self.with("tab", tab.value), tab.label, {{"aria-current", "true"}});
    else
      out.link(self.with("tab", tab.value), tab.label);
    out.close();
  }
  out.close().close();
}

void write_page_meta(markup::HtmlWriter& out, const Page& page) {
  if (!page.description.empty())
    out.element("p", base::cut_utf8(page.description, kMaxShownText), {{"class", "lead"}, {"dir", "auto"}});
  out.open("p", {{"class", "muted"}});
  if (page.author)
    out.element("span", base::cut_utf8(*page.author, kMaxTitleLength), {{"dir", "auto"}}).text(", ");
  out.text("modified ").element("time", page.modified.substr(0, 40));
  if (!page.language.empty()) out.text(", language ").text(page.language.substr(0, 40));
  out.close();
}

void write_page_tab(markup::HtmlWriter& out, std::string_view tab, const Page* page, std::string_view json) {
  if (page == nullptr || tab == "json") {
    const PrettyJson pretty = pretty_json(json, kMaxSource);
    write_source(out, pretty.text, "json", pretty.is_cut);
  } else if (tab == "markdown") {
    const std::string text = markdown::page_markdown(*page);
    write_source(out, base::cut_utf8(text, kMaxSource), "markdown", text.size() > kMaxSource);
  } else {
    out.open("div", {{"class", "reader"}});
    write_contents(out, *page);
    const std::string_view language = page->language.substr(0, 40);
    if (language.empty())
      out.open("article");
    else
      out.open("article", {{"lang", language}});
    write_page_meta(out, *page);
    write_blocks(out, *page);
    out.close().close();
  }
}

}  // namespace sheaf::browse
