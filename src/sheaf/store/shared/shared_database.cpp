#include "sheaf/store/shared/shared_database.h"

#include "sheaf/store/shared/page_pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <thread>
#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Errc;
using base::fail;
using base::Result;
using Clock = std::chrono::steady_clock;

// A connection costs the server more than most transactions. If this many are in use, a thread first waits
// for one to be returned, but not for long: a thread that has one may need a second.
constexpr std::size_t kDefaultConnections = 16;
constexpr std::chrono::milliseconds kWaitForConnection{200};
constexpr std::chrono::milliseconds kFirstPause{20};
constexpr std::chrono::milliseconds kMaxPause{1000};

}  // namespace

Result<SharedDatabase::Lease> SharedDatabase::take() {
  {
    std::unique_lock lock(mutex_);
    const auto has_one = [this] { return !idle_.empty() || taken_ < kDefaultConnections; };
    given_back_.wait_for(lock, kWaitForConnection, has_one);
    ++taken_;
    if (!idle_.empty()) {
      Lease lease(idle_.back().release(), GiveBack{this});
      idle_.pop_back();
      return lease;
    }
  }
  auto connection = PgConnection::open(url_);
  if (connection) return Lease(connection->release(), GiveBack{this});
  const std::lock_guard lock(mutex_);
  --taken_;
  given_back_.notify_one();
  return std::unexpected(std::move(connection).error());
}

void SharedDatabase::give_back(PgConnection* connection) {
  std::unique_ptr<PgConnection> owned(connection);
  owned->rollback();
  const std::lock_guard lock(mutex_);
  --taken_;
  if (owned->is_usable() && idle_.size() < kDefaultConnections) idle_.push_back(std::move(owned));
  given_back_.notify_one();
}

void SharedDatabase::forget_idle() {
  const std::lock_guard lock(mutex_);
  idle_.clear();
}

Result<void> SharedDatabase::repeat(std::optional<PgConnection::Isolation> isolation, const Work& work) {
  const auto deadline = Clock::now() + patience_;
  std::chrono::milliseconds pause = kFirstPause;
  while (true) {
    auto lease = take();
    SqlFailure failure = SqlFailure::lost;
    std::optional<base::Error> error;
    if (lease) {
      PgConnection& connection = **lease;
      Result<void> done;
      if (isolation) done = connection.begin(*isolation);
      if (done) done = work(connection);
      if (done && isolation) done = connection.commit();
      if (done) return {};
      failure = connection.failure();
      error = std::move(done).error();
      connection.rollback();
    } else {
      error = std::move(lease).error();
      if (error->code != base::Errc::io) return std::unexpected(std::move(*error));
    }
    const bool may_succeed = failure == SqlFailure::lost || failure == SqlFailure::conflict;
    if (!may_succeed || Clock::now() > deadline) return std::unexpected(std::move(*error));
    // The other idle connections were most likely lost too.
    if (failure == SqlFailure::lost) forget_idle();
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kMaxPause);
  }
}

Result<void> SharedDatabase::transact(const Work& work) {
  return repeat(PgConnection::Isolation::read_committed, work);
}

Result<void> SharedDatabase::read(const Work& work) {
  return repeat(PgConnection::Isolation::snapshot, work);
}

Result<PgRows> SharedDatabase::query(const std::string& sql, const SqlParams& params) {
  std::optional<PgRows> rows;
  SHEAF_TRY(repeat(std::nullopt, [&](PgConnection& connection) -> Result<void> {
    SHEAF_TRY_ASSIGN(rows, connection.query(sql, params));
    return {};
  }));
  return std::move(*rows);
}

namespace {

//   meta     format, number of buckets, settings
//   worker   a row for each process that pulls
//   bucket   owner, epoch, lease and last change of each bucket; renewed leases make it change most
//   site     the list, with the time when each site is due
//   section  a row for each section, with its state and its dictionary
//   page     a row for each page: URL, times, and the place of its bytes
//   pack     pages, about 128 KiB of JSON together (2 MiB in object storage), compressed with zstd
//   garbage  unreferenced objects, and since when
//   stage    rows of large changes before they are committed; unlogged
//   change   the change feed
//   note     what pull remembers about a site: schedule, history, entity tags
// Every primary key begins with `b`, the number of the bucket, so that databases can shard by it.
constexpr const char* kTables[] = {
    "CREATE SCHEMA sheaf",
    "CREATE TABLE sheaf.meta (key text PRIMARY KEY, value text NOT NULL)",
    "CREATE TABLE sheaf.worker (id text PRIMARY KEY, host text NOT NULL, version text NOT NULL, "
    "started timestamptz NOT NULL, seen timestamptz NOT NULL, buckets int NOT NULL DEFAULT 0, "
    "sites bigint NOT NULL DEFAULT 0, due bigint NOT NULL DEFAULT 0, late bigint NOT NULL DEFAULT 0, "
    "failing bigint NOT NULL DEFAULT 0, running bigint NOT NULL DEFAULT 0, "
    "fleet boolean NOT NULL DEFAULT false)",
    "CREATE TABLE sheaf.bucket (b int PRIMARY KEY, owner text, epoch bigint NOT NULL DEFAULT 0, "
    "until timestamptz, seq bigint NOT NULL DEFAULT 0, first bigint NOT NULL DEFAULT 1, "
    "run bigint NOT NULL DEFAULT 0) WITH (fillfactor = 50)",
    "CREATE TABLE sheaf.site (b int NOT NULL, origin text NOT NULL, url text NOT NULL, "
    "added timestamptz NOT NULL DEFAULT now(), due bigint NOT NULL DEFAULT 0, last bigint NOT NULL DEFAULT "
    "0, fails int NOT NULL DEFAULT 0, PRIMARY KEY (b, origin))",
    "CREATE INDEX site_due ON sheaf.site (b, due)",
    "CREATE TABLE sheaf.section (b int NOT NULL, section int NOT NULL, origin text NOT NULL, "
    "name text NOT NULL, pages bigint NOT NULL, bytes bigint NOT NULL, record bytea NOT NULL, "
    "dictionary bytea, PRIMARY KEY (b, section), UNIQUE (b, origin, name))",
    "CREATE TABLE sheaf.page (b int NOT NULL, section int NOT NULL, learnt_seconds bigint NOT NULL, "
    "pack bigint NOT NULL, bytes bigint NOT NULL, learnt_nanoseconds int NOT NULL, slot int NOT NULL, "
    "url_hash bytea NOT NULL, url bytea NOT NULL, modified text NOT NULL, "
    "PRIMARY KEY (b, section, url_hash))",
    "CREATE TABLE sheaf.pack (b int NOT NULL, pack bigint NOT NULL, pages int NOT NULL, live int NOT NULL, "
    "raw bigint NOT NULL, dictionary boolean NOT NULL, bytes bytea, object text, PRIMARY KEY (b, pack))",
    // The bytes are compressed already.
    "ALTER TABLE sheaf.pack ALTER COLUMN bytes SET STORAGE EXTERNAL",
    "CREATE UNLOGGED TABLE sheaf.stage (b int NOT NULL, epoch bigint NOT NULL, run bigint NOT NULL, "
    "n bigint NOT NULL, kind int NOT NULL, url_hash bytea NOT NULL, url bytea NOT NULL, "
    "modified text NOT NULL, old_modified text NOT NULL, learnt_seconds bigint NOT NULL, "
    "learnt_nanoseconds int NOT NULL, pack bigint NOT NULL, slot int NOT NULL, bytes bigint NOT NULL, "
    "PRIMARY KEY (b, epoch, run, url_hash))",
    "CREATE TABLE sheaf.change (b int NOT NULL, seq bigint NOT NULL, at timestamptz NOT NULL, "
    "kind int NOT NULL, site text NOT NULL, section text NOT NULL, url bytea NOT NULL, "
    "old_modified text NOT NULL, new_modified text NOT NULL, PRIMARY KEY (b, seq))",
    "CREATE TABLE sheaf.note (b int NOT NULL, origin text NOT NULL, name bytea NOT NULL, "
    "value bytea NOT NULL, PRIMARY KEY (b, origin, name)) WITH (fillfactor = 70)",
    "CREATE TABLE sheaf.garbage (object text PRIMARY KEY, since timestamptz NOT NULL)",
};

std::optional<std::int64_t> to_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Result<void> put_meta(PgConnection& connection, const char* key, const std::string& value) {
  SHEAF_TRY(
      connection.query("INSERT INTO sheaf.meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET "
                       "value = excluded.value",
                       {key, value}));
  return {};
}

Result<void> create_tables(PgConnection& connection, const CreateOptions& options) {
  SHEAF_TRY_ASSIGN(const auto there,
                   connection.query("SELECT 1 FROM information_schema.schemata WHERE schema_name = 'sheaf'"));
  if (!there.empty())
    return fail(Errc::already_exists,
                "the database has a schema sheaf already: use that store, or another database");
  SHEAF_TRY_ASSIGN(const auto encoding, connection.query("SELECT current_setting('server_encoding')"));
  if (encoding.text(0, 0) != "UTF8")
    return fail(Errc::invalid_argument,
                fmt::format("the encoding of the database is {}: create it with ENCODING 'UTF8'",
                            encoding.text(0, 0)));
  for (const char* const statement : kTables) SHEAF_TRY(connection.query(statement));
  SHEAF_TRY(connection.query("INSERT INTO sheaf.bucket (b) SELECT generate_series(0, $1::int - 1)",
                             {options.buckets}));
  SHEAF_TRY(put_meta(connection, "format", std::to_string(SharedMeta::kFormat)));
  SHEAF_TRY(put_meta(connection, "buckets", std::to_string(options.buckets)));
  SHEAF_TRY(put_meta(connection, "objects", options.objects));
  return put_meta(connection, "feed_days", std::to_string(options.feed_days));
}

/// Reads all values, without checking the version. Fails with Errc::not_found if there is no store.
Result<SharedMeta> load_meta(PgConnection& connection, const std::string& name) {
  auto rows = connection.query("SELECT key, value FROM sheaf.meta");
  if (!rows && connection.failure() == SqlFailure::missing)
    return fail(Errc::not_found,
                fmt::format("there is no store in {}; `sheaf store create` makes one", name));
  if (!rows) return std::unexpected(rows.error());
  std::map<std::string, std::string, std::less<>> values;
  for (int i = 0; i < rows->size(); ++i) values.emplace(rows->text(i, 0), rows->text(i, 1));
  SharedMeta meta;
  meta.format = to_number(values["format"]).value_or(0);
  meta.buckets = to_number(values["buckets"]).value_or(0);
  meta.feed_days = to_number(values["feed_days"]).value_or(meta.feed_days);
  meta.lease_milliseconds = to_number(values["lease_milliseconds"]).value_or(meta.lease_milliseconds);
  meta.objects = values["objects"];
  if (meta.format < 1 || meta.buckets < 1 || meta.buckets > kMaxBuckets)
    return fail(Errc::invalid_data, fmt::format("the table sheaf.meta of {} is damaged", name));
  return meta;
}

Result<void> check_format(const SharedMeta& meta, const std::string& name) {
  if (meta.format == SharedMeta::kFormat) return {};
  const bool is_newer = meta.format > SharedMeta::kFormat;
  return fail(
      Errc::invalid_data,
      fmt::format("the store in {} has format {}, and this sheaf uses format {}: it was written by {}", name,
                  meta.format, SharedMeta::kFormat,
                  is_newer ? "a newer one, which is needed to use it"
                           : "an older one; create a store in another database, and pull the sites "
                             "into it"));
}

}  // namespace

Result<void> create_shared_store(const std::string& url, const CreateOptions& options,
                                 const objects::Environment& environment) {
  SHEAF_TRY(check_postgres_url(url));
  if (options.buckets < 1 || options.buckets > kMaxBuckets)
    return fail(Errc::invalid_argument, fmt::format("--buckets must be 1 to {}", kMaxBuckets));
  SharedDatabase database(url);
  database.set_patience({});
  std::unique_ptr<PackObjects> objects;
  if (!options.objects.empty()) {
    SHEAF_TRY_ASSIGN(objects, PackObjects::open(options.objects, environment));
  }
  return database.transact([&](PgConnection& connection) -> Result<void> {
    SHEAF_TRY(create_tables(connection, options));
    return objects ? objects->claim() : Result<void>();
  });
}

Result<SharedMeta> read_meta(PgConnection& connection, const std::string& name) {
  SHEAF_TRY_ASSIGN(SharedMeta meta, load_meta(connection, name));
  SHEAF_TRY(check_format(meta, name));
  return meta;
}

}  // namespace sheaf::store::shared
