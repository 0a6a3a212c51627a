#pragma once

#include <sheaf/page.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sheaf::markdown {

/// A number in brackets, by which a text refers to a footnote.
struct NoteMark {
  std::size_t begin = 0;  ///< bytes
  std::size_t end = 0;
  std::uint32_t number = 0;
};

/// The marks of notes 1 to `notes` in a text, in order: those that are not part of code, a formula or a
/// longer link.
std::vector<NoteMark> find_note_marks(Text text, List<Inline> inlines, std::size_t notes);

/// How many footnotes a page has: the items of its last block, if that is an ordered list and the texts
/// before refer to each item, for the first time in the order of the items. 0 if it has none.
std::size_t count_notes(const Page& page);

}  // namespace sheaf::markdown
