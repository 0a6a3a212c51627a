#include "sheaf/store/shared/shared_section_writer.h"

#include "sheaf/store/shared/shared_notes.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Errc;
using base::fail;
using base::Result;

constexpr int kEntriesAtOnce = 5'000;

/// Reads the index in steps. This process owns the bucket, so nothing changes between them.
class StepScan final : public EntryScan {
 public:
  StepScan(SharedCore& core, int b, std::uint32_t section, SectionWriter::Damage damage, ChangeRows& changes)
      : core_(core), b_(b), section_(section), damage_(damage), changes_(changes) {}

  Result<const Item*> next() override {
    if (at_ == (rows_ ? rows_->size() : 0)) {
      if (at_end_) return nullptr;
      SHEAF_TRY(fetch());
      if (rows_->empty()) return nullptr;
    }
    auto row = page_row(*rows_, at_);
    ++at_;
    if (!row && damage_ == SectionWriter::Damage::refuse)
      return std::unexpected(core_.damaged("a row of its index cannot be read"));
    item_.url = row ? row->url : UrlKey{};
    item_.entry = row ? std::optional(std::move(row->entry)) : std::nullopt;
    return &item_;
  }

  Result<void> forget() override { return changes_.forget(rows_->text(at_ - 1, 0), rows_->text(at_ - 1, 1)); }

 private:
  Result<void> fetch() {
    const std::string after = rows_ ? std::string(rows_->text(rows_->size() - 1, 0)) : std::string();
    SHEAF_TRY_ASSIGN(rows_, core_.database().query(
                                fmt::format("SELECT {} FROM sheaf.page WHERE b = $1 AND section = $2 AND "
                                            "url_hash > $3 ORDER BY url_hash LIMIT {}",
                                            kPageColumns, kEntriesAtOnce),
                                {b_, section_, SqlParam::bytes(after)}));
    at_ = 0;
    at_end_ = rows_->size() < kEntriesAtOnce;
    return {};
  }

  SharedCore& core_;
  int b_;
  std::uint32_t section_;
  SectionWriter::Damage damage_;
  ChangeRows& changes_;
  std::optional<PgRows> rows_;
  int at_ = 0;
  bool at_end_ = false;
  Item item_;
};

}  // namespace

SharedSectionWriter::SharedSectionWriter(SharedCore& core, std::string_view site, std::string_view section,
                                         BucketPtr bucket)
    : core_(core),
      site_(site),
      section_(section),
      section_lock_(core.section_locks().lock(site, section)),
      bucket_(std::move(bucket)),
      packs_(core, bucket_),
      rows_(core, bucket_) {}

Result<std::unique_ptr<SharedSectionWriter>> SharedSectionWriter::open(SharedCore& core,
                                                                       std::string_view site,
                                                                       std::string_view section) {
  SHEAF_TRY(core.check_writable(site, section));
  SHEAF_TRY_ASSIGN(BucketPtr bucket, core.leases().hold(core.bucket_of(site)));
  return std::unique_ptr<SharedSectionWriter>(
      new SharedSectionWriter(core, site, section, std::move(bucket)));
}

Result<std::optional<SectionRecord>> SharedSectionWriter::read_section() {
  SHEAF_TRY(core_.read_once([this](SharedView& view) -> Result<void> {
    SHEAF_TRY_ASSIGN(before_, SharedCore::section(view, core_, site_, section_));
    return {};
  }));
  if (!before_) return std::nullopt;
  packs_.set_dictionary(before_->dictionary);
  return before_->named.record;
}

Result<std::vector<std::optional<PageEntry>>> SharedSectionWriter::find(std::span<const UrlKey> urls) {
  std::vector<std::optional<PageEntry>> entries(urls.size());
  if (urls.empty() || !before_ || before_->named.record.pages == 0) return entries;
  SqlArray hashes;
  std::map<UrlKey, std::size_t> numbers;
  for (std::size_t i = 0; i < urls.size(); ++i) {
    hashes.add_bytes(as_text(urls[i]));
    numbers.emplace(urls[i], i);
  }
  SHEAF_TRY_ASSIGN(const auto rows, core_.database().query(
                                        fmt::format("SELECT {} FROM sheaf.page WHERE b = $1 AND section = $2 "
                                                    "AND url_hash = ANY($3::bytea[])",
                                                    kPageColumns),
                                        {bucket_->b, before_->named.record.id, hashes.param()}));
  for (int i = 0; i < rows.size(); ++i) {
    auto row = page_row(rows, i);
    if (!row) return std::unexpected(core_.damaged("a row of its index cannot be read"));
    entries[numbers.at(row->url)] = std::move(row->entry);
  }
  for (std::size_t i = 0; i < urls.size(); ++i)  // the same URL may be there twice
    if (const std::size_t first = numbers.at(urls[i]); first != i) entries[i] = entries[first];
  return entries;
}

Result<std::vector<bool>> SharedSectionWriter::find_elsewhere(std::span<const UrlKey> urls) {
  std::vector<bool> elsewhere(urls.size());
  if (urls.empty()) return elsewhere;
  SqlArray hashes;
  std::map<UrlKey, std::size_t> numbers;
  for (std::size_t i = 0; i < urls.size(); ++i) {
    hashes.add_bytes(as_text(urls[i]));
    numbers.emplace(urls[i], i);
  }
  SHEAF_TRY_ASSIGN(
      const auto rows,
      core_.database().query("SELECT p.url_hash FROM sheaf.section s JOIN sheaf.page p ON p.b = s.b AND "
                             "p.section = s.section WHERE s.b = $1 AND s.origin = $2 AND s.name <> $3 AND "
                             "p.url_hash = ANY($4::bytea[])",
                             {bucket_->b, site_, section_, hashes.param()}));
  for (int i = 0; i < rows.size(); ++i) {
    UrlKey key{};
    const std::string_view hash = rows.text(i, 0);
    if (hash.size() != key.size()) continue;
    std::copy(hash.begin(), hash.end(), key.begin());
    if (const auto found = numbers.find(key); found != numbers.end()) elsewhere[found->second] = true;
  }
  return elsewhere;
}

Result<std::string> SharedSectionWriter::read_json(const PageEntry& entry) {
  std::string json;
  SHEAF_TRY(core_.read([&](SharedView& view) -> Result<void> {
    PackLoader loader(core_, view);
    SHEAF_TRY_ASSIGN(const PageData data, loader.page(bucket_->b, entry, before_->dictionary));
    json = data.json;
    return {};
  }));
  return json;
}

Result<void> SharedSectionWriter::begin(const SectionRecord& record) {
  record_ = record;
  state_ = {};
  state_.add(record.state);
  return {};
}

Result<std::unique_ptr<EntryScan>> SharedSectionWriter::scan(Damage damage) {
  return std::make_unique<StepScan>(core_, bucket_->b, record_.id, damage, rows_);
}

Result<void> SharedSectionWriter::put(const UrlKey& url, const std::optional<PageEntry>& before,
                                      const PageEntry& after, Feed feed) {
  if (before) {
    record_.bytes -= before->json_bytes;
    state_.subtract(before->url, before->modified);
  } else {
    ++record_.pages;
  }
  record_.bytes += after.json_bytes;
  state_.add(after.url, after.modified);
  packs_.count_live(after.place.run);
  return rows_.put(url, before, after, feed);
}

Result<void> SharedSectionWriter::remove(const UrlKey& url, const PageEntry& before, Feed feed) {
  --record_.pages;
  record_.bytes -= before.json_bytes;
  state_.subtract(before.url, before.modified);
  return rows_.remove(url, before, feed);
}

Result<void> SharedSectionWriter::commit_fenced(std::uint64_t changes, const Steps& steps) {
  const std::lock_guard lock(bucket_->commit_mutex);
  std::optional<std::int64_t> run;  // the number of this commit in its bucket
  return core_.database().transact([&](PgConnection& connection) -> Result<void> {
    SHEAF_TRY(core_.leases().check(*bucket_));
    SHEAF_TRY_ASSIGN(const auto rows, connection.query("SELECT seq, run FROM sheaf.bucket WHERE b = $1 AND "
                                                       "epoch = $2 AND owner = $3",
                                                       {bucket_->b, bucket_->epoch, core_.leases().id()}));
    if (rows.empty()) {
      bucket_->lost = true;
      return core_.leases().check(*bucket_);
    }
    const std::int64_t sequence = rows.number(0, 0);
    const std::int64_t last_run = rows.number(0, 1);
    // An earlier COMMIT took effect, but its answer was lost.
    if (run && last_run == *run) return {};
    run = last_run + 1;
    SHEAF_TRY(steps(connection, sequence));
    SHEAF_TRY_ASSIGN(
        const auto fence,
        connection.query(
            "UPDATE sheaf.bucket SET seq = $4::bigint + $5::bigint, run = $6::bigint + 1 WHERE b "
            "= $1 AND epoch = $2 AND owner = $3 AND seq = $4::bigint AND run = $6::bigint",
            {bucket_->b, bucket_->epoch, core_.leases().id(), sequence, static_cast<std::int64_t>(changes),
             last_run}));
    if (fence.changed() == 1) return {};
    // Either the bucket has another owner, or an earlier COMMIT of ours was still in progress, which the next
    // try finds.
    SHEAF_TRY_ASSIGN(const auto ours, connection.query("SELECT 1 FROM sheaf.bucket WHERE b = $1 AND epoch = "
                                                       "$2 AND owner = $3",
                                                       {bucket_->b, bucket_->epoch, core_.leases().id()}));
    if (ours.empty()) bucket_->lost = true;
    SHEAF_TRY(core_.leases().check(*bucket_));
    return connection.fail_as_conflict();
  });
}

Result<void> SharedSectionWriter::commit(Fate fate, const std::vector<SectionEdit::NoteChange>& notes) {
  record_.state = state_.sum();
  SHEAF_TRY(packs_.close());
  SHEAF_TRY(rows_.close());
  // Each try begins with this record, because it may have to choose another id.
  const SectionRecord record = record_;
  const auto work = [&](PgConnection& connection, std::int64_t sequence) -> Result<void> {
    record_ = record;
    SHEAF_TRY(write_section(connection, fate));
    SHEAF_TRY(rows_.merge(connection, {record_.id, site_, section_, sequence}));
    SHEAF_TRY(packs_.commit(connection));
    return write_notes(connection, notes);
  };
  const auto committed = commit_fenced(rows_.reported(), work);
  core_.note_read_ahead().forget(site_);
  SHEAF_TRY(committed);
  packs_.keep();
  rows_.keep();
  return {};
}

Result<void> SharedSectionWriter::commit_notes(const std::vector<SectionEdit::NoteChange>& notes) {
  if (notes.empty()) return {};
  auto done = core_.note_batches().commit(bucket_, site_, notes);
  if (done && !*done) {
    const auto work = [&](PgConnection& connection, std::int64_t) { return write_notes(connection, notes); };
    const auto committed = commit_fenced(0, work);
    if (!committed) done = std::unexpected(committed.error());
  }
  core_.note_read_ahead().forget(site_);  // even if it failed: perhaps only the answer was lost
  return done ? Result<void>() : std::unexpected(done.error());
}

Result<void> SharedSectionWriter::write_section(PgConnection& connection, Fate fate) {
  if (fate == Fate::dropped) {
    SHEAF_TRY(connection.query("DELETE FROM sheaf.section WHERE b = $1 AND section = $2",
                               {bucket_->b, record_.id}));
    return {};
  }
  if (record_.id == 0) {
    SHEAF_TRY_ASSIGN(const auto next,
                     connection.query("SELECT coalesce(max(section), 0) + 1 FROM sheaf.section WHERE b = $1",
                                      {bucket_->b}));
    record_.id = static_cast<std::uint32_t>(next.number(0, 0));
  }
  const bool new_dictionary =
      !packs_.dictionary().empty() && (!before_ || before_->dictionary != packs_.dictionary());
  SqlParams params{bucket_->b,
                   record_.id,
                   site_,
                   section_,
                   static_cast<std::int64_t>(record_.pages),
                   static_cast<std::int64_t>(record_.bytes),
                   SqlParam::bytes(encode(record_))};
  if (new_dictionary) params.push_back(SqlParam::bytes(packs_.dictionary()));
  SHEAF_TRY(connection.query(
      fmt::format("INSERT INTO sheaf.section (b, section, origin, name, pages, bytes, record{0}) VALUES ($1, "
                  "$2, $3, $4, $5, $6, $7{1}) ON CONFLICT (b, section) DO UPDATE SET pages = excluded.pages, "
                  "bytes = excluded.bytes, record = excluded.record{2}",
                  new_dictionary ? ", dictionary" : "", new_dictionary ? ", $8" : "",
                  new_dictionary ? ", dictionary = excluded.dictionary" : ""),
      params));
  return {};
}

/// Writes the notes in the order of the calls. Each statement has several notes, because a crawl has a note
/// for each page.
Result<void> SharedSectionWriter::write_notes(PgConnection& connection,
                                              const std::vector<SectionEdit::NoteChange>& notes) const {
  std::map<std::string_view, const std::optional<std::string>*> single;
  const auto write_single = [&]() -> Result<void> {
    SqlArray names;
    SqlArray values;
    SqlArray gone;
    std::size_t put = 0;
    std::size_t removed = 0;
    DueTimes due_times;
    for (const auto& [name, value] : single) {
      due_times.add_note(bucket_->b, site_, name, *value);
      if (*value) {
        names.add_bytes(name);
        values.add_bytes(**value);
        ++put;
      } else {
        gone.add_bytes(name);
        ++removed;
      }
    }
    single.clear();
    if (removed > 0)
      SHEAF_TRY(
          connection.query("DELETE FROM sheaf.note WHERE b = $1 AND origin = $2 AND name = ANY($3::bytea[])",
                           {bucket_->b, site_, gone.param()}));
    if (put > 0)
      SHEAF_TRY(connection.query(
          "INSERT INTO sheaf.note (b, origin, name, value) SELECT $1::int, $2, n.name, n.value FROM "
          "unnest($3::bytea[], $4::bytea[]) AS n(name, value) ON CONFLICT (b, origin, name) DO UPDATE SET "
          "value "
          "= excluded.value",
          {bucket_->b, site_, names.param(), values.param()}));
    return due_times.write(connection);
  };
  for (const SectionEdit::NoteChange& note : notes) {
    if (!note.whole_prefix) {
      single.insert_or_assign(note.name, &note.value);
      continue;
    }
    SHEAF_TRY(write_single());
    const NameRange range = name_range(note.name);
    SHEAF_TRY(
        connection.query("DELETE FROM sheaf.note WHERE b = $1 AND origin = $2 AND " + range.condition,
                         {bucket_->b, site_, SqlParam::bytes(range.begin), SqlParam::bytes(range.end)}));
    if (!kScheduleNote.starts_with(note.name)) continue;
    DueTimes never_pulled;
    never_pulled.add(bucket_->b, site_, std::nullopt);
    SHEAF_TRY(never_pulled.write(connection));
  }
  return write_single();
}

}  // namespace sheaf::store::shared
