#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sheaf::base {

/// The URL Standard's "domain to ASCII" with beStrict false: an ASCII domain in lower case, any other through
/// UTS #46 (non-transitional, with CheckBidi and CheckJoiners, without CheckHyphens, VerifyDnsLength and
/// UseSTD3ASCIIRules). Takes UTF-8; bytes that are not become U+FFFD, which no domain may hold.
/// nullopt if UTS #46 refuses the domain, or if it is not ASCII and longer than 16 KiB. The result may still
/// hold ASCII that a host must not.
std::optional<std::string> domain_to_ascii(std::string_view domain);

}  // namespace sheaf::base
