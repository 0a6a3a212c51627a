// The hand-written check of language tags against the schema's own pattern.
#include "fuzz_support.h"
#include "sheaf/model/language.h"

#include <cstdint>
#include <regex>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // std::regex recurses for every character.
  constexpr std::size_t kLongest = 256;
  static const std::regex pattern("[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-[0-9A-Za-z]+)*");
  const std::string_view tag = sheaf::fuzz::as_text(data, size).substr(0, kLongest);
  const bool matches = std::regex_match(tag.begin(), tag.end(), pattern);
  sheaf::fuzz::require(sheaf::model::is_language_tag(tag) == matches);
  return 0;
}
