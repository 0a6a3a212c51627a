#pragma once

#include "sheaf/base/decoder.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

// zstd as WARC files use it: one frame for each record, and in front of them, where the writer trained one, a
// skippable frame with a dictionary for all of them.
namespace sheaf::warc {

/// A skippable frame at the front that holds a dictionary has this number (0x184D2A5D, little-endian).
inline constexpr std::string_view kDictionaryFrame = "\x5d\x2a\x4d\x18";
/// Its header: the number, and four bytes with its size.
inline constexpr std::size_t kSkippableHead = 8;
/// A larger dictionary is refused. Real ones have about 100 KiB.
inline constexpr std::size_t kDictionaryBytes = std::size_t{64} << 20;

/// The dictionary in the content of such a frame, which may itself be compressed. invalid_data if it is not
/// one.
base::Result<std::string> read_dictionary(std::string_view content);

using DecoderMaker = std::function<std::unique_ptr<base::Decoder>()>;

/// Makes decoders of frames that share a dictionary, which may be empty. A decoder decodes at most one frame
/// in a call, so that may_end() is true exactly where a frame ends. Skippable frames are skipped.
/// invalid_data: not a dictionary.
base::Result<DecoderMaker> frame_decoders(std::string_view dictionary);

}  // namespace sheaf::warc
