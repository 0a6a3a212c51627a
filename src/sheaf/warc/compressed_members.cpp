#include "sheaf/warc/compressed_members.h"

#include "sheaf/base/threads.h"

#include <libdeflate.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <new>
#include <span>
#include <thread>
#include <utility>

namespace sheaf::warc {
namespace {

constexpr std::string_view kMemberStart = "\x1f\x8b\x08";
constexpr std::size_t kMemberHead = 10;
constexpr std::size_t kFlags = 3;
// The flags that RFC 1952 reserves, and FHCRC: libdeflate does not verify the checksum of a header.
constexpr unsigned kRefusedFlags = 0xe2;
// HTML compresses to about a sixth. Memory that is reserved but never written to costs nothing.
constexpr std::size_t kRoomForByte = 40;
constexpr std::size_t kMinRoom = std::size_t{256} << 10U;

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};
using Decompressor = std::unique_ptr<libdeflate_decompressor, FreeDecompressor>;

Decompressor make_decompressor() {
  Decompressor decompressor(libdeflate_alloc_decompressor());
  if (!decompressor) throw std::bad_alloc();
  return decompressor;
}

bool is_member_start(std::string_view text) {
  return text.size() >= kMemberHead && text.starts_with(kMemberStart) &&
         (static_cast<unsigned char>(text[kFlags]) & kRefusedFlags) == 0;
}

/// Returns where the next member may begin, at or after `from`, or the end of the text if there is no such
/// place.
std::size_t find_member(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find(kMemberStart, from); at != std::string_view::npos;
       at = text.find(kMemberStart, at + 1))
    if (is_member_start(text.substr(at))) return at;
  return text.size();
}

/// Decodes members, beginning at `from`, until the next one begins at or after `to`. Stops early at bytes
/// that are not an intact member.
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

/// Returns a buffer for what `bytes` compressed bytes expand to. Uses the last spare buffer if that is large
/// enough.
StreamBuffer take_buffer(std::vector<StreamBuffer>& spare, std::size_t bytes) {
  const std::size_t behind = std::max(kMinRoom, kRoomForByte * bytes);
  StreamBuffer buffer;
  if (!spare.empty()) {
    buffer = std::move(spare.back());
    spare.pop_back();
  }
  if (buffer.capacity() >= MemberDecoder::kFrontRoom + behind) return buffer;
  return {MemberDecoder::kFrontRoom, behind};
}

}  // namespace

/// One input, and the pieces that the threads decode from it.
struct MemberDecoder::Batch {
  std::string_view in;
  std::vector<std::size_t> starts;  ///< guessed starts of the pieces, then the end of the input
  std::vector<MemberPiece> pieces;
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> finished = 0;

  /// Decodes pieces from their guessed starts, until every piece has been taken by some thread.
  void decode_guesses(libdeflate_decompressor* decompressor) {
    for (std::size_t i = next++; i < pieces.size(); i = next++) {
      try {
        decode_piece(decompressor, in, starts[i], starts[i + 1], pieces[i]);
      } catch (const std::bad_alloc&) {
        pieces[i].consumed = 0;
      }
      ++finished;
      finished.notify_one();
    }
  }
  void wait_for(std::size_t number) const {
    for (std::size_t count = finished; count < number; count = finished) finished.wait(count);
  }
  /// When this returns, no thread uses the input any more.
  void cancel() { wait_for(std::min(next.exchange(pieces.size()), pieces.size())); }
};

struct MemberDecoder::State {
  explicit State(unsigned others) : batches(2 * std::max<std::size_t>(others, 1)) {}
  ~State() { batches.close(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// Returns the guessed starts of the pieces, then the end of the input.
  [[nodiscard]] std::vector<std::size_t> guess_starts(std::string_view in) const {
    std::vector<std::size_t> starts{0};
    while (starts.back() < in.size())
      starts.push_back(find_member(in, std::min(starts.back() + piece_bytes, in.size())));
    return starts;
  }

  void work(libdeflate_decompressor* own) {
    while (const auto taken = batches.pop()) (*taken)->decode_guesses(own);
  }

  std::size_t piece_bytes = kPieceBytes;
  Decompressor decompressor = make_decompressor();  ///< used by the calling thread
  std::shared_ptr<Batch> batch;                     ///< set between begin() and finish()
  // Shared ownership: a thread may receive a batch whose pieces are all taken, or even finished.
  base::BoundedQueue<std::shared_ptr<Batch>> batches;
  // The threads are persistent. Linux often starts a new thread on the processor of its parent, so threads
  // that were created for each batch of a few milliseconds hardly ran in parallel.
  std::vector<std::jthread> threads;
};

MemberDecoder::MemberDecoder(unsigned threads, std::size_t piece_bytes)
    : state_(std::make_unique<State>(std::max(threads, 1U) - 1)) {
  state_->piece_bytes = std::max<std::size_t>(piece_bytes, 1);
  for (unsigned i = 1; i < threads; ++i)
    base::start_threads(
        state_->threads, 1, 0,
        [state = state_.get(), own = std::shared_ptr(make_decompressor())] { state->work(own.get()); });
}

MemberDecoder::~MemberDecoder() {
  if (has_begun()) state_->batch->cancel();
}

bool MemberDecoder::has_begun() const { return state_->batch != nullptr; }

void MemberDecoder::begin(std::string_view in, std::vector<StreamBuffer> spare) {
  const auto batch = std::make_shared<Batch>();
  batch->in = in;
  batch->starts = state_->guess_starts(in);
  batch->pieces = std::vector<MemberPiece>(batch->starts.size() - 1);
  // Most pieces are a little larger than planned. Buffers of the same size can be reused for any of them.
  const std::size_t usual = std::min(2 * state_->piece_bytes, in.size());
  for (std::size_t i = 0; i < batch->pieces.size(); ++i)
    batch->pieces[i].bytes = take_buffer(spare, std::max(batch->starts[i + 1] - batch->starts[i], usual));
  state_->batch = batch;
  for (std::size_t i = 0; i < std::min(state_->threads.size(), batch->pieces.size()); ++i) {
    auto work = batch;
    state_->batches.try_push(work);  // if the queue is full, finish() decodes what is left
  }
}

DecodedMembers MemberDecoder::finish() {
  const auto batch = std::exchange(state_->batch, nullptr);
  const bool has_guessed = !state_->threads.empty();
  if (has_guessed) {
    batch->decode_guesses(state_->decompressor.get());
    batch->wait_for(batch->pieces.size());
  }
  DecodedMembers all;
  for (std::size_t i = 0; i < batch->pieces.size(); ++i) {
    MemberPiece& piece = batch->pieces[i];
    const std::size_t end = batch->starts[i + 1];
    if (all.consumed < batch->starts[i]) break;  // a member before this piece is damaged or incomplete
    if (all.consumed >= end) continue;           // a wrong guess: an earlier member extends past this piece
    if (all.consumed > batch->starts[i] || !has_guessed)
      decode_piece(state_->decompressor.get(), batch->in, all.consumed, end, piece);
    all.consumed += piece.consumed;
    if (piece.consumed > 0) all.pieces.push_back(std::move(piece));
  }
  return all;
}

namespace {

// zstd's own default limit, 128 MiB. A frame with a larger window is refused.
constexpr int kWindowLogMax = 27;

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

using SharedDictionary = std::shared_ptr<ZSTD_DDict>;

base::Error zstd_fault(std::size_t code) {
  return {base::Errc::invalid_data, std::string("the zstd data is corrupt: ") + ZSTD_getErrorName(code)};
}

class FrameDecoder final : public base::Decoder {
 public:
  explicit FrameDecoder(SharedDictionary dictionary)
      : dictionary_(std::move(dictionary)), context_(ZSTD_createDCtx()) {
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kWindowLogMax);
    if (dictionary_) ZSTD_DCtx_refDDict(context_.get(), dictionary_.get());
  }

  base::Result<base::DecodeStep> decode(std::string_view in, std::span<char> out) override {
    // Between frames, a call without input would make the library expect another frame.
    if (ended_ && in.empty()) return base::DecodeStep{};
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t left = ZSTD_decompressStream(context_.get(), &output, &input);
    if (ZSTD_isError(left) != 0) return std::unexpected(zstd_fault(left));
    ended_ = left == 0;
    return base::DecodeStep{input.pos, output.pos};
  }

  [[nodiscard]] bool may_end() const override { return ended_; }

 private:
  SharedDictionary dictionary_;  ///< must outlive the context
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  bool ended_ = true;
};

}  // namespace

base::Result<std::string> read_dictionary(std::string_view content) {
  const bool is_compressed = content.starts_with("\x28\xb5\x2f\xfd");
  if (!is_compressed) return std::string(content);
  FrameDecoder decoder(nullptr);
  std::string dictionary;
  std::array<char, std::size_t{64} << 10> piece;
  while (dictionary.size() <= kDictionaryBytes) {
    SHEAF_TRY_ASSIGN(const base::DecodeStep step, decoder.decode(content, piece));
    content.remove_prefix(step.consumed);
    dictionary.append(piece.data(), step.produced);
    if (decoder.may_end() && content.empty()) return dictionary;
    if (step.consumed == 0 && step.produced == 0) break;
  }
  return base::fail(base::Errc::invalid_data, "the zstd dictionary is cut off or too large");
}

base::Result<DecoderMaker> frame_decoders(std::string_view dictionary) {
  SharedDictionary shared;
  if (!dictionary.empty()) {
    shared = SharedDictionary(ZSTD_createDDict(dictionary.data(), dictionary.size()), ZSTD_freeDDict);
    if (!shared) return base::fail(base::Errc::invalid_data, "the zstd dictionary cannot be used");
  }
  return [shared] { return std::make_unique<FrameDecoder>(shared); };
}

}  // namespace sheaf::warc
