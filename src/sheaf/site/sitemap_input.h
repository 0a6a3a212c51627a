#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/decoder.h"
#include "sheaf/base/error.h"
#include "sheaf/site/sitemap.h"
#include "sheaf/site/sitemap_report.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::site {

/// Decodes gzip if the first bytes indicate it; passes other bytes through. Damaged data ends the stream.
class GzipLayer final : public base::ByteSource {
 public:
  explicit GzipLayer(base::ByteSource* source) : source_(*source) {}

  base::Result<std::size_t> read(std::span<char> out) override;
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return std::nullopt; }
  [[nodiscard]] const std::string& name() const override { return source_.name(); }

  [[nodiscard]] bool is_gzip() const { return decoder_ != nullptr; }
  /// The problem with the gzip data; empty if there is none.
  [[nodiscard]] const std::string& damage() const { return damage_; }
  [[nodiscard]] std::uint64_t bytes_in() const { return bytes_in_; }

 private:
  base::Result<void> refill(std::size_t wanted);
  base::Result<std::size_t> decode(std::span<char> out);

  base::ByteSource& source_;
  std::unique_ptr<base::Decoder> decoder_;  ///< null for bytes that are not gzip
  std::vector<char> input_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool sniffed_ = false;
  bool source_ended_ = false;
  std::uint64_t bytes_in_ = 0;
  std::string damage_;
};

/// The decompressed bytes of a sitemap file, within the limits. Some servers compress a compressed file
/// again, so there are two layers.
class SitemapBytes {
 public:
  SitemapBytes(base::ByteSource& source, const SitemapLimits& limits)
      : source_(source), outer_(&source), inner_(&outer_), limits_(limits) {}

  /// Fills `out` and returns the number of bytes; 0 at the end, which may be premature: see problem().
  base::Result<std::size_t> read(std::span<char> out);

  /// Why the bytes ended before the end of the file; nullopt if they did not.
  [[nodiscard]] const std::optional<SitemapFinding>& problem() const { return problem_; }
  [[nodiscard]] std::uint64_t plain_bytes() const { return plain_bytes_; }

 private:
  [[nodiscard]] std::optional<SitemapFinding> judge() const;

  base::ByteSource& source_;
  GzipLayer outer_;
  GzipLayer inner_;
  const SitemapLimits& limits_;
  std::uint64_t plain_bytes_ = 0;
  std::optional<SitemapFinding> problem_;
};

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
