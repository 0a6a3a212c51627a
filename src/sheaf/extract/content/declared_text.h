#pragma once

#include "sheaf/text/padded_text.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sheaf::extract {

/// The text that a page's structured data give as its content (articleBody), for comparison with what the
/// page shows. Texts are compared by three words in a row: single words of an article also occur in menus.
/// Keeps its memory from page to page.
class DeclaredText {
 public:
  /// Replaces what was read before.
  void read(std::string_view text);

  /// No text was declared, or fewer than three words.
  [[nodiscard]] bool empty() const { return threes_.empty(); }

  /// How much of the first words of a text the declared text has in the same order, 0 to 1.
  [[nodiscard]] float share_of(text::PaddedText text) const;

 private:
  [[nodiscard]] std::size_t slot_of(std::uint32_t three) const;

  std::vector<std::uint32_t> threes_;  // hashes of three words in a row
  std::vector<std::uint32_t> slots_;   // the same as a table with open addressing; 0 is an empty slot
};

}  // namespace sheaf::extract
