#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/collection_signer.h"
#include "sheaf/publish/delivery/target.h"
#include "sheaf/publish/release.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sheaf::publish {

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
