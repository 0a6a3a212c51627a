#include "sheaf/extract/blocks/page_links.h"

#include "sheaf/extract/blocks/block_links.h"
#include "sheaf/html/dom.h"
#include "sheaf/text/text_compare.h"
#include <sheaf/arena.h>

#include <unordered_set>

namespace sheaf::extract {
std::vector<std::string> followable_links(const html::Document& document, const base::Url* page) {
  Arena arena;
  LinkResolver resolver(document, page, arena);
  std::vector<std::string> links;
  std::unordered_set<std::string> seen;
  for (const html::NodeId node : html::Descendants(document, document.root())) {
    if (!document.is_html(node, html::Name::a) && !document.is_html(node, html::Name::area)) continue;
    const auto href = document.attribute(node, html::Name::href);
    if (!href || text::has_word(document.attribute(node, html::Name::rel).value_or(""), "nofollow",
                                text::TextCase::ignore))
      continue;
    const auto url = resolver.parse(*href);
    if (!url) continue;
    std::string address(url->without_fragment().href());
    if (seen.insert(address).second) links.push_back(std::move(address));
  }
  return links;
}

}  // namespace sheaf::extract
