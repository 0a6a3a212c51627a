#include "sheaf/store/local/maintenance.h"

#include "sheaf/base/external_sort.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/format/limits.h"
#include "sheaf/format/pages/stored_page_decoder.h"
#include "sheaf/store/local/page_lookup.h"
#include "sheaf/store/local/section_change.h"

#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace sheaf::store::local {
namespace {

using base::Result;

constexpr std::size_t kBatchBytes = format::kMiB;

/// Runs in progress, whose pages are not referenced yet.
Result<std::set<std::string, std::less<>>> runs_under_way(const StoreView& view) {
  std::set<std::string, std::less<>> runs;
  auto cursor = view.view().scan(kUnfinishedRuns);
  for (; cursor.valid(); cursor.next()) runs.emplace(cursor.key().substr(kUnfinishedRuns.size()));
  SHEAF_TRY(cursor.check());
  return runs;
}

/// Deletes pages in the data table that no index refers to. It reads one view of the store, in which every
/// unfinished run is marked, so writers need not wait.
Result<std::uint64_t> delete_orphans(StoreCore& core, const StoreProgressSink& progress) {
  const StoreView view = core.view();
  SHEAF_TRY_ASSIGN(const auto under_way, runs_under_way(view));
  base::ExternalSort<Place> live(kSortMemory, core.folder());
  auto entries = view.view().scan(kIndex);
  for (; entries.valid(); entries.next()) {
    const auto entry = decode_entry(entries.value());
    // The page of an unreadable entry is unknown, so nothing may be deleted.
    if (!entry) return std::unexpected(view.damaged("an entry of its index cannot be read"));
    for (std::uint64_t part = 0; part < part_count(entry->json_bytes); ++part)
      SHEAF_TRY(live.add({entry->place.run, entry->place.number + part}));
  }
  SHEAF_TRY(entries.check());
  SHEAF_TRY(live.sort());
  SHEAF_TRY_ASSIGN(auto next, live.next());
  std::uint64_t orphans = 0;
  Database::Batch batch(core.database());
  auto data = view.view().scan("", Table::data);
  std::uint64_t seen = 0;
  for (; data.valid(); data.next()) {
    // The number of orphans is not known beforehand, so there is no total once `live` is exceeded.
    if (progress && ++seen % kPagesBetweenReports == 0)
      progress({StoreProgress::Stage::check, seen, seen <= live.size() ? live.size() : 0});
    const auto place = place_of_data_key(data.key());
    while (next && place && *next < *place) {
      SHEAF_TRY_ASSIGN(next, live.next());
    }
    if (place && next && *next == *place) continue;
    if (place && under_way.contains(data_prefix(place->run))) continue;
    ++orphans;
    batch.remove(data.key(), Table::data);
    if (batch.bytes() > kBatchBytes) SHEAF_TRY(core.database().write(batch, Durability::buffered));
  }
  SHEAF_TRY(data.check());
  if (!batch.empty()) SHEAF_TRY(core.database().write(batch, Durability::buffered));
  return orphans;
}

Result<std::uint64_t> shorten_feed(StoreCore& core, std::uint64_t keep) {
  const std::lock_guard lock(core.commit_mutex());
  Meta meta = core.meta();
  const std::uint64_t there = meta.last_sequence + 1 - meta.first_sequence;
  if (there <= keep) return 0;
  const std::uint64_t first = meta.first_sequence;
  meta.first_sequence = meta.last_sequence + 1 - keep;
  ++meta.commits;
  Database::Batch batch(core.database());
  batch.remove_range(feed_key(first), feed_key(meta.first_sequence));
  batch.put(kMetaKey, encode(meta));
  SHEAF_TRY(core.database().write(batch, Durability::synced));
  core.meta() = meta;
  core.journal().add(meta);
  return there - keep;
}

database::CompactProgress pack_progress(const StoreProgressSink& progress) {
  if (!progress) return {};
  return [&progress](std::uint64_t done, std::uint64_t total) {
    progress({StoreProgress::Stage::pack, done, total});
  };
}

}  // namespace

Result<bool> pack_pages(StoreCore& core, std::uint64_t worth, unsigned threads,
                        const StoreProgressSink& progress) {
  SHEAF_TRY(core.check_writable("-", ""));
  const bool was_under_way = core.packer().finish(pack_progress(progress));
  const std::uint64_t unpacked = core.database().unpacked_bytes(Table::data);
  SHEAF_TRY_ASSIGN(const std::uint64_t whole, core.database().disk_bytes());
  if (unpacked < worth || unpacked < whole / 4) return was_under_way;
  SHEAF_TRY(core.database().compact(Table::data, threads, pack_progress(progress)));
  return true;
}

Result<GcSummary> collect_garbage(StoreCore& core, const GcOptions& options) {
  SHEAF_TRY(core.check_writable("-", ""));
  GcSummary summary;
  SHEAF_TRY_ASSIGN(summary.bytes_before, core.database().disk_bytes());
  SHEAF_TRY_ASSIGN(summary.orphans, delete_orphans(core, options.progress));
  if (options.keep_changes) {
    SHEAF_TRY_ASSIGN(summary.changes, shorten_feed(core, *options.keep_changes));
  }
  SHEAF_TRY(core.database().compact(Table::data, options.threads, pack_progress(options.progress)));
  SHEAF_TRY(core.database().compact(Table::main, options.threads, pack_progress(options.progress)));
  SHEAF_TRY_ASSIGN(summary.bytes_after, core.database().disk_bytes());
  return summary;
}

namespace {

/// Finds the unreadable pages of one section and deletes them.
class SectionRepair {
 public:
  SectionRepair(StoreCore& core, const NamedSection& section)
      : core_(core), section_(section), view_(core.view()), pages_(kSortMemory, core.folder()) {}

  Result<void> run(RepairSummary& summary) {
    SHEAF_TRY(read_index());
    SHEAF_TRY(pages_.sort());
    SHEAF_TRY(read_pages(summary));
    if (damaged_.empty()) return {};
    summary.damaged += damaged_.size();
    ++summary.sections;
    return remove_damaged();
  }

 private:
  /// Sets the totals in the record to those of the readable entries.
  Result<void> read_index() {
    SectionRecord& record = section_.record;
    record.pages = record.bytes = 0;
    format::StateDigest state;
    auto cursor = view_.view().scan(index_prefix(record.id));
    for (; cursor.valid(); cursor.next()) {
      const auto url = url_of_index_key(cursor.key());
      const auto entry = decode_entry(cursor.value());
      if (!url || !entry) {
        damaged_.emplace(cursor.key());
        continue;
      }
      ++record.pages;
      record.bytes += entry->json_bytes;
      state.add(entry->url, entry->modified);
      SHEAF_TRY(pages_.add({entry->place, *url, entry->json_bytes}));
    }
    record.state = state.sum();
    return cursor.check();
  }

  Result<void> read_pages(RepairSummary& summary) {
    PageCursor cursor(view_.view());
    format::StoredPageDecoder decoder(format::Detail::checks);
    UrlHasher hash;
    while (true) {
      SHEAF_TRY_ASSIGN(const auto page, pages_.next());
      if (!page) return {};
      const auto data = cursor.read(page->place, page->json_bytes);
      const bool good = data && hash(data->url) == page->url && cursor.decode(*data, decoder);
      if (good) ++summary.pages;
      if (!good) damaged_.insert(index_key(section_.record.id, page->url));
    }
  }

  Result<void> remove_damaged() {
    std::unique_lock lock(core_.commit_mutex());
    SectionRecord record = section_.record;
    // Resets the section as if nothing had been applied yet, so that the next pull can apply a snapshot of
    // any age.
    record.generated = {};
    record.snapshot.reset();
    SectionChange change(core_, section_.site, section_.name, record);
    for (const std::string& key : damaged_) {
      const auto url = url_of_index_key(key);
      const auto bytes = view_.view().get(key);
      if (!bytes) return std::unexpected(bytes.error());
      const auto entry = *bytes ? decode_entry(**bytes) : std::nullopt;
      SHEAF_TRY(url && entry ? change.remove(*url, *entry) : change.forget(key));
    }
    SHEAF_TRY(change.commit());
    lock.unlock();
    return change.delete_old_data();
  }

  StoreCore& core_;
  NamedSection section_;
  StoreView view_;
  base::ExternalSort<PlacedPage> pages_;
  std::set<std::string> damaged_;  ///< keys of the index, sorted
};

}  // namespace

Result<RepairSummary> repair_store(StoreCore& core, std::string_view site) {
  SHEAF_TRY(core.check_writable(site, ""));
  SHEAF_TRY_ASSIGN(const auto sections, core.view().sections(site));
  RepairSummary summary;
  for (const NamedSection& section : sections) {
    const auto lock = core.lock_section(section.site, section.name);
    SHEAF_TRY_ASSIGN(const auto record, core.view().section(section.site, section.name));
    if (record) SHEAF_TRY(SectionRepair(core, {section.site, section.name, *record}).run(summary));
  }
  return summary;
}

}  // namespace sheaf::store::local
