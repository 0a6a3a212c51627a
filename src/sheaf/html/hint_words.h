#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sheaf::html {

/// What authors call the parts of their pages, as bits. Class names, ids and roles of elements give them, and
/// so do the first words of a text ("Read more", "Foto:", "All rights reserved").
enum Hint : std::uint32_t {
  kHintContent = 1U << 0,     // article, content, entry, body
  kHintComment = 1U << 1,     // comment, reply, disqus
  kHintShare = 1U << 2,       // share, social, follow
  kHintRelated = 1U << 3,     // related, recommended, teaser, most read
  kHintNavigation = 1U << 4,  // nav, menu, breadcrumb, pager
  kHintFooter = 1U << 5,      // footer, copyright, legal
  kHintHeader = 1U << 6,      // header, masthead, logo
  kHintSidebar = 1U << 7,     // sidebar, widget, rail
  kHintAdvert = 1U << 8,      // ad, sponsored, banner
  kHintNotice = 1U << 9,      // cookie, consent, newsletter, login, paywall, modal
  kHintByline = 1U << 10,     // author, date, meta, posted
  kHintTags = 1U << 11,       // tags, category, labels
  kHintCaption = 1U << 12,    // caption, credit
  kHintHidden = 1U << 13,     // hidden, sr-only, print
  kHintForm = 1U << 14,       // form, search, input
  kHintGallery = 1U << 15,    // gallery, slider
  kHintLead = 1U << 16,       // lead, intro, summary, subtitle
  kHintTitle = 1U << 17,      // title, headline
  kHintAbout = 1U << 18,      // bio, profile, about the author
  kHintList = 1U << 19,       // list, items, grid, card
  kHintReference = 1U << 20,  // references, footnotes, sources
  kHintMore = 1U << 21,       // more, read more, continue
  kHintFootnotes = 1U << 24,  // footnotes, endnotes
  kHintTooltip = 1U << 23,    // shown only while a pointer rests on something
  kHintManual = 1U << 22,  // what generators of documentation call their parts: docutils, rustdoc, refentry
};

/// The hints of one class or id attribute: its words are parted by anything but letters, and by a capital
/// after a small letter ("post-content", "mainMenu").
/// Memory after the attribute may be read up to `readable_end`, and does not count.
std::uint32_t name_hints(std::string_view attribute, const char* readable_end);

/// The hints of one word of a text, by its hash (text_words_internal.h): a chance hit among some hundred
/// words does no harm.
std::uint32_t text_hints(std::uint32_t word_hash);

/// A bit for each of those words, at the low bits of its hash: most words of a text have none, and are told
/// by a look at these two kilobytes, where the table itself would not stay at hand.
inline constexpr std::size_t kTextFilterBits = 16'384;
extern const std::array<std::uint64_t, kTextFilterBits / 64> kTextFilter;

inline bool may_have_text_hints(std::uint32_t word_hash) {
  const std::uint32_t bit = word_hash % kTextFilterBits;
  return ((kTextFilter[bit / 64] >> (bit % 64)) & 1U) != 0;
}

}  // namespace sheaf::html
