#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/warc/warc_record.h"
#include "sheaf/warc/warc_stream.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sheaf::warc {

struct WarcLimits {
  std::size_t head_bytes = std::size_t{1} << 20;
  /// Larger blocks are skipped. They are videos and disk images, never pages.
  std::size_t block_bytes = std::size_t{64} << 20;
  unsigned threads = 1;  ///< threads that decompress gzip members; at most four are used
};

/// The block of a record.
struct RecordBlock {
  std::string_view bytes;
  bool is_cut = false;        ///< the block is shorter than its Content-Length
  bool is_too_large = false;  ///< over the limit; `bytes` is then empty
};

/// Reads the records of a WARC file one after another. The file may be plain, gzip (one member per record, or
/// one for the whole file) or zstd, with or without a dictionary.
///
/// Archives are often damaged: truncated, or with a wrong Content-Length. Every fault is reported, and
/// reading continues at the next record. In a compressed file, that is the next member. In a plain file, it
/// is the next line that looks like the start of a record. The search begins inside the block of the damaged
/// record, because a Content-Length that is too large may span several records.
///
/// Memory use is bounded by the largest block within the limit, whatever the file says.
class WarcReader {
 public:
  /// The source must outlive the reader.
  WarcReader(base::ByteSource& source, FaultSink on_fault, WarcLimits limits = {});

  /// Returns the head of the next record, or null after the last. The head is valid until the next call.
  /// Fails if the file cannot be read, and with invalid_data if its zstd dictionary is unusable or the file
  /// is damaged in too many places.
  base::Result<const RecordHead*> next();
  /// Returns the block of that record, valid until the next call of next(). If this is not called, the block
  /// is skipped.
  base::Result<RecordBlock> block();

  /// Where that record begins in the decompressed file.
  [[nodiscard]] std::uint64_t record_offset() const { return record_offset_; }

  [[nodiscard]] std::uint64_t records() const { return records_; }
  [[nodiscard]] std::uint64_t faults() const { return faults_; }

 private:
  base::Result<bool> find_record();
  base::Result<bool> read_head();
  base::Result<void> end_record();
  base::Result<void> skip_large();
  base::Result<void> search(std::size_t from);
  [[nodiscard]] std::optional<std::size_t> find_start(std::string_view buffered, std::size_t from) const;
  [[nodiscard]] std::optional<std::size_t> member_end_behind(std::string_view buffered,
                                                             std::size_t length) const;
  [[nodiscard]] std::optional<std::size_t> cut_at(std::string_view buffered, std::uint64_t length);
  [[nodiscard]] std::size_t block_length(std::string_view buffered, std::size_t length);
  void report(std::string message);

  FaultSink on_fault_;
  WarcLimits limits_;
  WarcStream stream_;
  RecordHead head_;
  std::uint64_t record_offset_ = 0;
  std::uint64_t no_start_before_ = 0;  ///< no member that ends before this offset ends before a record
  bool in_record_ = false;             ///< the front of the stream is the block of the current record
  std::uint64_t records_ = 0;
  std::uint64_t faults_ = 0;
};

}  // namespace sheaf::warc
