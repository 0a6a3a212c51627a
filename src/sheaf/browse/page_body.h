#pragma once

#include "sheaf/markup/html_writer.h"
#include <sheaf/page.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

// How pages are shown, wherever they come from: the store, a collection, or a publisher's sources.
namespace sheaf::browse {

/// A valid JSON text with line breaks and indents, with characters escaped as by append_visible_json(). Has
/// at most about `most` bytes; `is_cut` is true if that is not all of it.
struct PrettyJson {
  std::string text;
  bool is_cut = false;
};
PrettyJson pretty_json(std::string_view json, std::size_t most);

struct TabEntry {
  std::string_view value;  ///< value of the parameter `tab`
  std::string_view label;
};

/// Writes the title as the only h1, and the URL.
void write_page_head(markup::HtmlWriter& out, std::string_view title, std::string_view url);
void write_tabs(markup::HtmlWriter& out, const markup::OwnPath& self, std::string_view current,
                std::initializer_list<TabEntry> tabs);

/// Writes the content of a page in one of its forms: "markdown", "json", or as HTML. `page` is null if the
/// JSON cannot be decoded.
void write_page_tab(markup::HtmlWriter& out, std::string_view tab, const Page* page, std::string_view json);

/// Writes description, author, date and language, as far as the page has them.
void write_page_meta(markup::HtmlWriter& out, const Page& page);

}  // namespace sheaf::browse
