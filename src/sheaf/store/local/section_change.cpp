#include "sheaf/store/local/section_change.h"

#include "sheaf/format/limits.h"

#include <utility>

namespace sheaf::store::local {
namespace {

using base::Result;

// A change with more bytes is written to files.
constexpr std::size_t kHeldBytes = 2 * format::kMiB;
// Bytes of entries that are passed at once to the thread that writes a file.
constexpr std::size_t kListBytes = 256 * format::kKiB;
constexpr std::size_t kOldDataMemory = 8 * format::kMiB;
constexpr std::size_t kDeleteBytes = format::kMiB;

}  // namespace

SectionChange::SectionChange(StoreCore& core, std::string_view site, std::string_view section,
                             const SectionRecord& record, Memory memory)
    : core_(core),
      site_(site),
      section_(section),
      record_(record),
      memory_(memory),
      meta_(core.meta()),
      more_(core.database()),
      old_data_(kOldDataMemory, core.folder()) {
  if (record_.id == 0) record_.id = static_cast<std::uint32_t>(meta_.next_section++);
  state_.add(record_.state);
}

Result<void> SectionChange::put(const UrlKey& url, const std::optional<PageEntry>& before,
                                const PageEntry& after, Feed feed) {
  if (before) {
    record_.bytes -= before->json_bytes;
    state_.subtract(before->url, before->modified);
    SHEAF_TRY(add_old_data(before->place, before->json_bytes));
  } else {
    ++record_.pages;
  }
  record_.bytes += after.json_bytes;
  state_.add(after.url, after.modified);
  if (feed == Feed::report)
    add_to_feed(false, after.url, before ? std::string_view(before->modified) : "", after.modified);
  value_.clear();
  encode(after, value_);
  index_.put(index_key(record_.id, url), value_);
  return bound_memory();
}

Result<void> SectionChange::remove(const UrlKey& url, const PageEntry& before, Feed feed) {
  --record_.pages;
  record_.bytes -= before.json_bytes;
  state_.subtract(before.url, before.modified);
  SHEAF_TRY(add_old_data(before.place, before.json_bytes));
  if (feed == Feed::report) add_to_feed(true, before.url, before.modified, "");
  return forget(index_key(record_.id, url));
}

Result<void> SectionChange::forget(std::string_view key) {
  index_.remove(key);
  return bound_memory();
}

void SectionChange::add_to_feed(bool is_removal, std::string_view url, std::string_view old_modified,
                                std::string_view new_modified) {
  value_.clear();
  encode(ChangeRecord{is_removal, site_, section_, url, old_modified, new_modified}, value_);
  feed_.put(feed_key(++meta_.last_sequence), value_);
}

Result<void> SectionChange::bound_memory() {
  if (!is_large()) {
    if (memory_ == Memory::unbounded || index_.bytes() + feed_.bytes() < kHeldBytes) return {};
    SHEAF_TRY(begin_files());
  }
  const auto hand_over = [](EntryList& list, BackgroundFile& file) -> Result<void> {
    if (list.bytes() < kListBytes) return {};
    return file.write(std::exchange(list, EntryList(kListBytes + kListBytes / 8)));
  };
  SHEAF_TRY(hand_over(index_, *index_file_));
  return hand_over(feed_, *feed_file_);
}

Result<void> SectionChange::begin_files() {
  const Place name{meta_.commits, record_.id};
  SHEAF_TRY_ASSIGN(auto index_file, Database::SortedFile::create(core_.database(), Table::main,
                                                                 core_.incoming_file("index", name)));
  SHEAF_TRY_ASSIGN(auto feed_file, Database::SortedFile::create(core_.database(), Table::main,
                                                                core_.incoming_file("feed", name)));
  index_file_.emplace(std::move(index_file));
  feed_file_.emplace(std::move(feed_file));
  return {};
}

Result<void> SectionChange::commit(Fate fate) {
  ++meta_.commits;
  record_.state = state_.sum();
  // Sorted by key.
  EntryList records;
  if (run_) records.remove(run_key(*run_));
  records.put(kMetaKey, encode(meta_));
  const std::string section = section_key(site_, section_);
  if (fate == Fate::kept) {
    records.put(section, encode(record_));
  } else {
    records.remove(section);
  }
  SHEAF_TRY(is_large() ? commit_files(records) : commit_batch(records));
  core_.meta() = meta_;
  std::optional<CommitJournal::Section> left;
  if (fate == Fate::kept) left = {record_.pages, record_.state};
  core_.journal().add(meta_, section, left);
  return {};
}

Result<void> SectionChange::commit_batch(const EntryList& records) {
  const auto add = [this](const EntryList::Entry& entry) -> Result<void> {
    if (entry.value) {
      more_.put(entry.key, *entry.value);
    } else {
      more_.remove(entry.key);
    }
    return {};
  };
  SHEAF_TRY(records.each(add));
  SHEAF_TRY(feed_.each(add));
  SHEAF_TRY(index_.each(add));
  return core_.database().write(more_, Durability::synced);
}

/// Ingests up to four files: the records that sort before the feed, the feed, the records between the feed
/// and the index, and the index. Their key ranges do not overlap.
Result<void> SectionChange::commit_files(const EntryList& records) {
  SHEAF_TRY(index_file_->write(std::exchange(index_, {})));
  SHEAF_TRY(feed_file_->write(std::exchange(feed_, {})));
  std::vector<Database::SortedFile> files;
  const auto add_records = [&](std::string_view name, bool before_feed) -> Result<void> {
    std::optional<Database::SortedFile> file;
    SHEAF_TRY(records.each([&](const EntryList::Entry& entry) -> Result<void> {
      if ((entry.key < kFeed) != before_feed) return {};
      if (!file) {
        SHEAF_TRY_ASSIGN(
            auto made, Database::SortedFile::create(core_.database(), Table::main,
                                                    core_.incoming_file(name, {meta_.commits, record_.id})));
        file = std::move(made);
      }
      return entry.value ? file->put(entry.key, *entry.value) : file->remove(entry.key);
    }));
    if (!file) return {};
    SHEAF_TRY(file->finish());
    files.push_back(std::move(*file));
    return {};
  };
  const auto add_finished = [&](BackgroundFile& file) -> Result<void> {
    SHEAF_TRY_ASSIGN(auto finished, file.finish());
    if (finished) files.push_back(std::move(*finished));
    return {};
  };
  SHEAF_TRY(add_records("run", true));
  SHEAF_TRY(add_finished(*feed_file_));
  SHEAF_TRY(add_records("records", false));
  SHEAF_TRY(add_finished(*index_file_));
  return core_.database().ingest(files);
}

Result<void> SectionChange::add_old_data(const Place& place, std::uint64_t json_bytes) {
  for (std::uint64_t part = 0; part < part_count(json_bytes); ++part)
    SHEAF_TRY(old_data_.add({place.run, place.number + part}));
  return {};
}

Result<void> SectionChange::delete_old_data() {
  SHEAF_TRY(old_data_.sort());
  Database::Batch batch(core_.database());
  while (true) {
    SHEAF_TRY_ASSIGN(const auto place, old_data_.next());
    if (place) batch.remove(data_key(*place), Table::data);
    if (!batch.empty() && (!place || batch.bytes() > kDeleteBytes))
      SHEAF_TRY(core_.database().write(batch, Durability::buffered));
    if (!place) return {};
  }
}

}  // namespace sheaf::store::local
