#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/format/codecs/codec.h"
#include "sheaf/format/finding.h"
#include "sheaf/format/limits.h"
#include "sheaf/format/lines/line.h"
#include "sheaf/format/pages/page_decoder.h"
#include "sheaf/model/collection.h"
#include <sheaf/page.h>
#include <sheaf/reader.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sheaf::format {

// A collection file, SCP 0.1 "File Format", as we interpret it (docs/spec-readings.md):
//   <file> ::= [<bom>] <blank>* <head> (<page> | <blank>)*   ; LF ends a line, the last may lack it
//   <head> ::= {"collection":{id, section, type, generated, [since], version, [state], [removed],
//                             [checksum]}}
//   <page> ::= one page object, at most Limits::page_bytes
// The file is plain, gzip (one or more members) or zstd (one or more frames, including skippable ones),
// detected by its first bytes. The checksum is the SHA-256 of the uncompressed file without the `checksum`
// member itself.

using sheaf::ChecksumVerdict;
using sheaf::HeadRule;
using sheaf::ReaderOptions;
using sheaf::ReaderStatistics;
using sheaf::to_string;

/// Maximum number of batches of next_lines() that may be held at a time.
inline constexpr std::size_t kMaxDecodingThreads = 8;

/// Reads a collection page by page. Memory depends only on the longest line.
///
///   SHEAF_TRY_ASSIGN(auto reader, CollectionReader::open(std::move(source), {}, sink));
///   while (true) {
///     SHEAF_TRY_ASSIGN(const bool more, reader.next());
///     if (!more) break;
///     use(reader.page(), reader.raw());
///   }
///   // only now is the checksum verified
///
/// Duplicate URLs are not detected here; use `UrlSet`.
class CollectionReader {
 public:
  /// Reads up to and including the metadata line. Findings that are not fatal go to `sink`, now and in
  /// next().
  static Read<CollectionReader> open(std::unique_ptr<base::ByteSource> source, const ReaderOptions& options,
                                     FindingSink sink = {});
  ~CollectionReader();
  CollectionReader(CollectionReader&&) noexcept;
  CollectionReader& operator=(CollectionReader&&) noexcept;

  [[nodiscard]] const model::CollectionHead& head() const;
  /// False for a headerless file read with HeadRule::optional; head() is then empty.
  [[nodiscard]] bool has_head() const;

  /// True: there is a page. False: the file ended cleanly and its checksum, if it has one, is right. Errors
  /// are final: every further call returns the same one. Do not use pages as the content of the file before
  /// this has returned false.
  Read<bool> next();

  /// An alternative to next() for callers that decode on several threads, with a PageDecoder each. Fills
  /// `batch` with the next lines that are not blank, as many as are in memory. The return value, errors and
  /// the checksum are as for next(). Up to kMaxDecodingThreads batches may be held at a time.
  Read<bool> next_lines(LineBatch& batch);

  /// The page of the last next(), and its JSON text (unchanged, or without what a rule dropped). Both borrow
  /// the reader's buffers and are valid until the next call.
  [[nodiscard]] const Page& page() const;
  std::string_view raw();
  /// Position of that page.
  [[nodiscard]] std::uint64_t line_number() const;
  [[nodiscard]] std::uint64_t line_offset() const;

  [[nodiscard]] ChecksumVerdict checksum() const;
  /// The SHA-256 that the checksum should state, as lower-case hex digits, even if the file states none.
  /// Empty until next() has returned false or checksum_mismatch.
  [[nodiscard]] const std::string& digest() const;
  /// Sizes are complete once next() has returned false or an error.
  [[nodiscard]] ReaderStatistics statistics() const;

 private:
  class Impl;
  explicit CollectionReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf::format
