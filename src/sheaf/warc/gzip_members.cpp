#include "sheaf/warc/gzip_members.h"

#include <libdeflate.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <new>
#include <span>
#include <utility>

namespace sheaf::warc {
namespace {

constexpr std::string_view kMemberStart = "\x1f\x8b\x08";
constexpr std::size_t kMemberHead = 10;
constexpr std::size_t kFlags = 3;
// Flags that RFC 1952 reserves, and the one of a header with a checksum, which libdeflate does not verify.
constexpr unsigned kRefusedFlags = 0xe2;
// HTML shrinks to a sixth. Memory that is not written to costs nothing.
constexpr std::size_t kRoomForByte = 40;
constexpr std::size_t kLeastRoom = std::size_t{256} << 10U;

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};
using Decompressor = std::unique_ptr<libdeflate_decompressor, FreeDecompressor>;

bool is_member_start(std::string_view text) {
  return text.size() >= kMemberHead && text.starts_with(kMemberStart) &&
         (static_cast<unsigned char>(text[kFlags]) & kRefusedFlags) == 0;
}

/// Where the next member may begin, at or after `from`; the end of the text where none does.
std::size_t find_member(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find(kMemberStart, from); at != std::string_view::npos;
       at = text.find(kMemberStart, at + 1))
    if (is_member_start(text.substr(at))) return at;
  return text.size();
}

/// Decodes members from `from` until one begins at `to` or behind it.
void decode_piece(libdeflate_decompressor* decompressor, std::string_view in, std::size_t from,
                  std::size_t to, MemberPiece& piece) {
  piece.bytes.clear(MemberDecoder::kFrontRoom);
  piece.ends.clear();
  piece.consumed = 0;
  for (std::size_t at = from; at < to && is_member_start(in.substr(at)); at = from + piece.consumed) {
    const std::span<char> room = piece.bytes.room();
    std::size_t consumed = 0;
    std::size_t produced = 0;
    const auto outcome = libdeflate_gzip_decompress_ex(decompressor, in.data() + at, in.size() - at,
                                                       room.data(), room.size(), &consumed, &produced);
    if (outcome != LIBDEFLATE_SUCCESS) break;
    piece.consumed += consumed;
    piece.bytes.add(produced);
    piece.ends.push_back(piece.bytes.size());
  }
}

/// A buffer for what so many bytes become: a spare one if the last of them is large enough.
StreamBuffer take_buffer(std::vector<StreamBuffer>& spare, std::size_t bytes) {
  const std::size_t behind = std::max(kLeastRoom, kRoomForByte * bytes);
  StreamBuffer buffer;
  if (!spare.empty()) {
    buffer = std::move(spare.back());
    spare.pop_back();
  }
  if (buffer.capacity() >= MemberDecoder::kFrontRoom + behind) return buffer;
  return {MemberDecoder::kFrontRoom, behind};
}

}  // namespace

struct MemberDecoder::State {
  std::vector<Decompressor> decompressors;  ///< one for each thread
  std::size_t piece_bytes = kPieceBytes;

  /// Where pieces may begin, and the end of the input.
  [[nodiscard]] std::vector<std::size_t> guess_starts(std::string_view in) const {
    std::vector<std::size_t> starts{0};
    while (starts.back() < in.size())
      starts.push_back(find_member(in, std::min(starts.back() + piece_bytes, in.size())));
    return starts;
  }

  /// Decodes every piece from where it is guessed to begin.
  void decode_guesses(std::string_view in, const std::vector<std::size_t>& starts,
                      std::vector<MemberPiece>& pieces) {
    std::atomic<std::size_t> next = 0;
    const auto work = [&](std::size_t thread) {
      for (std::size_t i = next++; i < pieces.size(); i = next++)
        decode_piece(decompressors[thread].get(), in, starts[i], starts[i + 1], pieces[i]);
    };
    std::vector<std::future<void>> others;
    for (std::size_t i = 1; i < std::min(decompressors.size(), pieces.size()); ++i)
      others.push_back(std::async(std::launch::async, work, i));
    work(0);
    for (std::future<void>& other : others) other.get();
  }
};

MemberDecoder::MemberDecoder(unsigned threads, std::size_t piece_bytes) : state_(std::make_unique<State>()) {
  state_->piece_bytes = std::max<std::size_t>(piece_bytes, 1);
  for (unsigned i = 0; i < std::max(threads, 1U); ++i) {
    state_->decompressors.emplace_back(libdeflate_alloc_decompressor());
    if (!state_->decompressors.back()) throw std::bad_alloc();
  }
}

MemberDecoder::~MemberDecoder() = default;

DecodedMembers MemberDecoder::decode(std::string_view in, std::vector<StreamBuffer> spare) {
  const std::vector<std::size_t> starts = state_->guess_starts(in);
  std::vector<MemberPiece> pieces(starts.size() - 1);
  // Most pieces are a little larger than planned. Buffers of one size can be used again for all of them.
  const std::size_t usual = std::min(2 * state_->piece_bytes, in.size());
  for (std::size_t i = 0; i < pieces.size(); ++i)
    pieces[i].bytes = take_buffer(spare, std::max(starts[i + 1] - starts[i], usual));
  const bool has_guessed = state_->decompressors.size() > 1;
  if (has_guessed) state_->decode_guesses(in, starts, pieces);
  DecodedMembers all;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (all.consumed < starts[i]) break;          // a member before it is damaged or not whole
    if (all.consumed >= starts[i + 1]) continue;  // a wrong guess: a member before it reaches further
    if (all.consumed > starts[i] || !has_guessed)
      decode_piece(state_->decompressors[0].get(), in, all.consumed, starts[i + 1], pieces[i]);
    all.consumed += pieces[i].consumed;
    if (pieces[i].consumed > 0) all.pieces.push_back(std::move(pieces[i]));
  }
  return all;
}

}  // namespace sheaf::warc
