// What a site sends, as doctor reads it: signature files and words of pages.
#include "fuzz_support.h"
#include "sheaf/doctor/minisign_text.h"
#include "sheaf/doctor/word_overlap.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using sheaf::fuzz::require;
  const std::string text(sheaf::fuzz::as_text(data, size));
  const auto fault = sheaf::doctor::find_minisign_fault(text);
  // What is right stays right, whatever comes behind it; what is wrong says in which line.
  require(fault ? fault->starts_with("line ") : !sheaf::doctor::find_minisign_fault(text + "\nmore"));
  require(sheaf::doctor::share_of_words(text, text) >= 1);
  const double share = sheaf::doctor::share_of_words(text, text.substr(size / 2));
  require(share >= 0 && share <= 1);
  return 0;
}
