#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/shared/pg_connection.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
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

}  // namespace sheaf::store::shared
