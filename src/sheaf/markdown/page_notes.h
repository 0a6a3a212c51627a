#pragma once

#include <sheaf/page.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sheaf::markdown {

/// A number in brackets that refers to a footnote.
struct FootnoteReference {
  std::size_t begin = 0;  ///< byte position
  std::size_t end = 0;
  std::uint32_t number = 0;
};

/// The marks of the footnotes 1 to `notes` in a text, in order. Numbers in code, in a formula or in a longer
/// link are not marks.
std::vector<FootnoteReference> find_footnote_references(Text text, List<Inline> inlines, std::size_t notes);

/// The number of footnotes of a page. The footnotes are the items of the last block if it is an ordered list
/// and the texts before it refer to all items, with the first references in the order of the items. Else 0.
std::size_t count_footnotes(const Page& page);

}  // namespace sheaf::markdown
