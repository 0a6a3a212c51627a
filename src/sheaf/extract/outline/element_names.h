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
    std::uint32_t hints = 0;        ///< of id, role, itemtype, itemprop and hiding attributes (hint_words.h)
    std::uint32_t class_hints = 0;  ///< of the class, which tools replace by hashes
    std::uint64_t class_hash = 0;  ///< hash of the class without words that tell items apart; 0 without class
  };
  /// Starts a page.
  void start(const html::Document& document);
  Facts read(const html::Document& document, html::NodeId element);

 private:
  // Identified by hash alone: collisions harm only the page that makes them.
  struct Known {
    std::uint64_t hash = 0;
    std::uint64_t shape = 0;
    std::uint32_t hints = 0;
  };
  const Known& look_up(text::PaddedText names);
  [[nodiscard]] std::uint64_t shape_of(text::PaddedText names) const;
  [[nodiscard]] bool is_shared(std::string_view word) const;

  static constexpr std::size_t kWordBits = 65'536;
  std::array<std::uint64_t, kWordBits / 64> once_{};  // class words of the page, a bit each by their hashes
  std::array<std::uint64_t, kWordBits / 64> more_{};  // those that more than one element has

  std::array<Known, 512> known_{};
};

/// Whether `<meta name="generator">` names a documentation generator.
bool names_manual_generator(const html::Document& document);

}  // namespace sheaf::extract
