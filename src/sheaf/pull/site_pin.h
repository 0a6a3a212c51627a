#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"
#include "sheaf/trust/signing.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The key with which the collections of a site must be signed (its pin), and the signatures of the stored
// sections. Both are notes of the site. A note that cannot be read is an error and does not count as missing:
// otherwise damage would turn a signed site into an unsigned one.
namespace sheaf::pull {

enum class PinSource : std::uint8_t {
  first_use,  ///< the site stated it at the first pull
  given,      ///< the user gave it (--key)
  rotation,   ///< the previous key signed it
};

std::string_view to_string(PinSource source);  ///< "first use", ...

struct SitePin {
  trust::PublicKey key = {};
  PinSource source = PinSource::first_use;
  Instant since = {};
  std::optional<Instant> revoked = {};        ///< when its owner revoked it; since then nothing is accepted
  std::uint64_t statements = 0;               ///< length of the last key history that was verified
  std::vector<trust::PublicKey> former = {};  ///< previous keys, newest last; limited in number

  /// Whether `other` is the current key or a previous one.
  [[nodiscard]] bool knows(const trust::PublicKey& other) const;
  friend bool operator==(const SitePin&, const SitePin&) = default;
};

std::string encode(const SitePin& pin);
std::optional<SitePin> decode_site_pin(std::string_view bytes);

base::Result<std::optional<SitePin>> read_site_pin(const store::PageStore& store, std::string_view site);
/// Stores the pin; nullopt removes it.
base::Result<void> write_site_pin(store::PageStore& store, std::string_view site,
                                  const std::optional<SitePin>& pin);

/// The signature of the newest applied collection of a section.
struct SectionSignature {
  trust::PublicKey key = {};  ///< the key that verified it
  std::string text = {};      ///< the signature file

  friend bool operator==(const SectionSignature&, const SectionSignature&) = default;
};

base::Result<std::optional<SectionSignature>> read_section_signature(const store::PageStore& store,
                                                                     std::string_view site,
                                                                     std::string_view section);
/// Stores the signature; nullopt removes it, because the section was changed by something unsigned.
base::Result<void> write_section_signature(store::PageStore& store, std::string_view site,
                                           std::string_view section,
                                           const std::optional<SectionSignature>& signature);

/// The result of verify_signatures().
struct SignatureSummary {
  std::uint64_t signed_sections = 0;    ///< sections whose state is the signed one
  std::uint64_t unsigned_sections = 0;  ///< sections of sites that do not sign, or from before they did
  std::vector<std::string> faults;      ///< a sentence for each section that is not proven
};

/// Checks the state of every section from collections against the signature of its newest collection. Does
/// not need the files, because the state digest is part of what was signed.
base::Result<SignatureSummary> verify_signatures(const store::PageStore& store);

}  // namespace sheaf::pull
