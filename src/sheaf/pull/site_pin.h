#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"
#include "sheaf/trust/signing_key.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Which key the collections of a site must be signed with, and the signatures of what the store has. Both are
// notes of the site. A note that cannot be read is an error and not a missing one: otherwise damage would
// turn a signed site into an unsigned one.
namespace sheaf::pull {

enum class PinSource : std::uint8_t {
  first_use,  ///< the site stated it when it was first pulled
  given,      ///< the user named it (--key)
  rotation,   ///< the key before it signed it
};

std::string_view to_string(PinSource source);  ///< "first use", ...

struct SitePin {
  trust::PublicKey key = {};
  PinSource source = PinSource::first_use;
  Instant since = {};
  std::optional<Instant> revoked = {};        ///< its owner revoked it then: nothing is accepted any more
  std::uint64_t statements = 0;               ///< length of the key history that was followed last
  std::vector<trust::PublicKey> former = {};  ///< keys before this one, the newest last; a few

  /// Whether it is this key or was this key before a rotation.
  [[nodiscard]] bool knows(const trust::PublicKey& other) const;
  friend bool operator==(const SitePin&, const SitePin&) = default;
};

std::string encode(const SitePin& pin);
std::optional<SitePin> decode_site_pin(std::string_view bytes);

base::Result<std::optional<SitePin>> read_site_pin(const store::PageStore& store, std::string_view site);
/// Nullopt removes it.
base::Result<void> write_site_pin(store::PageStore& store, std::string_view site,
                                  const std::optional<SitePin>& pin);

/// The signature of the newest collection of a section that was applied.
struct SectionSignature {
  trust::PublicKey key = {};  ///< that verified it
  std::string text = {};      ///< the signature file

  friend bool operator==(const SectionSignature&, const SectionSignature&) = default;
};

base::Result<std::optional<SectionSignature>> read_section_signature(const store::PageStore& store,
                                                                     std::string_view site,
                                                                     std::string_view section);
/// Nullopt removes it: the section was changed by something that is not signed.
base::Result<void> write_section_signature(store::PageStore& store, std::string_view site,
                                           std::string_view section,
                                           const std::optional<SectionSignature>& signature);

/// What the signatures prove about a store.
struct SignatureSummary {
  std::uint64_t signed_sections = 0;    ///< their state is the one that was signed
  std::uint64_t unsigned_sections = 0;  ///< of sites that do not sign, or from before they did
  std::vector<std::string> faults;      ///< a sentence each
};

/// Checks the state of every section from collections against the signature of the newest one, without the
/// files: the state digest is a part of what was signed.
base::Result<SignatureSummary> verify_signatures(const store::PageStore& store);

}  // namespace sheaf::pull
