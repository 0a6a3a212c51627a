#include "sheaf/base/file.h"
#include "sheaf/doctor/inspect_internal.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/collections/validator.h"
#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/model/plain_text.h"
#include "sheaf/offers/pull_plan.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

namespace sheaf::doctor {

std::uint64_t sample_rank(std::string_view url) {
  constexpr base::HashKey kSampleKey{0x7368656166,
                                     0x646f63746f72};  // fixed, so that every run samples the same pages
  return base::keyed_hash(kSampleKey, url);
}

bool SectionCopy::apply(std::unique_ptr<base::ByteSource> file, const format::Limits& limits) {
  format::ReaderOptions options;
  options.limits = limits;
  auto reader = format::CollectionReader::open(std::move(file), options);
  if (!reader) return false;
  const model::CollectionHead& head = reader->head();
  const bool is_snapshot = head.type == model::CollectionType::snapshot;
  if (is_snapshot) {
    pages_.clear();
    sample_.clear();
    digest_ = format::StateDigest();
  }
  for (const std::string& url : head.removed) remove(url);
  while (true) {
    const auto more = reader->next();
    if (!more) return false;
    if (!*more) return true;
    if (pages_.size() >= kMaxPages) return false;
    put(reader->page(), head.generated_at, is_snapshot);
  }
}

void SectionCopy::put(const Page& page, Instant generated, bool is_snapshot) {
  const std::string url(page.url);
  const std::string modified(page.modified);
  const Instant at = format::bounded_modified(page.modified_at, generated);
  if (const auto known = pages_.find(url); known != pages_.end()) {
    const bool same_file = known->second.as_of == generated;
    const bool wins = is_snapshot || same_file ? format::wins_within_collection(at, known->second.at)
                                               : format::replaces(at, known->second.at);
    if (!wins) return;
    digest_.subtract(url, known->second.modified);
  }
  digest_.add(url, modified);
  pages_[url] = {modified, at, generated};
  keep_sample(page);
}

void SectionCopy::remove(std::string_view url) {
  const auto known = pages_.find(std::string(url));
  if (known == pages_.end()) return;
  digest_.subtract(url, known->second.modified);
  pages_.erase(known);
  sample_.erase(sample_rank(url));
}

void SectionCopy::keep_sample(const Page& page) {
  const std::uint64_t rank = sample_rank(page.url);
  if (sample_.size() >= samples_ && !sample_.contains(rank) &&
      (sample_.empty() || rank > std::prev(sample_.end())->first))
    return;
  SampledPage sampled{std::string(page.url), std::string(page.title)};
  sampled.text += '\n';
  model::append_page_text(sampled.text, page);
  sample_[rank] = std::move(sampled);
  if (sample_.size() > samples_) sample_.erase(std::prev(sample_.end()));
}

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

namespace {

constexpr std::int64_t kDaySeconds = 86'400;

bool is_same_offer(const AdvertisedCollection& a, const AdvertisedCollection& b) {
  return a.section == b.section && a.type == b.type && a.generated == b.generated && a.since == b.since;
}

/// Returns the index of a file with the collection of this step, in any codec; nullopt if none could be read.
std::optional<std::size_t> find_file(const Inspection& inspection, const AdvertisedCollection& step) {
  const auto& collections = inspection.facts.collections;
  for (std::size_t i = 0; i < collections.size(); ++i)
    if (inspection.files[i] && is_same_offer(collections[i].offer, step)) return i;
  return std::nullopt;
}

/// Applies the collections that a new client would pull, and records the state after each delta.
void follow_chain(Inspection& inspection, SectionFacts& section, SectionCopy& copy) {
  SiteFacts& facts = inspection.facts;
  const offers::SectionPlan plan =
      offers::plan_section(section.name, std::nullopt, section.offers, {.now = facts.now});
  section.complete = !plan.steps.empty();
  for (const AdvertisedCollection& step : plan.steps) {
    const auto index = find_file(inspection, step);
    const auto file = index ? inspection.files[*index] : nullptr;
    if (!file || !copy.apply(base::spool_source(file, step.url), inspection.options.limits)) {
      section.complete = false;
      return;
    }
    const auto& head = facts.collections[*index].validation->head;
    if (step.type == CollectionType::delta && head && head->state && head->type == CollectionType::delta)
      facts.collections[*index].proof = {*head->state, copy.state()};
  }
  section.pages = copy.size();
}

/// Returns what a client fetches that was up to date a day ago; nullopt if the site offers no state that old.
std::optional<offers::SectionPlan> plan_for_daily_client(const SectionFacts& section, Instant now) {
  const Instant yesterday{now.seconds - kDaySeconds, now.nanoseconds};
  offers::Held held;
  bool has_state = false;
  for (const AdvertisedCollection& offer : section.offers) {
    if (!offer.generated || *offer.generated > yesterday) continue;
    if (!has_state || *offer.generated > held.generated) held.generated = *offer.generated;
    has_state = true;
  }
  if (!has_state) return std::nullopt;
  held.snapshot = held.generated;
  held.snapshot_checked = now;
  held.proven = true;
  return offers::plan_section(section.name, held, section.offers, {.now = now});
}

std::uint64_t newest_snapshot_size(const SectionFacts& section) {
  const AdvertisedCollection* newest = nullptr;
  for (const AdvertisedCollection& offer : section.offers)
    if (offer.type == CollectionType::snapshot && (newest == nullptr || offer.generated > newest->generated))
      newest = &offer;
  return newest == nullptr ? 0 : newest->size.value_or(0);
}

}  // namespace

void inspect_sections(Inspection& inspection) {
  for (SectionFacts& section : inspection.facts.sections) {
    section.snapshot_size = newest_snapshot_size(section);
    section.yesterday = plan_for_daily_client(section, inspection.facts.now);
    SectionCopy& copy = inspection.copies.emplace_back(inspection.options.pages);
    follow_chain(inspection, section, copy);
  }
}

}  // namespace sheaf::doctor
