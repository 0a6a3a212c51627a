#pragma once

#include "sheaf/warc/stream_buffer.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::warc {

/// Some members that follow one another.
struct MemberPiece {
  StreamBuffer bytes;             ///< decoded, with kFrontRoom in front
  std::vector<std::size_t> ends;  ///< where members end in them
  std::size_t consumed = 0;       ///< bytes of the input
};

/// What MemberDecoder decoded: pieces in the order of the file.
struct DecodedMembers {
  std::vector<MemberPiece> pieces;
  std::size_t consumed = 0;  ///< bytes of the input: whole members
};

/// Decodes gzip members that are in memory as a whole, with several threads. Where a member begins is known
/// only when the one before it is decoded, so threads guess: they begin at bytes that look like the start of
/// a member, and what they decode counts only if the members before it end exactly there.
class MemberDecoder {
 public:
  /// A piece is made of about so many bytes. Decoded it still fits into the cache of a processor.
  static constexpr std::size_t kPieceBytes = std::size_t{128} << 10U;
  /// For the rest of the piece before: usually a part of one record.
  static constexpr std::size_t kFrontRoom = std::size_t{256} << 10U;

  /// The caller of finish() counts as one of the threads.
  explicit MemberDecoder(unsigned threads, std::size_t piece_bytes = kPieceBytes);
  ~MemberDecoder();
  MemberDecoder(const MemberDecoder&) = delete;
  MemberDecoder& operator=(const MemberDecoder&) = delete;

  /// The other threads begin to decode `in`, which must live and not change until finish(). `spare` are
  /// buffers to be used again.
  void begin(std::string_view in, std::vector<StreamBuffer> spare = {});
  /// Members from the front of the input, as many as are whole and undamaged, and do not become more than
  /// forty times as large. Nothing is consumed where the first of them is not so: that is for a decoder of
  /// streams, which also knows what is wrong.
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
