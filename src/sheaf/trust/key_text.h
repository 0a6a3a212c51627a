#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The parts that minisign's files have in common: lines, comments and Base64.
namespace sheaf::trust {

inline constexpr std::string_view kUntrustedComment = "untrusted comment: ";
inline constexpr std::string_view kTrustedComment = "trusted comment: ";

/// The lines of a file, which end in LF or CR LF; the last may lack that. Nullopt if there are more than
/// `most` lines, or if a line is longer than a comment of minisign may be.
std::optional<std::vector<std::string_view>> split_lines(std::string_view text, std::size_t most);

/// Decodes Base64; nullopt unless the result has exactly `size` bytes.
std::optional<std::string> decode_exactly(std::string_view text, std::size_t size);

/// Whether the text has no control characters, so that it can be one line of a file.
bool is_printable_line(std::string_view text);

}  // namespace sheaf::trust
