#pragma once

#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/finding.h"
#include "sheaf/format/pages/head_decoder.h"
#include "sheaf/format/pages/page_decoder.h"
#include <sheaf/arena.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::test {

/// Collects findings: `reader(..., findings.sink())`.
class Findings {
 public:
  format::FindingSink sink() {
    return [this](const format::Finding& finding) { all.push_back(finding); };
  }
  [[nodiscard]] std::vector<std::string> codes() const;

  std::vector<format::Finding> all;
};

/// "heading-clamped line 2 offset 110 https://example.com/a: block 1: ..."
std::string describe(const format::Finding& finding);

/// A line with the padding a decoder needs after it.
class PaddedLine {
 public:
  explicit PaddedLine(std::string_view text, std::uint64_t number = 2, std::uint64_t offset = 100);
  [[nodiscard]] format::Line line() const {
    return {std::string_view(bytes_).substr(0, size_), number_, offset_};
  }

 private:
  std::string bytes_;
  std::size_t size_;
  std::uint64_t number_;
  std::uint64_t offset_;
};

/// The result of decoding one line; everything in it stays valid.
struct DecodedPage {
  std::optional<format::Finding> fatal;
  bool skipped = false;
  std::vector<format::Finding> findings;
  std::string raw;
  Page page;
  std::shared_ptr<Arena> arena = std::make_shared<Arena>();

  [[nodiscard]] std::vector<std::string> codes() const;
  [[nodiscard]] bool is_page() const { return !fatal && !skipped; }
};

DecodedPage decode_page(std::string_view json, format::Detail detail = format::Detail::everything,
                        const format::Limits& limits = {});

/// The text of all blocks.
std::string page_text(const DecodedPage& decoded);

/// The JSON text of the page as convert, merge and diff write it.
std::string repaired_text(const Page& page);

/// Decodes a page with this one block at all levels of detail, which must find and leave the same; for texts
/// alone only leave.
DecodedPage decode_block(std::string_view block);

struct DecodedHeadLine {
  std::optional<format::Finding> fatal;
  std::optional<format::DecodedHead> decoded;
  std::vector<format::Finding> findings;

  [[nodiscard]] std::string fatal_code() const;
  [[nodiscard]] std::vector<std::string> codes() const;
};

DecodedHeadLine decode_head_line(std::string_view json, const format::Limits& limits = {});

/// Everything that a reader reports about a file, for comparing two readings.
struct Reading {
  std::optional<model::CollectionHead> head;
  std::vector<std::string> raw;      ///< of each page
  std::vector<std::string> encoded;  ///< each page as the encoder writes it
  std::vector<std::string> urls;
  std::vector<std::uint64_t> lines;    ///< line number of each page
  std::vector<std::uint64_t> offsets;  ///< of each page
  std::vector<std::string> findings;   ///< as `describe` gives them
  std::vector<format::Finding> all;
  std::string fatal;  ///< as `describe` gives it, empty when there is none
  std::optional<format::Finding> failure;
  format::ChecksumVerdict checksum = format::ChecksumVerdict::unchecked;
  format::ReaderStatistics statistics;

  [[nodiscard]] std::string fatal_code() const;
  [[nodiscard]] std::vector<std::string> codes() const;
};

Reading read_all(std::unique_ptr<base::ByteSource> source, const format::ReaderOptions& options = {});
Reading read_text(std::string_view bytes, const format::ReaderOptions& options = {});

}  // namespace sheaf::test
