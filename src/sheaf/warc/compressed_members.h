#pragma once

#include "sheaf/base/decoder.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::warc {

/// A byte buffer that does not clear its memory. It has room behind the bytes for more, and in front of them
/// for the rest of a previous buffer. So a buffer of newly decoded bytes can replace the current one, and
/// only the unread rest has to be copied.
class StreamBuffer {
 public:
  StreamBuffer() = default;
  /// Creates an empty buffer with room for `front` bytes in front and `behind` bytes behind.
  StreamBuffer(std::size_t front, std::size_t behind)
      : memory_(std::make_unique_for_overwrite<char[]>(front + behind)),
        capacity_(front + behind),
        begin_(front),
        end_(front) {}

  [[nodiscard]] std::string_view bytes() const { return {memory_.get() + begin_, end_ - begin_}; }
  [[nodiscard]] std::size_t size() const { return end_ - begin_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  /// The room behind the bytes.
  [[nodiscard]] std::span<char> room() { return {memory_.get() + end_, capacity_ - end_}; }

  /// Counts bytes that were written to the start of room().
  void add(std::size_t count) { end_ += count; }
  /// Removes bytes from the front.
  void drop(std::size_t count) { begin_ += count; }
  /// Makes the buffer empty, with room for `front` bytes in front.
  void clear(std::size_t front) { begin_ = end_ = front; }

  /// Ensures room for `size` more bytes behind. May move the bytes.
  void make_room(std::size_t size) {
    if (capacity_ - end_ >= size) return;
    const std::size_t count = end_ - begin_;
    // Moves at most as many bytes as were dropped before, so all moves together cost no more than one copy.
    if (begin_ >= count && capacity_ - count >= size) {
      if (count > 0) std::memcpy(memory_.get(), memory_.get() + begin_, count);
    } else {
      StreamBuffer larger(0, std::max(2 * capacity_, count + size));
      if (count > 0) std::memcpy(larger.memory_.get(), memory_.get() + begin_, count);
      std::swap(memory_, larger.memory_);
      std::swap(capacity_, larger.capacity_);
    }
    begin_ = 0;
    end_ = count;
  }

  void append(std::string_view bytes) {
    make_room(bytes.size());
    if (!bytes.empty()) std::memcpy(memory_.get() + end_, bytes.data(), bytes.size());
    end_ += bytes.size();
  }

  /// Prepends bytes. Returns false if there is no room for them in front.
  bool prepend(std::string_view bytes) {
    if (bytes.size() > begin_) return false;
    begin_ -= bytes.size();
    if (!bytes.empty()) std::memcpy(memory_.get() + begin_, bytes.data(), bytes.size());
    return true;
  }

 private:
  std::unique_ptr<char[]> memory_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// Consecutive members that were decoded together.
struct MemberPiece {
  StreamBuffer bytes;             ///< decoded, with kFrontRoom in front
  std::vector<std::size_t> ends;  ///< where members end within `bytes`
  std::size_t consumed = 0;       ///< compressed size
};

/// The result of MemberDecoder: pieces in the order of the file.
struct DecodedMembers {
  std::vector<MemberPiece> pieces;
  std::size_t consumed = 0;  ///< compressed size of all pieces; ends after a whole member
};

/// Decodes the gzip members of a buffer with several threads. The start of a member is known only when the
/// member before it has been decoded, so threads guess: they begin at bytes that look like the start of a
/// member. What they decode counts only if the members before it end exactly there.
class MemberDecoder {
 public:
  /// Approximate compressed size of a piece. Once decoded, it still fits into a processor's cache.
  static constexpr std::size_t kPieceBytes = std::size_t{128} << 10U;
  /// Room in front of a piece for the rest of the previous one, which is usually a part of one record.
  static constexpr std::size_t kFrontRoom = std::size_t{256} << 10U;

  /// `threads` includes the thread that calls finish().
  explicit MemberDecoder(unsigned threads, std::size_t piece_bytes = kPieceBytes);
  ~MemberDecoder();
  MemberDecoder(const MemberDecoder&) = delete;
  MemberDecoder& operator=(const MemberDecoder&) = delete;

  /// Lets the other threads begin to decode `in`, which must stay valid and unchanged until finish(). `spare`
  /// are buffers to reuse.
  void begin(std::string_view in, std::vector<StreamBuffer> spare = {});
  /// Returns the members from the front of the input, up to the first one that is incomplete, damaged, or
  /// expands more than about fortyfold. If that is the very first member, nothing is consumed: decode it with
  /// a stream decoder, which also reports what is wrong.
  DecodedMembers finish();
  [[nodiscard]] bool has_begun() const;

  DecodedMembers decode(std::string_view in, std::vector<StreamBuffer> spare = {}) {
    begin(in, std::move(spare));
    return finish();
  }

 private:
  struct Batch;
  struct State;
  std::unique_ptr<State> state_;
};

// zstd as WARC files use it: one frame per record. If the writer trained a dictionary for all of them, a
// skippable frame at the front of the file holds it.

/// The magic number of the skippable frame that holds the dictionary (0x184D2A5D, little-endian).
inline constexpr std::string_view kDictionaryFrame = "\x5d\x2a\x4d\x18";
/// The size of its header: the magic number, then four bytes with the size of the content.
inline constexpr std::size_t kSkippableHead = 8;
/// Maximum size of a dictionary. Real ones have about 100 KiB.
inline constexpr std::size_t kDictionaryBytes = std::size_t{64} << 20;

/// Returns the dictionary in the content of such a frame, which may itself be compressed. Fails with
/// invalid_data if it is damaged or too large.
base::Result<std::string> read_dictionary(std::string_view content);

using DecoderMaker = std::function<std::unique_ptr<base::Decoder>()>;

/// Returns a function that makes frame decoders which share a dictionary (may be empty). A decoder decodes at
/// most one frame per call, so may_end() is true exactly where a frame ends. Skippable frames are skipped.
/// Fails with invalid_data if the dictionary is unusable.
base::Result<DecoderMaker> frame_decoders(std::string_view dictionary);

}  // namespace sheaf::warc
