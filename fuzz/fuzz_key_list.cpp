// A site's key list: what is read is written as it was meant, following it ends, and it never leads from a
// key that signed nothing in it to another one.
#include "fuzz_support.h"
#include "sheaf/trust/key_history.h"

#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  using fuzz::require;
  static const trust::PublicKey key = trust::SecretKey::generate().public_key();
  const std::string_view text = fuzz::as_text(data, size);
  if (const auto history = trust::parse_history(text)) require(history->size() <= trust::kMaxStatements);
  const auto list = trust::parse_key_list(text);
  if (!list) return 0;
  require(trust::parse_key_list(trust::to_string(*list)) == *list);
  const auto path = trust::follow_history(key, list->history);
  require(path && path->key == key && path->rotations == 0 && !path->revoked);
  (void)trust::follow_history(list->key, list->history);
  for (trust::KeyStatement statement : list->history) {
    statement.key = key;
    require(!trust::verify(statement));
  }
  return 0;
}
