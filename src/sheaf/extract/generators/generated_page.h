#pragma once

#include "sheaf/extract/generators/generator_table.h"
#include "sheaf/html/dom.h"

#include <vector>

namespace sheaf::extract {

/// What the templates of a known generator say about a page.
struct GeneratedPage {
  const Generator* generator = nullptr;  ///< null if it is none that we know
  std::vector<html::NodeId> content;     ///< elements, in document order, none inside another; may be empty
  std::vector<html::NodeId> chrome;      ///< the same; inside the content, or anywhere if there is none
  std::vector<html::NodeId> sure;      ///< content beyond doubt, in document order, where `content` is empty
  html::NodeId title = html::kNoNode;  ///< the element that shows the page's title, if one does
};

/// Looks at the head and the first elements of the page; at the others only if these are a known generator's.
GeneratedPage find_generated(const html::Document& document);

}  // namespace sheaf::extract
