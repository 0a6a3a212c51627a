#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::site {

/// Everything a sitemap can have wrong. Names as users see them are in docs/sitemaps.md and `to_string`.
enum class SitemapCode : std::uint8_t {
  // Nothing more is read; what came before counts.
  not_a_sitemap,      ///< another kind of document, or none
  truncated,          ///< the file ends in the middle
  ill_formed_end,     ///< not XML from here on
  decompress_failed,  ///< damaged gzip data
  ratio_exceeded,
  size_exceeded,
  too_many_entries,  ///< over the caller's limits
  entity_declaration,
  too_complex,  ///< nested or worded as no sitemap is, to exhaust a reader
  // The entry or element is passed over.
  missing_loc,
  invalid_url,
  text_too_long,
  invalid_section,
  invalid_collection,
  unknown_scp_namespace,
  // Said, and gone on.
  ill_formed,
  wrong_namespace,
  undeclared_prefix,
  leading_space,
  doctype,
  bare_ampersand,
  not_utf8,
  repaired_url,
  invalid_lastmod,
  invalid_attribute,
  missing_attribute,
  misplaced_element,
  over_sitemap_limit,  ///< more than sitemaps.org allows, yet read
};
constexpr std::size_t kSitemapCodeCount = static_cast<std::size_t>(SitemapCode::over_sitemap_limit) + 1;

enum class SitemapLevel : std::uint8_t { stop, entry, warning };

constexpr SitemapLevel level_of(SitemapCode code) {
  if (code <= SitemapCode::too_complex) return SitemapLevel::stop;
  if (code <= SitemapCode::unknown_scp_namespace) return SitemapLevel::entry;
  return SitemapLevel::warning;
}

std::string_view to_string(SitemapCode code);  ///< "not-a-sitemap", "truncated", ...

/// One thing wrong: what, where, and a sentence for a person.
struct SitemapFinding {
  SitemapCode code;
  std::uint64_t line = 0;  ///< from 1; 0 when it concerns the whole file
  std::string message;
};

}  // namespace sheaf::site
