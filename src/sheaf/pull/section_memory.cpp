#include "sheaf/pull/section_memory.h"

#include "sheaf/base/record.h"
#include "sheaf/pull/pull.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace sheaf::pull {

using base::Result;

namespace {

constexpr std::uint64_t kMemoryVersion = 4;
constexpr std::size_t kMaxSeen = 200;

std::string name_of(std::string_view section) { return fmt::format("section/{}", section); }

void write(base::RecordWriter& record, const SeenCollection& seen) {
  record.number(seen.type == model::CollectionType::delta ? 1 : 0)
      .text(seen.url)
      .optional_time(seen.advertised)
      .optional_time(seen.since)
      .time(seen.generated)
      .text(seen.validators.etag())
      .text(seen.validators.last_modified())
      .number(seen.bytes)
      .number(seen.pages ? *seen.pages + 1 : 0)
      .text(seen.checksum);
}

SeenCollection read_seen(base::RecordReader& record) {
  SeenCollection seen;
  seen.type = record.number() == 1 ? model::CollectionType::delta : model::CollectionType::snapshot;
  seen.url = record.text();
  seen.advertised = record.optional_time();
  seen.since = record.optional_time();
  seen.generated = record.time();
  const auto etag = record.text();
  const auto last_modified = record.text();
  seen.validators = {etag, last_modified};
  seen.bytes = record.number();
  if (const std::uint64_t pages = record.number(); pages > 0) seen.pages = pages - 1;
  seen.checksum = record.text();
  return seen;
}

}  // namespace

const SeenCollection* SectionMemory::find(std::string_view url) const {
  const auto found = std::ranges::find(seen, url, &SeenCollection::url);
  return found == seen.end() ? nullptr : &*found;
}

void SectionMemory::put(SeenCollection collection) {
  std::erase_if(seen, [&](const SeenCollection& each) { return each.url == collection.url; });
  // A chain of deltas may be long, but this list is searched linearly, so it has to stay short.
  if (seen.size() >= 2 * kMaxSeen) {
    const auto oldest_delta = std::ranges::find(seen, model::CollectionType::delta, &SeenCollection::type);
    seen.erase(oldest_delta == seen.end() ? seen.begin() : oldest_delta);
  }
  seen.push_back(std::move(collection));
}

void SectionMemory::keep_offered(std::span<const site::AdvertisedCollection> offers) {
  std::unordered_set<std::string_view> offered;
  for (const site::AdvertisedCollection& offer : offers) offered.insert(offer.url);
  std::erase_if(seen, [&](const SeenCollection& each) { return !offered.contains(each.url); });
  std::ranges::stable_sort(seen, [](const SeenCollection& a, const SeenCollection& b) {
    return std::tuple(a.type, b.generated) < std::tuple(b.type, a.generated);
  });
  if (seen.size() > kMaxSeen) seen.resize(kMaxSeen);
  std::ranges::reverse(seen);  // oldest first, as put() leaves it
}

std::string encode(const SectionMemory& memory) {
  base::RecordWriter record;
  record.number(kMemoryVersion)
      .optional_time(memory.snapshot_checked)
      .number(memory.failures)
      .optional_time(memory.failing_since)
      .number(memory.stands_in ? 1 : 0)
      .number(memory.withdrawn)
      .number(memory.was_crawled ? 1 : 0)
      .number(memory.seen.size());
  for (const SeenCollection& seen : memory.seen) write(record, seen);
  return record.bytes();
}

std::optional<SectionMemory> decode_section_memory(std::string_view bytes) {
  base::RecordReader record(bytes);
  if (record.number() != kMemoryVersion) return std::nullopt;
  SectionMemory memory;
  memory.snapshot_checked = record.optional_time();
  memory.failures = static_cast<std::uint32_t>(record.number());
  memory.failing_since = record.optional_time();
  memory.stands_in = record.number() == 1;
  memory.withdrawn = static_cast<std::uint32_t>(record.number());
  memory.was_crawled = record.number() == 1;
  const std::uint64_t count = record.number();
  for (std::uint64_t i = 0; i < count && record.good_so_far(); ++i) memory.seen.push_back(read_seen(record));
  if (!record.good()) return std::nullopt;
  return memory;
}

Result<SectionMemory> read_section_memory(const store::PageStore& store, std::string_view site,
                                          std::string_view section) {
  SHEAF_TRY_ASSIGN(const auto bytes, store.note(site, name_of(section)));
  if (!bytes) return SectionMemory{};
  return decode_section_memory(*bytes).value_or(SectionMemory{});
}

Result<void> write_section_memory(store::PageStore& store, std::string_view site, std::string_view section,
                                  const SectionMemory& memory) {
  store::SectionEdit edit(site, kHtmlSection);
  if (memory == SectionMemory{})
    edit.remove_note(name_of(section));
  else
    edit.put_note(name_of(section), encode(memory));
  SHEAF_TRY(store.commit(edit));
  return {};
}

AdvertisedTimes correct_times(std::span<site::AdvertisedCollection> offers, const SectionMemory& memory) {
  using Key = std::tuple<model::CollectionType, std::optional<Instant>, std::optional<Instant>>;
  std::map<Key, Instant> times;
  for (const SeenCollection& seen : memory.seen) {
    const bool differs = seen.advertised && *seen.advertised != seen.generated;
    if (differs && !is_stale(seen.advertised, seen.generated, std::nullopt))
      times.emplace(Key(seen.type, seen.since, seen.advertised), seen.generated);
  }
  AdvertisedTimes changed;
  if (times.empty()) return changed;
  for (site::AdvertisedCollection& offer : offers) {
    const auto found = times.find(Key(offer.type, offer.since, offer.generated));
    if (found == times.end()) continue;
    changed.emplace(offer.url, *offer.generated);
    offer.generated = found->second;
  }
  return changed;
}

bool is_stale(const std::optional<Instant>& advertised, Instant generated,
              const std::optional<Instant>& held) {
  if (offers::is_older_than_stated(advertised, generated)) return true;
  const bool promises_news = held && (!advertised || *advertised > *held);
  return promises_news && generated < *held;
}

Result<void> add_new_urls(const store::PageStore& store, const std::string& site, std::string_view section,
                          base::UrlSet& urls, std::uint64_t& count) {
  store::PageFilter filter;
  filter.site = site;
  filter.section = section;
  filter.with_json = false;
  return store.each_page(filter, [&](const store::StoredPage& page) -> Result<bool> {
    if (urls.insert(page.url)) ++count;
    return true;
  });
}

Result<void> mark_stand_in(store::PageStore& store, const std::string& site, const std::string& section) {
  SHEAF_TRY_ASSIGN(auto memory, read_section_memory(store, site, section));
  if (std::exchange(memory.stands_in, true)) return {};
  return write_section_memory(store, site, section, memory);
}

Result<void> drop_stand_ins(store::PageStore& store, const std::string& site,
                            const std::set<std::string>& pulled, Instant now) {
  SHEAF_TRY_ASSIGN(const auto sections, store.sections(site));
  for (const store::SectionState& section : sections) {
    SHEAF_TRY_ASSIGN(auto memory, read_section_memory(store, site, section.section));
    if (!std::exchange(memory.stands_in, false)) continue;
    if (!pulled.contains(section.section)) {
      SHEAF_TRY(store.drop_section(site, section.section, now));
      memory = {};
    }
    SHEAF_TRY(write_section_memory(store, site, section.section, memory));
  }
  return {};
}

}  // namespace sheaf::pull
