#pragma once

#include "sheaf/html/dom.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace sheaf::html {

/// What the attributes of a page's elements call them. Remembers what it read: the elements of a page share
/// few classes. One page each.
class ElementNames {
 public:
  struct Said {
    std::uint32_t hints = 0;       ///< of class, id, role, itemprop and what hides it (hint_words.h)
    std::uint64_t class_hash = 0;  ///< for telling classes apart; 0 without one
  };
  Said read(const Document& document, NodeId element);

 private:
  std::uint32_t hints_of(std::string_view value, const char* readable_end, std::uint64_t hash);

  // Told apart by their hashes alone, which only a page against itself can make collide.
  struct Known {
    std::uint64_t hash = 0;
    std::uint32_t hints = 0;
  };
  std::array<Known, 512> known_{};
};

/// Whether the page names one of the generators of documentation as what made it.
bool names_manual_generator(const Document& document);

}  // namespace sheaf::html
