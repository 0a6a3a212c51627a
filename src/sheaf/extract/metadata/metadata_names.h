#pragma once

#include "sheaf/extract/metadata/metadata_sources.h"
#include "sheaf/text/padded_text.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sheaf::extract {

struct NamedMeta {
  MetaField field;
  std::uint8_t rank;
};

/// The meaning of the `name`, `property` or `http-equiv` of a meta element. Ignores case and the signs
/// between words: "DC.date.issued", "dc:date:issued" and "dcDateIssued" are the same.
std::optional<NamedMeta> find_meta_name(std::string_view name);

/// The meaning of an itemprop, or of an RDFa property without its prefix.
std::optional<ItemField> find_item_name(std::string_view name);

/// What the words of a class or id say about an element, as bits. Words are separated by anything but
/// letters, and by a capital inside: "entry-date", "entryDate" and "entry_date" have the same words.
enum ClassSign : std::uint32_t {
  kAuthorSign = 1U << 0,
  kBylineSign = 1U << 1,
  kDateSign = 1U << 2,
  kPublishedSign = 1U << 3,
  kModifiedSign = 1U << 4,
  kCommentSign = 1U << 5,
  kAsideSign = 1U << 6,  ///< outside of the content: sidebars, related pages, menus
  kNameSign = 1U << 7,
  kDetailSign = 1U << 8,  ///< details of an author: a picture, a biography
  kMetaSign = 1U << 9,    ///< a line about the page: its date, its author
};
std::uint32_t class_signs(text::PaddedText value);

}  // namespace sheaf::extract
