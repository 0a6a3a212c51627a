#pragma once

#include "sheaf/base/error.h"
#include "sheaf/browse/browsed_store.h"
#include "sheaf/http/server/server.h"
#include "sheaf/store/page_store.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace sheaf::browse {

/// A range of the change feed: the changes after `since`, up to `last`.
struct FeedRange {
  store::FeedCursor since;
  store::FeedCursor last;
};

/// The range of about `most` newest changes; fewer if gc has deleted the older ones. In a feed with several
/// parts, the newest changes of each part.
base::Result<FeedRange> newest_changes(const store::PageStore& store, std::uint64_t most);

/// "new", "changed", "removed".
std::string_view describe_change(const store::StoreChange& change);

inline constexpr int kMaxStreams = 64;                 ///< number of live feeds at a time
inline constexpr std::size_t kMaxEventBytes = 65'536;  ///< bytes held for a client, approximately

/// The change feed as server-sent events: "change" with the change as JSON, and "gap" if gc has deleted
/// changes that the client has not seen. An occasional comment shows that the connection is alive.
class ChangeStream final : public http::server::BodyStream {
 public:
  /// Starts after `since`, or without it after the newest change. `open` is the number of feeds, which
  /// already includes this one.
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
