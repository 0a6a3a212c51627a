// What a stranger's Location leads to: never down from https, never with credentials to another origin, never
// to a literal address that is not public.
#include "fuzz_support.h"
#include "sheaf/http/fetch/address_rules.h"
#include "sheaf/http/fetch/fetcher.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  using fuzz::require;
  const std::string_view location = fuzz::as_text(data, size);
  static const base::Url from = *base::Url::parse("https://user:Pa-Ss@example.com/a/b?c");
  for (const bool downgrade : {false, true}) {
    const auto target = http::fetch::redirect_target(location, from, downgrade);
    if (!target) {
      require(fuzz::is_valid_utf8(target.error().message));
      // Unless the stranger wrote it: hosts come in lower case, and the parser takes out tabs and line ends.
      std::string written(location);
      std::erase_if(written, [](char c) { return c == '\t' || c == '\r' || c == '\n'; });
      require(target.error().message.find("Pa-Ss") == std::string::npos ||
              written.find("Pa-Ss") != std::string::npos);
      continue;
    }
    require(downgrade || target->scheme() == "https");
    require(!target->has_fragment());
    require(target->origin() == from.origin() || (target->username().empty() && target->password().empty()));
    require(base::Url::parse(target->href()) == *target);
    require(http::fetch::shown_url(*target).size() <= 303 && !http::fetch::host_key(*target).empty());
    const std::string_view host = target->host();
    if (http::fetch::check_literal_host(*target)) {
      require(!http::fetch::is_local_name(host));
      const bool six = host.starts_with('[');
      if (six) require(http::fetch::is_public_address(host.substr(1, host.size() - 2)));
      // A host of digits and dots that ends in a digit is an IPv4 address in its normal form.
      const bool digits = host.find_first_not_of("0123456789.") == std::string_view::npos;
      if (digits && !host.ends_with('.')) require(http::fetch::is_public_address(host));
    }
  }
  (void)http::fetch::retry_after({.status = 503, .headers = {{"retry-after", std::string(location)}}});
  return 0;
}
