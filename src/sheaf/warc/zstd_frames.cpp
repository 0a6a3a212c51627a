#include "sheaf/warc/zstd_frames.h"

#include <zstd.h>

#include <array>
#include <utility>

namespace sheaf::warc {
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
