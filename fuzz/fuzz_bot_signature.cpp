// Signature-Input, Signature and Signature-Agent of a request, one per line: what is read is written as it
// was meant, and nobody who lacks the key makes a signature that verifies.
#include "fuzz_support.h"
#include "sheaf/crypto/crypto.h"
#include "sheaf/http/signature/web_bot_auth.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  using namespace sheaf::http::signature;
  using fuzz::require;
  static const auto key = crypto::Ed25519Signer(crypto::Ed25519Seed{7}).public_key();
  std::string_view text = fuzz::as_text(data, size);
  std::array<std::string_view, 3> lines;
  for (std::string_view& line : lines) {
    line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (const auto dictionary = parse_dictionary(line))
      require(parse_dictionary(serialise(*dictionary)) == *dictionary);
    if (const auto item = parse_item(line)) require(parse_item(serialise(*item)) == *item);
  }
  RequestParts request{
      .method = "GET", .scheme = "https", .authority = "Example.com:443", .path = "/a", .field = {}};
  request.field = [&](std::string_view name) -> std::optional<std::string> {
    if (name == "signature-input") return std::string(lines[0]);
    if (name == "signature") return std::string(lines[1]);
    if (name == "signature-agent" && !lines[2].empty()) return std::string(lines[2]);
    return std::nullopt;
  };
  const auto read = read_bot_signature(request, 1'800'000'000);
  if (!read || !*read) return 0;
  require((*read)->expires > (*read)->created && !(*read)->key_id.empty());
  require(!crypto::verify_ed25519(key, (*read)->base, (*read)->signature));
  return 0;
}
