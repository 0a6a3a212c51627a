#pragma once

#include "sheaf/html/dom.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// What a page says of itself, gathered in one walk of its tree and not yet judged. Values are views of the
// document as they stand there.
namespace sheaf::extract {

class PageOutline;

/// What a `meta` element can tell, whatever vocabulary it uses.
enum class MetaField : std::uint8_t {
  og_title,
  other_title,
  site_name,
  description,
  author,
  published,
  modified,
  language,
  address,
  robots,
  page_type,
};
inline constexpr std::size_t kMetaFields = 11;

/// Properties of microdata and RDFa that are looked for on visible elements.
enum class ItemField : std::uint8_t { author, published, created, modified, language, description };
inline constexpr std::size_t kItemFields = 6;

struct MetaValue {
  std::string_view value;
  std::uint8_t rank = 0;  ///< of the vocabulary, 0 first; see metadata_names.cpp
};
inline constexpr std::uint8_t kMetaRanks = 5;

/// An element that may hold a value, by its place in the walk.
struct Candidate {
  html::NodeId node = html::kNoNode;
  std::uint32_t order = 0;  ///< how many elements of the body came before it
  std::uint32_t signs = 0;  ///< of its class and id: see ClassSign
};

struct MetadataSources {
  std::array<std::vector<MetaValue>, kMetaFields> metas;
  std::array<std::vector<Candidate>, kItemFields> items;
  std::vector<std::string_view> json_ld;
  std::vector<std::string_view> json_states;  ///< other JSON, which the page's scripts work on
  std::optional<std::string_view> html_language;
  std::optional<std::string_view> base;       ///< href of the first `base`
  std::optional<std::string_view> canonical;  ///< href of the first rel=canonical
  std::vector<std::string_view> robots;       ///< all of them: they add up
  /// twitter:label1 with twitter:data1, and the same with 2: a card's free lines, "Written by" with a name
  /// among them.
  struct CardLine {
    std::string_view label;
    std::string_view data;
  };
  std::array<CardLine, 2> card_lines;
  html::NodeId title = html::kNoNode;
  std::vector<Candidate> headings;      ///< h1 to h6
  std::vector<Candidate> times;         ///< time elements
  std::vector<Candidate> dates;         ///< other elements whose class speaks of a date
  std::vector<Candidate> author_links;  ///< rel=author
  std::vector<Candidate> bylines;       ///< elements whose class speaks of an author

  [[nodiscard]] const std::vector<MetaValue>& meta(MetaField field) const {
    return metas[static_cast<std::size_t>(field)];
  }
  [[nodiscard]] const std::vector<Candidate>& item(ItemField field) const {
    return items[static_cast<std::size_t>(field)];
  }
};

/// Comments, sidebars, menus and lists of other pages are passed over, unless the headline is in there; data
/// that is not shown (meta, JSON-LD) counts wherever it stands. Of every kind only the first few are kept.
MetadataSources collect_sources(const html::Document& document, const PageOutline& outline);

/// Short texts with what may be a date, or that begin with one in (): a page that gives its date nowhere else
/// may have it in a line of its own. The first few; only of text that is shown.
std::vector<html::NodeId> find_dated_lines(const html::Document& document, const PageOutline& outline);

}  // namespace sheaf::extract
