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
/// with zlib. Returns nullopt if the stream does not end in the last byte of `deflated` or does not
/// decompress to `plain_size` bytes. The content is not verified.
std::optional<LastBlock> find_last_block(std::string_view deflated, std::size_t plain_size);

/// Turns a complete stream into the first part of a longer one, whose next part can be appended as bytes.
void leave_open(std::string& deflated, LastBlock last);

}  // namespace sheaf::format
