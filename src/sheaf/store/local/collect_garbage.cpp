#include "sheaf/base/external_sort.h"
#include "sheaf/format/limits.h"
#include "sheaf/store/local/maintenance.h"

#include <mutex>
#include <set>
#include <string>

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

}  // namespace sheaf::store::local
