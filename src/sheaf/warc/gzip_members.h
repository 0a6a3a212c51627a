#pragma once

#include "sheaf/warc/stream_buffer.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::warc {

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

}  // namespace sheaf::warc
