// The input is what a site says about the use of its pages: a robots.txt with preferences, stored
// preferences.
#include "fuzz_support.h"
#include "sheaf/pull/site_usage.h"
#include "sheaf/site/usage_preferences.h"

#include <cstdint>
#include <string>

namespace {

using namespace sheaf;
using fuzz::require;

void check_robots(std::string_view text) {
  require(site::find_usage_lines(text).size() <= 100);
  const site::UsagePreferences usage{.content_usage = "train-ai=n", .license = "https://example.com/l.xml"};
  const std::string once = site::with_usage_lines(text, usage);
  require(site::with_usage_lines(once, usage) == once);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::as_text(data, size);
  if (const auto usage = pull::decode_usage(text)) require(pull::decode_usage(pull::encode(*usage)) == usage);
  check_robots(text);
  return 0;
}
