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
  /// A larger block is skipped. Above this there are videos and disk images, but no pages.
  std::size_t block_bytes = std::size_t{64} << 20;
  unsigned threads = 1;  ///< that decompress gzip members; at most four are used
};

/// The block of a record.
struct RecordBlock {
  std::string_view bytes;
  bool is_cut = false;        ///< the file has less than the record promises
  bool is_too_large = false;  ///< over the limit, and therefore empty
};

/// Reads the records of a WARC file, one after the other: plain, gzip (a member for each record, or one for
/// all of them) or zstd, with or without a dictionary.
///
/// Archives are often damaged: cut off in the middle, or with a Content-Length that does not fit. Every fault
/// is reported, and reading goes on at the next record. In a compressed file that is the next member; in a
/// plain one it is the next line that looks like the first of a record, searched from the block of the
/// damaged record on, because a length that is too large may cover records.
///
/// Memory: the largest block up to the limit, whatever the file says.
class WarcReader {
 public:
  /// The source must outlive the reader.
  WarcReader(base::ByteSource& source, FaultSink on_fault, WarcLimits limits = {});

  /// The head of the next record; null after the last. Valid until the next call. Errors are those of the
  /// disk, and invalid_data for a file that is not a WARC file at all.
  base::Result<const RecordHead*> next();
  /// The block of that record, valid until the next call of next(). Records whose block is not asked for are
  /// skipped.
  base::Result<RecordBlock> block();

  [[nodiscard]] std::uint64_t records() const { return records_; }
  [[nodiscard]] std::uint64_t faults() const { return faults_; }

 private:
  base::Result<bool> find_record();
  base::Result<bool> read_head();
  base::Result<void> end_record();
  base::Result<void> skip_large();
  base::Result<bool> end_is_right(std::size_t length);
  base::Result<void> search(std::size_t from);
  [[nodiscard]] std::optional<std::size_t> member_end_behind(std::string_view buffered,
                                                             std::size_t length) const;
  [[nodiscard]] std::optional<std::size_t> cut_at(std::string_view buffered, std::uint64_t length) const;
  void report(std::string message);

  FaultSink on_fault_;
  WarcLimits limits_;
  WarcStream stream_;
  RecordHead head_;
  bool in_record_ = false;  ///< the block of the record is at the front of the stream
  std::uint64_t records_ = 0;
  std::uint64_t faults_ = 0;
};

}  // namespace sheaf::warc
