#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/decoder.h"
#include "sheaf/base/error.h"
#include "sheaf/warc/compressed_members.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::warc {

/// A fault in a file. Reading continues after it has been reported.
struct WarcFault {
  std::uint64_t offset = 0;  ///< in the decompressed file
  std::string message;
};
using FaultSink = std::function<void(const WarcFault& fault)>;

/// The bytes of a WARC file after decompression. The first bytes show whether the file is plain, gzip or
/// zstd.
///
/// A compressed WARC file has one gzip member or zstd frame per record. So damage costs one record: the
/// stream continues at the next place where a member begins. It also remembers where members end, so that
/// WarcReader can cut a record that claims to be longer than its member.
class WarcStream {
 public:
  /// The source and the sink must outlive the stream. Up to `threads` threads decode gzip members. If there
  /// are several, they read ahead of the caller.
  WarcStream(base::ByteSource& source, const FaultSink& on_fault, unsigned threads = 1);

  /// Returns everything that is buffered: at least `wanted` bytes, unless the file ends before. Valid until
  /// the next call. Fails if the file cannot be read, and with invalid_data if its zstd dictionary is
  /// unusable or the file is damaged in too many places.
  base::Result<std::string_view> peek(std::size_t wanted);
  /// Drops bytes from the front, which must be buffered.
  void skip(std::size_t count);

  /// The offset of the first buffered byte in the decompressed file.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  /// Returns the first place after `from` where a member ends, if it is within the buffer. Both are counted
  /// from the front of the buffer.
  [[nodiscard]] std::optional<std::size_t> member_end(std::size_t from) const;
  /// Returns the number of bytes from the front to the end of the file. Known only for a plain file with a
  /// size.
  [[nodiscard]] std::optional<std::uint64_t> bytes_left() const;

 private:
  base::Result<void> open();
  base::Result<void> choose_decoder();
  base::Result<void> read_dictionary_frame();
  base::Result<void> read_raw();
  base::Result<void> fill();
  base::Result<void> decode();
  [[nodiscard]] bool is_at_member() const;
  base::Result<void> begin_members();
  base::Result<bool> decode_whole_members();
  void take_piece();
  base::Result<void> recover(const base::Error& error);
  void add_member_end(std::uint64_t offset);
  [[nodiscard]] std::uint64_t end_offset() const { return offset_ + buffer_.size(); }
  void report(std::string message) { on_fault_({end_offset(), std::move(message)}); }

  base::ByteSource& source_;
  const FaultSink& on_fault_;
  bool is_open_ = false;
  DecoderMaker make_decoder_;  ///< empty if the file is plain
  std::string_view magic_;     ///< the first bytes of every member
  std::unique_ptr<base::Decoder> decoder_;
  unsigned threads_;
  /// Bytes as read, not decoded yet. Must not change between begin() and finish() of `members_`.
  StreamBuffer raw_;
  bool raw_ended_ = false;
  std::optional<MemberDecoder> members_;  ///< for gzip files only
  base::Result<void> ahead_;              ///< the result of reading the bytes after `pieces_`
  std::deque<MemberPiece> pieces_;        ///< decoded, but not in `buffer_` yet
  std::vector<StreamBuffer> spare_;
  std::size_t bytes_to_stream_ = 0;  ///< raw bytes to decode step by step after an incomplete member
  bool is_fresh_ = true;             ///< the decoder has decoded nothing yet
  bool is_resyncing_ = false;        ///< searching for the next member
  std::size_t recoveries_ = 0;
  StreamBuffer buffer_;  ///< decoded bytes
  std::uint64_t offset_ = 0;
  bool ended_ = false;
  std::deque<std::uint64_t> ends_;  ///< offsets where members end, ascending
};

}  // namespace sheaf::warc
