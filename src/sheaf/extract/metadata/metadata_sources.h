#pragma once

#include "sheaf/html/dom.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// What a page says about itself, collected in one pass and not yet judged. Values are views of the document,
// exactly as written.
namespace sheaf::extract {

class PageOutline;

/// What a `meta` element can state, in any vocabulary.
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

/// Properties of microdata and RDFa.
enum class ItemField : std::uint8_t { author, published, created, modified, language, description };
inline constexpr std::size_t kItemFields = 6;

struct MetaValue {
  std::string_view value;
  std::uint8_t rank = 0;  ///< preference of the name, 0 is best; see metadata_names.cpp
};
inline constexpr std::uint8_t kMetaRanks = 5;

/// An element that may have a value, and its position in the document.
struct Candidate {
  html::NodeId node = html::kNoNode;
  std::uint32_t order = 0;  ///< number of elements in the body up to and including it
  std::uint32_t signs = 0;  ///< bits of ClassSign, from its class and id
};

struct MetadataSources {
  std::array<std::vector<MetaValue>, kMetaFields> metas;
  std::array<std::vector<Candidate>, kItemFields> items;
  std::vector<std::string_view> json_ld;
  std::vector<std::string_view> json_states;  ///< other JSON, which is data of the page's scripts
  std::optional<std::string_view> html_language;
  std::optional<std::string_view> base;       ///< href of the first `base`
  std::optional<std::string_view> canonical;  ///< href of the first rel=canonical
  std::vector<std::string_view> robots;       ///< all robots metas, because all of them apply
  /// twitter:label1 with twitter:data1, and the same with 2: the free lines of a Twitter card, such as
  /// "Written by" with a name.
  struct CardLine {
    std::string_view label;
    std::string_view data;
  };
  std::array<CardLine, 2> card_lines;
  html::NodeId title = html::kNoNode;
  std::vector<Candidate> headings;      ///< h1 to h6
  std::vector<Candidate> times;         ///< time elements
  std::vector<Candidate> dates;         ///< other elements whose class or id suggests a date
  std::vector<Candidate> author_links;  ///< rel=author
  std::vector<Candidate> bylines;       ///< elements whose class or id suggests an author

  [[nodiscard]] const std::vector<MetaValue>& meta(MetaField field) const {
    return metas[static_cast<std::size_t>(field)];
  }
  [[nodiscard]] const std::vector<Candidate>& item(ItemField field) const {
    return items[static_cast<std::size_t>(field)];
  }
};

/// Collects the sources of metadata. Skips comments, sidebars, menus and lists of other pages, unless the
/// headline is in them. Data that is not shown (meta, JSON-LD) counts anywhere. Keeps only the first few of
/// each kind.
MetadataSources collect_sources(const html::Document& document, const PageOutline& outline);

/// Finds the first few visible text nodes that are short and may have a date, or begin with a date in
/// parentheses. A page that has its date nowhere else may have it in such a line.
std::vector<html::NodeId> find_dated_lines(const html::Document& document, const PageOutline& outline);

}  // namespace sheaf::extract
