#include "sheaf/store/shared/shared_store.h"

#include "sheaf/base/url.h"
#include "sheaf/store/apply_collection.h"
#include "sheaf/store/section_writer.h"
#include "sheaf/store/shared/shared_core.h"
#include "sheaf/store/shared/shared_lookup.h"
#include "sheaf/store/shared/shared_maintenance.h"
#include "sheaf/store/shared/shared_section_writer.h"
#include "sheaf/store/shared/site_table.h"
#include "sheaf/store/work_share.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Errc;
using base::fail;
using base::Result;

struct FoundRow {
  PlacedSection section;
  PageEntry entry;
};

enum class Json : std::uint8_t { wanted, omitted };

/// Finds the newest version of a page in the sections that a condition selects; $1 is the hash of the URL.
Result<std::optional<FoundRow>> find_newest_row(SharedView& view, const SharedCore& core,
                                                const std::string& condition, SqlParams params,
                                                std::string_view url) {
  params.insert(params.begin(), SqlParam::bytes(as_text(UrlHasher()(url))));
  SHEAF_TRY_ASSIGN(
      const auto rows,
      view.query(
          "SELECT p.url_hash, p.url, p.modified, p.learnt_seconds, p.learnt_nanoseconds, p.pack, "
          "p.slot, p.bytes, s.b, s.origin, s.name, s.dictionary FROM sheaf.section s JOIN sheaf.page p "
          "ON p.b = s.b AND p.section = s.section WHERE p.url_hash = $1 AND " +
              condition,
          params));
  std::optional<FoundRow> found;
  for (int i = 0; i < rows.size(); ++i) {
    auto row = page_row(rows, i);
    if (!row) return std::unexpected(core.damaged("a row of its index cannot be read"));
    if (found && !format::replaces(modified_of(row->entry), modified_of(found->entry))) continue;
    FoundRow next;
    next.section.b = static_cast<int>(rows.number(i, 8));
    next.section.named.site = rows.text(i, 9);
    next.section.named.name = rows.text(i, 10);
    next.section.dictionary = rows.text(i, 11);
    next.entry = std::move(row->entry);
    found = std::move(next);
  }
  return found;
}

/// Finds a page; if several sections have it, the newest version. The site of the URL's origin is searched
/// first.
Result<std::optional<FoundRow>> find_row(SharedView& view, const SharedCore& core, std::string_view url,
                                         std::string_view site) {
  std::string first(site);
  if (first.empty())
    if (const auto parsed = base::Url::parse(url)) first = parsed->origin();
  SHEAF_TRY_ASSIGN(auto found, find_newest_row(view, core, "s.b = $2 AND s.origin = $3",
                                               {core.bucket_of(first), first}, url));
  if (found || !site.empty()) return found;
  return find_newest_row(view, core, "s.origin <> $2", {first}, url);
}

class SharedStore final : public PageStore {
 public:
  explicit SharedStore(std::unique_ptr<SharedCore> core) : core_(std::move(core)) {}

  [[nodiscard]] Result<std::vector<SectionState>> sections(std::string_view site) const override;
  [[nodiscard]] Result<std::optional<SectionState>> section(std::string_view site,
                                                            std::string_view section) const override;
  [[nodiscard]] Result<std::optional<StoredPage>> get(std::string_view url,
                                                      std::string_view site) const override {
    return look_up(url, site, Json::wanted);
  }
  [[nodiscard]] Result<std::optional<StoredPage>> find(std::string_view url,
                                                       std::string_view site) const override {
    return look_up(url, site, Json::omitted);
  }
  [[nodiscard]] Result<std::optional<StoredPage>> get(std::string_view site, std::string_view section,
                                                      std::string_view url) const override {
    return look_up(site, section, url, Json::wanted);
  }
  [[nodiscard]] Result<std::optional<StoredPage>> find(std::string_view site, std::string_view section,
                                                       std::string_view url) const override {
    return look_up(site, section, url, Json::omitted);
  }
  Result<void> get_many(const PageRequests& requests, const FoundPageUse& use) const override {
    return get_many_shared(*core_, requests, use);
  }
  Result<void> each_page(const PageFilter& filter,
                         const std::function<Result<bool>(const StoredPage&)>& use) const override {
    return walk_shared_pages(*core_, filter, use);
  }

  [[nodiscard]] Result<FeedCursor> newest_change() const override { return newest_shared_change(*core_); }
  Result<void> changes(const FeedCursor& since,
                       const std::function<Result<bool>(const StoreChange&)>& use) const override {
    return walk_shared_changes(*core_, since, use);
  }
  Result<void> refresh() override { return core_->refresh(); }

  Result<ApplySummary> apply(std::string_view site, std::string_view section,
                             std::unique_ptr<base::ByteSource> collection,
                             const ApplyOptions& options) override {
    SHEAF_TRY_ASSIGN(const auto writer, SharedSectionWriter::open(*core_, site, section));
    return apply_collection(*writer, site, section, std::move(collection), options, {});
  }
  Result<void> settle(std::string_view site, std::string_view section) override {
    SHEAF_TRY_ASSIGN(const auto writer, SharedSectionWriter::open(*core_, site, section));
    return settle_section(*writer);
  }
  Result<PageChanges> commit(SectionEdit& edit) override {
    SHEAF_TRY_ASSIGN(const auto writer, SharedSectionWriter::open(*core_, edit.site(), edit.section()));
    SHEAF_TRY_ASSIGN(const PageChanges summary, commit_edit(*writer, edit));
    edit.clear();
    return summary;
  }
  Result<std::uint64_t> drop_section(std::string_view site, std::string_view section, Instant now) override {
    SHEAF_TRY_ASSIGN(const auto writer, SharedSectionWriter::open(*core_, site, section));
    return store::drop_section(*writer, section, now);
  }

  [[nodiscard]] Result<std::optional<std::string>> note(std::string_view site,
                                                        std::string_view name) const override;
  Result<void> each_note(
      std::string_view site, std::string_view prefix,
      const std::function<Result<bool>(std::string_view name, std::string_view value)>& use) const override;

  [[nodiscard]] Result<std::vector<std::optional<std::string>>> notes(std::span<const std::string> sites,
                                                                      std::string_view name) const override;
  WorkShare* work_share() override {
    if (core_->access() != StoreAccess::write) return nullptr;
    std::call_once(share_made_, [this] { share_ = make_bucket_share(*core_); });
    return share_.get();
  }
  [[nodiscard]] Result<std::optional<SectionRecord>> section_record(std::string_view site,
                                                                    std::string_view section) const override;
  Result<std::unique_ptr<SectionWriter>> write_section(std::string_view site,
                                                       std::string_view section) override {
    SHEAF_TRY_ASSIGN(auto writer, SharedSectionWriter::open(*core_, site, section));
    return std::unique_ptr<SectionWriter>(std::move(writer));
  }

  Result<GcSummary> gc(const GcOptions& options) override {
    SHEAF_TRY(core_->check_writable("-", ""));
    return collect_shared_garbage(*core_, options);
  }
  /// Packs are compressed when they are written, but they become sparse. So this repacks one bucket of this
  /// process, at most once per minute.
  Result<bool> pack(std::uint64_t worth, unsigned threads, const StoreProgressSink& progress) override;
  Result<RepairSummary> repair(std::string_view site) override {
    SHEAF_TRY(core_->check_writable(site, ""));
    return repair_shared_store(*core_, site);
  }
  /// Uses one thread, because a view answers one query at a time.
  Result<VerifySummary> verify(unsigned /*threads*/, const StoreProgressSink& progress) const override {
    return verify_shared_store(*core_, progress);
  }
  [[nodiscard]] Result<std::uint64_t> disk_bytes() const override { return shared_disk_bytes(*core_); }

 private:
  [[nodiscard]] Result<std::optional<StoredPage>> look_up(std::string_view url, std::string_view site,
                                                          Json json) const;
  [[nodiscard]] Result<std::optional<StoredPage>> look_up(std::string_view site, std::string_view section,
                                                          std::string_view url, Json json) const;
  [[nodiscard]] Result<StoredPage> page_of(SharedView& view, FoundRow row, Json json) const;

  std::unique_ptr<SharedCore> core_;
  std::once_flag share_made_;
  std::unique_ptr<WorkShare> share_;  ///< null until work_share() is called
  std::atomic<std::chrono::steady_clock::time_point> next_pack_ =
      std::chrono::steady_clock::now() + std::chrono::minutes(1);
};

Result<bool> SharedStore::pack(std::uint64_t /*worth*/, unsigned /*threads*/,
                               const StoreProgressSink& /*progress*/) {
  constexpr std::chrono::minutes kBetweenPacks{1};
  SHEAF_TRY(core_->check_writable("-", ""));
  const auto now = std::chrono::steady_clock::now();
  if (now < next_pack_.load()) return false;
  next_pack_ = now + kBetweenPacks;
  std::vector<int> mine;
  for (const auto& [b, epoch] : core_->leases().owned()) mine.push_back(b);
  if (mine.empty()) return false;
  SHEAF_TRY_ASSIGN(const auto sparse, sparse_buckets(*core_, &mine));
  if (sparse.empty()) return false;
  const auto moved = repack_bucket(*core_, sparse.front());
  if (!moved && moved.error().code != Errc::in_use) return std::unexpected(moved.error());
  return moved.value_or(0) > 0;
}

Result<std::vector<SectionState>> SharedStore::sections(std::string_view site) const {
  std::vector<SectionState> states;
  SHEAF_TRY(core_->read_once([&](SharedView& view) -> Result<void> {
    states.clear();
    SHEAF_TRY_ASSIGN(const auto placed, SharedCore::sections(view, *core_, site));
    for (const PlacedSection& section : placed) states.push_back(to_state(section.named));
    return {};
  }));
  return states;
}

Result<std::optional<SectionState>> SharedStore::section(std::string_view site,
                                                         std::string_view section) const {
  std::optional<SectionState> state;
  SHEAF_TRY(core_->read_once([&](SharedView& view) -> Result<void> {
    SHEAF_TRY_ASSIGN(const auto placed, SharedCore::section(view, *core_, site, section));
    state = placed ? std::optional(to_state(placed->named)) : std::nullopt;
    return {};
  }));
  return state;
}

Result<StoredPage> SharedStore::page_of(SharedView& view, FoundRow row, Json json) const {
  StoredPage page{row.section.named.site, row.section.named.name, row.entry.url,
                  row.entry.modified,     row.entry.as_of,        {}};
  if (json == Json::omitted) return page;
  PackLoader loader(*core_, view);
  const auto data = loader.page(row.section.b, row.entry, row.section.dictionary);
  if (!data && data.error().code == Errc::invalid_data)
    return std::unexpected(
        core_->damaged(fmt::format("the page {} {}", row.entry.url, data.error().message)));
  if (!data) return std::unexpected(data.error());
  page.json = data->json;
  return page;
}

Result<std::optional<StoredPage>> SharedStore::look_up(std::string_view url, std::string_view site,
                                                       Json json) const {
  std::optional<StoredPage> page;
  SHEAF_TRY(core_->read([&](SharedView& view) -> Result<void> {
    SHEAF_TRY_ASSIGN(auto row, find_row(view, *core_, url, site));
    page.reset();
    if (!row) return {};
    SHEAF_TRY_ASSIGN(page, page_of(view, std::move(*row), json));
    return {};
  }));
  return page;
}

Result<std::optional<StoredPage>> SharedStore::look_up(std::string_view site, std::string_view section,
                                                       std::string_view url, Json json) const {
  std::optional<StoredPage> page;
  SHEAF_TRY(core_->read([&](SharedView& view) -> Result<void> {
    SHEAF_TRY_ASSIGN(auto row, find_newest_row(view, *core_, "s.b = $2 AND s.origin = $3 AND s.name = $4",
                                               {core_->bucket_of(site), site, section}, url));
    page.reset();
    if (!row) return {};
    SHEAF_TRY_ASSIGN(page, page_of(view, std::move(*row), json));
    return {};
  }));
  return page;
}

Result<std::optional<std::string>> SharedStore::note(std::string_view site, std::string_view name) const {
  const auto read = [&](std::span<const std::string> names) -> Result<NoteReadAhead::Values> {
    SqlArray array;
    for (const std::string& each : names) array.add_bytes(each);
    NoteReadAhead::Values values;
    SHEAF_TRY(core_->read_once([&](SharedView& view) -> Result<void> {
      SHEAF_TRY_ASSIGN(const auto rows,
                       view.query("SELECT name, value FROM sheaf.note WHERE b = $1 AND origin "
                                  "= $2 AND name = ANY($3::bytea[])",
                                  {core_->bucket_of(site), site, array.param()}));
      values.clear();
      for (int i = 0; i < rows.size(); ++i) values.emplace(rows.text(i, 0), rows.text(i, 1));
      return {};
    }));
    return values;
  };
  return core_->note_read_ahead().find(site, name, read);
}

Result<std::vector<std::optional<std::string>>> SharedStore::notes(std::span<const std::string> sites,
                                                                   std::string_view name) const {
  constexpr std::size_t kSitesPerQuery = 5'000;
  std::vector<std::optional<std::string>> values(sites.size());
  for (std::size_t begin = 0; begin < sites.size(); begin += kSitesPerQuery) {
    const std::size_t end = std::min(begin + kSitesPerQuery, sites.size());
    SqlArray buckets;
    SqlArray origins;
    std::map<std::string_view, std::size_t> numbers;
    for (std::size_t i = begin; i < end; ++i) {
      buckets.add(core_->bucket_of(sites[i]));
      origins.add_text(sites[i]);
      numbers.emplace(sites[i], i);
    }
    const auto read_some = [&](SharedView& view) -> Result<void> {
      SHEAF_TRY_ASSIGN(
          const auto rows,
          view.query("SELECT n.origin, n.value FROM unnest($1::int[], $2::text[]) AS s(b, origin) JOIN "
                     "sheaf.note n ON n.b = s.b AND n.origin = s.origin AND n.name = $3",
                     {buckets.param(), origins.param(), SqlParam::bytes(name)}));
      for (int i = 0; i < rows.size(); ++i) values[numbers.at(rows.text(i, 0))] = rows.text(i, 1);
      return {};
    };
    SHEAF_TRY(core_->read_once(read_some));
  }
  return values;
}

Result<std::optional<SectionRecord>> SharedStore::section_record(std::string_view site,
                                                                 std::string_view section) const {
  std::optional<SectionRecord> record;
  SHEAF_TRY(core_->read_once([&](SharedView& view) -> Result<void> {
    SHEAF_TRY_ASSIGN(const auto placed, SharedCore::section(view, *core_, site, section));
    record = placed ? std::optional(placed->named.record) : std::nullopt;
    return {};
  }));
  return record;
}

Result<void> SharedStore::each_note(
    std::string_view site, std::string_view prefix,
    const std::function<Result<bool>(std::string_view name, std::string_view value)>& use) const {
  constexpr int kNotesAtOnce = 1'000;
  SHEAF_TRY_ASSIGN(const ViewPtr view, core_->view());
  const int b = core_->bucket_of(site);
  NameRange range = name_range(prefix);
  while (true) {
    SHEAF_TRY_ASSIGN(const auto rows,
                     view->query(fmt::format("SELECT name, value FROM sheaf.note WHERE b = $1 AND origin = "
                                             "$2 AND {} ORDER BY name LIMIT {}",
                                             range.condition, kNotesAtOnce),
                                 {b, site, SqlParam::bytes(range.begin), SqlParam::bytes(range.end)}));
    for (int i = 0; i < rows.size(); ++i) {
      SHEAF_TRY_ASSIGN(const bool more, use(rows.text(i, 0), rows.text(i, 1)));
      if (!more) return {};
    }
    if (rows.size() < kNotesAtOnce) return {};
    range.begin = std::string(rows.text(rows.size() - 1, 0)) + '\0';
  }
}

}  // namespace

Result<std::unique_ptr<PageStore>> open_shared_store(const std::string& url, StoreAccess access,
                                                     const SharedOptions& options) {
  SHEAF_TRY_ASSIGN(auto core, SharedCore::open(url, access, options));
  return std::make_unique<SharedStore>(std::move(core));
}

Result<std::string> shared_store_identity(const std::string& url) {
  SHEAF_TRY_ASSIGN(const auto connection, PgConnection::open(url));
  // The schema gets another number when it is created again.
  SHEAF_TRY_ASSIGN(const auto rows, connection->query("SELECT current_database() || ' ' || oid::text FROM "
                                                      "pg_namespace WHERE nspname = 'sheaf'"));
  if (rows.empty()) return fail(Errc::not_found, "the database has no store");
  return std::string(rows.text(0, 0));
}

}  // namespace sheaf::store::shared

extern "C" const sheaf::store::shared::SharedStores* sheaf_shared_stores() {
  using namespace sheaf::store::shared;
  static constexpr SharedStores kStores{
      open_shared_store, shared_store_identity, create_shared_store, read_shared_info, read_workers,
      add_sites,         remove_sites,          list_sites};
  return &kStores;
}
