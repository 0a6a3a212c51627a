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

/// The connections of a store, and the rules by which work is repeated. Any thread.
class SharedDatabase {
 public:
  explicit SharedDatabase(std::string url) : url_(std::move(url)) {}

  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] std::string name() const { return name_of_url(url_); }

  /// A connection of one's own, put back into the pool by the deleter unless it failed.
  struct GiveBack {
    SharedDatabase* owner;
    void operator()(PgConnection* connection) const { owner->give_back(connection); }
  };
  using Lease = std::unique_ptr<PgConnection, GiveBack>;
  base::Result<Lease> take();

  /// Runs `work` in a transaction. If the server or the connection fails, or another transaction interferes,
  /// all of it is repeated, for up to kPatience: a server that restarts or fails over is waited for. So
  /// `work` must recognise that an earlier COMMIT of it, whose answer was lost, took effect.
  using Work = std::function<base::Result<void>(PgConnection& connection)>;
  base::Result<void> transact(const Work& work);

  /// The same with one snapshot for all queries, without writing.
  base::Result<void> read(const Work& work);

  /// One statement that may be repeated.
  base::Result<PgRows> query(const std::string& sql, const SqlParams& params = {});

  /// How long to wait for the server. Set before other threads use it.
  void set_patience(std::chrono::milliseconds patience) { patience_ = patience; }
  static constexpr std::chrono::seconds kPatience{60};

 private:
  /// Without isolation there is no transaction around the work: each statement is its own.
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
