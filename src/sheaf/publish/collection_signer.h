#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/site/advertised.h"
#include "sheaf/trust/key_files.h"

#include <filesystem>
#include <optional>
#include <string>

namespace sheaf::publish {

/// Signs collections: with a secret key, or by the user's command (a hardware key, another machine).
class CollectionSigner {
 public:
  /// Nullopt if the configuration does not ask for signatures. A passphrase is read now, so that a run does
  /// not wait for it later.
  static base::Result<std::optional<CollectionSigner>> open(const PublishConfig& config,
                                                            const trust::PassphraseSource& passphrase);

  /// Makes FILE.minisig beside a collection, unless there is one of the current key that states what the
  /// collection has. True if it was made.
  base::Result<bool> sign(const std::filesystem::path& collection) const;

  [[nodiscard]] const trust::KeyList& key_list() const { return list_; }
  /// The sitemap's statement.
  [[nodiscard]] site::AdvertisedKey advertised(const PublishConfig& config) const;
  /// Changes with the key and its history.
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
  std::optional<trust::SecretKey> key_;  ///< empty: a command signs
  trust::KeyList list_;
};

/// The signature file of a collection.
std::filesystem::path signature_path(const std::filesystem::path& collection);

}  // namespace sheaf::publish
