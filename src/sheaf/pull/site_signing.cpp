#include "sheaf/pull/site_signing.h"

#include "sheaf/base/file.h"
#include "sheaf/pull/fetch_failure.h"
#include "sheaf/pull/section_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::pull {
namespace {

using base::Errc;
using base::Result;

Failure invalid(const SignedOffer& offer, std::string_view why) {
  return {FailureCode::invalid_signature,
          fmt::format("the signature of {} is not valid: {}", offer.url, why)};
}

/// Checks for a replay. A signature does not expire, so an old file with its signature could be served for
/// ever.
Failure judge_replay(const SignedOffer& offer, Instant generated) {
  if (offer.held && generated < *offer.held)
    return {FailureCode::replayed_collection,
            fmt::format("{} is signed, but it is dated {}, older than the copy, which is dated {}: old files "
                        "are being replayed",
                        offer.url, format_time(generated), format_time(*offer.held))};
  if (offer.advertised && is_stale(offer.advertised, generated, std::nullopt))
    return {
        FailureCode::replayed_collection,
        fmt::format("{} is signed, but it is dated {}, and the sitemap says {}: old files are being replayed",
                    offer.url, format_time(generated), format_time(*offer.advertised))};
  return {};
}

}  // namespace

bool is_signature_failure(FailureCode code) {
  switch (code) {
    case FailureCode::unsigned_collection:
    case FailureCode::invalid_signature:
    case FailureCode::untrusted_key:
    case FailureCode::replayed_collection: return true;
    default: return false;
  }
}

std::string signature_url(std::string_view collection_url) {
  const std::size_t end = std::min(collection_url.find_first_of("?#"), collection_url.size());
  std::string url(collection_url.substr(0, end));
  url += trust::kSignatureEnding;
  return url.append(collection_url.substr(end));
}

Result<SiteSigning> SiteSigning::open(store::PageStore& store, const base::Url& site,
                                      const SigningOptions& options, Instant now, bool is_plan) {
  SiteSigning signing(store, site, now, is_plan);
  signing.required_ = options.require;
  auto pin = read_site_pin(store, site.origin());
  // If the user gives a key, a damaged pin does not matter.
  const bool is_given = std::ranges::find(options.keys, site.origin(), &GivenKey::site) != options.keys.end();
  if (!pin && !is_given) return std::unexpected(std::move(pin).error());
  if (pin) signing.pin_ = std::move(*pin);
  SHEAF_TRY(signing.take_given(options));
  return signing;
}

Result<void> SiteSigning::save() {
  if (is_plan_) return {};
  SHEAF_TRY(write_site_pin(*store_, site_.origin(), pin_));
  is_saved_ = true;
  return {};
}

Result<void> SiteSigning::take_given(const SigningOptions& options) {
  for (const GivenKey& given : options.keys) {
    if (given.site != site_.origin()) continue;
    if (!given.key) {
      if (pin_) notes_.push_back(fmt::format("forgot key {}", trust::to_string(pin_->key.number)));
      pin_.reset();
    } else if (!pin_ || pin_->key != *given.key) {
      SitePin pin{.key = *given.key, .source = PinSource::given, .since = now_};
      // The stored sections were verified with the previous key, so it is kept; the user confirms the change.
      if (pin_) pin.former = pin_->former;
      if (pin_) pin.former.push_back(pin_->key);
      pin_ = std::move(pin);
      notes_.push_back(fmt::format("pinned key {}, which --key gave", trust::to_string(pin_->key.number)));
    } else {
      continue;
    }
    SHEAF_TRY(save());
  }
  return {};
}

std::string SiteSigning::advice() const {
  return fmt::format(
      "if the publisher confirms through another channel that this is right, pull once with --key {}={}",
      site_.origin(), "KEY, its new public key, or with none to trust the site again on first use");
}

Failure SiteSigning::revoked() const {
  return {
      FailureCode::untrusted_key,
      fmt::format("key {} of {} was revoked by its owner at {}: nothing that it signed is accepted; ask the "
                  "publisher for the new public key and pull with --key {}=KEY",
                  trust::to_string(pin_->key.number), site_.origin(), format_time(*pin_->revoked),
                  site_.origin())};
}

Result<Failure> SiteSigning::adopt(const std::optional<site::AdvertisedKey>& stated, Downloads& downloads) {
  if (pin_ && pin_->revoked) return revoked();
  if (!pin_ && !stated) {
    if (!required_) return Failure{};
    return Failure{FailureCode::unsigned_collection,
                   fmt::format("{} does not sign its collections; without --require-signatures it can be "
                               "pulled",
                               site_.origin())};
  }
  // A sitemap without a key changes nothing: each collection still has to be signed.
  if (!stated) return Failure{};
  return pin_ ? compare(*stated, downloads) : trust_first(*stated, downloads);
}

Result<Failure> SiteSigning::trust_first(const site::AdvertisedKey& stated, Downloads& downloads) {
  const auto key = trust::parse_public_key(stated.public_key);
  if (!key)
    return Failure{FailureCode::untrusted_key,
                   fmt::format("the sitemap of {} states a key that cannot be used: {}", site_.origin(),
                               key.error().message)};
  Failure why_not;
  SHEAF_TRY_ASSIGN(const auto list, fetch_key_list(stated, downloads, why_not));
  if (why_not) return why_not;
  pin_ = SitePin{.key = *key, .source = PinSource::first_use, .since = now_, .statements = stated.statements};
  is_saved_ = false;
  if (!list) return Failure{};
  if (list->key != *key)
    return Failure{
        FailureCode::untrusted_key,
        fmt::format("the sitemap of {} states key {}, but its key list states key {}", site_.origin(),
                    trust::to_string(key->number), trust::to_string(list->key.number))};
  const auto path = trust::follow_history(*key, list->history);
  if (!path) return Failure{FailureCode::untrusted_key, path.error().message};
  pin_->revoked = path->revoked;
  return path->revoked ? revoked() : Failure{};
}

Result<Failure> SiteSigning::compare(const site::AdvertisedKey& stated, Downloads& downloads) {
  const bool is_same = stated.public_key == trust::to_string(pin_->key);
  if (is_same && stated.statements == pin_->statements) return Failure{};
  Failure why_not;
  SHEAF_TRY_ASSIGN(const auto list, fetch_key_list(stated, downloads, why_not));
  if (why_not) return why_not;
  if (list) return follow(*list, stated);
  if (is_same) return Failure{};
  return Failure{
      FailureCode::untrusted_key,
      fmt::format("the sitemap of {} states another key than {}, which has been pinned since {}, and it has "
                  "no key list in which the old key signs the new one; {}",
                  site_.origin(), trust::to_string(pin_->key.number), format_time(pin_->since), advice())};
}

Result<Failure> SiteSigning::follow(const trust::KeyList& list, const site::AdvertisedKey& stated) {
  const auto path = trust::follow_history(pin_->key, list.history);
  if (!path)
    return Failure{FailureCode::untrusted_key, fmt::format("the key list of {} is not valid: {}; {}",
                                                           site_.origin(), path.error().message, advice())};
  pin_->statements = stated.statements;
  if (path->key != pin_->key) {
    notes_.push_back(fmt::format("key {} was replaced by key {}, which it signed",
                                 trust::to_string(pin_->key.number), trust::to_string(path->key.number)));
    pin_->former.push_back(pin_->key);
    pin_->key = path->key;
    pin_->source = PinSource::rotation;
    pin_->since = now_;
  }
  pin_->revoked = path->revoked;
  SHEAF_TRY(save());
  if (pin_->revoked) return revoked();
  if (stated.public_key == trust::to_string(pin_->key)) return Failure{};
  return Failure{FailureCode::untrusted_key,
                 fmt::format("the sitemap of {} states key {}, but key {} has been pinned since {} and did "
                             "not sign that one; {}",
                             site_.origin(), stated.public_key, trust::to_string(pin_->key.number),
                             format_time(pin_->since), advice())};
}

Result<std::optional<trust::KeyList>> SiteSigning::fetch_key_list(const site::AdvertisedKey& stated,
                                                                  Downloads& downloads, Failure& why_not) {
  const auto url = base::Url::parse(stated.url);
  if (!url || url->origin() != site_.origin())
    return std::nullopt;  // only the site itself can state its
                          // keys
  auto download = downloads.fetch({.url = std::string(url->href()), .limit = trust::kKeyListBytes});
  if (!download) {
    if (is_local_failure(download.error())) return std::unexpected(std::move(download).error());
    why_not = downloads.failure(download.error());
    return std::nullopt;
  }
  if (download->outcome == DownloadOutcome::answered) {
    if (download->status == 404 || download->status == 410) return std::nullopt;
    why_not = {FailureCode::http_status, fmt::format("{} answered {}", stated.url, download->status)};
    return std::nullopt;
  }
  SHEAF_TRY_ASSIGN(const std::string text,
                   base::read_regular_file(download->file.string(), trust::kKeyListBytes));
  auto list = trust::parse_key_list(text);
  if (list) return std::move(*list);
  downloads.drop(url->href());
  why_not = {FailureCode::untrusted_key,
             fmt::format("{} is not a key list: {}", stated.url, list.error().message)};
  return std::nullopt;
}

Result<std::optional<std::string>> SiteSigning::fetch_signature(const SignedOffer& offer,
                                                                Downloads& downloads, Failure& why_not) {
  const std::string url = signature_url(offer.url);
  auto download = downloads.fetch({.url = url, .limit = trust::kSignatureBytes});
  if (!download) {
    if (is_local_failure(download.error())) return std::unexpected(std::move(download).error());
    why_not = downloads.failure(download.error());
    return std::nullopt;
  }
  if (download->outcome != DownloadOutcome::answered) {
    auto text = base::read_regular_file(download->file.string(), trust::kSignatureBytes);
    downloads.drop(url);  // needed only once, and a new key changes it
    return text;
  }
  if (download->status != 404 && download->status != 410) {
    why_not = {FailureCode::http_status, fmt::format("{} answered {}", url, download->status)};
    return std::nullopt;
  }
  why_not = {FailureCode::unsigned_collection,
             fmt::format("{} is not signed: there is no {}; the collections of {} must be signed with key "
                         "{}, which has been pinned since {}; {}",
                         offer.url, url, site_.origin(), trust::to_string(pin_->key.number),
                         format_time(pin_->since), advice())};
  return std::nullopt;
}

Failure SiteSigning::judge(const SignedOffer& offer, const std::string& text, const format::Limits& limits) {
  const auto parsed = trust::parse_signature(text);
  if (!parsed) return invalid(offer, parsed.error().message);
  if (parsed->number != pin_->key.number)
    return {FailureCode::untrusted_key,
            fmt::format("{} is signed with key {}, but key {} has been pinned for {} since {} and did not "
                        "sign that one; {}",
                        offer.url, trust::to_string(parsed->number), trust::to_string(pin_->key.number),
                        site_.origin(), format_time(pin_->since), advice())};
  const auto opened = trust::open_signature(text, pin_->key);
  if (!opened) return invalid(offer, opened.error().message);
  if (const auto difference = trust::differs_from_place(opened->statement, site_, offer.section))
    return invalid(offer, *difference);
  const auto verified = trust::verify_collection(*opened, offer.file, pin_->key, limits);
  if (!verified) return invalid(offer, verified.error().message);
  return judge_replay(offer, opened->statement.generated);
}

Result<Failure> SiteSigning::check(const SignedOffer& offer, Downloads& downloads,
                                   const format::Limits& limits) {
  accepted_.reset();
  Failure why_not;
  SHEAF_TRY_ASSIGN(const auto text, fetch_signature(offer, downloads, why_not));
  if (!text) return why_not;
  if (Failure failure = judge(offer, *text, limits)) return failure;
  accepted_ = SectionSignature{pin_->key, *text};
  if (is_saved_) return Failure{};
  notes_.push_back(
      fmt::format("the collections are signed; key {} is trusted from now on (first use), compare "
                  "it with what the publisher says: {}",
                  trust::to_string(pin_->key.number), trust::to_string(pin_->key)));
  SHEAF_TRY(save());
  return Failure{};
}

Result<void> SiteSigning::note_applied(const std::string& section) {
  return write_section_signature(*store_, site_.origin(), section, accepted_);
}

}  // namespace sheaf::pull
