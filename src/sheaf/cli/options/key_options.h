#pragma once

#include "sheaf/base/error.h"
#include "sheaf/pull/site_signing.h"
#include "sheaf/trust/key_files.h"
#include "sheaf/trust/signing_key.h"

#include <string>

namespace sheaf::cli {

/// The environment variable with the passphrase of a secret key.
inline constexpr const char* kPassphraseVariable = "SHEAF_KEY_PASSPHRASE";

/// A public key: its text, or the name of a file KEY.pub.
base::Result<trust::PublicKey> read_public_key_option(const std::string& text);

/// "https://example.com=RW...", or "...=none" to forget a key.
base::Result<pull::GivenKey> parse_given_key(const std::string& text);

/// The passphrase of an existing key: from the environment, or asked for on the terminal. An error if there
/// is neither.
trust::PassphraseSource passphrase_source();
/// A passphrase for a new key, asked for twice. Refuses an empty one.
base::Result<std::string> read_new_passphrase();

}  // namespace sheaf::cli
