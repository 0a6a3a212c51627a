#include "sheaf/trust/key_text.h"

#include "sheaf/base/base64.h"

#include <algorithm>

namespace sheaf::trust {
namespace {

constexpr std::size_t kLineBytes = 8192 + 64;  // minisign: 8192 for a trusted comment, and its label

}  // namespace

std::optional<std::vector<std::string_view>> split_lines(std::string_view text, std::size_t most) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > kLineBytes || lines.size() == most) return std::nullopt;
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::optional<std::string> decode_exactly(std::string_view text, std::size_t size) {
  if (text.size() != (size + 2) / 3 * 4) return std::nullopt;
  auto bytes = base::from_base64(text);
  return bytes && bytes->size() == size ? std::move(bytes) : std::nullopt;
}

bool is_printable_line(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

}  // namespace sheaf::trust
