#include "sheaf/store/shared/shared_maintenance.h"
#include "sheaf/store/shared/shared_section_writer.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Errc;
using base::Result;

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

}  // namespace sheaf::store::shared
