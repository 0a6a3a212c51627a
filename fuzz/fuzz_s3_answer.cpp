// The input is what a storage answers.
#include "fuzz_support.h"
#include "sheaf/publish/s3_protocol.h"

#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  publish::S3Account account;
  account.access_key = "AKIA";
  account.secret_key = "secret";
  account.session_token = "token";
  const std::string text = publish::describe_refusal(403, body, account);
  fuzz::require(text.size() <= 500);
  for (const std::string* key : {&account.access_key, &account.secret_key, &account.session_token})
    fuzz::require(text.find(*key) == std::string::npos);
  if (const auto id = publish::xml_text(body, "UploadId")) {
    fuzz::require(id->size() <= size);
    // Whatever it is, it stays one value of a query.
    fuzz::require(publish::encode_query_value(*id).find_first_of("&=?#/ \r\n") == std::string::npos);
  }
  return 0;
}
