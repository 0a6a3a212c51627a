// A signature file and the statement in its comment: what is read is written as it was meant, and nobody who
// lacks the key makes a signature that verifies.
#include "fuzz_support.h"
#include "sheaf/trust/signed_collection.h"
#include "sheaf/trust/signing.h"

#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  using fuzz::require;
  static const trust::PublicKey key = trust::SecretKey::generate().public_key();
  const std::string_view text = fuzz::as_text(data, size);
  if (const auto signature = trust::parse_signature(text)) {
    require(trust::parse_signature(trust::to_string(*signature)) == *signature);
    trust::FileSignature claimed = *signature;
    claimed.number = key.number;
    require(!trust::verify_comment(claimed, key));
    require(!trust::verify_digest(claimed, std::string(64, 'x'), key));
    if (const auto statement = trust::parse_statement(signature->trusted_comment))
      require(trust::parse_statement(trust::to_string(*statement)) == *statement);
  } else {
    require(signature.error().message.size() < 400);
  }
  if (const auto statement = trust::parse_statement(text))
    require(trust::parse_statement(trust::to_string(*statement)) == *statement);
  return 0;
}
