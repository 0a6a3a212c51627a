#pragma once

#include "sheaf/site/sitemap_bytes.h"
#include "sheaf/site/sitemap_report.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sheaf::site {

/// Feeds a sitemap to the XML parser and repairs the most common errors: white space before the XML
/// declaration, and unescaped ampersands.
///
/// Ampersands inside CDATA sections are escaped too, because sections are not detected here. SitemapReader
/// decodes `&amp;` in the text of a section.
class SitemapInput {
 public:
  SitemapInput(SitemapBytes& bytes, SitemapReport& report) : bytes_(bytes), report_(report) {}

  /// Reads the beginning. Call this first.
  base::Result<void> start();

  /// Whether it begins with a URL, as a text sitemap does.
  [[nodiscard]] bool is_text() const;
  [[nodiscard]] bool is_empty() const { return begin_ == end_; }
  [[nodiscard]] std::uint64_t first_line() const { return first_line_; }

  /// Fills `out` and returns the number of bytes; 0 at the end, or if the source failed: see error().
  std::size_t fill(std::span<char> out);

  /// The same without repairs, for text sitemaps.
  std::size_t fill_raw(std::span<char> out);

  [[nodiscard]] const std::optional<base::Error>& error() const { return error_; }

 private:
  base::Result<void> refill(std::size_t wanted);
  base::Result<void> skip_leading_space();
  bool make_available(std::size_t wanted);
  [[nodiscard]] std::string_view available() const { return {buffer_.data() + begin_, end_ - begin_}; }
  std::size_t take(std::span<char> out);
  std::size_t take_ampersand(std::span<char> out);

  SitemapBytes& bytes_;
  SitemapReport& report_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool ended_ = false;
  bool repairs_ = true;        ///< false for UTF-16 and UTF-32
  std::string_view inserted_;  ///< text still to be inserted after an ampersand
  std::uint64_t first_line_ = 1;
  std::uint64_t line_ = 1;
  std::optional<base::Error> error_;
};

}  // namespace sheaf::site
