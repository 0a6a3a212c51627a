// The hand-written check of language tags against the schema's own pattern.
#include "fuzz_support.h"
#include "sheaf/model/field_values.h"

#include <regex.h>

#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // POSIX regular expressions: g++ 12 warns of std::regex's own code when sanitizers are on.
  static const regex_t pattern = [] {
    regex_t compiled;
    const int flags = REG_EXTENDED | REG_NOSUB;
    sheaf::fuzz::require(regcomp(&compiled,
                                 "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-[0-9A-Za-z]+)*$",
                                 flags) == 0);
    return compiled;
  }();
  constexpr std::size_t kMaxLength = 256;
  const std::string_view tag = sheaf::fuzz::as_text(data, size).substr(0, kMaxLength);
  if (tag.find('\0') != std::string_view::npos) return 0;  // where a C string would end
  const bool matches = regexec(&pattern, std::string(tag).c_str(), 0, nullptr, 0) == 0;
  sheaf::fuzz::require(sheaf::model::is_language_tag(tag) == matches);
  return 0;
}
