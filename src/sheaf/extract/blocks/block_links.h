#pragma once

#include "sheaf/base/url.h"
#include "sheaf/html/dom.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <optional>
#include <string_view>

namespace sheaf::extract {

/// Makes the addresses of one page absolute: against its `<base href>`, which is against the page's own
/// address. That is looked up when the first address is asked for.
class LinkResolver {
 public:
  LinkResolver(const html::Document& document, const base::Url* base, Arena& arena)
      : document_(&document), page_(base), arena_(&arena) {}

  /// The absolute http(s) address, in the arena; nullopt if there is none.
  std::optional<Text> resolve(std::string_view reference);
  std::optional<base::Url> parse(std::string_view reference);
  /// An address that is absolute already, in the arena, as collections may have it.
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
