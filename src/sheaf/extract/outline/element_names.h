#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/text/padded_text.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace sheaf::extract {

/// Hints from the class, id and role of elements. Caches classes by their hash, because the elements of a
/// page share few of them. One object per page.
class ElementNames {
 public:
  struct Facts {
    std::uint32_t hints = 0;  ///< of class, id, role, itemtype, itemprop and hiding attributes (hint_words.h)
    std::uint64_t class_hash = 0;  ///< hash of the class without words that tell items apart; 0 without class
  };
  Facts read(const html::Document& document, html::NodeId element);

 private:
  // Identified by hash alone: collisions harm only the page that makes them.
  struct Known {
    std::uint64_t hash = 0;
    std::uint64_t shape = 0;
    std::uint32_t hints = 0;
  };
  const Known& look_up(text::PaddedText names);

  std::array<Known, 512> known_{};
};

/// Whether `<meta name="generator">` names a documentation generator.
bool names_manual_generator(const html::Document& document);

}  // namespace sheaf::extract
