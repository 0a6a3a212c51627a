#pragma once

#include "sheaf/browse/browsed_store.h"
#include "sheaf/http/server/request_handler.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

namespace sheaf::browse {

inline constexpr int kMostStreams = 64;                 ///< live feeds at a time
inline constexpr std::size_t kMostEventBytes = 65'536;  ///< about so much is held for a client

/// The change feed as server-sent events: "change" with the change as JSON, "gap" where gc has deleted
/// changes that the client lacks. A comment now and then shows that the connection lives.
class ChangeStream final : public http::server::BodyStream {
 public:
  /// After `since`; without it, after the newest change. `open` counts the feeds and has counted this one.
  ChangeStream(BrowsedStore& store, std::optional<store::FeedCursor> since, std::atomic<int>& open)
      : store_(store), since_(std::move(since)), open_(open) {}
  ~ChangeStream() override { open_.fetch_sub(1); }
  ChangeStream(const ChangeStream&) = delete;
  ChangeStream& operator=(const ChangeStream&) = delete;

  Piece next() override;

 private:
  base::Result<std::string> read_events();

  BrowsedStore& store_;
  std::optional<store::FeedCursor> since_;
  std::atomic<int>& open_;
  bool has_begun_ = false;
  std::chrono::steady_clock::time_point last_sent_ = std::chrono::steady_clock::now();
};

}  // namespace sheaf::browse
