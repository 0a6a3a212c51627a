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
  return "id: " + std::to_string(change.sequence) + "\nevent: change\ndata: " + json.text() + "\n\n";
}

}  // namespace

base::Result<std::string> ChangeStream::read_events() {
  SHEAF_TRY_ASSIGN(const auto store, store_.read());
  SHEAF_TRY_ASSIGN(const std::uint64_t last, store->last_sequence());
  if (since_ > last) since_ = last;  // the newest, or a store that was made again
  std::string events;
  const auto read = store->changes(since_, [&](const store::StoreChange& change) {
    events += change_event(change);
    since_ = change.sequence;
    return events.size() < kMostEventBytes;
  });
  if (read) return events;
  if (read.error().code != base::Errc::refused) return std::unexpected(read.error());
  since_ = last;
  return "id: " + std::to_string(last) + "\nevent: gap\ndata: {}\n\n";
}

http::server::BodyStream::Piece ChangeStream::next() {
  Piece piece;
  if (!has_begun_) piece.bytes = "retry: 3000\n\n";
  has_begun_ = true;
  auto events = read_events();
  if (!events) return {.bytes = {}, .is_last = true};  // the client asks again
  piece.bytes += *events;
  const auto now = std::chrono::steady_clock::now();
  if (piece.bytes.empty() && now >= last_sent_ + kHeartbeat) piece.bytes = ": still here\n\n";
  if (!piece.bytes.empty()) last_sent_ = now;
  return piece;
}

}  // namespace sheaf::browse
