#pragma once

#include "sheaf/extract/generators/generator_table.h"
#include "sheaf/html/dom.h"

#include <vector>

namespace sheaf::extract {

/// What the markup of a known generator's templates tells about a page.
struct GeneratedPage {
  const Generator* generator = nullptr;  ///< null if the generator is not known
  std::vector<html::NodeId> content;     ///< elements in document order, not nested; may be empty
  std::vector<html::NodeId> chrome;      ///< in the content, or in the page if `content` is empty; not nested
  std::vector<html::NodeId> sure;        ///< certain content, in document order; only if `content` is empty
  html::NodeId title = html::kNoNode;    ///< the element that shows the page's title, if any
};

/// Recognises the generator by the head and the first elements of the page; looks at the other elements only
/// if it is known.
GeneratedPage find_generated(const html::Document& document);

}  // namespace sheaf::extract
