#include "sheaf/html/page_links.h"

#include "sheaf/base/arena.h"
#include "sheaf/html/block_links.h"
#include "sheaf/html/query.h"
#include "sheaf/html/text_compare.h"

#include <unordered_set>

namespace sheaf::html {
std::vector<std::string> followable_links(const Document& document, const base::Url* page) {
  base::Arena arena;
  LinkResolver resolver(document, page, arena);
  std::vector<std::string> links;
  std::unordered_set<std::string> seen;
  for (const NodeId node : Descendants(document, document.root())) {
    if (!document.is_html(node, Name::a) && !document.is_html(node, Name::area)) continue;
    const auto href = document.attribute(node, Name::href);
    if (!href || has_word(document.attribute(node, Name::rel).value_or(""), "nofollow", TextCase::ignore))
      continue;
    const auto url = resolver.parse(*href);
    if (!url) continue;
    std::string address(url->without_fragment().href());
    if (seen.insert(address).second) links.push_back(std::move(address));
  }
  return links;
}

}  // namespace sheaf::html
