#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/decoder.h"
#include "sheaf/base/error.h"
#include "sheaf/warc/gzip_members.h"
#include "sheaf/warc/zstd_frames.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

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
  /// The source and the sink must outlive the stream. gzip members are decoded by up to `threads` threads.
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
  base::Result<bool> decode_whole_members();
  base::Result<void> recover(const base::Error& error);
  void end_member();
  void make_room(std::size_t size);
  [[nodiscard]] std::uint64_t end_offset() const { return offset_ + (filled_ - front_); }
  void report(std::string message) { on_fault_({end_offset(), std::move(message)}); }
  [[nodiscard]] std::string_view raw() const { return std::string_view(raw_).substr(raw_front_); }

  base::ByteSource& source_;
  const FaultSink& on_fault_;
  bool is_open_ = false;
  DecoderMaker make_decoder_;  ///< empty: the file is plain
  std::string_view magic_;     ///< with which a member begins
  std::unique_ptr<base::Decoder> decoder_;
  unsigned threads_;
  std::optional<MemberDecoder> members_;  ///< of a gzip file
  std::size_t streamed_ = 0;              ///< raw bytes to decode step by step, after one that was not whole
  bool is_fresh_ = true;                  ///< the decoder has decoded nothing yet
  std::string raw_;                       ///< as read, not decoded yet from raw_front_ on
  std::size_t raw_front_ = 0;
  bool raw_ended_ = false;
  bool lost_ = false;  ///< looking for the next member
  std::size_t recoveries_ = 0;
  std::string buffer_;  ///< decoded from front_ to filled_; its size is what there is room for
  std::size_t front_ = 0;
  std::size_t filled_ = 0;
  std::uint64_t offset_ = 0;
  bool ended_ = false;
  std::deque<std::uint64_t> ends_;  ///< offsets where members end, from the front on
};

}  // namespace sheaf::warc
