// X-Forwarded-For behind trusted proxies. The client is the peer or one that the header names, and what a
// client writes before the entry of the first proxy changes nothing.
#include "fuzz_support.h"
#include "sheaf/http/message/client_check.h"

#include <cstdint>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf::http::message;
  using sheaf::fuzz::require;
  const std::string_view text = sheaf::fuzz::as_text(data, size);
  static const std::vector<Network> trusted = {Network::parse("10.0.0.0/8").value(),
                                               Network::parse("2001:db8::/32").value()};
  static const ClientAddress proxy = parse_client_address("10.0.0.1").value();
  static const ClientAddress stranger = parse_client_address("192.0.2.1").value();
  require(client_behind(stranger, text, trusted) == stranger);
  require(client_behind(proxy, text, {}) == proxy);
  require(client_behind(proxy, std::string(text) + ",192.0.2.1", trusted) == stranger);
  const ClientAddress client = client_behind(proxy, text, trusted);
  require(parse_client_address(client.str()) == client || client == ClientAddress{});
  if (const auto address = parse_client_address(text))
    require(client == *address && (address->str() == "-" || parse_client_address(address->str()) == address));
  if (const auto network = Network::parse(text))
    require(network->contains(parse_client_address(text.substr(0, text.find('/'))).value()));
  return 0;
}
