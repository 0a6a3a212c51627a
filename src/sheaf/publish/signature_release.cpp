#include "sheaf/publish/signature_release.h"

#include "sheaf/publish/publish_advice.h"
#include "sheaf/trust/key_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace sheaf::publish {

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
