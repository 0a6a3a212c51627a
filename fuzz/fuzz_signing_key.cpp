// Key files: what is read is written as it was meant. Protected keys are not decrypted here, which takes a
// gigabyte and some seconds.
#include "fuzz_support.h"
#include "sheaf/trust/signing.h"

#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  using fuzz::require;
  const std::string_view text = fuzz::as_text(data, size);
  if (const auto key = trust::parse_public_key(text)) {
    require(trust::parse_public_key(trust::to_string(*key)) == *key);
    require(trust::parse_public_key(trust::public_key_file(*key)) == *key);
  }
  const auto is_protected = trust::needs_passphrase(text);
  if (!is_protected || *is_protected) return 0;
  if (const auto key = trust::parse_secret_key(text, "")) {
    const auto file = trust::secret_key_file(*key, "");
    require(file && trust::parse_secret_key(*file, "") == *key);
  }
  return 0;
}
