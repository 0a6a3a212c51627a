#include "sheaf/html/blocks.h"

#include "sheaf/html/element_kind.h"
#include "sheaf/html/query.h"
#include "sheaf/html/text_compare.h"

namespace sheaf::html {

BuiltBlocks BlockBuilder::build(const Document& document, const ContentMap& content,
                                const Metadata& /*metadata*/, const BlockOptions& /*options*/,
                                base::Arena& arena) {
  std::vector<model::Block> blocks;
  std::string text;
  const auto flush = [&] {
    while (!text.empty() && text.back() == ' ') text.pop_back();
    if (!text.empty()) blocks.push_back({model::TextBlock{arena.copy(text)}, {}});
    text.clear();
  };
  for (const NodeId node : Descendants(document, document.root())) {
    if (document.is_element(node) && element_kind(document.name(node)) == ElementKind::block) flush();
    if (document.kind(node) != NodeKind::text || !content.kept(node)) continue;
    for (const char c : document.text(node)) {
      if (!is_space(c))
        text += c;
      else if (!text.empty() && text.back() != ' ')
        text += ' ';
    }
  }
  flush();
  return {arena.copy(std::span<const model::Block>(blocks)), 0};
}

}  // namespace sheaf::html
