// The input is a recipe and either a zstd file or the text of one, which is compressed and then damaged.
#include "fuzz_support.h"
#include "reader_checks.h"

#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  using namespace std::string_view_literals;
  constexpr std::string_view kSkippable = "\x5a\x2a\x4d\x18\x03\0\0\0sk!"sv;
  const fuzz::Recipe recipe(fuzz::as_text(data, size));
  const std::string file = recipe.file(format::Codec::zstd, recipe.odd ? kSkippable : ""sv);
  if (format::sniff_codec(file) != format::Codec::zstd) return 0;

  const fuzz::Decompressed whole = fuzz::decompress(*format::make_zstd_decoder(), file, file.size(), 4096);
  fuzz::check_in_small_steps(*format::make_zstd_decoder(), file, whole);

  fuzz::check_compressed_file(file, format::Codec::zstd, whole,
                              recipe.roomy ? fuzz::kRoomyLimits : fuzz::kSmallLimits);
  return 0;
}
