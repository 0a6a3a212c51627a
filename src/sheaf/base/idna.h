#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sheaf::base {

/// The URL Standard's "domain to ASCII" with beStrict false. An ASCII domain is converted to lower case; any
/// other domain is processed by UTS #46 (non-transitional, with CheckBidi and CheckJoiners, without
/// CheckHyphens, VerifyDnsLength and UseSTD3ASCIIRules).
///
/// Returns nullopt if the domain is not valid UTF-8, if UTS #46 refuses it, or if it is not ASCII and longer
/// than 2 KiB (ICU also limits a label to 1000 code points). The result may still contain ASCII characters
/// that are forbidden in a host; the caller must check for them.
std::optional<std::string> domain_to_ascii(std::string_view domain);

}  // namespace sheaf::base
