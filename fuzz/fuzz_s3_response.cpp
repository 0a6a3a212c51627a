// The input is what a storage answers.
#include "fuzz_support.h"
#include "sheaf/objects/s3_protocol.h"

#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  objects::S3Account account;
  account.access_key = "AKIA";
  account.secret_key = "secret";
  account.session_token = "token";
  const std::string text = objects::describe_refusal(403, body, account);
  fuzz::require(text.size() <= 500);
  for (const std::string* key : {&account.access_key, &account.secret_key, &account.session_token})
    fuzz::require(text.find(*key) == std::string::npos);
  if (const auto id = objects::parse_upload_id(body)) {
    fuzz::require(id->size() <= size);
    // Whatever it is, it stays one value of a query.
    fuzz::require(objects::encode_query_value(*id).find_first_of("&=?#/ \r\n") == std::string::npos);
  }
  if (const auto listing = objects::parse_listing(body)) {
    std::size_t names = listing->next.size();
    for (const objects::ObjectInfo& object : listing->objects) {
      fuzz::require(!object.name.empty());
      names += object.name.size() + object.etag.size();
    }
    fuzz::require(names <= size);  // nothing was expanded
  }
  return 0;
}
