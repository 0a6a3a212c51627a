#pragma once

#include "sheaf/text/padded_text.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sheaf::extract {

/// What a part of a page may be, as bits. Hints come from class names, ids and roles of elements, and from
/// the first words of a text ("Read more", "Foto:", "All rights reserved").
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
  kHintManual = 1U << 22,     // class names of documentation generators: docutils, rustdoc, refentry
  kHintProduct = 1U << 25,    // product, price, cart, sku
  kHintPost = 1U << 26,       // parts of forums: thread, topic, message, answer
  kHintArchive = 1U << 27,    // lists of other pages: archive, category, results
  kHintPanel = 1U << 28,      // shown by a click: tab panel, accordion, faq
  kHintSection = 1U << 29,    // elements only, parts of company pages: hero, feature, testimonial, pricing
  kHintDate = 1U << 29,       // texts only (the same bit): names of months, "ago"
  kHintReview = 1U << 30,     // of customers: review, rating
  kHintConsent = 1U << 31,    // requests for consent to cookies, and the services that provide them
};

/// The hints of one class or id attribute. Any non-letter separates words, and so does a change from
/// lowercase to a capital ("post-content", "mainMenu").
std::uint32_t name_hints(text::PaddedText attribute);

/// The hints of one word of a text, by its hash (text_words.h). A false hit is rare and harmless: a hint is
/// one feature of many.
std::uint32_t text_hints(std::uint32_t word_hash);

/// What boxes inside an article say in their first words, as bits.
enum BoxWord : std::uint32_t {
  kBoxNewsletter = 1U << 0,  // newsletter, inbox
  kBoxRequest = 1U << 1,     // subscribe, donate, download the app, log in, vote
  kBoxConsent = 1U << 2,     // cookies
  kBoxRelated = 1U << 3,     // related, recommended, read also, most read
  kBoxShare = 1U << 4,       // share this
  kBoxAdvert = 1U << 5,      // advertisement
  kBoxComment = 1U << 6,     // comments, reply
  kBoxAuthor = 1U << 7,      // about the author
  kBoxTags = 1U << 8,        // tags, filed under
};

/// The bits of one word of a box, by its hash.
std::uint32_t box_words(std::uint32_t word_hash);

/// A filter to be checked before text_hints(), with a bit set for each hash that has hints. Most words have
/// none, and unlike the table, these two kilobytes stay in the CPU cache.
inline constexpr std::size_t kTextFilterBits = 16'384;
extern const std::array<std::uint64_t, kTextFilterBits / 64> kTextFilter;

inline bool may_have_text_hints(std::uint32_t word_hash) {
  const std::uint32_t bit = word_hash % kTextFilterBits;
  return ((kTextFilter[bit / 64] >> (bit % 64)) & 1U) != 0;
}

}  // namespace sheaf::extract
