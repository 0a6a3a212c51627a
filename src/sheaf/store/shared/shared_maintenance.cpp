#include "sheaf/store/shared/shared_maintenance.h"

#include "sheaf/format/pages/stored_page_decoder.h"
#include "sheaf/store/shared/change_writer.h"
#include "sheaf/store/shared/shared_section_writer.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Result;

constexpr int kNamesAtOnce = 5'000;

/// The objects that packs refer to, sorted by name.
class ReferencedObjects {
 public:
  explicit ReferencedObjects(SharedView& view) : view_(view) {}

  /// Whether a pack refers to this object. Must be called with ascending names.
  Result<bool> has(const std::string& name) {
    if (cursor_.empty()) {
      cursor_ = view_.new_cursor();
      SHEAF_TRY(view_.query(
          fmt::format("DECLARE {} NO SCROLL CURSOR FOR SELECT object FROM sheaf.pack WHERE object "
                      "IS NOT NULL ORDER BY object COLLATE \"C\"",
                      cursor_)));
      SHEAF_TRY(fetch());
    }
    while (!rows_->empty() && rows_->text(at_, 0) < name) {
      if (++at_ < rows_->size()) continue;
      SHEAF_TRY(fetch());
    }
    return !rows_->empty() && rows_->text(at_, 0) == name;
  }

 private:
  Result<void> fetch() {
    SHEAF_TRY_ASSIGN(rows_, view_.query(fmt::format("FETCH FORWARD {} FROM {}", kNamesAtOnce, cursor_)));
    at_ = 0;
    return {};
  }

  SharedView& view_;
  std::string cursor_;
  std::optional<PgRows> rows_;
  int at_ = 0;
};

}  // namespace

Result<void> each_unreferenced(SharedView& view, PackObjects& objects,
                               const std::function<Result<void>(const std::string& name)>& use) {
  ReferencedObjects referenced(view);
  return objects.each([&](const std::string& name) -> Result<void> {
    SHEAF_TRY_ASSIGN(const bool known, referenced.has(name));
    return known ? Result<void>() : use(name);
  });
}

Result<std::uint64_t> collect_objects(SharedCore& core) {
  if (core.meta().objects.empty()) return 0;
  SHEAF_TRY_ASSIGN(const auto objects, core.open_objects());
  SHEAF_TRY_ASSIGN(const ViewPtr view, core.view());
  const auto note = [&](const std::string& name) -> Result<void> {
    SHEAF_TRY(
        core.database().query("INSERT INTO sheaf.garbage (object, since) VALUES ($1, now()) ON CONFLICT "
                              "(object) DO NOTHING",
                              {name}));
    return {};
  };
  SHEAF_TRY(each_unreferenced(*view, *objects, note));
  SHEAF_TRY_ASSIGN(
      const auto old,
      core.database().query("SELECT g.object FROM sheaf.garbage g WHERE g.since < now() - interval '1 "
                            "day' AND NOT EXISTS (SELECT 1 FROM sheaf.pack p WHERE p.object = "
                            "g.object)"));
  for (int i = 0; i < old.size(); ++i) {
    const std::string name(old.text(i, 0));
    SHEAF_TRY(objects->remove(name));
    SHEAF_TRY(core.database().query("DELETE FROM sheaf.garbage WHERE object = $1", {name}));
  }
  return static_cast<std::uint64_t>(old.size());
}

namespace {

using base::Errc;

constexpr int kRepackedAtOnce = 2'000;

/// Pages in packs that are less than half in use.
constexpr const char* kSparse =
    "FROM sheaf.page p JOIN sheaf.pack k ON k.b = p.b AND k.pack = p.pack WHERE p.b = $1 AND p.section = $2 "
    "AND "
    "k.live * 2 < k.pages";

/// Moves pages of sparse packs into new packs, and releases the old ones. Nothing changes for clients.
/// Returns the number of pages that were moved.
Result<std::uint64_t> repack_some(SharedCore& core, const PlacedSection& section) {
  SHEAF_TRY_ASSIGN(const auto writer,
                   SharedSectionWriter::open(core, section.named.site, section.named.name));
  SHEAF_TRY_ASSIGN(const auto record, writer->read_section());
  if (!record) return 0;
  SHEAF_TRY_ASSIGN(const ViewPtr view, core.view());
  SHEAF_TRY_ASSIGN(
      const auto rows,
      view->query(fmt::format("SELECT p.url_hash, p.url, p.modified, p.learnt_seconds, "
                              "p.learnt_nanoseconds, p.pack, p.slot, p.bytes {} ORDER BY p.pack, p.slot "
                              "LIMIT {}",
                              kSparse, kRepackedAtOnce),
                  {section.b, record->id}));
  PackLoader packs(core, *view);
  std::vector<std::pair<IndexRow, Place>> moved;
  for (int i = 0; i < rows.size(); ++i) {
    auto row = page_row(rows, i);
    if (!row) continue;
    const auto data = packs.page(section.b, row->entry, section.dictionary);
    if (!data && data.error().code != Errc::invalid_data) return std::unexpected(data.error());
    if (!data) continue;  // verify reports it
    SHEAF_TRY_ASSIGN(const Place place, writer->add(*data));
    moved.emplace_back(std::move(*row), place);
  }
  if (moved.empty()) return 0;
  SHEAF_TRY(writer->close());
  SHEAF_TRY(writer->begin(*record));
  for (const auto& [row, place] : moved) {
    PageEntry after = row.entry;
    after.place = place;
    SHEAF_TRY(writer->put(row.url, row.entry, after, SectionWriter::Feed::omit));
  }
  SHEAF_TRY(writer->commit(SectionWriter::Fate::kept, {}));
  return moved.size();
}

Result<std::vector<PlacedSection>> sections_of_bucket(SharedCore& core, int b) {
  std::vector<PlacedSection> found;
  const auto work = [&](SharedView& view) -> Result<void> {
    SHEAF_TRY_ASSIGN(const auto rows, view.query("SELECT origin, name FROM sheaf.section WHERE b = $1", {b}));
    found.clear();
    for (int i = 0; i < rows.size(); ++i) {
      SHEAF_TRY_ASSIGN(auto section, SharedCore::section(view, core, rows.text(i, 0), rows.text(i, 1)));
      if (section) found.push_back(std::move(*section));
    }
    return {};
  };
  SHEAF_TRY(core.read(work));
  return found;
}

}  // namespace

Result<std::uint64_t> repack_bucket(SharedCore& core, int b) {
  SHEAF_TRY_ASSIGN(const auto sections, sections_of_bucket(core, b));
  std::uint64_t total = 0;
  for (const PlacedSection& section : sections) {
    while (true) {
      SHEAF_TRY_ASSIGN(const std::uint64_t moved, repack_some(core, section));
      total += moved;
      if (moved < kRepackedAtOnce) break;
    }
  }
  return total;
}

Result<std::vector<int>> sparse_buckets(SharedCore& core, const std::vector<int>* among) {
  SqlArray numbers;
  if (among != nullptr)
    for (const int b : *among) numbers.add(b);
  const std::string condition =
      among != nullptr ? "k.b = ANY($1::int[])"
                       : "$1::int[] IS NOT NULL AND (k.owner IS NULL OR k.until < now() OR k.owner = $2)";
  SHEAF_TRY_ASSIGN(const auto rows,
                   core.database().query(
                       "SELECT p.b FROM sheaf.bucket k JOIN sheaf.pack p ON p.b = k.b WHERE p.live > 0 AND "
                       "p.live * 2 < p.pages AND $2::text IS NOT NULL AND " +
                           condition + " GROUP BY p.b ORDER BY count(*) DESC",
                       {numbers.param(), core.leases().id()}));
  std::vector<int> found;
  for (int i = 0; i < rows.size(); ++i) found.push_back(static_cast<int>(rows.number(i, 0)));
  return found;
}

namespace {

/// Deletes unused packs and staged rows of earlier epochs: nothing can refer to them any more. Returns the
/// number of pages in the packs.
Result<std::uint64_t> delete_abandoned(SharedDatabase& database) {
  SHEAF_TRY_ASSIGN(const auto packs, database.query(fmt::format(
                                         "DELETE FROM sheaf.pack p USING sheaf.bucket k WHERE k.b = p.b AND "
                                         "p.live = 0 AND p.pack >> {} < k.epoch RETURNING p.pages",
                                         kPackEpochShift)));
  SHEAF_TRY(
      database.query("DELETE FROM sheaf.stage s USING sheaf.bucket k WHERE k.b = s.b AND s.epoch < k.epoch"));
  std::uint64_t pages = 0;
  for (int i = 0; i < packs.size(); ++i) pages += static_cast<std::uint64_t>(packs.number(i, 0));
  return pages;
}

/// The UPDATE locks the bucket's row, as a commit does, so the feed cannot grow meanwhile.
Result<std::uint64_t> shorten_part(SharedDatabase& database, std::int64_t b, std::int64_t first) {
  std::uint64_t deleted = 0;
  const auto work = [&](PgConnection& connection) -> Result<void> {
    SHEAF_TRY(
        connection.query("UPDATE sheaf.bucket SET first = $2::bigint WHERE b = $1 AND first < "
                         "$2::bigint AND seq + 1 >= $2::bigint",
                         {b, first}));
    SHEAF_TRY_ASSIGN(const auto rows,
                     connection.query("DELETE FROM sheaf.change c USING sheaf.bucket k WHERE "
                                      "k.b = c.b AND c.b = $1 AND c.seq < k.first",
                                      {b}));
    deleted = static_cast<std::uint64_t>(rows.changed());
    return {};
  };
  SHEAF_TRY(database.transact(work));
  return deleted;
}

/// Keeps the newest `keep` changes of each part; without `keep`, those of the last meta().feed_days.
Result<std::uint64_t> shorten_shared_feed(SharedCore& core, std::optional<std::uint64_t> keep) {
  SharedDatabase& database = core.database();
  SHEAF_TRY_ASSIGN(
      const auto parts,
      keep ? database.query(
                 "SELECT b, seq + 1 - $1::bigint FROM sheaf.bucket WHERE seq + 1 - $1::bigint > first",
                 {static_cast<std::int64_t>(*keep)})
           : database.query(
                 "SELECT b, max(seq) + 1 FROM sheaf.change WHERE at < now() - $1::interval GROUP BY b",
                 {fmt::format("{} days", core.meta().feed_days)}));
  std::uint64_t deleted = 0;
  for (int i = 0; i < parts.size(); ++i) {
    SHEAF_TRY_ASSIGN(const std::uint64_t count,
                     shorten_part(database, parts.number(i, 0), parts.number(i, 1)));
    deleted += count;
  }
  return deleted;
}

/// Reads every page of a section and removes the unreadable ones.
class SharedRepair {
 public:
  SharedRepair(SharedCore& core, const PlacedSection& section) : core_(core), section_(section) {}

  Result<void> run(RepairSummary& summary) {
    const NamedSection& named = section_.named;
    SHEAF_TRY_ASSIGN(const auto writer, SharedSectionWriter::open(core_, named.site, named.name));
    SHEAF_TRY_ASSIGN(const auto record, writer->read_section());
    if (!record) return {};
    SHEAF_TRY_ASSIGN(const auto damaged, find_damaged(summary));
    if (damaged.empty()) return {};
    SectionRecord fresh = *record;
    // Resets the section as if nothing had been applied yet, so that the next pull can apply a snapshot of
    // any age.
    fresh.generated = {};
    fresh.snapshot.reset();
    SHEAF_TRY(writer->begin(fresh));
    for (const IndexRow& row : damaged)
      SHEAF_TRY(writer->remove(row.url, row.entry, SectionWriter::Feed::report));
    SHEAF_TRY(writer->commit(SectionWriter::Fate::kept, {}));
    summary.damaged += damaged.size();
    ++summary.sections;
    return {};
  }

 private:
  /// Reads pages in the order of their places, so that each pack is read once.
  Result<std::vector<IndexRow>> find_damaged(RepairSummary& summary) {
    SHEAF_TRY_ASSIGN(const ViewPtr view, core_.view());
    SHEAF_TRY_ASSIGN(
        const auto rows,
        view->query(fmt::format("SELECT {} FROM sheaf.page WHERE b = $1 AND section = $2 ORDER BY "
                                "pack, slot",
                                kPageColumns),
                    {section_.b, section_.named.record.id}));
    PackLoader packs(core_, *view);
    format::StoredPageDecoder decoder(format::Detail::checks);
    std::vector<IndexRow> damaged;
    for (int i = 0; i < rows.size(); ++i) {
      auto row = page_row(rows, i);
      if (!row) return std::unexpected(core_.damaged("a row of its index cannot be read"));
      const auto data = packs.page(section_.b, row->entry, section_.dictionary);
      if (!data && data.error().code != Errc::invalid_data) return std::unexpected(data.error());
      if (data && decoder(data->json)) {
        ++summary.pages;
      } else {
        damaged.push_back(std::move(*row));
      }
    }
    return damaged;
  }

  SharedCore& core_;
  const PlacedSection& section_;
};

}  // namespace

Result<GcSummary> collect_shared_garbage(SharedCore& core, const GcOptions& options) {
  GcSummary summary;
  SHEAF_TRY_ASSIGN(summary.bytes_before, shared_disk_bytes(core));
  SHEAF_TRY_ASSIGN(summary.orphans, delete_abandoned(core.database()));
  SHEAF_TRY_ASSIGN(const auto sparse, sparse_buckets(core, nullptr));
  for (const int b : sparse) {
    // If a worker claims the bucket in the meantime, it repacks the bucket itself.
    const auto moved = repack_bucket(core, b);
    if (!moved && moved.error().code != Errc::in_use) return std::unexpected(moved.error());
  }
  SHEAF_TRY(collect_objects(core));
  SHEAF_TRY_ASSIGN(summary.changes, shorten_shared_feed(core, options.keep_changes));
  SHEAF_TRY(core.database().query("DELETE FROM sheaf.worker WHERE seen < now() - interval '1 day'"));
  SHEAF_TRY_ASSIGN(summary.bytes_after, shared_disk_bytes(core));
  return summary;
}

Result<RepairSummary> repair_shared_store(SharedCore& core, std::string_view site) {
  std::vector<PlacedSection> sections;
  SHEAF_TRY(core.read([&](SharedView& view) -> Result<void> {
    SHEAF_TRY_ASSIGN(sections, SharedCore::sections(view, core, site));
    return {};
  }));
  RepairSummary summary;
  for (const PlacedSection& section : sections) SHEAF_TRY(SharedRepair(core, section).run(summary));
  return summary;
}

Result<std::uint64_t> shared_disk_bytes(SharedCore& core) {
  SHEAF_TRY_ASSIGN(
      const auto rows,
      core.database().query(
          "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c JOIN "
          "pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'sheaf' AND c.relkind = 'r'"));
  return static_cast<std::uint64_t>(rows.number(0, 0));
}

}  // namespace sheaf::store::shared
