#include "sheaf/store/local/store_core.h"

#include "sheaf/base/file.h"
#include "sheaf/base/record.h"
#include "sheaf/format/limits.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <utility>

namespace sheaf::store::local {
namespace {

using base::Errc;
using base::fail;
using base::RecordReader;
using base::RecordWriter;
using base::Result;

// The file is rewritten when it is larger than kSmallBytes and than kGrowth times its size after the last
// rewrite.
constexpr std::uint64_t kGrowth = 4;
constexpr std::uint64_t kSmallBytes = format::kMiB;
// Enough for ten million sections; a larger file was not written by us.
constexpr std::uint64_t kMaxBytes = 4 * format::kGiB;

using Check = std::array<std::uint8_t, 8>;

Check check_of(std::string_view payload) {
  const base::Digest digest = base::sha256(payload);
  Check check{};
  std::copy_n(digest.begin(), check.size(), check.begin());
  return check;
}

/// A record: size, payload, and the first bytes of the payload's hash.
std::string record_of(const Meta& meta, std::string_view key,
                      const std::optional<CommitJournal::Section>& section) {
  RecordWriter payload;
  payload.text(encode(meta)).text(key).number(section ? 1 : 0);
  if (section) payload.number(section->pages).digest(section->state);
  RecordWriter record;
  return record.text(payload.bytes()).digest(check_of(payload.bytes())).bytes();
}

/// Reads the next record into `all`; false if it is damaged.
bool read_record(RecordReader& records, CommitJournal::Records& all) {
  const std::string_view payload = records.text();
  const Check check = records.digest<sizeof(Check)>();
  if (!records.good_so_far() || check != check_of(payload)) return false;
  RecordReader in(payload);
  const auto meta = decode_meta(in.text());
  const std::string key(in.text());
  std::optional<CommitJournal::Section> section;
  if (in.number() == 1) {
    section.emplace();
    section->pages = in.number();
    section->state = in.digest<sizeof(base::Digest)>();
  }
  if (!meta || !in.good()) return false;
  all.meta = *meta;
  if (section) all.sections.insert_or_assign(key, *section);
  if (!section) all.sections.erase(key);
  return true;
}

/// Whether the record at `begin`, which cannot be read, is one that is being written, or that a power loss
/// damaged. Records are appended without a sync, so a power loss may keep later bytes and lose earlier ones.
/// But a disk writes whole sectors, and a sector that was lost has zeros from the end of the last record that
/// it had. Records have no such zeros. `records` has tried to read the record.
bool is_cut_off(std::string_view bytes, std::size_t begin, const RecordReader& records) {
  constexpr std::size_t kMaxRecord = std::size_t{64} << 10U;
  constexpr std::size_t kSector = 512;
  if (!records.good_so_far() && bytes.size() - begin < kMaxRecord) return true;
  const std::string_view seen = bytes.substr(0, std::min(bytes.size(), begin + kMaxRecord));
  while (begin < seen.size()) {
    const std::string_view sector = seen.substr(begin, kSector - begin % kSector);
    if (sector.find_first_not_of('\0') == std::string_view::npos) return true;
    begin += sector.size();
  }
  return false;
}

/// The first bytes of a file; fewer if it cannot be read.
std::string read_bytes(int file, std::uint64_t size) {
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::pread(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace

void CommitJournal::hold() {
  held_ = base::FileDescriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status{};
  const bool is_known = held_.is_open() && ::fstat(held_.get(), &status) == 0;
  // A file of this size cannot be read either.
  const std::uint64_t unknown = errno == ENOENT ? 0 : UINT64_MAX;
  held_bytes_ = is_known ? static_cast<std::uint64_t>(status.st_size) : unknown;
}

CommitJournal::Records CommitJournal::read_held() const {
  Records all;
  const bool is_readable = held_.is_open() && held_bytes_ <= kMaxBytes;
  const std::string bytes = is_readable ? read_bytes(held_.get(), held_bytes_) : std::string();
  all.bytes = bytes.size();
  all.is_whole = bytes.size() == held_bytes_;
  all.is_damaged = !all.is_whole;
  RecordReader records(bytes);
  while (all.is_whole && !records.good()) {
    const std::size_t begin = bytes.size() - records.rest().size();
    all.is_whole = read_record(records, all);
    if (!all.is_whole) all.is_damaged = !is_cut_off(bytes, begin, records);
  }
  return all;
}

void CommitJournal::load() {
  records_ = read_held();
  rewritten_bytes_ = records_.bytes;
  held_.reset();
}

void CommitJournal::add(const Meta& meta, std::string_view section_key,
                        const std::optional<Section>& section) {
  records_.meta = meta;
  if (section) records_.sections.insert_or_assign(std::string(section_key), *section);
  if (!section) records_.sections.erase(std::string(section_key));
  if (!records_.is_whole || records_.bytes > std::max(kSmallBytes, kGrowth * rewritten_bytes_))
    return rewrite();
  records_.is_whole = append(record_of(meta, section_key, section));
}

void CommitJournal::add(const Meta& meta) { add(meta, "", std::nullopt); }

void CommitJournal::replace(const Meta& meta, std::map<std::string, Section, std::less<>> sections) {
  records_.meta = meta;
  records_.sections = std::move(sections);
  rewrite();
}

bool CommitJournal::append(std::string_view bytes) {
  if (!file_.is_open())
    file_ = base::FileDescriptor(::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  if (!file_.is_open() || !base::write_all(file_.get(), bytes, path_.string())) return false;
  records_.bytes += bytes.size();
  return true;
}

void CommitJournal::rewrite() {
  file_.reset();
  std::string bytes = record_of(records_.meta, "", std::nullopt);
  for (const auto& [key, section] : records_.sections) bytes += record_of(records_.meta, key, section);
  auto file = base::AtomicFile::create(path_);
  records_.is_whole = file && file->write(bytes) && file->commit();
  if (records_.is_whole) records_.bytes = rewritten_bytes_ = bytes.size();
}

namespace {

std::filesystem::path database_folder(const std::filesystem::path& folder) { return folder / "pages"; }
std::filesystem::path incoming_folder(const std::filesystem::path& folder) { return folder / "incoming"; }

}  // namespace

StoreCore::StoreCore(std::filesystem::path folder, StoreAccess access, Database database,
                     CommitJournal journal)
    : folder_(std::move(folder)),
      access_(access),
      database_(std::move(database)),
      journal_(std::move(journal)) {}

Result<std::unique_ptr<StoreCore>> StoreCore::open(const std::filesystem::path& folder, StoreAccess access) {
  const auto where = database_folder(folder);
  std::error_code ignored;
  if (access == StoreAccess::read && !std::filesystem::exists(where / "CURRENT", ignored))
    return fail(Errc::not_found, fmt::format("there is no store in {}", folder.string()));
  // Held before the database is opened: a writer may then make the database newer than the journal, but never
  // older.
  CommitJournal journal(folder);
  journal.hold();
  SHEAF_TRY_ASSIGN(auto database, access == StoreAccess::write
                                      ? Database::open(where, Tables::main_and_data)
                                      : Database::open_reader(where, Tables::main_and_data));
  std::unique_ptr<StoreCore> core(new StoreCore(folder, access, std::move(database), std::move(journal)));
  SHEAF_TRY(core->load_meta());
  if (access == StoreAccess::write) {
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
  if (access_ == StoreAccess::write) return {};
  journal_.hold();
  SHEAF_TRY(database_.catch_up());
  return load_meta();
}

Result<void> StoreCore::check_writable(std::string_view site, std::string_view section) const {
  if (access_ != StoreAccess::write)
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
