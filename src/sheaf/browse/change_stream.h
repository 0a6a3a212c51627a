#pragma once

#include "sheaf/browse/browsed_store.h"
#include "sheaf/http/server/request_handler.h"

#include <atomic>
#include <chrono>
#include <cstdint>

namespace sheaf::browse {

inline constexpr int kMostStreams = 64;                 ///< live feeds at a time
inline constexpr std::size_t kMostEventBytes = 65'536;  ///< about so much is held for a client

/// The change feed as server-sent events: "change" with the change as JSON, "gap" where gc has deleted
/// changes that the client lacks. A comment now and then shows that the connection lives.
class ChangeStream final : public http::server::BodyStream {
 public:
  /// After change `since`; UINT64_MAX: after the newest. `open` counts the feeds and has counted this one.
  ChangeStream(BrowsedStore& store, std::uint64_t since, std::atomic<int>& open)
      : store_(store), since_(since), open_(open) {}
  ~ChangeStream() override { open_.fetch_sub(1); }
  ChangeStream(const ChangeStream&) = delete;
  ChangeStream& operator=(const ChangeStream&) = delete;

  Piece next() override;

 private:
  base::Result<std::string> read_events();

  BrowsedStore& store_;
  std::uint64_t since_;
  std::atomic<int>& open_;
  bool has_begun_ = false;
  std::chrono::steady_clock::time_point last_sent_ = std::chrono::steady_clock::now();
};

}  // namespace sheaf::browse
