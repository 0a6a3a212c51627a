#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::format {

/// The last block of a raw deflate stream, in bits from the stream's first one.
struct LastBlock {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Goes from block to block of a whole stream, adding up lengths without decoding anything, which is twice as
/// quick as inflating by zlib. Nullopt where the stream does not end with its last byte or does not make so
/// many bytes; it is no proof that the bytes are the right ones.
std::optional<LastBlock> find_last_block(std::string_view deflated, std::size_t plain_size);

/// Makes a whole stream the beginning of a longer one, which goes on behind it at a full byte.
void leave_open(std::string& deflated, LastBlock last);

}  // namespace sheaf::format
