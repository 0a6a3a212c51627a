// A Range header, its first byte the size of the file. What is sent is exactly the bytes that were asked for,
// each once.
#include "fuzz_support.h"
#include "sheaf/http/message/conditional.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace {

using namespace sheaf::http::message;
using sheaf::fuzz::require;

/// The plain meaning of one element, RFC 9110 14.1.2.
bool asks_for(const RangeSpec& spec, std::uint64_t byte, std::uint64_t size) {
  if (!spec.first) return byte + std::min(*spec.last, size) >= size;
  return byte >= *spec.first && (!spec.last || byte <= *spec.last);
}

void check(const std::vector<RangeSpec>& specs, std::uint64_t size) {
  const std::vector<ByteRange> ranges = resolve_ranges(specs, size);
  std::vector<int> sent(static_cast<std::size_t>(size));
  for (const ByteRange& range : ranges) {
    require(range.length > 0 && range.first < size && range.length <= size - range.first);
    for (std::uint64_t i = 0; i < range.length; ++i) ++sent[static_cast<std::size_t>(range.first + i)];
  }
  for (std::uint64_t byte = 0; byte < size; ++byte) {
    const bool asked =
        std::any_of(specs.begin(), specs.end(), [&](auto& spec) { return asks_for(spec, byte, size); });
    require(sent[static_cast<std::size_t>(byte)] == (asked ? 1 : 0));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto specs = parse_range_header(sheaf::fuzz::as_text(data + 1, size - 1));
  if (!specs) return 0;
  require(!specs->empty() && specs->size() <= kMaxRanges);
  check(*specs, data[0]);
  for (const ByteRange& range : resolve_ranges(*specs, UINT64_MAX))
    require(range.length <= UINT64_MAX - range.first);
  return 0;
}
