// A body as a server encoded it: never more than the limit comes out.
#include "fuzz_support.h"
#include "sheaf/http/message/message_body.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  using fuzz::require;
  const std::string body(fuzz::as_text(data, size));
  constexpr std::uint64_t kLimit = 100'000;
  for (const std::string_view coding : {"", "gzip", "deflate", "br"}) {
    const auto plain = http::message::decode_content(body, coding, kLimit);
    require(!plain || plain->size() <= kLimit);
    if (plain && !plain->empty()) require(!http::message::decode_content(body, coding, plain->size() - 1));
  }
  return 0;
}
