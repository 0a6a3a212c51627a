#include "sheaf/base/brotli_decoder.h"

#include <brotli/decode.h>

#include <cstdint>
#include <string>

namespace sheaf::base {
namespace {

struct FreeBrotli {
  void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
};

class BrotliDecoder final : public Decoder {
 public:
  // Without the parameter for large windows, the window is at most 16 MiB.
  BrotliDecoder() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {}

  Result<DecodeStep> decode(std::string_view in, std::span<char> out) override {
    if (ended_) {
      if (in.empty()) return DecodeStep{};
      return fail(Errc::invalid_data, "there are bytes after the end of the brotli data");
    }
    std::size_t in_left = in.size();
    std::size_t out_left = out.size();
    const auto* next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    auto* next_out = reinterpret_cast<std::uint8_t*>(out.data());
    const BrotliDecoderResult result =
        BrotliDecoderDecompressStream(state_.get(), &in_left, &next_in, &out_left, &next_out, nullptr);
    if (result == BROTLI_DECODER_RESULT_ERROR)
      return fail(Errc::invalid_data, std::string("the brotli data is corrupt: ") +
                                          BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state_.get())));
    ended_ = result == BROTLI_DECODER_RESULT_SUCCESS;
    return DecodeStep{in.size() - in_left, out.size() - out_left};
  }

  [[nodiscard]] bool may_end() const override { return ended_; }

 private:
  std::unique_ptr<BrotliDecoderState, FreeBrotli> state_;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<Decoder> make_brotli_decoder() { return std::make_unique<BrotliDecoder>(); }

}  // namespace sheaf::base
