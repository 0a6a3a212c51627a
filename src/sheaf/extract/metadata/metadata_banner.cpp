// Finds the heading in which a site's header names the site; it is the same on every page.
#include "sheaf/base/ascii.h"
#include "sheaf/extract/metadata/metadata_internal.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/text_value.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <optional>
#include <string>

namespace sheaf::extract {
namespace {

constexpr std::size_t kBannerBytes = 512;

/// The href of the first link in a heading, if the heading has no other text.
std::optional<std::string_view> only_link(const MetadataContext& context, html::NodeId heading,
                                          std::string_view heading_text) {
  constexpr std::size_t kLooked = 64;  // nodes
  const html::Document& document = context.document;
  std::size_t looked = 0;
  for (const html::NodeId node : html::Descendants(document, heading)) {
    if (++looked > kLooked) break;
    if (document.name(node) != html::Name::a) continue;
    const auto text = html::element_text(document, node, kBannerBytes, context.arena);
    if (!text || !html::same_words(*text, heading_text)) return std::nullopt;
    return document.attribute(node, html::Name::href);
  }
  return std::nullopt;
}

/// The folder part of a path whose file is the folder's index page; empty for other paths.
std::string_view folder_of_index(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  const bool is_index = file.empty() || file.starts_with("index.");
  return is_index ? path.substr(0, path.size() - file.size()) : std::string_view();
}

/// Whether a link leads to the index page of the site, or of a folder around this page.
bool leads_to_front(const MetadataContext& context, std::string_view href) {
  const base::Url* const page = context.options.url;
  if (page == nullptr) return href == "/";
  std::optional<base::Url> base;
  if (context.sources.base) base = base::Url::parse(*context.sources.base, page);
  const auto target = base::Url::parse(href, base ? &*base : page);
  if (!target || target->host() != page->host() || target->has_fragment() || target->has_query())
    return false;
  const std::string_view folder = folder_of_index(target->path());
  return !folder.empty() && page->path().starts_with(folder) && folder_of_index(page->path()) != folder;
}

bool is_header_element(const html::Document& document, html::NodeId node) {
  if (document.name(node) == html::Name::header) return true;
  if (document.attribute(node, html::Name::role) == "banner") return true;
  const std::string_view id = document.attribute(node, html::Name::id).value_or("");
  return id == "header" || id == "masthead" || id == "banner" || id == "site-header";
}

/// Whether a heading is in the header of the page, and not in the header of an article or section.
bool is_in_page_header(const html::Document& document, html::NodeId heading) {
  bool in_header = false;
  for (const html::NodeId above : html::Ancestors(document, heading)) {
    if (!document.is_element(above)) continue;
    const html::Name name = document.name(above);
    if (name == html::Name::main || name == html::Name::article || name == html::Name::section) return false;
    in_header = in_header || is_header_element(document, above);
  }
  return in_header;
}

bool is_front(const MetadataContext& context) {
  return context.options.url == nullptr || folder_of_index(context.options.url->path()) == "/";
}

}  // namespace

bool is_banner(const MetadataContext& context, html::NodeId heading, std::string_view text) {
  if (const auto href = only_link(context, heading, text)) return leads_to_front(context, *href);
  if (is_front(context) || context.declared.titles.empty()) return false;
  const bool begins_title = std::ranges::any_of(context.declared.titles, [text](std::string_view title) {
    return html::begins_with_words(title, text);
  });
  const bool in_title =
      begins_title || std::ranges::any_of(context.declared.parts, [text](std::string_view part) {
        return html::same_words(part, text);
      });
  return in_title && !begins_title && is_in_page_header(context.document, heading);
}

}  // namespace sheaf::extract
