#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sheaf::doctor {

/// What is wrong with a minisign signature file (FILE.minisig): two comments and two base64 texts, of 74 and
/// 64 bytes. Nothing if its form is right; whether it is valid takes the public key, which the site cannot
/// vouch for.
std::optional<std::string> find_minisign_fault(std::string_view text);

}  // namespace sheaf::doctor
