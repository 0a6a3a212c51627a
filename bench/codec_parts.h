#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// The libraries that `validate` is made of, each called as directly as can be: what the whole is measured
// against.
namespace sheaf::bench {

/// These give the number of plain bytes. Output goes to one small buffer, over and over.
std::uint64_t decode_zstd(std::string_view compressed);
std::uint64_t decode_gzip(std::string_view compressed);

std::string hash_sha256(std::string_view bytes);

/// Parses every line into a DOM and gives their number. `bytes` must be followed by 64 readable bytes.
std::uint64_t parse_lines(std::string_view bytes);

/// Gives the number of compressed bytes, which are thrown away; with the frame checksum that our writer asks
/// for.
std::uint64_t encode_zstd(std::string_view bytes, int level);

}  // namespace sheaf::bench
