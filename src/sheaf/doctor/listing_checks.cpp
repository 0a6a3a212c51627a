#include "sheaf/base/counted_text.h"
#include "sheaf/doctor/checks.h"
#include "sheaf/format/deltas/delta_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>

// What the sitemap says about sections and collections, without looking at the files.
namespace sheaf::doctor {
namespace {

using model::CollectionType;
using site::AdvertisedCollection;

Problem version_missing(const SiteFacts& facts) {
  if (facts.sitemaps.advertised.collections.empty() || facts.sitemaps.advertised.version) return std::nullopt;
  return "there is no scp:version element";
}

Problem version_unknown(const SiteFacts& facts) {
  const auto& version = facts.sitemaps.advertised.version;
  if (!version || version->starts_with("0.")) return std::nullopt;
  return fmt::format("scp:version is {}", *version);
}

Problem listed_twice(const SiteFacts& facts) {
  if (facts.sitemaps.duplicates.empty()) return std::nullopt;
  return fmt::format("{} is listed twice", facts.sitemaps.duplicates.front());
}

Problem section_undeclared(const SectionFacts& section, const SiteFacts& facts) {
  if (facts.sitemaps.advertised.find_section(section.name) != nullptr) return std::nullopt;
  return "there is no scp:section element for it";
}

Problem no_snapshot(const SectionFacts& section, const SiteFacts& /*facts*/) {
  const auto is_snapshot = [](const AdvertisedCollection& offer) {
    return offer.type == CollectionType::snapshot;
  };
  if (std::ranges::any_of(section.offers, is_snapshot)) return std::nullopt;
  return "only deltas are offered";
}

Problem offered_insecurely(const CollectionFacts& collection) {
  if (!collection.insecure) return std::nullopt;
  return "it is offered over http by a site that has https";
}

Problem dated_in_future(const CollectionFacts& collection, const SiteFacts& facts) {
  const auto& generated = collection.offer.generated;
  if (!generated || !format::is_in_future(*generated, facts.now)) return std::nullopt;
  return fmt::format("the sitemap says that it was generated at {}", format_time(*generated));
}

/// Only the newest snapshot matters: new clients fetch it. Older ones may expire.
Problem expired(const SectionFacts& section, const SiteFacts& facts) {
  const AdvertisedCollection* newest = nullptr;
  for (const AdvertisedCollection& offer : section.offers)
    if (offer.type == CollectionType::snapshot && offer.generated &&
        (newest == nullptr || *offer.generated > *newest->generated))
      newest = &offer;
  if (newest == nullptr || !newest->expires || *newest->expires >= facts.now) return std::nullopt;
  return fmt::format("{} expired at {}", newest->url, format_time(*newest->expires));
}

std::optional<Instant> newest_of(const SectionFacts& section) {
  std::optional<Instant> newest;
  for (const AdvertisedCollection& offer : section.offers)
    if (offer.generated && (!newest || *offer.generated > *newest)) newest = offer.generated;
  return newest;
}

/// A section is outdated when it is two intervals late, so that one failed run is not reported.
Problem outdated(const SectionFacts& section, const SiteFacts& facts) {
  const auto newest = newest_of(section);
  if (!newest || !section.update) return std::nullopt;
  const std::int64_t age = facts.now.seconds - newest->seconds;
  if (age <= 2 * site::seconds_of(*section.update)) return std::nullopt;
  return fmt::format("the newest state is of {}, yet it says that it is updated {}", format_time(*newest),
                     to_string(*section.update));
}

/// Returns the oldest state that a delta can be applied to; for a snapshot, the state that it leads to.
std::optional<Instant> begin_of(const AdvertisedCollection& offer) {
  return offer.type == CollectionType::delta ? offer.since : offer.generated;
}

/// Whether an offered collection leads to a state that `delta` can be applied to. A delta that begins with
/// `delta`, or later, does not count.
bool has_predecessor(const AdvertisedCollection& delta, const std::vector<AdvertisedCollection>& offers) {
  return std::ranges::any_of(offers, [&](const AdvertisedCollection& other) {
    const bool reaches =
        other.generated && *other.generated >= *delta.since && *other.generated < *delta.generated;
    return reaches &&
           (other.type == CollectionType::snapshot || (other.since && *other.since < *delta.since));
  });
}

/// Whether a longer delta covers this one. Short deltas are deleted earlier than the delta that they were
/// merged into, so the oldest of them may have no predecessor.
bool is_part_of_longer(const AdvertisedCollection& delta, const std::vector<AdvertisedCollection>& offers) {
  return std::ranges::any_of(offers, [&](const AdvertisedCollection& other) {
    if (other.type != CollectionType::delta || !other.since || !other.generated) return false;
    const bool covers = *other.since <= *delta.since && *other.generated >= *delta.generated;
    return covers && (*other.since < *delta.since || *other.generated > *delta.generated);
  });
}

const AdvertisedCollection* find_gap(const SectionFacts& section) {
  for (const AdvertisedCollection& offer : section.offers) {
    if (offer.type != CollectionType::delta || !offer.since || !offer.generated) continue;
    const bool is_first = std::ranges::none_of(section.offers, [&](const AdvertisedCollection& other) {
      const auto begin = begin_of(other);
      return begin && *begin < *offer.since;
    });
    if (is_first || has_predecessor(offer, section.offers)) continue;
    if (!is_part_of_longer(offer, section.offers)) return &offer;
  }
  return nullptr;
}

Problem gap(const SectionFacts& section, const SiteFacts& /*facts*/) {
  const AdvertisedCollection* delta = find_gap(section);
  if (delta == nullptr) return std::nullopt;
  return fmt::format("{} begins at {}, and no collection reaches that far", delta->url,
                     format_time(*delta->since));
}

Problem follower_starts_over(const SectionFacts& section, const SiteFacts& /*facts*/) {
  if (!section.yesterday || section.yesterday->kind != offers::PlanKind::snapshot) return std::nullopt;
  if (find_gap(section) != nullptr) return std::nullopt;  // the cause, which has its own check
  return fmt::format("a client that was up to date a day ago fetches {} again",
                     base::human_size(section.yesterday->bytes));
}

Problem delta_larger(const CollectionFacts& collection, const SiteFacts& facts) {
  const AdvertisedCollection& offer = collection.offer;
  if (offer.type != CollectionType::delta || !offer.size) return std::nullopt;
  const auto section = std::ranges::find(facts.sections, offer.section, &SectionFacts::name);
  if (section == facts.sections.end() || section->snapshot_size == 0) return std::nullopt;
  if (*offer.size <= section->snapshot_size) return std::nullopt;
  return fmt::format("{} where the snapshot has {}", base::human_size(*offer.size),
                     base::human_size(section->snapshot_size));
}

Problem page_count_wrong(const SectionFacts& section, const SiteFacts& facts) {
  const AdvertisedSection* declared = facts.sitemaps.advertised.find_section(section.name);
  if (declared == nullptr || !declared->pages || declared->pages->estimate || !section.complete)
    return std::nullopt;
  if (declared->pages->pages == section.pages) return std::nullopt;
  return fmt::format("the sitemap says {}, the collections have {}",
                     base::counted(declared->pages->pages, "page", "pages"),
                     base::counted(section.pages, "page", "pages"));
}

Problem codec_unlisted(const SiteFacts& facts) {
  const auto& listed = facts.sitemaps.advertised.compression;
  if (listed.empty()) return std::nullopt;
  for (const AdvertisedCollection& offer : facts.sitemaps.advertised.collections) {
    const auto codec = codec_for_path(offer.url);
    if (!codec || *codec == Codec::plain) continue;
    if (std::ranges::find(listed, to_string(*codec)) == listed.end())
      return fmt::format("{} is {}, which scp:compression does not name", offer.url, to_string(*codec));
  }
  return std::nullopt;
}

constexpr std::array kListingChecks = {
    Check{"offer-version-missing", Severity::warning, "The sitemap does not name the version of SCP",
          "Clients have to guess which rules the files follow.", Remedy::publish_sitemap,
          on_site<version_missing>},
    Check{"offer-version-unknown", Severity::error, "The version of SCP is not known",
          "Clients of version 0 do not read the files.", Remedy::publish_sitemap, on_site<version_unknown>},
    Check{"offer-duplicate", Severity::warning, "A collection is listed twice",
          "The two entries may contradict each other; clients use the first.", Remedy::publish_sitemap,
          on_site<listed_twice>},
    Check{"offer-compression", Severity::warning, "scp:compression does not name a codec that is used",
          "Clients that choose by it do not look at these files.", Remedy::publish_sitemap,
          on_site<codec_unlisted>},
    Check{"offer-insecure", Severity::error, "A collection of an https site is offered over http",
          "Anyone on the network could change it, so clients do not fetch it.", Remedy::use_https,
          on_collections<offered_insecurely>},
    Check{"offer-future", Severity::error, "A collection is dated in the future",
          "Clients refuse it, and everything older than it would look like a step back.",
          Remedy::publish_again, on_collections_of<dated_in_future>},
    Check{"section-undeclared", Severity::warning, "A section is not declared",
          "Clients do not know how often it is updated or how large it is.", Remedy::publish_sitemap,
          on_sections<section_undeclared>},
    Check{"section-no-snapshot", Severity::error, "A section has no snapshot",
          "A new client cannot begin: deltas need a state to start from.", Remedy::publish_again,
          on_sections<no_snapshot>},
    Check{"section-expired", Severity::warning, "The newest snapshot has expired",
          "Clients treat the offer as abandoned.", Remedy::publish_often, on_sections<expired>},
    Check{"section-outdated", Severity::warning, "A section is older than its stated interval",
          "Clients poll in vain, and readers get old pages. Often the publish job has stopped.",
          Remedy::publish_often, on_sections<outdated>},
    Check{"section-page-count", Severity::warning, "A section has another number of pages than stated",
          "Clients that compare the two report the section as incomplete.", Remedy::publish_sitemap,
          on_sections<page_count_wrong>},
    Check{"delta-gap", Severity::error, "There is a gap between deltas",
          "Clients cannot apply the delta after the gap and fetch the snapshot again.",
          Remedy::publish_deltas, on_sections<gap>},
    Check{"delta-missing", Severity::warning, "Clients fetch the whole snapshot for an update",
          "Deltas would make an update a small fraction of it.", Remedy::publish_deltas,
          on_sections<follower_starts_over>},
    Check{"delta-large", Severity::warning, "A delta is larger than the snapshot",
          "The snapshot is the cheaper update. Often every page gets a new `modified` at each build.",
          Remedy::publish_deltas, on_collections_of<delta_larger>},
};

}  // namespace

std::span<const Check> listing_checks() { return kListingChecks; }

}  // namespace sheaf::doctor
