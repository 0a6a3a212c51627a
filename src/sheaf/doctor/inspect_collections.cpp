#include "sheaf/base/file.h"
#include "sheaf/doctor/inspect_internal.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/collections/validator.h"
#include "sheaf/offers/offer_statements.h"
#include "sheaf/offers/pull_plan.h"
#include "sheaf/site/page_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace sheaf::doctor {
namespace {

using model::CollectionType;
using site::AdvertisedCollection;

/// Returns the names of all sections, beginning with those that a client would pull.
std::vector<std::string> order_sections(const site::Advertised& advertised,
                                        const offers::OffersBySection& offers) {
  std::vector<std::string> names = offers::choose_sections({advertised, offers});
  for (const auto& [name, list] : offers)
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

/// Returns the newest snapshot in all its codecs, then the deltas, newest first.
std::vector<AdvertisedCollection> choose_files(std::vector<AdvertisedCollection> offers) {
  const auto age = [](const AdvertisedCollection& a, const AdvertisedCollection& b) {
    return a.generated > b.generated;
  };
  std::ranges::stable_sort(offers, age);
  std::vector<AdvertisedCollection> chosen;
  std::optional<std::optional<Instant>> newest;
  for (const AdvertisedCollection& offer : offers) {
    if (offer.type != CollectionType::snapshot || (newest && *newest != offer.generated)) continue;
    newest = offer.generated;
    chosen.push_back(offer);
  }
  for (const AdvertisedCollection& offer : offers)
    if (offer.type == CollectionType::delta) chosen.push_back(offer);
  return chosen;
}

CollectionProbes probe(ProbeClient& client, const CollectionFacts& collection) {
  const std::string& url = collection.offer.url;
  const std::string etag(collection.get.head.header("etag"));
  const std::string modified(collection.get.head.header("last-modified"));
  const std::string range = fmt::format("bytes={}-{}", kRangeFirst, kRangeLast);
  const auto ask = [&](std::vector<std::pair<std::string, std::string>> headers, std::string method = "GET") {
    return client.send(
        {.url = url, .method = std::move(method), .headers = std::move(headers), .enough = kStartBytes});
  };
  CollectionProbes probes;
  probes.head = ask({}, "HEAD");
  probes.coded = ask({{"Accept-Encoding", "gzip, br, zstd"}});
  probes.cross_origin = ask({{"Origin", std::string(kForeignOrigin)}});
  if (!etag.empty()) probes.if_none_match = ask({{"If-None-Match", etag}});
  if (!modified.empty()) probes.if_modified_since = ask({{"If-Modified-Since", modified}});
  probes.range = ask({{"Range", range}});
  probes.if_range = ask({{"Range", range}, {"If-Range", "\"another-version\""}});
  probes.signature = client.send({.url = url + ".minisig", .enough = kStartBytes});
  return probes;
}

/// Reads the pages once more, to find those that belong to other sites or that robots.txt disallows.
void look_at_pages(Inspection& inspection, CollectionFacts& collection,
                   std::unique_ptr<base::ByteSource> file) {
  format::ReaderOptions options;
  options.limits = inspection.options.limits;
  auto reader = format::CollectionReader::open(std::move(file), options);
  if (!reader) return;
  while (true) {
    const auto more = reader->next();
    if (!more || !*more) return;
    const auto url = base::Url::parse(reader->page().url);
    if (!url) continue;
    if (!site::is_same_site(*url, inspection.facts.site)) {
      if (collection.foreign_pages++ == 0) collection.foreign_example = url->href();
    } else if (!inspection.client.allows(*url)) {
      if (collection.disallowed_pages++ == 0) collection.disallowed_example = url->href();
    }
  }
}

/// Fetches and reads one collection.
void read_collection(Inspection& inspection, CollectionFacts& collection, bool with_probes) {
  auto created = base::SpoolFile::create({});
  if (!created) return;
  auto spool = std::make_shared<base::SpoolFile>(std::move(*created));
  collection.get = inspection.client.send({.url = collection.offer.url, .spool = spool.get()});
  if (collection.get.trouble == http::fetch::FetchTrouble::too_large)
    inspection.facts.unchecked.push_back(
        fmt::format("{}: it is larger than the limit", collection.offer.url));
  if (!collection.get.is_ok()) return;
  const std::string& start = collection.get.start;
  if (start.size() > kRangeLast)
    collection.range_bytes = start.substr(kRangeFirst, kRangeLast - kRangeFirst + 1);
  // If the file is clearly something else, that is one finding, not one for each rule that it breaks.
  if (!offers::may_be_collection(start)) return;
  format::ValidateOptions options;
  options.limits = inspection.options.limits;
  collection.validation = format::validate(base::spool_source(spool, collection.offer.url), options);
  if (collection.is_valid()) {
    look_at_pages(inspection, collection, base::spool_source(spool, collection.offer.url));
    inspection.files.back() = std::move(spool);
  }
  if (with_probes) collection.probes = probe(inspection.client, collection);
}

void add_collection(Inspection& inspection, const AdvertisedCollection& offer, bool with_probes) {
  SiteFacts& facts = inspection.facts;
  inspection.files.push_back(nullptr);
  CollectionFacts& collection = facts.collections.emplace_back();
  collection.offer = offer;
  const auto url = base::Url::parse(offer.url);
  if (!url) return;
  collection.allowed = inspection.client.allows(*url);
  collection.insecure = facts.site.scheme() == "https" && url->scheme() == "http" && !facts.allow_http;
  if (collection.allowed && !collection.insecure) read_collection(inspection, collection, with_probes);
}

}  // namespace

void inspect_collections(Inspection& inspection) {
  SiteFacts& facts = inspection.facts;
  const offers::OffersBySection by_section = offers::group_by_section(facts.sitemaps.advertised.collections);
  for (const std::string& name : order_sections(facts.sitemaps.advertised, by_section)) {
    SectionFacts& section = facts.sections.emplace_back();
    section.name = name;
    section.offers = by_section.find(name)->second;
    const AdvertisedSection* declared = facts.sitemaps.advertised.find_section(name);
    if (declared != nullptr) section.update = declared->update_freq;
    std::set<CollectionType> probed;
    for (const AdvertisedCollection& offer : choose_files(section.offers)) {
      const bool is_over = facts.collections.size() >= inspection.options.collections;
      if (is_over || inspection.client.is_exhausted()) {
        facts.unchecked.push_back(fmt::format("{} and older collections of section {}", offer.url, name));
        break;
      }
      // All kinds of requests are made only for one snapshot and one delta of the first section, because a
      // server treats files of one kind alike.
      add_collection(inspection, offer, facts.sections.size() == 1 && !probed.contains(offer.type));
      if (facts.collections.back().probes) probed.insert(offer.type);
    }
  }
}

}  // namespace sheaf::doctor
