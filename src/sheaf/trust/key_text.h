#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What minisign's files share: lines, comments and Base64.
namespace sheaf::trust {

inline constexpr std::string_view kUntrustedComment = "untrusted comment: ";
inline constexpr std::string_view kTrustedComment = "trusted comment: ";

/// The lines of a file with one line feed after each, or a carriage return and a line feed; the last may lack
/// it. Nullopt if there are more than `most` lines, or one is longer than a comment of minisign may be.
std::optional<std::vector<std::string_view>> split_lines(std::string_view text, std::size_t most);

/// The bytes of a Base64 text that stands for exactly `size` bytes.
std::optional<std::string> decode_exactly(std::string_view text, std::size_t size);

/// Whether the text has printable characters only, so that it can be one line of a file.
bool is_printable_line(std::string_view text);

}  // namespace sheaf::trust
