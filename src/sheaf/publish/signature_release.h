#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/collection_signer.h"
#include "sheaf/publish/delivery/target.h"
#include "sheaf/publish/release.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sheaf::publish {

/// Which signatures have to be sent, beside those that are made now.
struct WantedSignatures {
  const std::vector<std::string>& names;  ///< of collections
  bool all = false;                       ///< the key or the target has changed
};

struct SignatureRelease {
  std::uint64_t made = 0;
  std::vector<std::string> notes;
};

/// Signs the collections that are not signed yet or were signed with another key, and delivers the signatures
/// and the key list. Call it before the sitemap names the collections. Clients meet a new key in the key list
/// first, then in signatures, and last in the sitemap.
base::Result<SignatureRelease> release_signatures(const CollectionSigner& signer, Target& target,
                                                  const PublishConfig& config,
                                                  const std::vector<SectionRelease>& sections,
                                                  const WantedSignatures& wanted);

/// The key that the last run signed with, in words; empty if it did not sign. `last_place` is what
/// read_last_place() returns. If the state is new or lost, the key list at the target
/// counts, if it can be read.
std::string find_last_key(Target& target, const std::string& last_place);

/// The error of a run without a key after runs that were signed with `key`.
base::Result<void> refuse_unsigned(const std::string& key);

}  // namespace sheaf::publish
