#pragma once

#include "sheaf/html/content.h"
#include "sheaf/html/dom.h"

namespace sheaf::html {

/// Finds the content of pages. Keeps its working memory between pages; one thread at a time.
class ContentSelector {
 public:
  const ContentMap& select(const Document& document);

 private:
  ContentMap map_;
};

}  // namespace sheaf::html
