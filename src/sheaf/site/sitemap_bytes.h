#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/decoder.h"
#include "sheaf/base/error.h"
#include "sheaf/site/sitemap.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
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

}  // namespace sheaf::site
