#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::format {

/// Position of the last block of a raw deflate stream, in bits.
struct LastBlock {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Finds the last block by adding up symbol lengths without decoding, which is twice as fast as inflating
/// with zlib. nullopt if the stream does not end with its last byte or has another decompressed size. The
/// content is not verified.
std::optional<LastBlock> find_last_block(std::string_view deflated, std::size_t plain_size);

/// Turns a complete stream into the first part of a longer one, which continues at the next byte.
void leave_open(std::string& deflated, LastBlock last);

}  // namespace sheaf::format
