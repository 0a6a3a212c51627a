// Requests for a pull and the answers to them: bytes of another process. What is read is written as it was
// meant.
#include "fuzz_support.h"
#include "sheaf/pull/control_message.h"

#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  using fuzz::require;
  const std::string_view bytes = fuzz::as_text(data, size);
  if (const auto request = pull::decode_control_request(bytes))
    require(pull::decode_control_request(pull::encode(*request)) == *request);
  if (const auto answer = pull::decode_control_response(bytes))
    require(pull::decode_control_response(pull::encode(*answer)) == *answer);
  return 0;
}
