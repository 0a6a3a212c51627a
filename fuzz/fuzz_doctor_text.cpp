// The words of pages, as doctor compares them.
#include "fuzz_support.h"
#include "sheaf/doctor/site_inspection.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using sheaf::fuzz::require;
  const std::string text(sheaf::fuzz::as_text(data, size));
  require(sheaf::doctor::share_of_words(text, text) >= 1);
  const double share = sheaf::doctor::share_of_words(text, text.substr(size / 2));
  require(share >= 0 && share <= 1);
  return 0;
}
