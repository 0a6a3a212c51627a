#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/delivery/target.h"
#include "sheaf/publish/release.h"
#include "sheaf/site/advertised.h"
#include "sheaf/trust/key_history.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::publish {

/// Signs collections, with a secret key or by the user's command (for a hardware key or another machine).
class CollectionSigner {
 public:
  /// Returns nullopt if the configuration does not ask for signatures. A passphrase is read now, so that a
  /// run does not stop for it later.
  static base::Result<std::optional<CollectionSigner>> open(const PublishConfig& config,
                                                            const trust::PassphraseSource& passphrase);

  /// Writes FILE.minisig next to a collection, unless there is already one by the current key for the
  /// collection's content. Returns whether it was written.
  base::Result<bool> sign(const std::filesystem::path& collection) const;

  [[nodiscard]] const trust::KeyList& key_list() const { return list_; }
  /// The statement about the key in the sitemap.
  [[nodiscard]] site::AdvertisedKey advertised(const PublishConfig& config) const;
  /// A text that changes when the key or its history changes.
  [[nodiscard]] std::string identity() const;

 private:
  CollectionSigner(SigningConfig settings, std::string origin)
      : settings_(std::move(settings)), origin_(std::move(origin)) {}

  base::Result<bool> is_signed(const std::filesystem::path& collection,
                               const std::filesystem::path& signature, std::string_view comment) const;
  base::Result<void> sign_by_command(const std::filesystem::path& collection,
                                     const std::filesystem::path& signature,
                                     const std::string& comment) const;

  SigningConfig settings_;
  std::string origin_;
  std::optional<trust::SecretKey> key_;  ///< empty if a command signs
  trust::KeyList list_;
};

/// The signature file of a collection.
std::filesystem::path signature_path(const std::filesystem::path& collection);

/// The signatures that have to be sent in addition to those that are made now.
struct WantedSignatures {
  const std::vector<std::string>& names;  ///< names of collections
  bool all = false;                       ///< the key or the target has changed
};

struct SignatureRelease {
  std::uint64_t made = 0;
  std::vector<std::string> notes;
};

/// Signs the collections that are not signed yet or were signed with another key, and delivers the signatures
/// and the key list. Call it before the sitemap names the collections: clients must see a new key first in
/// the key list, then in signatures, and last in the sitemap.
base::Result<SignatureRelease> release_signatures(const CollectionSigner& signer, Target& target,
                                                  const PublishConfig& config,
                                                  const std::vector<SectionRelease>& sections,
                                                  const WantedSignatures& wanted);

/// Describes the key that the last run signed with; empty if it did not sign. `last_place` is the result of
/// read_last_delivery(). If the state is new or lost, the key list at the target is used, if it can be read.
std::string find_last_key(Target& target, const std::string& last_place);

/// The error for a run without a key after runs that were signed with `key`.
base::Result<void> refuse_unsigned(const std::string& key);

}  // namespace sheaf::publish
