// The key directory of a crawler: what is read is written as it was meant.
#include "fuzz_support.h"
#include "sheaf/http/signature/web_bot_auth.h"

#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  using namespace sheaf::http::signature;
  using fuzz::require;
  const std::string_view text = fuzz::as_text(data, size);
  if (const auto keys = parse_directory(text)) {
    require(keys->size() <= kMaxDirectoryKeys);
    require(parse_directory(directory_text(*keys)) == *keys);
  }
  if (const auto seed = parse_private_key(text)) require(parse_private_key(private_key_text(*seed)) == *seed);
  return 0;
}
