#pragma once

#include "sheaf/base/url.h"
#include "sheaf/html/dom.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <optional>
#include <string_view>

namespace sheaf::extract {

/// Resolves the URLs of one page against its `<base href>`, which is itself relative to the page's URL. Looks
/// for the base element when the first URL is resolved.
class LinkResolver {
 public:
  LinkResolver(const html::Document& document, const base::Url* base, Arena& arena)
      : document_(&document), page_(base), arena_(&arena) {}

  /// The absolute URL, in the arena; nullopt if it is not a valid http(s) URL.
  std::optional<Text> resolve(std::string_view reference);
  std::optional<base::Url> parse(std::string_view reference);
  /// Copies a URL that is already absolute to the arena, in a form that is valid in collections.
  Text keep(std::string_view href);

 private:
  void find_base();

  const html::Document* document_;
  const base::Url* page_;
  Arena* arena_;
  std::optional<base::Url> base_;
  bool looked_ = false;
};

}  // namespace sheaf::extract
