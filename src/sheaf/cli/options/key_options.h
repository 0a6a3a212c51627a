#pragma once

#include "sheaf/base/error.h"
#include "sheaf/trust/key_history.h"
#include "sheaf/trust/signing.h"

#include <string>

namespace sheaf::cli {

/// The environment variable with the passphrase of a secret key.
inline constexpr const char* kPassphraseVariable = "SHEAF_KEY_PASSPHRASE";

/// Parses a public key: the key as text, or the name of a file KEY.pub.
base::Result<trust::PublicKey> read_public_key_option(const std::string& text);

/// Returns a source of passphrases for existing keys. It takes them from the environment, or asks for them on
/// the terminal, and fails if there is neither.
trust::PassphraseSource passphrase_source();
/// Reads the passphrase for a new key; on the terminal, asks twice. Refuses an empty one.
base::Result<std::string> read_new_passphrase();

}  // namespace sheaf::cli
