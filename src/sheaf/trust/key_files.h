#pragma once

#include "sheaf/base/error.h"
#include "sheaf/trust/key_history.h"
#include "sheaf/trust/signing_key.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// The files of a key: KEY is the secret key, KEY.pub the public key, and KEY.history, if it exists, has the
// rotations and revocations.
namespace sheaf::trust {

/// Returns the passphrase of a secret key file.
using PassphraseSource = std::function<base::Result<std::string>(const std::filesystem::path& file)>;

std::filesystem::path public_key_path(const std::filesystem::path& key);
/// KEY.history for KEY or KEY.pub.
std::filesystem::path history_path(const std::filesystem::path& key);

/// Reads a secret key. `passphrase` is called only if the key is protected. Fails with Errc::refused if other
/// users can read the file, and like parse_secret_key(), with the name of the file in the message.
base::Result<SecretKey> load_secret_key(const std::filesystem::path& file,
                                        const PassphraseSource& passphrase);
base::Result<PublicKey> load_public_key(const std::filesystem::path& file);
/// Reads the history of KEY or KEY.pub. Empty if there is no file.
base::Result<std::vector<KeyStatement>> load_history(const std::filesystem::path& key);

/// Writes KEY, which only its owner can read, and KEY.pub. Fails if one of them exists. With an empty
/// passphrase the key is not protected.
base::Result<void> create_key_files(const std::filesystem::path& file, const SecretKey& key,
                                    std::string_view passphrase);
base::Result<void> save_history(const std::filesystem::path& key, const std::vector<KeyStatement>& history);

}  // namespace sheaf::trust
