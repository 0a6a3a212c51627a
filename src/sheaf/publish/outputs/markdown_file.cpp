#include "sheaf/publish/outputs/markdown_file.h"

#include "sheaf/base/percent_encoding.h"

#include <algorithm>

namespace sheaf::publish {
namespace {

constexpr std::size_t kMaxNameBytes = 240;  // file systems allow 255

/// Whether a decoded part of a path is safe as the name of a file or folder.
bool is_file_name(std::string_view part) {
  return !part.empty() && part.size() <= kMaxNameBytes && !part.starts_with('.') &&
         std::ranges::none_of(part, [](char c) {
           return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '/' || c == '\\';
         });
}

}  // namespace

std::optional<std::string> markdown_file_of(std::string_view url, std::string_view folder) {
  if (!url.starts_with(folder) || url.find_first_of("?#") != std::string_view::npos) return std::nullopt;
  std::string_view rest = url.substr(folder.size());
  const bool is_folder = rest.empty() || rest.ends_with('/');
  if (is_folder && !rest.empty()) rest.remove_suffix(1);
  std::string file;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string part = base::percent_decode(rest.substr(0, end));
    if (!is_file_name(part)) return std::nullopt;
    if (!file.empty()) file += '/';
    file += part;
    if (end + 1 == rest.size()) return std::nullopt;  // an empty last part
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (is_folder) file += file.empty() ? "index.html" : "/index.html";
  return file + ".md";
}

}  // namespace sheaf::publish
