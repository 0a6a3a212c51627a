#pragma once

#include "sheaf/base/decoder.h"
#include "sheaf/base/error.h"
#include <sheaf/collection.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::format {

using sheaf::Codec;
using sheaf::codec_for_path;
using sheaf::default_level;
using sheaf::extension_of;
using sheaf::to_string;

/// Detects the codec by the first bytes of a file, because file names and HTTP headers are often wrong. Four
/// bytes are enough.
Codec sniff_codec(std::string_view first_bytes);

using base::Decoder;
using base::DecodeStep;

/// Concatenated gzip members or zstd frames (including skippable ones) are decoded as one stream. No
/// allocation depends on sizes stated in the input, except zstd's window, which is capped at 128 MiB.
std::unique_ptr<Decoder> make_decoder(Codec codec);
using base::make_gzip_decoder;
using base::make_zlib_gzip_decoder;
std::unique_ptr<Decoder> make_zstd_decoder();

enum class Flush : std::uint8_t { more, end };

/// Compresses bytes to one gzip member or one zstd frame. Equal input gives equal output.
class Encoder {
 public:
  virtual ~Encoder() = default;

  /// Appends to `out`. After Flush::end the stream is complete and the encoder is done.
  virtual base::Result<void> encode(std::string_view in, Flush flush, std::string& out) = 0;
};

/// The level at which nothing is compressed. For zstd this is not a level of the library.
inline constexpr int kGzipStored = 0;
inline constexpr int kZstdStored = -1'000'000;

/// `level` is the level of the codec's library: 1 to 9 for gzip, 1 to 19 and negative ones for zstd, or one
/// of the above; plain ignores it. The output does not depend on the number of threads.
std::unique_ptr<Encoder> make_encoder(Codec codec, int level, unsigned threads = 1);
std::unique_ptr<Encoder> make_gzip_encoder(int level, unsigned threads = 1);
std::unique_ptr<Encoder> make_zstd_encoder(int level, unsigned threads = 1);

}  // namespace sheaf::format
