#include "sheaf/model/language.h"

#include "sheaf/base/ascii.h"

#include <algorithm>

namespace sheaf::model {
namespace {

constexpr std::size_t kTagBytes = 64;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
char to_upper(char c) { return is_lower(c) ? static_cast<char>(c - 0x20) : c; }

}  // namespace

// The schema has optional script and region subtags, but its last group, (-[0-9A-Za-z]+)*, matches them too.
// So only the language and the form of the subtags need to be checked.
bool is_language_tag(std::string_view tag) noexcept {
  const std::size_t end = std::min(tag.find('-'), tag.size());
  if (end < 2 || end > 3 || !std::ranges::all_of(tag.substr(0, end), is_lower)) return false;
  std::string_view rest = tag.substr(end);
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::size_t length = std::min(rest.find('-'), rest.size());
    if (length == 0 || !std::ranges::all_of(rest.substr(0, length), base::is_alphanumeric)) return false;
    rest.remove_prefix(length);
  }
  return true;
}

std::string normal_language_tag(std::string_view raw) {
  raw = base::trim_space(raw);
  raw = raw.substr(0, raw.find_first_of(".@"));  // en_US.UTF-8, as in POSIX locales
  if (raw.size() > kTagBytes) return {};
  std::string tag = base::lower_text(raw);
  std::ranges::replace(tag, '_', '-');
  for (std::size_t at = tag.find('-'); at != std::string::npos;) {
    const std::size_t begin = at + 1;
    at = tag.find('-', begin);
    const std::size_t size = std::min(at, tag.size()) - begin;
    // A single letter starts an extension, which remains in lower case.
    if (size == 1) break;
    if (size == 2) std::transform(&tag[begin], &tag[begin] + 2, &tag[begin], to_upper);
    if (size == 4 && tag[begin] > '9') tag[begin] = to_upper(tag[begin]);
  }
  // A tag cannot end with a single letter or digit, which starts an extension: "utf-8" is a charset.
  const std::size_t last = tag.rfind('-');
  const bool ends_open = last != std::string::npos && tag.size() - last == 2;
  return is_language_tag(tag) && !ends_open ? tag : std::string();
}

}  // namespace sheaf::model
