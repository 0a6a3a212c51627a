// A pack of pages, as the database or an object has it: decompressed as it is, and read as if it had been
// decompressed.
#include "fuzz_support.h"
#include "sheaf/store/shared/page_pack.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf::store::shared;
  using sheaf::fuzz::require;
  const std::string input(sheaf::fuzz::as_text(data, size));
  constexpr std::uint64_t kSize = 64;
  const auto raw = decompress_pack(input, "", kSize);
  require(!raw || raw->size() == kSize);
  const auto reader = PackReader::open(input);
  if (!reader) return 0;
  for (std::size_t slot = 0; slot < reader->pages(); ++slot) {
    const auto page = reader->page(slot);
    if (page) require(page->url.size() + page->modified.size() + page->json.size() <= size);
  }
  require(!reader->page(reader->pages()));
  return 0;
}
