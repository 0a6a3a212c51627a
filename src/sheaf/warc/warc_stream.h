#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/decoder.h"
#include "sheaf/base/error.h"
#include "sheaf/warc/gzip_members.h"
#include "sheaf/warc/stream_buffer.h"
#include "sheaf/warc/zstd_frames.h"

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

/// Something that is wrong with a file, and what became of it. Reading goes on.
struct WarcFault {
  std::uint64_t offset = 0;  ///< in the file after decompression
  std::string message;
};
using FaultSink = std::function<void(const WarcFault& fault)>;

/// The bytes of a WARC file after decompression. The first bytes say whether it is plain, gzip or zstd.
///
/// A compressed WARC file has a gzip member or zstd frame for each record. So damage costs one record: the
/// stream goes on at the next place where a member begins. For the same reason it notes where members end: a
/// record that claims to be longer than its member is cut there (WarcReader).
class WarcStream {
 public:
  /// The source and the sink must outlive the stream. gzip members are decoded by up to `threads` threads,
  /// which read ahead of the caller if there are several.
  WarcStream(base::ByteSource& source, const FaultSink& on_fault, unsigned threads = 1);

  /// Everything that is buffered, which is at least `wanted` bytes unless the file ends before. Valid until
  /// the next call. Errors are those of the disk, and invalid_data for a file that is nothing but damage.
  base::Result<std::string_view> peek(std::size_t wanted);
  /// Drops bytes from the front, which must be buffered.
  void skip(std::size_t count);

  /// Of the first byte that is buffered.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  /// The distance to the first place after `from` where a member ends, if that is within the buffer. Both are
  /// counted from the front.
  [[nodiscard]] std::optional<std::size_t> member_end(std::size_t from) const;
  /// Bytes from the front to the end of the file, if that is known: of a plain file with a size.
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
  DecoderMaker make_decoder_;  ///< empty: the file is plain
  std::string_view magic_;     ///< with which a member begins
  std::unique_ptr<base::Decoder> decoder_;
  unsigned threads_;
  /// As read, not decoded yet. Does not change between begin() and finish() of `members_`.
  StreamBuffer raw_;
  bool raw_ended_ = false;
  std::optional<MemberDecoder> members_;  ///< of a gzip file
  base::Result<void> ahead_;              ///< whether the members after `pieces_` could be read
  std::deque<MemberPiece> pieces_;        ///< decoded, and to come behind the buffer
  std::vector<StreamBuffer> spare_;
  std::size_t streamed_ = 0;  ///< raw bytes to decode step by step, after one that was not whole
  bool is_fresh_ = true;      ///< the decoder has decoded nothing yet
  bool lost_ = false;         ///< looking for the next member
  std::size_t recoveries_ = 0;
  StreamBuffer buffer_;  ///< decoded
  std::uint64_t offset_ = 0;
  bool ended_ = false;
  std::deque<std::uint64_t> ends_;  ///< offsets where members end, from the front on
};

}  // namespace sheaf::warc
