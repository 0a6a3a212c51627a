#include "sheaf/base/counted_text.h"
#include "sheaf/base/url_set.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/format/pages/stored_page_decoder.h"
#include "sheaf/store/shared/shared_maintenance.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Errc;
using base::Result;

constexpr std::size_t kMaxFaults = 100;
constexpr int kRowsAtOnce = 2'000;
constexpr std::uint64_t kPagesPerReport = 256;

/// Reads everything, bucket by bucket. Unreadable data is reported as a fault, and reading continues after
/// it.
class SharedVerify {
 public:
  SharedVerify(SharedCore& core, SharedView& view, const StoreProgressSink& progress)
      : core_(core), view_(view), progress_(progress), packs_(core, view) {}

  Result<VerifySummary> run() {
    SHEAF_TRY(read_sections());
    for (auto& [b, sections] : sections_) SHEAF_TRY(check_bucket(b, sections));
    SHEAF_TRY(check_packs());
    SHEAF_TRY(count_orphans());
    SHEAF_TRY(check_feed());
    return std::move(summary_);
  }

 private:
  struct Tally {
    PlacedSection placed;
    std::uint64_t pages = 0;
    std::uint64_t bytes = 0;
    format::StateDigest state;
  };
  using BucketSections = std::map<std::uint32_t, Tally>;
  struct PackCount {
    std::uint64_t live = 0;
    std::optional<std::int64_t> pages;  ///< nullopt if the pack cannot be read
  };

  void fault(std::string sentence) {
    if (summary_.faults.size() < kMaxFaults) summary_.faults.push_back(std::move(sentence));
  }

  Result<void> read_sections() {
    SHEAF_TRY_ASSIGN(const auto rows,
                     view_.query("SELECT b, section, origin, name, record, dictionary, pages, bytes FROM "
                                 "sheaf.section ORDER BY b, section"));
    for (int i = 0; i < rows.size(); ++i) {
      const std::string site(rows.text(i, 2));
      const std::string name(rows.text(i, 3));
      const auto record = decode_section(rows.text(i, 4));
      if (!record) {
        fault(fmt::format("the record of section {} of {} cannot be read", name, site));
        continue;
      }
      ++summary_.sections;
      total_ += record->pages;
      Tally tally;
      tally.placed = {
          static_cast<int>(rows.number(i, 0)), {site, name, *record}, std::string(rows.text(i, 5))};
      if (tally.placed.b != core_.bucket_of(site))
        fault(fmt::format("{} is in bucket {}, and belongs to {}", site, tally.placed.b,
                          core_.bucket_of(site)));
      check_section(tally.placed, rows, i);
      sections_[tally.placed.b].emplace(static_cast<std::uint32_t>(rows.number(i, 1)), std::move(tally));
    }
    // Buckets that have only changes.
    SHEAF_TRY_ASSIGN(const auto changed, view_.query("SELECT DISTINCT b FROM sheaf.change"));
    for (int i = 0; i < changed.size(); ++i) sections_[static_cast<int>(changed.number(i, 0))];
    return {};
  }

  void check_section(const PlacedSection& placed, const PgRows& rows, int row) {
    const auto& [site, name, record] = placed.named;
    if (static_cast<std::uint64_t>(rows.number(row, 6)) != record.pages ||
        static_cast<std::uint64_t>(rows.number(row, 7)) != record.bytes)
      fault(fmt::format("the row of section {} of {} has {} pages and {} bytes, its record says {} and {}",
                        name, site, rows.number(row, 6), rows.number(row, 7), record.pages, record.bytes));
    if (!rows.is_null(row, 5) && !is_dictionary(placed.dictionary))
      fault(fmt::format("the dictionary of section {} of {} is damaged", name, site));
  }

  Result<void> check_bucket(int b, BucketSections& sections) {
    const std::string cursor = view_.new_cursor();
    SHEAF_TRY(
        view_.query(fmt::format("DECLARE {} NO SCROLL CURSOR FOR SELECT {}, section FROM sheaf.page WHERE "
                                "b = {} ORDER BY pack, slot",
                                cursor, kPageColumns, b)));
    while (true) {
      SHEAF_TRY_ASSIGN(const auto rows,
                       view_.query(fmt::format("FETCH FORWARD {} FROM {}", kRowsAtOnce, cursor)));
      for (int i = 0; i < rows.size(); ++i) SHEAF_TRY(check_row(b, sections, rows, i));
      if (rows.size() < kRowsAtOnce) break;
    }
    SHEAF_TRY(view_.query(fmt::format("CLOSE {}", cursor)));
    for (auto& [number, tally] : sections) check_totals(tally);
    return check_changes(b);
  }

  /// Compares the newest change of each page of the bucket with the pages. What was removed may still be in
  /// another section of the site.
  Result<void> check_changes(int b) {
    const std::string cursor = view_.new_cursor();
    SHEAF_TRY(view_.query(fmt::format(
        "DECLARE {} NO SCROLL CURSOR FOR SELECT DISTINCT ON (site, url) seq, kind, site, url, new_modified "
        "FROM sheaf.change WHERE b = {} ORDER BY site, url, seq DESC",
        cursor, b)));
    while (true) {
      SHEAF_TRY_ASSIGN(const auto rows,
                       view_.query(fmt::format("FETCH FORWARD {} FROM {}", kRowsAtOnce, cursor)));
      for (int i = 0; i < rows.size(); ++i) {
        const bool is_put = rows.number(i, 1) == 0;
        if (is_put && urls_.contains(page_name(rows.text(i, 2), rows.text(i, 3)))) continue;
        if (rows.number(i, 1) == 1 && rows.text(i, 4).empty()) continue;
        fault(fmt::format("change {} of the feed of bucket {} {}", rows.number(i, 0), b,
                          is_put ? fmt::format("says that {} has {}, which the store does not have",
                                               rows.text(i, 2), rows.text(i, 3))
                                 : "has a wrong kind"));
      }
      if (rows.size() < kRowsAtOnce) break;
    }
    urls_ = {};
    SHEAF_TRY(view_.query(fmt::format("CLOSE {}", cursor)));
    return {};
  }

  static std::string page_name(std::string_view site, std::string_view url) {
    return fmt::format("{} {}", site, url);
  }

  Result<void> check_row(int b, BucketSections& sections, const PgRows& rows, int number) {
    const auto section = sections.find(static_cast<std::uint32_t>(rows.number(number, 8)));
    if (section == sections.end()) {
      fault(fmt::format("bucket {} has pages of a section that does not exist", b));
      return {};
    }
    Tally& tally = section->second;
    const auto row = page_row(rows, number);
    if (!row || hash_(row->entry.url) != row->url) {
      fault(fmt::format("an entry of the index of section {} of {} cannot be read", tally.placed.named.name,
                        tally.placed.named.site));
      return {};
    }
    ++tally.pages;
    tally.bytes += row->entry.json_bytes;
    tally.state.add(row->entry.url, row->entry.modified);
    urls_.insert(page_name(tally.placed.named.site, row->entry.url));
    PackCount& pack = packs_in_use_[{b, row->entry.place.run}];
    ++pack.live;
    SHEAF_TRY(check_page(tally.placed, row->entry, pack));
    if (++summary_.pages % kPagesPerReport == 0 && progress_)
      progress_({StoreProgress::Stage::check, summary_.pages, total_});
    return {};
  }

  Result<void> check_page(const PlacedSection& section, const PageEntry& entry, PackCount& pack) {
    const auto data = packs_.page(section.b, entry, section.dictionary);
    if (!data && data.error().code != Errc::invalid_data) return std::unexpected(data.error());
    std::string what;
    if (data) {
      SHEAF_TRY_ASSIGN(const PackReader* const reader,
                       packs_.load(section.b, entry.place.run, section.dictionary));
      pack.pages = static_cast<std::int64_t>(reader->pages());
    }
    if (!data) {
      what = data.error().message;
    } else if (const auto decoded = decoder_(data->json); !decoded) {
      what = fmt::format("is not a valid page: {}", decoded.error());
    } else if ((*decoded)->url != entry.url || (*decoded)->modified != entry.modified) {
      what = "has another URL or `modified` than its entry";
    }
    if (!what.empty())
      fault(fmt::format("the page {} of section {} of {} {}", entry.url, section.named.name,
                        section.named.site, what));
    return {};
  }

  void check_totals(const Tally& tally) {
    const NamedSection& section = tally.placed.named;
    if (tally.pages != section.record.pages)
      fault(fmt::format("section {} of {} has {}, its record says {}", section.name, section.site,
                        base::counted(tally.pages, "page", "pages"), section.record.pages));
    if (tally.bytes != section.record.bytes)
      fault(fmt::format("section {} of {} has {} of JSON, its record says {}", section.name, section.site,
                        base::counted(tally.bytes, "byte", "bytes"), section.record.bytes));
    format::StateDigest recorded;
    recorded.add(section.record.state);
    if (tally.state.to_string() != recorded.to_string())
      fault(fmt::format("the pages of section {} of {} do not match its digest", section.name, section.site));
  }

  /// Checks the numbers of pages that each pack states. A pack without used pages is not a fault: it may
  /// belong to a change in progress.
  Result<void> check_packs() {
    SHEAF_TRY_ASSIGN(const auto rows,
                     view_.query("SELECT b, pack, live, pages FROM sheaf.pack WHERE live <> 0"));
    for (int i = 0; i < rows.size(); ++i) {
      const std::pair<int, std::uint64_t> key{static_cast<int>(rows.number(i, 0)),
                                              static_cast<std::uint64_t>(rows.number(i, 1))};
      const auto found = packs_in_use_.find(key);
      const PackCount count = found == packs_in_use_.end() ? PackCount{} : found->second;
      if (static_cast<std::int64_t>(count.live) != rows.number(i, 2))
        fault(fmt::format("pack {} of bucket {} has {} in use, and says {}", key.second, key.first,
                          base::counted(count.live, "page", "pages"), rows.number(i, 2)));
      if (count.pages && *count.pages != rows.number(i, 3))
        fault(fmt::format("pack {} of bucket {} has {} pages, and says {}", key.second, key.first,
                          *count.pages, rows.number(i, 3)));
    }
    return {};
  }

  /// Counts objects that nothing refers to. They are not faults: they may belong to a change in progress, and
  /// gc deletes them.
  Result<void> count_orphans() {
    if (core_.meta().objects.empty()) return {};
    SHEAF_TRY_ASSIGN(const auto objects, core_.open_objects());
    return each_unreferenced(view_, *objects, [this](const std::string&) -> Result<void> {
      ++summary_.orphans;
      return {};
    });
  }

  Result<void> check_feed() {
    SHEAF_TRY_ASSIGN(
        const auto rows,
        view_.query("SELECT k.b, k.first, k.seq, count(c.seq), coalesce(min(c.seq), 0), "
                    "coalesce(max(c.seq), 0) FROM sheaf.bucket k LEFT JOIN sheaf.change c ON c.b = "
                    "k.b GROUP BY k.b, k.first, k.seq ORDER BY k.b"));
    for (int i = 0; i < rows.size(); ++i) {
      const std::int64_t first = rows.number(i, 1);
      const std::int64_t last = rows.number(i, 2);
      const std::int64_t count = rows.number(i, 3);
      summary_.changes += static_cast<std::uint64_t>(count);
      if (count == last - first + 1 &&
          (count == 0 || (rows.number(i, 4) == first && rows.number(i, 5) == last)))
        continue;
      fault(fmt::format("the feed of bucket {} has {}, and should have those from {} to {}",
                        rows.number(i, 0),
                        base::counted(static_cast<std::uint64_t>(count), "change", "changes"), first, last));
    }
    return {};
  }

  SharedCore& core_;
  SharedView& view_;
  const StoreProgressSink& progress_;
  PackLoader packs_;
  VerifySummary summary_;
  std::map<int, BucketSections> sections_;
  std::map<std::pair<int, std::uint64_t>, PackCount> packs_in_use_;
  base::UrlSet urls_;  ///< sites and URLs of the pages of a bucket
  std::uint64_t total_ = 0;
  UrlHasher hash_;
  format::StoredPageDecoder decoder_{format::Detail::checks};
};

}  // namespace

Result<VerifySummary> verify_shared_store(SharedCore& core, const StoreProgressSink& progress) {
  SHEAF_TRY_ASSIGN(const ViewPtr view, core.view());
  return SharedVerify(core, *view, progress).run();
}

}  // namespace sheaf::store::shared
