#include "sheaf/store/shared/change_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Errc;
using base::fail;
using base::Result;

constexpr std::size_t kHeldPackBytes = std::size_t{2} << 20U;
constexpr std::size_t kUpdatesAtOnce = 5'000;

constexpr const char* kInsertPack =
    "INSERT INTO sheaf.pack (b, pack, pages, live, raw, dictionary, bytes, object) "
    "VALUES ($1, $2, $3, $4, $5, $6::boolean, $7, $8) ON CONFLICT (b, pack) DO NOTHING";

}  // namespace

PackWriter::PackWriter(SharedCore& core, BucketPtr bucket)
    : core_(core),
      bucket_(std::move(bucket)),
      builder_(core.meta().objects.empty() ? kPackBytes : kObjectPackBytes) {}

PackWriter::~PackWriter() {
  if (kept_ || written_.empty()) return;
  // gc deletes packs that cannot be deleted here, once the epoch of the bucket has changed.
  SqlArray numbers;
  for (const std::uint64_t number : written_) numbers.add(static_cast<std::int64_t>(number));
  const auto lease = core_.database().take();
  if (!lease) return;
  (void)(*lease)->query("DELETE FROM sheaf.pack WHERE b = $1 AND pack = ANY($2::bigint[]) AND live = 0",
                        {bucket_->b, numbers.param()});
}

std::uint64_t PackWriter::new_number() {
  return (static_cast<std::uint64_t>(bucket_->epoch) << kPackEpochShift) + ++bucket_->next_pack;
}

Result<Place> PackWriter::add(const PageData& data) {
  if (data.json.size() > kMaxPackBytes / 2)
    return fail(Errc::invalid_data, fmt::format("the page {} is too large for a shared store", data.url));
  if (builder_.pages() == 0) number_ = new_number();
  const Place place{number_, builder_.add(data)};
  if (builder_.is_full()) SHEAF_TRY(end_pack());
  return place;
}

Result<void> PackWriter::close() { return builder_.pages() > 0 ? end_pack() : Result<void>(); }

Result<void> PackWriter::end_pack() {
  Pack pack{number_, builder_.pages(), builder_.raw().size(), !dictionary_.empty(),
            compress_pack(builder_.raw(), dictionary_,
                          core_.meta().objects.empty() ? kPackLevel : kObjectPackLevel)};
  if (pack.bytes.empty()) return fail(Errc::io, "a pack of pages cannot be compressed: out of memory");
  if (dictionary_.empty() && builder_.raw().size() >= kPackBytes)
    dictionary_ = make_dictionary(builder_.raw());
  builder_.clear();
  if (!core_.meta().objects.empty() && pack.bytes.size() >= kObjectBytes) SHEAF_TRY(put_object(pack));
  held_bytes_ += pack.bytes.size();
  held_.push_back(std::move(pack));
  return held_bytes_ > kHeldPackBytes ? write_held() : Result<void>();
}

Result<void> PackWriter::put_object(Pack& pack) {
  if (!objects_) {
    SHEAF_TRY_ASSIGN(objects_, core_.open_objects());
  }
  SHEAF_TRY_ASSIGN(pack.object, objects_->put(pack.bytes));
  pack.bytes.clear();
  return {};
}

Result<void> PackWriter::insert(PgConnection& connection, const Pack& pack, std::uint32_t live) const {
  SHEAF_TRY(connection.query(kInsertPack,
                             {bucket_->b, static_cast<std::int64_t>(pack.number), pack.pages, live,
                              static_cast<std::int64_t>(pack.raw), pack.with_dictionary ? "true" : "false",
                              pack.object.empty() ? SqlParam::bytes(pack.bytes) : SqlParam::null(),
                              pack.object.empty() ? SqlParam::null() : SqlParam(pack.object)}));
  return {};
}

Result<void> PackWriter::write_held() {
  SHEAF_TRY(core_.leases().check(*bucket_));
  const auto work = [&](PgConnection& connection) -> Result<void> {
    // This transaction need not wait for the disk: the log is written in order, and the commit of the
    // operation waits for it.
    SHEAF_TRY(connection.query("SET LOCAL synchronous_commit = off"));
    for (const Pack& pack : held_) SHEAF_TRY(insert(connection, pack, 0));
    return {};
  };
  SHEAF_TRY(core_.database().transact(work));
  for (const Pack& pack : held_) written_.push_back(pack.number);
  held_.clear();
  held_bytes_ = 0;
  return {};
}

std::uint32_t PackWriter::live_of(std::uint64_t pack) const {
  const auto found = live_.find(pack);
  return found == live_.end() ? 0 : found->second;
}

Result<void> PackWriter::commit(PgConnection& connection) const {
  for (const Pack& pack : held_)
    if (const std::uint32_t live = live_of(pack.number); live > 0) SHEAF_TRY(insert(connection, pack, live));
  for (std::size_t begin = 0; begin < written_.size(); begin += kUpdatesAtOnce) {
    SqlArray numbers;
    SqlArray counts;
    const std::size_t end = std::min(begin + kUpdatesAtOnce, written_.size());
    for (std::size_t i = begin; i < end; ++i) {
      numbers.add(static_cast<std::int64_t>(written_[i]));
      counts.add(live_of(written_[i]));
    }
    SHEAF_TRY_ASSIGN(const auto updated,
                     connection.query("UPDATE sheaf.pack SET live = x.live FROM unnest($2::bigint[], "
                                      "$3::int[]) AS x(pack, live) WHERE pack.b = $1 AND pack.pack = x.pack",
                                      {bucket_->b, numbers.param(), counts.param()}));
    if (updated.changed() != static_cast<std::int64_t>(end - begin))
      return fail(Errc::io,
                  "pages that were written are gone: the database was restored or lost commits; "
                  "pull the site again");
  }
  return {};
}

namespace {

// Bits of `kind`.
constexpr int kPut = 1;
constexpr int kRemove = 2;
constexpr int kReport = 4;
constexpr int kForget = 8;  // deleted by delete_forgotten()

constexpr std::size_t kRowsInMemory = 1'000;
constexpr std::size_t kPacksAtOnce = 5'000;

}  // namespace

ChangeRows::~ChangeRows() {
  if (kept_ || !run_) return;
  const auto lease = core_.database().take();
  if (!lease) return;
  (void)(*lease)->query("DELETE FROM sheaf.stage WHERE b = $1 AND epoch = $2 AND run = $3",
                        {bucket_->b, bucket_->epoch, *run_});
}

Result<void> ChangeRows::put(const UrlKey& url, const std::optional<PageEntry>& before,
                             const PageEntry& after, SectionWriter::Feed feed) {
  if (before) ++released_[before->place.run];
  const bool report = feed == SectionWriter::Feed::report;
  return add({kPut + (report ? kReport : 0), url, after.url, after.modified,
              before ? before->modified : std::string(), after.as_of, after.place, after.json_bytes});
}

Result<void> ChangeRows::remove(const UrlKey& url, const PageEntry& before, SectionWriter::Feed feed) {
  const bool report = feed == SectionWriter::Feed::report;
  ++removed_;
  ++released_[before.place.run];
  return add({kRemove + (report ? kReport : 0), url, before.url, "", before.modified, {}, {}, 0});
}

Result<void> ChangeRows::forget(std::string_view url_hash, std::string_view url) {
  forgotten_.emplace_back(url_hash);
  const UrlKey key = UrlHasher()(url);
  return as_text(key) == url_hash ? add({kForget + kReport, key, std::string(url), "", "", {}, {}, 0})
                                  : Result<void>();
}

Result<void> ChangeRows::add(Row row) {
  if ((row.kind & kReport) != 0) ++reported_;
  ++count_;
  rows_.push_back(std::move(row));
  return rows_.size() >= kRowsInMemory ? stage() : Result<void>();
}

Result<void> ChangeRows::close() { return run_ && !rows_.empty() ? stage() : Result<void>(); }

SqlParams ChangeRows::arrays() const {
  SqlArray kinds;
  SqlArray hashes;
  SqlArray urls;
  SqlArray modified;
  SqlArray old_modified;
  SqlArray seconds;
  SqlArray nanoseconds;
  SqlArray packs;
  SqlArray slots;
  SqlArray bytes;
  for (const Row& row : rows_) {
    kinds.add(row.kind);
    hashes.add_bytes(as_text(row.url_hash));
    urls.add_bytes(row.url);
    modified.add_text(row.modified);
    old_modified.add_text(row.old_modified);
    seconds.add(row.as_of.seconds);
    nanoseconds.add(row.as_of.nanoseconds);
    packs.add(static_cast<std::int64_t>(row.place.run));
    slots.add(static_cast<std::int64_t>(row.place.number));
    bytes.add(static_cast<std::int64_t>(row.bytes));
  }
  return {kinds.param(),   hashes.param(),      urls.param(),  modified.param(), old_modified.param(),
          seconds.param(), nanoseconds.param(), packs.param(), slots.param(),    bytes.param()};
}

std::string ChangeRows::source(int first) const {
  if (run_)
    return fmt::format("(SELECT * FROM sheaf.stage WHERE b = ${} AND epoch = ${} AND run = ${}) AS s", first,
                       first + 1, first + 2);
  return fmt::format(
      "unnest(${}::int[], ${}::bytea[], ${}::bytea[], ${}::text[], ${}::text[], ${}::bigint[], ${}::int[], "
      "${}::bigint[], ${}::int[], ${}::bigint[]) WITH ORDINALITY AS s(kind, url_hash, url, modified, "
      "old_modified, learnt_seconds, learnt_nanoseconds, pack, slot, bytes, n)",
      first, first + 1, first + 2, first + 3, first + 4, first + 5, first + 6, first + 7, first + 8,
      first + 9);
}

SqlParams ChangeRows::source_params() const {
  return run_ ? SqlParams{bucket_->b, bucket_->epoch, *run_} : arrays();
}

Result<void> ChangeRows::stage() {
  SHEAF_TRY(core_.leases().check(*bucket_));
  if (!run_) run_ = ++bucket_->next_run;
  SqlParams params{bucket_->b, bucket_->epoch, *run_, static_cast<std::int64_t>(staged_)};
  for (SqlParam& param : arrays()) params.push_back(std::move(param));
  const auto work = [&](PgConnection& connection) -> Result<void> {
    // The answer to an earlier try may have been lost, so rows that exist already are left alone.
    SHEAF_TRY(connection.query(
        "INSERT INTO sheaf.stage (b, epoch, run, n, kind, url_hash, url, modified, old_modified, "
        "learnt_seconds, learnt_nanoseconds, pack, slot, bytes) SELECT $1::int, $2::bigint, $3::bigint, "
        "$4::bigint + s.n, s.kind, "
        "s.url_hash, s.url, s.modified, s.old_modified, s.learnt_seconds, s.learnt_nanoseconds, s.pack, "
        "s.slot, s.bytes FROM unnest($5::int[], $6::bytea[], $7::bytea[], $8::text[], $9::text[], "
        "$10::bigint[], $11::int[], $12::bigint[], $13::int[], $14::bigint[]) WITH ORDINALITY AS s(kind, "
        "url_hash, url, modified, old_modified, learnt_seconds, learnt_nanoseconds, pack, slot, bytes, n) "
        "ON CONFLICT (b, epoch, run, url_hash) DO NOTHING",
        params));
    return {};
  };
  SHEAF_TRY(core_.database().transact(work));
  staged_ += rows_.size();
  rows_.clear();
  return {};
}

/// A crash of the server empties the table.
Result<void> ChangeRows::check_stage(PgConnection& connection) const {
  if (!run_) return {};
  SHEAF_TRY_ASSIGN(
      const auto rows,
      connection.query("SELECT count(*) FROM sheaf.stage WHERE b = $1 AND epoch = $2 AND run = $3",
                       source_params()));
  if (rows.number(0, 0) == static_cast<std::int64_t>(staged_)) return {};
  return fail(Errc::io,
              "the database server crashed before a large change was committed; pull the site again");
}

/// Reduces the number of used pages of packs whose pages are replaced or removed. This operation has read the
/// places of these pages, and no other process can have moved them since, because this process owns the
/// bucket.
Result<void> ChangeRows::release_packs(PgConnection& connection) const {
  auto at = released_.begin();
  while (at != released_.end()) {
    SqlArray numbers;
    SqlArray counts;
    for (std::size_t i = 0; i < kPacksAtOnce && at != released_.end(); ++i, ++at) {
      numbers.add(static_cast<std::int64_t>(at->first));
      counts.add(at->second);
    }
    SHEAF_TRY_ASSIGN(
        const auto packs,
        connection.query("UPDATE sheaf.pack SET live = pack.live - x.n FROM unnest($2::bigint[], "
                         "$3::int[]) AS x(pack, n) WHERE pack.b = $1 AND pack.pack = x.pack RETURNING "
                         "pack.pack, pack.live, pack.object",
                         {bucket_->b, numbers.param(), counts.param()}));
    SHEAF_TRY(delete_dead(connection, packs));
  }
  return {};
}

Result<void> ChangeRows::delete_dead(PgConnection& connection, const PgRows& packs) const {
  SqlArray dead;
  SqlArray objects;
  bool any = false;
  for (int i = 0; i < packs.size(); ++i) {
    if (packs.number(i, 1) > 0) continue;
    any = true;
    dead.add(packs.number(i, 0));
    if (!packs.is_null(i, 2)) objects.add_text(packs.text(i, 2));
  }
  if (!any) return {};
  SHEAF_TRY(
      connection.query("INSERT INTO sheaf.garbage (object, since) SELECT o, now() FROM "
                       "unnest($1::text[]) AS o ON CONFLICT (object) DO NOTHING",
                       {objects.param()}));
  SHEAF_TRY(connection.query("DELETE FROM sheaf.pack WHERE b = $1 AND pack = ANY($2::bigint[])",
                             {bucket_->b, dead.param()}));
  return {};
}

/// The other columns of an unreadable row may be wrong too, so the pages of its pack are counted again.
Result<void> ChangeRows::delete_forgotten(PgConnection& connection, const Target& target) const {
  if (forgotten_.empty()) return {};
  SqlArray hashes;
  for (const std::string& hash : forgotten_) hashes.add_bytes(hash);
  SHEAF_TRY_ASSIGN(const auto rows,
                   connection.query("DELETE FROM sheaf.page WHERE b = $1 AND section = $2 AND url_hash = "
                                    "ANY($3::bytea[]) RETURNING pack",
                                    {bucket_->b, target.section, hashes.param()}));
  SqlArray numbers;
  for (int i = 0; i < rows.size(); ++i) numbers.add(rows.number(i, 0));
  SHEAF_TRY_ASSIGN(
      const auto packs,
      connection.query("UPDATE sheaf.pack SET live = (SELECT count(*) FROM sheaf.page WHERE page.b = pack.b "
                       "AND page.pack = pack.pack) WHERE b = $1 AND pack = ANY($2::bigint[]) RETURNING "
                       "pack, live, object",
                       {bucket_->b, numbers.param()}));
  return delete_dead(connection, packs);
}

Result<void> ChangeRows::merge(PgConnection& connection, const Target& target) const {
  if (empty()) return {};
  SHEAF_TRY(check_stage(connection));
  SHEAF_TRY(release_packs(connection));
  const auto with_source = [&](SqlParams params) {
    for (SqlParam& param : source_params()) params.push_back(std::move(param));
    return params;
  };
  // An array and not a join: staged rows never have statistics, and without statistics a join may be
  // quadratic.
  if (removed_ > 0)
    SHEAF_TRY(
        connection.query(fmt::format("DELETE FROM sheaf.page WHERE b = $1 AND section = $2 AND url_hash = "
                                     "ANY(ARRAY(SELECT s.url_hash FROM {} WHERE s.kind & {} <> 0))",
                                     source(3), kRemove),
                         with_source({bucket_->b, target.section})));
  SHEAF_TRY(delete_forgotten(connection, target));
  if (removed_ < count_)
    SHEAF_TRY(connection.query(
        fmt::format("INSERT INTO sheaf.page (b, section, {0}) SELECT $1::int, $2::int, {0} FROM {1} WHERE "
                    "s.kind & {2} <> 0 ON CONFLICT (b, section, url_hash) DO UPDATE SET url = excluded.url, "
                    "modified = excluded.modified, learnt_seconds = excluded.learnt_seconds, "
                    "learnt_nanoseconds = excluded.learnt_nanoseconds, pack = excluded.pack, slot = "
                    "excluded.slot, bytes = excluded.bytes",
                    kPageColumns, source(3), kPut),
        with_source({bucket_->b, target.section})));
  if (reported_ > 0)
    SHEAF_TRY(connection.query(
        fmt::format(
            "INSERT INTO sheaf.change (b, seq, at, kind, site, section, url, old_modified, "
            "new_modified) SELECT $1::int, $2::bigint + row_number() OVER (ORDER BY s.n), now(), CASE "
            "WHEN s.kind & {} <> 0 THEN 1 ELSE 0 END, $3, $4, s.url, s.old_modified, s.modified FROM "
            "{} WHERE s.kind & {} <> 0",
            kRemove + kForget, source(5), kReport),
        with_source({bucket_->b, target.sequence, target.site, target.name})));
  if (run_)
    SHEAF_TRY(connection.query("DELETE FROM sheaf.stage WHERE b = $1 AND epoch = $2 AND run = $3",
                               source_params()));
  return {};
}

}  // namespace sheaf::store::shared
