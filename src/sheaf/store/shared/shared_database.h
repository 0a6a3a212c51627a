#pragma once

#include "sheaf/base/error.h"
#include "sheaf/objects/s3_store.h"
#include "sheaf/store/shared/pg_connection.h"
#include "sheaf/store/shared_stores.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::store::shared {

/// The connections to the database of a store, and the rules for retries. Thread-safe.
class SharedDatabase {
 public:
  explicit SharedDatabase(std::string url) : url_(std::move(url)) {}

  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] std::string name() const { return name_of_url(url_); }

  /// A connection for the exclusive use of the caller. The deleter puts it back into the pool, unless it
  /// failed.
  struct GiveBack {
    SharedDatabase* owner;
    void operator()(PgConnection* connection) const { owner->give_back(connection); }
  };
  using Lease = std::unique_ptr<PgConnection, GiveBack>;
  base::Result<Lease> take();

  /// Runs `work` in a transaction. If the server or the connection fails, or another transaction interferes,
  /// the whole transaction is retried for up to kPatience, in which a server can restart or fail over. So
  /// `work` must recognise that an earlier COMMIT took effect although its answer was lost.
  using Work = std::function<base::Result<void>(PgConnection& connection)>;
  base::Result<void> transact(const Work& work);

  /// Like transact(), but read-only, and with one snapshot for all queries.
  base::Result<void> read(const Work& work);

  /// Runs one statement, which may be retried. It must be harmless to repeat.
  base::Result<PgRows> query(const std::string& sql, const SqlParams& params = {});

  /// Sets how long to wait for the server. Must be called before other threads use this object.
  void set_patience(std::chrono::milliseconds patience) { patience_ = patience; }
  static constexpr std::chrono::seconds kPatience{60};

 private:
  /// Without isolation, there is no transaction around the work: each statement is a transaction.
  base::Result<void> repeat(std::optional<PgConnection::Isolation> isolation, const Work& work);
  void give_back(PgConnection* connection);
  void forget_idle();

  std::string url_;
  std::chrono::milliseconds patience_ = kPatience;
  std::mutex mutex_;
  std::condition_variable given_back_;
  std::vector<std::unique_ptr<PgConnection>> idle_;
  std::size_t taken_ = 0;
};

// The tables of a shared store: schema `sheaf` of a database, which nothing else uses.
//
//   meta     what is fixed for the whole store
//   worker   processes that pull; only used for display, and to compute each worker's share of the buckets
//   bucket   sites are spread over buckets by a hash of their host. A bucket has one owner at a time, and an
//            epoch that grows with every change of the owner; its part of the change feed ends with `seq`
//   site     the list of sites to pull, with the time when each is due (shared_notes.h)
//   section  a row for each section; `record` is encoded by section_writer.h
//   page     the index: a row for each page, with the place of its bytes
//   pack     pages, about 128 KiB of them, compressed together; `live` counts those that are in the index
//   stage    rows of large changes before they are committed; an unlogged table, because the rows are
//            worthless after a crash
//   change   the change feed
//   note     named bytes of a site
//   garbage  objects that no pack refers to any more, and since when
//
// `b` is the first column of every key, so that a distributed PostgreSQL can spread the rows over its
// machines. Only plain SQL without session state is used, so any connection pool may be in between.

/// Creates the schema and the tables. Needs only the privilege CREATE on the database. Fails with
/// Errc::already_exists if the database has a store already or the location for objects belongs to another
/// store, or with Errc::invalid_argument if the database is not encoded in UTF-8.
base::Result<void> create_shared_store(const std::string& url, const CreateOptions& options,
                                       const objects::Environment& environment = {});

/// Fails with Errc::not_found if the database has no store, or with Errc::invalid_data if the store is of
/// another version.
base::Result<SharedMeta> read_meta(PgConnection& connection, const std::string& name);

}  // namespace sheaf::store::shared
