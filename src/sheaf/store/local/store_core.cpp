#include "sheaf/store/local/store_core.h"

#include "sheaf/base/make_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace sheaf::store::local {
namespace {

using base::Errc;
using base::fail;
using base::Result;

std::filesystem::path database_folder(const std::filesystem::path& folder) { return folder / "pages"; }
std::filesystem::path incoming_folder(const std::filesystem::path& folder) { return folder / "incoming"; }

}  // namespace

StoreCore::StoreCore(std::filesystem::path folder, Access access, Database database, CommitJournal journal)
    : folder_(std::move(folder)),
      access_(access),
      database_(std::move(database)),
      journal_(std::move(journal)) {}

Result<std::unique_ptr<StoreCore>> StoreCore::open(const std::filesystem::path& folder, Access access) {
  const auto where = database_folder(folder);
  std::error_code ignored;
  if (access == Access::read && !std::filesystem::exists(where / "CURRENT", ignored))
    return fail(Errc::not_found, fmt::format("there is no store in {}", folder.string()));
  // Held before the database is opened: a writer may then make the database newer than the journal, but never
  // older.
  CommitJournal journal(folder);
  journal.hold();
  SHEAF_TRY_ASSIGN(auto database, access == Access::write
                                      ? Database::open(where, Tables::main_and_data)
                                      : Database::open_reader(where, Tables::main_and_data));
  std::unique_ptr<StoreCore> core(new StoreCore(folder, access, std::move(database), std::move(journal)));
  SHEAF_TRY(core->load_meta());
  if (access == Access::write) {
    core->journal_.load();
    SHEAF_TRY(core->clean_up());
    SHEAF_TRY(core->compare_with_journal());
  }
  return core;
}

Result<void> StoreCore::check_format(const Meta& meta) const {
  if (meta.format == Meta::kFormat) return {};
  const bool is_newer = meta.format > Meta::kFormat;
  return fail(
      Errc::invalid_data,
      fmt::format("the store in {} has format {}, and this sheaf uses format {}: it was written by {}",
                  folder_.string(), meta.format, Meta::kFormat,
                  is_newer ? "a newer one, which is needed to use it"
                           : "an older one; pull the sites into a new store"));
}

Result<void> StoreCore::load_meta() {
  SHEAF_TRY_ASSIGN(meta_, view().meta());
  return check_format(meta_);
}

Result<void> StoreCore::compare_with_journal() {
  const CommitJournal::Records& recorded = journal_.records();
  if (recorded.meta.commits > meta_.commits) return continue_after_loss();
  if (recorded.meta.commits == meta_.commits && recorded.is_whole) return {};
  // The journal is behind the database or incomplete, so it is rewritten from the database.
  SHEAF_TRY_ASSIGN(const auto sections, view().sections({}));
  std::map<std::string, CommitJournal::Section, std::less<>> all;
  for (const NamedSection& section : sections)
    all.emplace(section_key(section.site, section.name),
                CommitJournal::Section{section.record.pages, section.record.state});
  journal_.replace(meta_, std::move(all));
  return {};
}

/// The database has lost its newest commits. It is in an older state, which the next pulls bring up to date.
/// Sequence numbers continue after the lost ones and the feed starts again, so that a client of the feed
/// cannot mistake new changes for lost ones.
Result<void> StoreCore::continue_after_loss() {
  const Meta& last = journal_.records().meta;
  meta_.commits = last.commits;
  meta_.next_section = std::max(meta_.next_section, last.next_section);
  meta_.next_run = std::max(meta_.next_run, last.next_run);
  Database::Batch batch(database_);
  if (last.last_sequence > meta_.last_sequence) {
    meta_.last_sequence = last.last_sequence;
    meta_.first_sequence = last.last_sequence + 1;
    batch.remove_range(feed_key(0), feed_key(meta_.first_sequence));
  }
  batch.put(kMetaKey, encode(meta_));
  return database_.write(batch, Durability::synced);
}

/// Deletes pages of unfinished runs, and files that were never ingested.
Result<void> StoreCore::clean_up() {
  const auto incoming = incoming_folder(folder_);
  std::error_code error;
  std::filesystem::remove_all(incoming, error);
  if (error)
    return std::unexpected(
        base::system_error(error.value(), fmt::format("cannot delete the folder {}", incoming.string())));
  SHEAF_TRY(base::make_folder(incoming));
  Database::Batch batch(database_);
  auto cursor = database_.scan(kUnfinishedRuns);
  for (; cursor.valid(); cursor.next()) {
    batch.remove_prefix(cursor.key().substr(kUnfinishedRuns.size()), Table::data);
    batch.remove(cursor.key());
  }
  SHEAF_TRY(cursor.check());
  return batch.empty() ? Result<void>() : database_.write(batch, Durability::synced);
}

std::filesystem::path StoreCore::incoming_file(std::string_view kind, const Place& place) const {
  return incoming_folder(folder_) / fmt::format("{}-{}-{}.sst", kind, place.run, place.number);
}

Result<void> StoreCore::refresh() {
  if (access_ == Access::write) return {};
  journal_.hold();
  SHEAF_TRY(database_.catch_up());
  return load_meta();
}

Result<void> StoreCore::check_writable(std::string_view site, std::string_view section) const {
  if (access_ != Access::write)
    return fail(Errc::refused, fmt::format("the store in {} is open for reading only", folder_.string()));
  // A NUL terminates a site's name in keys.
  if (site.empty() || site.find('\0') != std::string_view::npos)
    return fail(Errc::invalid_argument, "a site needs a name without NUL characters");
  if (section.find('\0') != std::string_view::npos)
    return fail(Errc::invalid_argument, "a section needs a name without NUL characters");
  return {};
}

std::uint64_t StoreCore::new_run() {
  const std::lock_guard lock(commit_mutex_);
  return meta_.next_run++;
}

Result<void> StoreCore::begin_run(std::uint64_t run) {
  Database::Batch batch(database_);
  batch.put(run_key(run), "");
  // The number must never be reused once there are pages under it.
  batch.put(kMetaKey, encode(meta_));
  return database_.write(batch, Durability::synced);
}

Result<void> StoreCore::abandon_run(std::uint64_t run) {
  Database::Batch batch(database_);
  batch.remove_prefix(data_prefix(run), Table::data);
  batch.remove(run_key(run));
  return database_.write(batch, Durability::buffered);
}

base::Error StoreView::damaged(std::string_view what) const {
  return {Errc::invalid_data, fmt::format("the store in {} is damaged: {}; `sheaf verify` lists all "
                                          "faults, and `sheaf pull --repair` with the site's URL repairs it",
                                          folder_.string(), what)};
}

Result<Meta> StoreView::meta() const {
  SHEAF_TRY_ASSIGN(const auto bytes, view_.get(kMetaKey));
  if (!bytes) return Meta{};  // a new store
  const auto meta = decode_meta(*bytes);
  if (!meta) return std::unexpected(damaged("its first record cannot be read"));
  return *meta;
}

Result<std::optional<SectionRecord>> StoreView::section(std::string_view site,
                                                        std::string_view section) const {
  SHEAF_TRY_ASSIGN(const auto bytes, view_.get(section_key(site, section)));
  if (!bytes) return std::nullopt;
  auto record = decode_section(*bytes);
  if (!record)
    return std::unexpected(
        damaged(fmt::format("the record of section {} of {} cannot be read", section, site)));
  return record;
}

Result<std::vector<NamedSection>> StoreView::sections(std::string_view site) const {
  std::vector<NamedSection> found;
  auto cursor = view_.scan(site.empty() ? std::string(kSections) : section_key(site, ""));
  for (; cursor.valid(); cursor.next()) {
    const auto [of_site, name] = split_section_key(cursor.key());
    const auto record = decode_section(cursor.value());
    if (!record)
      return std::unexpected(
          damaged(fmt::format("the record of section {} of {} cannot be read", name, of_site)));
    found.push_back({std::string(of_site), std::string(name), *record});
  }
  SHEAF_TRY(cursor.check());
  return found;
}

Result<std::optional<PageEntry>> StoreView::entry(std::uint32_t section, const UrlKey& url) const {
  SHEAF_TRY_ASSIGN(const auto bytes, view_.get(index_key(section, url)));
  if (!bytes) return std::nullopt;
  auto entry = decode_entry(*bytes);
  if (!entry) return std::unexpected(damaged("an entry of its index cannot be read"));
  return entry;
}

Result<std::string> StoreView::json(const PageEntry& entry) const {
  std::string json;
  for (std::uint64_t part = 0; part < part_count(entry.json_bytes); ++part) {
    SHEAF_TRY_ASSIGN(const auto bytes,
                     view_.get(data_key({entry.place.run, entry.place.number + part}), Table::data));
    if (!bytes) return std::unexpected(damaged(fmt::format("the page {} is missing", entry.url)));
    const auto data = decode_data(*bytes);
    const std::string_view url = part == 0 ? std::string_view(entry.url) : std::string_view();
    const std::string_view modified = part == 0 ? std::string_view(entry.modified) : std::string_view();
    if (!data || data->url != url || data->modified != modified)
      return std::unexpected(damaged(fmt::format("the page {} does not match its entry", entry.url)));
    json += data->json;
  }
  if (json.size() != entry.json_bytes)
    return std::unexpected(damaged(fmt::format("the page {} does not match its entry", entry.url)));
  return json;
}

}  // namespace sheaf::store::local
