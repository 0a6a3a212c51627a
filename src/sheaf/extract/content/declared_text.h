#pragma once

#include "sheaf/text/padded_text.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sheaf::extract {

/// The text that a page's structured data gives as its content (articleBody), for comparison with what the
/// page shows. Texts are compared by sequences of three words, because single words of an article also occur
/// in menus. Reuses its memory from page to page.
class DeclaredText {
 public:
  /// Replaces the previous text.
  void read(std::string_view text);

  /// No text was declared, or fewer than three words.
  [[nodiscard]] bool empty() const { return trigrams_.empty(); }

  /// The share of the three-word sequences at the beginning of `text` that the declared text has, 0 to 1.
  [[nodiscard]] float share_of(text::PaddedText text) const;

 private:
  [[nodiscard]] std::size_t slot_of(std::uint32_t three) const;

  std::vector<std::uint32_t> trigrams_;  // hashes of sequences of three words
  std::vector<std::uint32_t> slots_;     // the same as an open-addressing table; 0 is an empty slot
};

}  // namespace sheaf::extract
