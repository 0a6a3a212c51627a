#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/gzip_decoder.h"
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

/// The codec by the file's first bytes; names and headers lie. Four bytes are enough.
Codec sniff_codec(std::string_view first_bytes);

using base::Decoder;
using base::DecodeStep;

/// Concatenated gzip members and zstd frames (skippable ones too) count as one stream. A decoder allocates
/// nothing by the input's word but zstd's window, which is capped at 128 MiB.
std::unique_ptr<Decoder> make_decoder(Codec codec);
using base::make_gzip_decoder;
using base::make_zlib_gzip_decoder;
std::unique_ptr<Decoder> make_zstd_decoder();

enum class Flush : std::uint8_t { more, end };

/// Turns plain bytes into one gzip member or one zstd frame, the same bytes every time.
class Encoder {
 public:
  virtual ~Encoder() = default;

  /// Appends to `out`. After Flush::end the stream is complete and the encoder is done.
  virtual base::Result<void> encode(std::string_view in, Flush flush, std::string& out) = 0;
};

/// `level` as the codec's own library counts it: gzip 1 to 9, zstd 1 to 19 and below 0; plain ignores it.
/// gzip uses as many threads as it is given, and the bytes do not depend on that; the others use the
/// caller's.
std::unique_ptr<Encoder> make_encoder(Codec codec, int level, unsigned threads = 1);
std::unique_ptr<Encoder> make_gzip_encoder(int level, unsigned threads = 1);
std::unique_ptr<Encoder> make_zstd_encoder(int level);

}  // namespace sheaf::format
