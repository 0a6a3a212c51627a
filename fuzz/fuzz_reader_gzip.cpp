// The input is a recipe and either a gzip file or the text of one, which is compressed and then damaged. The
// library that is fast and the one that is everywhere take and refuse the same files and give the same bytes.
#include "fuzz_support.h"
#include "reader_checks.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  const fuzz::Recipe recipe(fuzz::as_text(data, size));
  const std::string file = recipe.file(format::Codec::gzip, "");
  if (format::sniff_codec(file) != format::Codec::gzip) return 0;

  const fuzz::Decompressed fast = fuzz::decompress(*format::make_gzip_decoder(), file, file.size(), 4096);
  const fuzz::Decompressed common =
      fuzz::decompress(*format::make_zlib_gzip_decoder(), file, file.size(), 4096);
  fuzz::require(fast.complete == common.complete && fast.failed == common.failed);
  fuzz::require(!fast.complete || fast.plain == common.plain);
  fuzz::check_in_small_steps(*format::make_gzip_decoder(), file, fast);
  fuzz::check_in_small_steps(*format::make_zlib_gzip_decoder(), file, fast);

  fuzz::check_compressed_file(file, format::Codec::gzip, fast,
                              recipe.roomy ? fuzz::kRoomyLimits : fuzz::kSmallLimits);
  return 0;
}
