#include "sheaf/publish/collection_signer.h"

#include "sheaf/base/child_process.h"
#include "sheaf/base/file.h"
#include "sheaf/publish/publish_advice.h"
#include "sheaf/trust/key_history.h"
#include "sheaf/trust/signed_collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;
using base::Errc;

/// Fails if the key's own history revokes or replaces it: publishing with such a key would lock all clients
/// out.
base::Result<void> check_current(const trust::KeyList& list, const fs::path& file) {
  SHEAF_TRY_ASSIGN(const trust::KeyPath path, trust::follow_history(list.key, list.history));
  if (path.revoked)
    return base::fail(Errc::refused,
                      fmt::format("key {} was revoked at {} ({}); clients refuse what it signs, "
                                  "use another key",
                                  trust::to_string(list.key.number), format_time(*path.revoked),
                                  trust::history_path(file).string()));
  if (path.key == list.key) return {};
  return base::fail(
      Errc::refused,
      fmt::format("key {} was replaced by key {} ({}); use the new one", trust::to_string(list.key.number),
                  trust::to_string(path.key.number), trust::history_path(file).string()));
}

}  // namespace

fs::path signature_path(const fs::path& collection) {
  return collection.string() + std::string(trust::kSignatureEnding);
}

base::Result<std::optional<CollectionSigner>> CollectionSigner::open(
    const PublishConfig& config, const trust::PassphraseSource& passphrase) {
  if (config.signing.empty()) return std::nullopt;
  CollectionSigner signer(config.signing, config.base->origin());
  const bool has_command = !config.signing.command.empty();
  const fs::path& file = has_command ? config.signing.public_key : config.signing.key;
  if (has_command) {
    SHEAF_TRY_ASSIGN(signer.list_.key, trust::load_public_key(file));
  } else {
    SHEAF_TRY_ASSIGN(signer.key_, trust::load_secret_key(file, passphrase));
    signer.list_.key = signer.key_->public_key();
  }
  SHEAF_TRY_ASSIGN(signer.list_.history, trust::load_history(file));
  SHEAF_TRY(check_current(signer.list_, file));
  return signer;
}

site::AdvertisedKey CollectionSigner::advertised(const PublishConfig& config) const {
  const std::string folder = config.sitemap_url.substr(0, config.sitemap_url.rfind('/') + 1);
  return {trust::to_string(list_.key), folder + std::string(trust::kKeyListPath), list_.history.size()};
}

std::string CollectionSigner::identity() const {
  return fmt::format("key {} with {} statements", trust::to_string(list_.key), list_.history.size());
}

base::Result<bool> CollectionSigner::is_signed(const fs::path& collection, const fs::path& signature,
                                               std::string_view comment) const {
  std::error_code error;
  if (!fs::exists(signature, error)) return false;
  SHEAF_TRY_ASSIGN(const std::string text,
                   base::read_regular_file(signature.string(), trust::kSignatureBytes));
  const auto opened = trust::open_signature(text, list_.key);
  if (!opened || opened->signature.trusted_comment != comment) return false;
  // Collections are never changed, so a signature that is newer than its collection is valid. This is the
  // usual case, and it saves reading all collections in every run.
  const auto signed_at = fs::last_write_time(signature, error);
  if (!error && fs::last_write_time(collection, error) <= signed_at && !error) return true;
  return trust::verify_collection(*opened, collection, list_.key).has_value();
}

base::Result<void> CollectionSigner::sign_by_command(const fs::path& collection, const fs::path& signature,
                                                     const std::string& comment) const {
  std::error_code error;
  fs::remove(signature, error);
  std::vector<std::string> words;
  for (const std::string& word : settings_.command)
    words.push_back(base::fill_placeholders(word, {{"{file}", fs::absolute(collection, error).string()},
                                                   {"{signature}", fs::absolute(signature, error).string()},
                                                   {"{comment}", comment}}));
  SHEAF_TRY(base::run_command(words, collection.filename().string()));
  const auto check = [&]() -> base::Result<void> {
    SHEAF_TRY_ASSIGN(const std::string text,
                     base::read_regular_file(signature.string(), trust::kSignatureBytes));
    SHEAF_TRY_ASSIGN(const auto opened, trust::open_signature(text, list_.key));
    if (opened.signature.trusted_comment != comment)
      return base::fail(Errc::refused, "it does not have the trusted comment {comment}");
    return trust::verify_collection(opened, collection, list_.key);
  };
  const auto checked = check();
  if (checked) return {};
  fs::remove(signature, error);
  return base::fail(Errc::refused,
                    fmt::format("`{}` did not sign {} as it should: {}", settings_.command.front(),
                                collection.filename().string(), checked.error().message));
}

base::Result<bool> CollectionSigner::sign(const fs::path& collection) const {
  const fs::path signature = signature_path(collection);
  SHEAF_TRY_ASSIGN(const model::CollectionHead head, trust::read_collection_head(collection));
  const std::string comment = trust::to_string(trust::make_statement(origin_, head));
  SHEAF_TRY_ASSIGN(const bool is_done, is_signed(collection, signature, comment));
  if (is_done) return false;
  if (!key_) {
    SHEAF_TRY(sign_by_command(collection, signature, comment));
    return true;
  }
  SHEAF_TRY_ASSIGN(const auto source, base::open_regular_file(collection.string()));
  SHEAF_TRY_ASSIGN(const std::string digest, trust::digest_of(*source));
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(signature));
  SHEAF_TRY(out.write(trust::to_string(trust::sign_digest(*key_, digest, comment))));
  SHEAF_TRY(out.commit());
  return true;
}

base::Result<SignatureRelease> release_signatures(const CollectionSigner& signer, Target& target,
                                                  const PublishConfig& config,
                                                  const std::vector<SectionRelease>& sections,
                                                  const WantedSignatures& wanted) {
  SignatureRelease release;
  // In a folder, a rebuild of the site may have deleted the key list, and checking costs nothing.
  if (wanted.all || is_served_from_folder(config))
    SHEAF_TRY(target.put_site_file(std::string(trust::kKeyListPath), trust::to_string(signer.key_list())));
  for (const SectionRelease& section : sections)
    for (const PublishedFile& file : section.state.files) {
      const std::string name = to_string(file.name);
      std::error_code error;
      if (!std::filesystem::exists(config.out / name, error)) {
        if (wanted.all)
          release.notes.push_back(
              fmt::format("{} cannot be signed: it is not in {} any more", name, config.out.string()));
        continue;
      }
      SHEAF_TRY_ASSIGN(const bool made, signer.sign(config.out / name));
      if (made) ++release.made;
      if (made || wanted.all || std::ranges::find(wanted.names, name) != wanted.names.end())
        SHEAF_TRY(target.put_signature(name));
    }
  return release;
}

std::string find_last_key(Target& target, const std::string& last_place) {
  const std::size_t line = last_place.find('\n');
  if (line != std::string::npos) {
    const std::string key = last_place.substr(line + 1);  // CollectionSigner::identity()
    return key.substr(0, key.find(" with "));
  }
  if (!last_place.empty()) return std::string();
  // The state is new or lost. If it is lost, the site may still have its key list. A target that does not
  // answer is no reason to stop here: the upload will report the failure.
  const auto list = target.read_site_file(std::string(trust::kKeyListPath));
  return list && *list ? fmt::format("the key in {}", trust::kKeyListPath) : std::string();
}

base::Result<void> refuse_unsigned(const std::string& key) {
  return base::fail(
      base::Errc::refused,
      fmt::format(
          "the site was signed with {}, and this run has no key: clients that know the key would refuse "
          "what is published; use --sign-key or [signing], or confirm with --allow-unsigned that the "
          "site is not signed any more",
          key));
}

}  // namespace sheaf::publish
