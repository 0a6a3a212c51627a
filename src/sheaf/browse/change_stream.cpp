#include "sheaf/browse/change_stream.h"

#include "sheaf/browse/feed_reader.h"
#include "sheaf/format/json/json_writer.h"

namespace sheaf::browse {
namespace {

constexpr std::chrono::seconds kHeartbeat{15};

std::string change_event(const store::StoreChange& change) {
  format::JsonWriter json;
  json.begin_object()
      .number("sequence", change.sequence)
      .string("kind", describe_change(change))
      .string("site", change.site)
      .string("section", change.section)
      .string("url", change.url)
      .string("modified", change.new_modified)
      .end_object();
  return "event: change\ndata: " + json.text() + "\n\n";
}

/// The id that a browser sends when it reconnects. The position in a feed of many parts is too long for a
/// header, so such a browser continues with the newest changes.
std::string event_id(const store::FeedCursor& cursor) {
  return cursor.parts() == 1 ? "id: " + cursor.text() + "\n" : std::string();
}

}  // namespace

base::Result<std::string> ChangeStream::read_events() {
  SHEAF_TRY_ASSIGN(const auto store, store_.read());
  SHEAF_TRY_ASSIGN(const store::FeedCursor newest, store->newest_change());
  if (!since_) since_ = newest;
  std::string events;
  store::FeedCursor reached = *since_;
  const auto read = store->changes(*since_, [&](const store::StoreChange& change) {
    reached.advance(change.part, change.sequence, change.parts);
    events += event_id(reached) + change_event(change);
    return events.size() < kMaxEventBytes;
  });
  since_ = reached;
  if (read) return events;
  if (read.error().code != base::Errc::refused) return std::unexpected(read.error());
  since_ = newest;  // gc has deleted changes, or the store was created again
  return event_id(newest) + "event: gap\ndata: {}\n\n";
}

http::server::BodyStream::Piece ChangeStream::next() {
  Piece piece;
  if (!has_begun_) piece.bytes = "retry: 3000\n\n";
  has_begun_ = true;
  auto events = read_events();
  if (!events) return {.bytes = {}, .is_last = true};  // the client reconnects
  piece.bytes += *events;
  const auto now = std::chrono::steady_clock::now();
  if (piece.bytes.empty() && now >= last_sent_ + kHeartbeat) piece.bytes = ": still here\n\n";
  if (!piece.bytes.empty()) last_sent_ = now;
  return piece;
}

}  // namespace sheaf::browse
