#pragma once

#include "sheaf/base/decoder.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

// zstd as WARC files use it: one frame per record. If the writer trained a dictionary for all of them, a
// skippable frame at the front of the file holds it.
namespace sheaf::warc {

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
