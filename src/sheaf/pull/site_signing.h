#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/format/limits.h"
#include "sheaf/pull/downloads.h"
#include "sheaf/pull/failure.h"
#include "sheaf/pull/site_pin.h"
#include "sheaf/site/advertised.h"
#include "sheaf/store/page_store.h"
#include "sheaf/trust/key_history.h"
#include "sheaf/trust/signed_collection.h"
#include <sheaf/time.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::pull {

/// A key that the user pins; nullopt removes the pin.
struct GivenKey {
  std::string site;  ///< origin of the site
  std::optional<trust::PublicKey> key;
};

struct SigningOptions {
  std::vector<GivenKey> keys = {};
  bool require = false;  ///< refuse sites that do not sign
};

/// Whether a failure is about signatures. Then no other content of the site is trusted either: its pages are
/// not crawled.
bool is_signature_failure(FailureCode code);

/// A downloaded collection and what its signature must agree with.
struct SignedOffer {
  std::string url;  ///< of the collection
  std::string section;
  std::filesystem::path file;         ///< downloaded
  std::optional<Instant> advertised;  ///< `generated` in the sitemap
  std::optional<Instant> held;        ///< `generated` of the stored state; a signed file that is older is a
                                      ///< replay
};

/// Decides which key of a site is trusted, and checks that its collections are signed with it.
///
/// The first key that a site states is trusted once a collection has been verified with it (trust on first
/// use), and is pinned in the store. From then on every collection must be signed with that key, or with one
/// that it signed itself (a rotation). The key list of the site is fetched only if the sitemap says that it
/// has changed.
class SiteSigning {
 public:
  /// Reads the pin of a site and applies the keys that the user gives. `is_plan`: nothing is written.
  static base::Result<SiteSigning> open(store::PageStore& store, const base::Url& site,
                                        const SigningOptions& options, Instant now, bool is_plan);

  /// Compares the key that the sitemaps state with the pinned one. A failure ends the pull of the site,
  /// because nothing that it offers can be trusted.
  base::Result<Failure> adopt(const std::optional<site::AdvertisedKey>& stated, Downloads& downloads);

  /// Whether collections must be signed. Then check() must accept each one before it is applied.
  [[nodiscard]] bool is_signed() const { return pin_.has_value(); }
  [[nodiscard]] bool is_required() const { return required_; }

  /// Fetches the signature of a collection, and verifies the collection with it.
  base::Result<Failure> check(const SignedOffer& offer, Downloads& downloads, const format::Limits& limits);
  /// Call it when the collection that check() accepted last has been applied to this section: stores its
  /// signature as the proof of the section's state.
  base::Result<void> note_applied(const std::string& section);

  /// Notes for the user, one sentence each.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  SiteSigning(store::PageStore& store, const base::Url& site, Instant now, bool is_plan)
      : store_(&store), site_(site), now_(now), is_plan_(is_plan) {}

  base::Result<void> take_given(const SigningOptions& options);
  base::Result<Failure> trust_first(const site::AdvertisedKey& stated, Downloads& downloads);
  base::Result<Failure> compare(const site::AdvertisedKey& stated, Downloads& downloads);
  base::Result<Failure> follow(const trust::KeyList& list, const site::AdvertisedKey& stated);
  base::Result<std::optional<trust::KeyList>> fetch_key_list(const site::AdvertisedKey& stated,
                                                             Downloads& downloads, Failure& why_not);
  base::Result<std::optional<std::string>> fetch_signature(const SignedOffer& offer, Downloads& downloads,
                                                           Failure& why_not);
  Failure judge(const SignedOffer& offer, const std::string& text, const format::Limits& limits);
  [[nodiscard]] Failure revoked() const;
  [[nodiscard]] std::string advice() const;
  base::Result<void> save();

  store::PageStore* store_;
  base::Url site_;
  Instant now_;
  bool is_plan_;
  bool required_ = false;
  std::optional<SitePin> pin_;
  bool is_saved_ = true;  ///< whether the store has `pin_`
  std::optional<SectionSignature> accepted_;
  std::vector<std::string> notes_;
};

/// The URL of a collection's signature: ".minisig" appended to the path.
std::string signature_url(std::string_view collection_url);

}  // namespace sheaf::pull
