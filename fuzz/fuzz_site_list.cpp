// A list of sites: each is an address that can be asked, comes once for its line, and is read back as itself.
#include "fuzz_support.h"
#include "sheaf/pull/site_list.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  using fuzz::require;
  const std::string_view text = fuzz::as_text(data, size);
  const auto sites = pull::parse_site_list(text, "sites.txt");
  if (!sites) {
    require(sites.error().message.starts_with("sites.txt line "));
    require(sites.error().message.size() < 400);
    return 0;
  }
  require(sites->size() <= static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1);
  std::string written;
  for (const base::Url& site : *sites) {
    require((site.scheme() == "http" || site.scheme() == "https") && !site.has_fragment());
    written += std::string(site.href()) + " # " + std::string(site.host()) + "\r\n";
  }
  require(pull::parse_site_list(written, "") == *sites);
  return 0;
}
