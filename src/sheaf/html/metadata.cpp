#include "sheaf/html/metadata.h"

#include "sheaf/html/query.h"

#include <string>

namespace sheaf::html {

Metadata read_metadata(const Document& document, const MetadataOptions& /*options*/, base::Arena& arena) {
  Metadata result;
  if (const NodeId title = find_first(document, document.root(), Name::title); title != kNoNode) {
    std::string text;
    append_text_content(document, title, text);
    result.title = arena.copy(text);
  }
  return result;
}

}  // namespace sheaf::html
