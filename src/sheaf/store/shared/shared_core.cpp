#include "sheaf/store/shared/shared_core.h"

#include "sheaf/base/url.h"
#include "sheaf/store/site_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Errc;
using base::fail;
using base::Result;

constexpr const char* kSectionColumns = "b, section, origin, name, record, dictionary";

std::optional<PlacedSection> section_row(const PgRows& rows, int row) {
  const auto record = decode_section(rows.text(row, 4));
  if (!record) return std::nullopt;
  PlacedSection section;
  section.b = static_cast<int>(rows.number(row, 0));
  section.named = {std::string(rows.text(row, 2)), std::string(rows.text(row, 3)), *record};
  section.named.record.id = static_cast<std::uint32_t>(rows.number(row, 1));
  section.dictionary = rows.text(row, 5);
  return section;
}

}  // namespace

Result<PgRows> SharedView::query(const std::string& sql, const SqlParams& params) {
  const std::lock_guard lock(mutex_);
  return connection_->query(sql, params);
}

std::string SharedView::new_cursor() {
  const std::lock_guard lock(mutex_);
  return fmt::format("walk{}", ++cursors_);
}

bool SharedView::is_lost() {
  const std::lock_guard lock(mutex_);
  return connection_->failure() == SqlFailure::lost;
}

std::optional<IndexRow> page_row(const PgRows& rows, int row, int first) {
  IndexRow page;
  const std::string_view hash = rows.text(row, first);
  if (hash.size() != page.url.size()) return std::nullopt;
  std::copy(hash.begin(), hash.end(), page.url.begin());
  PageEntry& entry = page.entry;
  entry.url = rows.text(row, first + 1);
  entry.modified = rows.text(row, first + 2);
  const auto modified = parse_time(entry.modified);
  if (!modified) return std::nullopt;
  entry.modified_at = modified->instant;
  entry.as_of = {rows.number(row, first + 3), static_cast<std::uint32_t>(rows.number(row, first + 4))};
  entry.place = {static_cast<std::uint64_t>(rows.number(row, first + 5)),
                 static_cast<std::uint64_t>(rows.number(row, first + 6))};
  entry.json_bytes = static_cast<std::uint64_t>(rows.number(row, first + 7));
  return page;
}

NameRange name_range(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && end.back() == '\xff') end.pop_back();
  if (end.empty()) return {"name >= $3 AND $4::bytea IS NOT NULL", std::string(prefix), ""};
  end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return {"name >= $3 AND name < $4", std::string(prefix), std::move(end)};
}

SharedCore::SharedCore(const std::string& url, StoreAccess access, SharedMeta meta,
                       const SharedOptions& options)
    : database_(url),
      access_(access),
      meta_(std::move(meta)),
      options_(options),
      leases_(database_, meta_.buckets, {std::chrono::milliseconds(meta_.lease_milliseconds)},
              options.version) {}

Result<std::unique_ptr<SharedCore>> SharedCore::open(const std::string& url, StoreAccess access,
                                                     const SharedOptions& options) {
  SHEAF_TRY(check_postgres_url(url));
  SHEAF_TRY_ASSIGN(const auto connection, PgConnection::open(url));
  SHEAF_TRY_ASSIGN(const SharedMeta meta, read_meta(*connection, name_of_url(url)));
  std::unique_ptr<SharedCore> core(new SharedCore(url, access, meta, options));
  if (access == StoreAccess::read) SHEAF_TRY(core->refresh());
  return core;
}

int SharedCore::bucket_of(std::string_view site) const {
  const auto url = base::Url::parse(site);
  const UrlKey key = UrlHasher()(url ? host_identity(*url) : std::string(site));
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; ++i) number = number << 8U | key[i];
  return static_cast<int>(number % static_cast<std::uint64_t>(meta_.buckets));
}

Result<void> SharedCore::check_writable(std::string_view site, std::string_view section) const {
  if (access_ != StoreAccess::write)
    return fail(Errc::refused, fmt::format("the store in {} is open for reading only", database_.name()));
  if (site.empty() || site.find('\0') != std::string_view::npos)
    return fail(Errc::invalid_argument, "a site needs a name without NUL characters");
  if (section.find('\0') != std::string_view::npos)
    return fail(Errc::invalid_argument, "a section needs a name without NUL characters");
  return {};
}

Result<ViewPtr> SharedCore::new_view() {
  SHEAF_TRY_ASSIGN(auto lease, database_.take());
  SHEAF_TRY(lease->begin(PgConnection::Isolation::snapshot));
  // PostgreSQL takes the snapshot at the first query.
  SHEAF_TRY(lease->query("SELECT 1"));
  return std::make_shared<SharedView>(std::move(lease));
}

Result<ViewPtr> SharedCore::view() {
  if (access_ == StoreAccess::write) return new_view();
  const std::lock_guard lock(view_mutex_);
  return view_;
}

Result<void> SharedCore::refresh() {
  if (access_ == StoreAccess::write) return {};
  const std::lock_guard lock(view_mutex_);
  view_.reset();
  // Waits while the server restarts.
  const auto work = [](PgConnection& connection) -> Result<void> {
    SHEAF_TRY(connection.query("SELECT 1"));
    return {};
  };
  SHEAF_TRY(database_.read(work));
  SHEAF_TRY_ASSIGN(view_, new_view());
  return {};
}

Result<void> SharedCore::read(const Reads& reads) {
  return read_with(reads, [this] { return new_view(); });
}

Result<void> SharedCore::read_once(const Reads& reads) {
  return read_with(reads, [this]() -> Result<ViewPtr> {
    SHEAF_TRY_ASSIGN(auto lease, database_.take());
    return std::make_shared<SharedView>(std::move(lease));
  });
}

Result<void> SharedCore::read_with(const Reads& reads, const std::function<Result<ViewPtr>()>& make_view) {
  if (access_ == StoreAccess::read) {
    SHEAF_TRY_ASSIGN(const ViewPtr current, view());
    return reads(*current);
  }
  constexpr int kTries = 3;
  for (int attempt = 1;; ++attempt) {
    auto fresh = make_view();
    const auto done = fresh ? reads(**fresh) : Result<void>(std::unexpected(fresh.error()));
    if (done || attempt == kTries || (fresh && !(*fresh)->is_lost())) return done;
    // Waits until the server answers.
    SHEAF_TRY(database_.query("SELECT 1"));
  }
}

Result<std::vector<PlacedSection>> SharedCore::sections(SharedView& view, const SharedCore& core,
                                                        std::string_view site) {
  const std::string columns = fmt::format("SELECT {} FROM sheaf.section", kSectionColumns);
  SHEAF_TRY_ASSIGN(const auto rows, site.empty() ? view.query(columns)
                                                 : view.query(columns + " WHERE b = $1 AND origin = $2",
                                                              {core.bucket_of(site), site}));
  std::vector<PlacedSection> found;
  for (int i = 0; i < rows.size(); ++i) {
    auto section = section_row(rows, i);
    if (!section)
      return std::unexpected(core.damaged(
          fmt::format("the record of section {} of {} cannot be read", rows.text(i, 3), rows.text(i, 2))));
    found.push_back(std::move(*section));
  }
  std::ranges::sort(found, {}, [](const PlacedSection& section) {
    return std::tie(section.named.site, section.named.name);
  });
  return found;
}

Result<std::optional<PlacedSection>> SharedCore::section(SharedView& view, const SharedCore& core,
                                                         std::string_view site, std::string_view section) {
  SHEAF_TRY_ASSIGN(
      const auto rows,
      view.query(fmt::format("SELECT {} FROM sheaf.section WHERE b = $1 AND origin = $2 AND name = $3",
                             kSectionColumns),
                 {core.bucket_of(site), site, section}));
  if (rows.empty()) return std::nullopt;
  auto found = section_row(rows, 0);
  if (!found)
    return std::unexpected(
        core.damaged(fmt::format("the record of section {} of {} cannot be read", section, site)));
  return found;
}

base::Error SharedCore::damaged(std::string_view what) const {
  return {Errc::invalid_data, fmt::format("the store in {} is damaged: {}; `sheaf verify` gives details",
                                          database_.name(), what)};
}

Result<std::string> PackLoader::bytes_of(const PgRows& rows, int row) {
  if (!rows.is_null(row, 0)) return std::string(rows.text(row, 0));
  if (rows.is_null(row, 1)) return fail(Errc::invalid_data, "is missing");
  if (!objects_) {
    SHEAF_TRY_ASSIGN(objects_, core_.open_objects());
  }
  return objects_->get(std::string(rows.text(row, 1)));
}

Result<void> PackLoader::open(const PgRows& rows, int row, std::string_view dictionary) {
  SHEAF_TRY_ASSIGN(const std::string bytes, bytes_of(rows, row));
  SHEAF_TRY_ASSIGN(std::string raw, decompress_pack(bytes, rows.number(row, 3) != 0 ? dictionary : "",
                                                    static_cast<std::uint64_t>(rows.number(row, 2))));
  reader_ = PackReader::open(std::move(raw));
  return reader_ ? Result<void>() : fail(Errc::invalid_data, "cannot be read");
}

Result<void> PackLoader::read_ahead(std::span<const PackId> packs) {
  SqlArray buckets;
  SqlArray numbers;
  for (const PackId& id : packs) {
    buckets.add(id.b);
    numbers.add(static_cast<std::int64_t>(id.pack));
  }
  SHEAF_TRY_ASSIGN(
      ahead_, view_.query("SELECT k.bytes, k.object, k.raw, k.dictionary, k.b, k.pack FROM unnest($1::int[], "
                          "$2::bigint[]) AS q(b, pack) JOIN sheaf.pack k ON k.b = q.b AND k.pack = q.pack "
                          "WHERE k.bytes IS NULL OR k.raw <= $3",
                          {buckets.param(), numbers.param(), std::int64_t{8 * kPackBytes}}));
  ahead_rows_.clear();
  for (int i = 0; i < ahead_->size(); ++i)
    ahead_rows_[{static_cast<int>(ahead_->number(i, 4)), static_cast<std::uint64_t>(ahead_->number(i, 5))}] =
        i;
  return {};
}

Result<const PackReader*> PackLoader::load(int b, std::uint64_t pack, std::string_view dictionary) {
  const PackId id{b, pack};
  if (reader_ && id_ == id) return &*reader_;
  reader_.reset();
  if (const auto ahead = ahead_rows_.find(id); ahead != ahead_rows_.end()) {
    SHEAF_TRY(open(*ahead_, ahead->second, dictionary));
  } else {
    SHEAF_TRY_ASSIGN(
        const auto rows,
        view_.query("SELECT bytes, object, raw, dictionary FROM sheaf.pack WHERE b = $1 AND pack = $2",
                    {b, static_cast<std::int64_t>(pack)}));
    if (rows.empty()) return fail(Errc::invalid_data, "is missing");
    SHEAF_TRY(open(rows, 0, dictionary));
  }
  id_ = id;
  return &*reader_;
}

Result<PageData> PackLoader::page(int b, const PageEntry& entry, std::string_view dictionary) {
  SHEAF_TRY_ASSIGN(const PackReader* const reader, load(b, entry.place.run, dictionary));
  const auto data = reader->page(entry.place.number);
  if (!data) return fail(Errc::invalid_data, "is missing");
  if (data->url != entry.url || data->modified != entry.modified || data->json.size() != entry.json_bytes)
    return fail(Errc::invalid_data, "does not match its entry");
  return *data;
}

}  // namespace sheaf::store::shared
