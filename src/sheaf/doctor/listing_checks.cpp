#include "sheaf/base/ascii.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/doctor/checks.h"
#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/http/message/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>

// What the sitemap says about sections and collections, without looking at the files.
namespace sheaf::doctor {
namespace {

using http::fetch::FetchTrouble;

bool is_certificate_error(const ProbeExchange& exchange) {
  return exchange.error && exchange.trouble == FetchTrouble::other &&
         exchange.error->code == base::Errc::invalid_argument;
}

Problem certificate_refused(const SiteFacts& facts) {
  if (!is_certificate_error(facts.robots.get)) return std::nullopt;
  return facts.robots.get.error->message;
}

Problem no_https(const SiteFacts& facts) {
  if (facts.site.scheme() == "https" || facts.allow_http) return std::nullopt;
  return "the site is checked over plain http";
}

Problem robots_unavailable(const SiteFacts& facts) {
  const ProbeExchange& get = facts.robots.get;
  const bool answered = get.status() != 0;
  if (facts.robots.access != site::RobotsAccess::nothing || !answered) return std::nullopt;
  return fmt::format("{} answered {}", get.url, get.status());
}

Problem robots_redirects(const SiteFacts& facts) {
  if (facts.robots.redirects <= site::kRobotsRedirects) return std::nullopt;
  return fmt::format("{} redirects in a row, of which crawlers follow {}", facts.robots.redirects,
                     site::kRobotsRedirects);
}

bool robots_is_page(const SiteFacts& facts) {
  const ProbeExchange& get = facts.robots.get;
  return get.status() == 200 && http::message::is_html_type(get.head.header("content-type"));
}

Problem robots_html(const SiteFacts& facts) {
  if (!robots_is_page(facts)) return std::nullopt;
  return fmt::format("Content-Type is {}", facts.robots.get.head.header("content-type"));
}

Problem robots_type(const SiteFacts& facts) {
  const ProbeExchange& get = facts.robots.get;
  if (get.status() != 200 || robots_is_page(facts)) return std::nullopt;
  const std::string type = base::lower_text(get.head.header("content-type"));
  if (type.starts_with("text/plain")) return std::nullopt;
  return type.empty() ? std::string("there is no Content-Type") : fmt::format("Content-Type is {}", type);
}

Problem robots_large(const SiteFacts& facts) {
  if (!facts.robots.robots.truncated()) return std::nullopt;
  return fmt::format("only the first {} bytes are read", site::kRobotsBytes);
}

/// If a web page is sent as robots.txt, only robots-html reports it, not each of its lines.
Problem robots_syntax(const SiteFacts& facts) {
  if (robots_is_page(facts) || facts.robots.robots.truncated()) return std::nullopt;
  const auto& findings = facts.robots.robots.findings();
  if (findings.empty()) return std::nullopt;
  return fmt::format("line {}: {}", findings.front().line, findings.front().message);
}

Problem robots_relative_sitemap(const SiteFacts& facts) {
  for (const std::string& line : facts.robots.robots.sitemaps())
    if (!base::is_http_url(line)) return fmt::format("Sitemap: {}", line);
  return std::nullopt;
}

Problem robots_lacks_sitemap(const SiteFacts& facts) {
  if (facts.robots.get.status() != 200 || robots_is_page(facts)) return std::nullopt;
  const bool has_offers = !facts.sitemaps.advertised.empty();
  if (!has_offers || !facts.robots.robots.sitemaps().empty()) return std::nullopt;
  return "there is no Sitemap line; the sitemap was found by its usual name only";
}

Problem robots_missing(const SiteFacts& facts) {
  const int status = facts.robots.get.status();
  if (facts.robots.access != site::RobotsAccess::everything || status < 400) return std::nullopt;
  return fmt::format("{} answered {}", facts.robots.get.url, status);
}

Problem robots_blocks_sitemap(const SiteFacts& facts) {
  if (facts.sitemaps.disallowed.empty()) return std::nullopt;
  return fmt::format("{} is disallowed", facts.sitemaps.disallowed.front());
}

Problem robots_blocks_collection(const CollectionFacts& collection) {
  if (collection.allowed) return std::nullopt;
  return "robots.txt disallows it";
}

Problem robots_blocks_pages(const CollectionFacts& collection) {
  if (collection.disallowed_pages == 0) return std::nullopt;
  return fmt::format("{} of its pages, such as {}", collection.disallowed_pages,
                     collection.disallowed_example);
}

Problem robots_slow(const SiteFacts& facts) {
  const auto delay = facts.robots.rules.crawl_delay();
  if (!delay || *delay <= static_cast<double>(crawl::kMaxDelay.count())) return std::nullopt;
  return fmt::format("Crawl-delay: {}", *delay);
}

constexpr std::array kRobotsChecks = {
    Check{"tls-certificate", Severity::error, "The certificate is not trusted",
          "No client that checks certificates can fetch anything from the site.", Remedy::use_https,
          on_site<certificate_refused>},
    Check{"https-missing", Severity::warning, "The site is served over plain http",
          "Anyone on the network can change collections and sitemaps on their way.", Remedy::use_https,
          on_site<no_https>},
    Check{"robots-unavailable", Severity::error, "robots.txt cannot be read",
          "Crawlers must not fetch anything until it answers (RFC 9309, 2.3.1.4).", Remedy::serve_robots,
          on_site<robots_unavailable>},
    Check{"robots-redirects", Severity::warning, "robots.txt redirects too often",
          "Crawlers give up after five redirects and act as if there were no rules.", Remedy::serve_robots,
          on_site<robots_redirects>},
    Check{"robots-missing", Severity::advice, "There is no robots.txt",
          "Clients then only try /sitemap.xml. A Sitemap line names the sitemap for certain.",
          Remedy::write_robots, on_site<robots_missing>},
    Check{"robots-html", Severity::error, "robots.txt is a web page",
          "Its rules and its Sitemap line are lost, and crawlers act as if there were none.",
          Remedy::serve_robots, on_site<robots_html>},
    Check{"robots-type", Severity::warning, "robots.txt is not sent as text/plain",
          "Some crawlers ignore a robots.txt of another type.", Remedy::serve_robots, on_site<robots_type>},
    Check{"robots-large", Severity::warning, "robots.txt is too long",
          "Crawlers read 500 KiB; rules and Sitemap lines after them are lost.", Remedy::write_robots,
          on_site<robots_large>},
    Check{"robots-syntax", Severity::warning, "robots.txt has lines that crawlers do not understand",
          "Such lines are ignored: what they should forbid or name is not known.", Remedy::write_robots,
          on_site<robots_syntax>},
    Check{"robots-sitemap-relative", Severity::warning, "A Sitemap line is not an absolute URL",
          "sitemaps.org wants the whole URL; many crawlers ignore anything else.", Remedy::write_robots,
          on_site<robots_relative_sitemap>},
    Check{"robots-lacks-sitemap", Severity::warning, "robots.txt does not name the sitemap",
          "A client that does not guess /sitemap.xml finds no collections.", Remedy::write_robots,
          on_site<robots_lacks_sitemap>},
    Check{"robots-blocks-sitemap", Severity::warning, "robots.txt forbids the sitemap",
          "Clients that obey robots.txt to the letter cannot find the collections.", Remedy::allow_in_robots,
          on_site<robots_blocks_sitemap>},
    Check{"robots-blocks-collection", Severity::error, "robots.txt forbids a collection",
          "Clients that obey robots.txt do not fetch it and crawl pages instead, or nothing.",
          Remedy::allow_in_robots, on_collections<robots_blocks_collection>},
    Check{"robots-blocks-pages", Severity::warning, "A collection has pages that robots.txt forbids",
          "The two contradict each other: clients do not know whether they may use these pages.",
          Remedy::allow_in_robots, on_collections<robots_blocks_pages>},
    Check{"robots-slow", Severity::warning, "The Crawl-delay is longer than crawlers obey",
          "More than a minute between requests makes crawls take months; most crawlers cap or ignore it.",
          Remedy::write_robots, on_site<robots_slow>},
};

}  // namespace

std::span<const Check> robots_checks() { return kRobotsChecks; }

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
