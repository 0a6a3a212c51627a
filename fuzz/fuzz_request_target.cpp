// The target of a request, and the names in it. A path never leads out, and encoded again it is the same
// path.
#include "fuzz_support.h"
#include "sheaf/base/escaping.h"
#include "sheaf/http/message/request_parser.h"
#include "sheaf/serve/folder.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using sheaf::fuzz::require;
  const std::string_view text = sheaf::fuzz::as_text(data, size);
  const auto target = sheaf::http::message::parse_request_target(text);
  if (target.kind != sheaf::http::message::TargetKind::path) return 0;
  require(target.path.starts_with('/') && target.path.find('\0') == std::string::npos);
  require((target.path + "/").find("/../") == std::string::npos &&
          (target.path + "/").find("/./") == std::string::npos);
  std::string encoded;
  for (const char c : target.path) {
    constexpr char kHex[] = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    if (c == '/')
      encoded += c;
    else
      encoded += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
  }
  if (encoded.size() <= sheaf::http::message::kMaxTargetLength) {
    const auto again = sheaf::http::message::parse_request_target(encoded);
    require(again.kind == target.kind && again.path == target.path && !again.has_encoded_slash);
  }
  static const auto folder = sheaf::serve::Folder::open("/usr/share").value();
  const auto found = folder.find(target.path);
  if (found.lookup == sheaf::serve::Lookup::file) require(!target.path.ends_with('/'));
  return 0;
}
