#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sheaf::base {

/// The URL Standard's "domain to ASCII" with beStrict false: an ASCII domain in lower case, any other by UTS
/// #46 (non-transitional, with CheckBidi and CheckJoiners, without CheckHyphens, VerifyDnsLength and
/// UseSTD3ASCIIRules). Takes UTF-8; invalid UTF-8 is refused.
/// Returns nullopt if UTS #46 refuses the domain, or if it is not ASCII and longer than 2 KiB (ICU: 1000
/// code points a label). The result may
/// still contain ASCII characters that a host must not have: the caller checks them.
std::optional<std::string> domain_to_ascii(std::string_view domain);

}  // namespace sheaf::base
