#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/html/text_hash.h"

#include <cstdint>
#include <string_view>

namespace sheaf::html {

/// What kind of text a run is, by the nearest element that says so.
enum class RunKind : std::uint8_t {
  other,
  paragraph,
  heading,
  list_item,
  cell,
  term,
  definition,
  code,
  quote,
  caption
};

/// A stretch of text without a block boundary inside: a paragraph, a heading, one line of a menu.
struct TextRun {
  static constexpr NodeId kNoLine = ~NodeId{0};

  std::uint32_t region = 0;  ///< where it stands directly
  NodeId first = kNoNode;    ///< its first text node
  std::uint32_t chars = 0;   ///< characters, white space collapsed; wide ones (Chinese, Japanese) count two
  std::uint32_t link_chars = 0;  ///< of these inside links
  std::uint32_t bold_chars = 0;  ///< of these in b, strong
  std::uint32_t words = 0;       ///< stretches between white space
  std::uint32_t marks = 0;       ///< full stops, question and exclamation marks
  std::uint32_t commas = 0;
  std::uint32_t digits = 0;
  std::uint32_t capitals = 0;      ///< A to Z
  std::uint32_t italic_chars = 0;  ///< of these in i, em
  std::uint32_t links = 0;         ///< links begun inside
  NodeId after = kNoLine;          ///< of a line: what follows it in its region, kNoNode for nothing
  std::uint32_t handles = 0;       ///< '@' signs: names in social networks, mail addresses
  std::string_view text;           ///< as it would be read; good until the next page
  RunKind kind = RunKind::other;
  std::uint8_t heading_level = 0;  ///< 1 to 6 in a heading
  bool ends_sentence = false;      ///< its last character is a mark that ends one
  bool ends_colon = false;         ///< ... a colon
  bool ends_cut = false;           ///< ... an ellipsis
  bool in_comment = false;         ///< inside what a class or id calls comments
  bool has_time = false;           ///< holds a time element
  bool is_prose = false;  ///< long enough, hardly linked and punctuated: what running text looks like

  /// Whether its text is all that the page says from its first node up to `after`: there are no images,
  /// breaks or formulas in between, no link is all of it or a mere sign, and nothing that is open where it
  /// begins or ends is a part of a line. Only pages in order (Document::in_order) have lines.
  [[nodiscard]] bool is_line() const { return after != kNoLine; }

  /// For telling texts apart.
  [[nodiscard]] std::uint64_t hash() const { return hash_text(text); }
};
static_assert(sizeof(TextRun) == 80);

/// What the first words of a run say.
struct RunWords {
  std::uint32_t hints = 0;  ///< of each (hint_words.h)
  float title_share = 0;    ///< share of them that the page's title has
  float body_share = 0;     ///< share of them that the page's declared text has in this order
};

}  // namespace sheaf::html
