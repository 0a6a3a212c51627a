#pragma once

#include "sheaf/base/error.h"
#include "sheaf/trust/signing.h"
#include <sheaf/time.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The history of a publisher's keys: a key that is replaced signs its successor (a rotation), and a key that
// must no longer be trusted signs its own revocation. The history is in the file KEY.history next to a secret
// key, and is published as a part of the site's key list.
//
// The signatures are minisign's. They sign the line with the new key (for a revocation, with the revoked
// key), and have the statement as the trusted comment.
namespace sheaf::trust {

enum class KeyEvent : std::uint8_t { rotation, revocation };

struct KeyStatement {
  KeyEvent event = KeyEvent::rotation;
  PublicKey key;                       ///< the key that signs
  std::optional<PublicKey> successor;  ///< of a rotation
  Instant at;
  crypto::Ed25519Signature of_file{};
  crypto::Ed25519Signature of_comment{};

  friend bool operator==(const KeyStatement&, const KeyStatement&) = default;
};

KeyStatement make_rotation(const SecretKey& old_key, const PublicKey& new_key, Instant at);
KeyStatement make_revocation(const SecretKey& key, Instant at);
/// Checks that its key signed it. Fails with Errc::refused.
base::Result<void> verify(const KeyStatement& statement);

/// One line, without a line feed.
std::string to_string(const KeyStatement& statement);
/// Reads the lines of a history; blank lines are skipped. The signatures are not checked. Fails with
/// Errc::invalid_data; the message has the number of the line.
base::Result<std::vector<KeyStatement>> parse_history(std::string_view text);

/// Maximum size of a key list or history, in bytes and in statements.
inline constexpr std::uint64_t kKeyListBytes = 64ULL * 1024;
inline constexpr std::size_t kMaxStatements = 100;

/// What a site publishes about its keys, at kKeyListPath below its sitemap's folder.
struct KeyList {
  PublicKey key;  ///< the current one
  std::vector<KeyStatement> history;

  friend bool operator==(const KeyList&, const KeyList&) = default;
};
inline constexpr std::string_view kKeyListPath = ".well-known/scp-keys";

std::string to_string(const KeyList& list);
base::Result<KeyList> parse_key_list(std::string_view text);

/// The end of the chain of rotations that begins with a trusted key.
struct KeyPath {
  PublicKey key;                        ///< the last key of the chain
  std::optional<Instant> revoked = {};  ///< when that key was revoked: it must not be trusted
  std::size_t rotations = 0;            ///< number of rotations followed
};

/// Follows the rotations from `trusted`. Fails with Errc::refused if a statement of a key on the chain was
/// not signed by that key, or if a key has two successors. A rotation of a revoked key is not followed:
/// whoever stole the key could have made it.
base::Result<KeyPath> follow_history(const PublicKey& trusted, const std::vector<KeyStatement>& history);

// The files of a key: KEY is the secret key, KEY.pub the public key, and KEY.history, if it exists, has the
// rotations and revocations.

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
