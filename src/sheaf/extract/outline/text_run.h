#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/html/element_table.h"
#include "sheaf/text/text_compare.h"

#include <cstdint>
#include <string_view>

namespace sheaf::extract {

/// What kind of text a run is, by the nearest element that says so.
using RunKind = html::TextKind;

/// A stretch of text without a block boundary inside: a paragraph, a heading, one line of a menu.
struct TextRun {
  std::uint32_t region = 0;            ///< the innermost region around it
  html::NodeId first = html::kNoNode;  ///< its first text node
  std::uint32_t chars = 0;  ///< characters, white space collapsed; wide ones (Chinese, Japanese) count two
  std::uint32_t link_chars = 0;  ///< characters inside links
  std::uint32_t bold_chars = 0;  ///< characters in b, strong
  std::uint32_t words = 0;       ///< separated by white space
  std::uint32_t marks = 0;       ///< full stops, question and exclamation marks
  std::uint32_t commas = 0;
  std::uint32_t digits = 0;
  std::uint32_t capitals = 0;      ///< A to Z
  std::uint32_t italic_chars = 0;  ///< characters in i, em
  std::uint32_t links = 0;         ///< links that begin inside
  std::uint32_t handles = 0;       ///< '@' signs: names in social networks, mail addresses
  std::string_view text;           ///< as people read it, trimmed; valid until the next page
  RunKind kind = RunKind::other;
  std::uint8_t heading_level = 0;  ///< 1 to 6 in a heading
  bool ends_sentence = false;      ///< the last character ends a sentence
  bool ends_colon = false;         ///< the last character is a colon
  bool ends_cut = false;           ///< it ends in an ellipsis
  bool in_comment = false;         ///< inside an element with kHintComment
  bool has_time = false;           ///< contains a time element
  bool is_prose = false;           ///< reads like running text: long, with punctuation and few links

  /// Identifies the text within the page.
  [[nodiscard]] std::uint64_t hash() const { return text::hash_text(text); }
};
static_assert(sizeof(TextRun) == 80);

/// What the first words of a run indicate.
struct RunWords {
  std::uint32_t hints = 0;  ///< the hints of all of them (hint_words.h)
  float title_share = 0;    ///< the share of them that occurs in the page's title
};

}  // namespace sheaf::extract
