#include "sheaf/doctor/minisign_text.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sheaf::doctor {
namespace {

constexpr std::size_t kSignatureDigits = 100;  // 2 bytes of algorithm, 8 of key id, 64 of signature
constexpr std::size_t kGlobalDigits = 88;      // 64 bytes

bool is_base64(std::string_view text, std::size_t digits) {
  if (text.size() != digits) return false;
  while (text.ends_with('=')) text.remove_suffix(1);
  return digits - text.size() <= 2 && std::ranges::all_of(text, [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
                  c == '/';
         });
}

}  // namespace

std::optional<std::string> find_minisign_fault(std::string_view text) {
  std::array<std::string_view, 4> lines;
  for (std::string_view& line : lines) {
    const std::size_t end = text.find('\n');
    line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  if (!lines[0].starts_with("untrusted comment:")) return "line 1 is not an untrusted comment";
  // "ED" is the prehashed form, "Ed" the older one that signs the file itself.
  const bool has_algorithm = lines[1].starts_with("RU") || lines[1].starts_with("RW");
  if (!is_base64(lines[1], kSignatureDigits) || !has_algorithm)
    return "line 2 is not an Ed25519 signature in base64";
  if (!lines[2].starts_with("trusted comment:")) return "line 3 is not a trusted comment";
  if (!is_base64(lines[3], kGlobalDigits)) return "line 4 is not a signature in base64";
  return std::nullopt;
}

}  // namespace sheaf::doctor
