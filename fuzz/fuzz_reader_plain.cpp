// The input is a file, in most cases an uncompressed one.
#include "fuzz_support.h"
#include "reader_checks.h"

#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file = sheaf::fuzz::as_text(data, size);
  // Compressed files have targets of their own, which know where in the uncompressed bytes a finding may
  // stand.
  if (sheaf::format::sniff_codec(file) != sheaf::format::Codec::plain) return 0;
  sheaf::fuzz::check_plain_file(file, sheaf::fuzz::kSmallLimits);
  return 0;
}
