#include "sheaf/extract/content/content_pager.h"

#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace sheaf::extract {
namespace {

constexpr std::uint32_t kMaxLength = 200;  // characters: a title and the words before it
constexpr std::size_t kLevels = 4;         // elements between a text and the link around it
constexpr std::size_t kSiblings = 4;       // nodes between a text and the link that it announces

constexpr std::array<std::string_view, 26> kNeighbours = {
    "next",      "previous", "prev",       "older",     "newer",     "nächster",   "nächste",
    "nächstes",  "voriger",  "vorheriger", "vorherige", "weiter",    "zurück",     "suivant",
    "précédent", "anterior", "siguiente",  "próximo",   "seguinte",  "successivo", "precedente",
    "volgende",  "vorige",   "następny",   "poprzedni", "föregående"};

/// Words that may follow these, before the title.
constexpr std::array<std::string_view, 11> kOfPages = {"post",    "article", "entry",   "page",
                                                       "chapter", "posts",   "beitrag", "artikel",
                                                       "seite",   "entrada", "artículo"};

constexpr std::array<std::string_view, 6> kArrows = {"←", "→", "«", "»", "‹", "›"};

/// For each first byte of a word or arrow above, the second bytes that may follow it, as bits by their lowest
/// five bits. Rejects most texts before they are split into words.
constexpr auto kStarts = [] {
  std::array<std::uint32_t, 256> starts{};
  const auto add = [&starts](std::string_view word) {
    const auto first = static_cast<unsigned char>(word[0]);
    starts[first] |= 1U << (static_cast<unsigned char>(word[1]) % 32U);
  };
  for (const std::string_view word : kNeighbours) add(word);
  for (const std::string_view arrow : kArrows) add(arrow);
  return starts;
}();

/// Ignores case, because upper and lower case of the second byte have the same lowest five bits.
bool may_announce(std::string_view text) {
  if (text.size() < 2) return false;
  const auto first = static_cast<unsigned char>(text::lower_ascii(text[0]));
  return ((kStarts[first] >> (static_cast<unsigned char>(text[1]) % 32U)) & 1U) != 0;
}

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& words, std::string_view asked) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text::equal_text(word, asked, text::TextCase::ignore); });
}

bool has_rel(const html::Document& document, html::NodeId node) {
  if (!document.is_html(node, html::Name::a)) return false;
  const std::string_view rel = document.attribute(node, html::Name::rel).value_or("");
  return text::has_word(rel, "next", text::TextCase::ignore) ||
         text::has_word(rel, "prev", text::TextCase::ignore);
}

/// Whether the link around the run's first text, or right after it, has `rel=next` or `rel=prev`.
bool is_marked(const html::Document& document, html::NodeId text) {
  html::NodeId node = document.parent(text);
  for (std::size_t level = 0; level < kLevels && document.is_element(node); ++level) {
    if (has_rel(document, node)) return true;
    node = document.parent(node);
  }
  node = document.next(text);
  for (std::size_t i = 0; i < kSiblings && node != html::kNoNode; ++i, node = document.next(node))
    if (document.is_element(node)) return has_rel(document, node);
  return false;
}

/// Whether a text begins like "Next: a title", "Previous post" or "older posts", with or without an arrow.
bool announces_neighbour(std::string_view text) {
  if (!may_announce(text)) return false;
  std::string_view word = text::take_word(text);
  if (is_one_of(kArrows, word)) word = text::take_word(text);
  const bool colon = word.ends_with(':');
  if (colon) word.remove_suffix(1);
  if (!is_one_of(kNeighbours, word)) return false;
  if (colon) return true;
  std::string_view after = text::take_word(text);
  if (after.empty() || is_one_of(kArrows, after) || after == ":") return true;
  if (after.ends_with(':')) after.remove_suffix(1);
  return is_one_of(kOfPages, after);
}

}  // namespace

bool is_pager_link(const html::Document& document, const TextRun& run) {
  if (run.links == 0 || run.chars > kMaxLength) return false;
  if (run.link_chars * 2 >= run.chars) return announces_neighbour(run.text) || is_marked(document, run.first);
  // "Previous article: <a>Eels</a>"
  return run.links == 1 && run.link_chars * 4 >= run.chars && !run.ends_sentence &&
         announces_neighbour(run.text);
}

}  // namespace sheaf::extract
