#include "sheaf/browse/change_stream.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/browse/browse_views.h"
#include "sheaf/format/json/json_writer.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sheaf::browse {
namespace {

/// Whether the feed still has the changes after `since`.
base::Result<bool> has_changes_after(const store::PageStore& store, const store::FeedCursor& since) {
  const auto read = store.changes(since, [](const store::StoreChange&) { return false; });
  if (read) return true;
  if (read.error().code == base::Errc::refused) return false;
  return std::unexpected(read.error());
}

store::FeedCursor step_back(const store::FeedCursor& from, std::uint64_t changes) {
  std::vector<std::uint64_t> numbers;
  std::uint64_t active = 0;
  for (std::size_t part = 0; part < from.parts(); ++part) active += from.of(part) > 0 ? 1 : 0;
  const std::uint64_t share = std::max<std::uint64_t>(1, changes / std::max<std::uint64_t>(1, active));
  for (std::size_t part = 0; part < from.parts(); ++part)
    numbers.push_back(from.of(part) > share ? from.of(part) - share : 0);
  return store::FeedCursor(std::move(numbers));
}

}  // namespace

base::Result<FeedRange> newest_changes(const store::PageStore& store, std::uint64_t most) {
  FeedRange range;
  SHEAF_TRY_ASSIGN(range.last, store.newest_change());
  range.since = step_back(range.last, most);
  SHEAF_TRY_ASSIGN(const bool is_there, has_changes_after(store, range.since));
  if (is_there) return range;
  if (range.last.parts() > 1) {
    range.since = range.last;
    return range;
  }
  // Binary search: the first number that the feed still has is between these two.
  std::uint64_t missing = range.since.total();
  std::uint64_t present = range.last.total();
  while (present - missing > 1) {
    const std::uint64_t middle = missing + (present - missing) / 2;
    SHEAF_TRY_ASSIGN(const bool has_middle, has_changes_after(store, middle));
    (has_middle ? present : missing) = middle;
  }
  range.since = present;
  return range;
}

std::string_view describe_change(const store::StoreChange& change) {
  if (change.kind == store::ChangeKind::removed) return "removed";
  return change.old_modified.empty() ? "new" : "changed";
}

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

namespace {

constexpr std::uint64_t kChangesShown = 100;

void write_change(markup::HtmlWriter& out, const store::StoreChange& change) {
  const bool is_put = change.kind != store::ChangeKind::removed;
  out.open("li").element("span", "#" + std::to_string(change.sequence), {{"class", "muted"}}).text(" ");
  write_badge(out, is_put ? (change.old_modified.empty() ? "good" : "plain") : "bad",
              describe_change(change));
  out.text(" ");
  if (is_put)
    out.link(page_path(change.site, change.section, change.url), change.url, {{"data-row"}});
  else
    out.element("span", change.url);
  out.text(" ").element("span", change.section, {{"class", "muted"}}).close();
}

}  // namespace

base::Result<ViewReply> changes_view(const ViewContext& context, const RequestValues& values) {
  SHEAF_TRY_ASSIGN(const auto store, context.store->read());
  SHEAF_TRY_ASSIGN(const store::FeedCursor newest, store->newest_change());
  // The numbers of different parts say nothing about the order of changes.
  const bool has_parts = newest.parts() > 1;
  const std::uint64_t last = newest.total();
  const std::uint64_t to = has_parts ? last : values.number("to", last, 0, last);
  SHEAF_TRY_ASSIGN(const FeedRange range, newest_changes(*store, last - to + kChangesShown));
  std::vector<store::StoreChange> changes;
  SHEAF_TRY(store->changes(range.since, [&](const store::StoreChange& change) {
    if (!has_parts && change.sequence > to) return false;
    changes.push_back(change);
    return changes.size() < kChangesShown;
  }));
  markup::HtmlWriter out;
  begin_frame(out, context.parts(), {.title = "Changes", .place = AppPlace::changes});
  out.element("h1", "Changes");
  const std::string since = has_parts ? std::string() : newest.text();
  out.open("p", {{"class", "muted"}}).text(base::human_count(last) + " changes so far, the newest first. ");
  if (to == last) out.open("span", {{"id", "live"}, {"data-since", since}, {"role", "status"}}).close();
  out.close().open("ol", {{"class", "history"}, {"id", "feed"}});
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) write_change(out, *change);
  out.close();
  const markup::OwnPath newer = markup::OwnPath("/changes").with("to", std::min(last, to + kChangesShown));
  const markup::OwnPath older = markup::OwnPath("/changes").with("to", range.since.total());
  const bool has_older =
      !has_parts && !changes.empty() && changes.front().sequence > 1 && !range.since.is_start();
  write_paging(out, to < last ? &newer : nullptr, has_older ? &older : nullptr,
               changes.empty() ? "no changes"
               : has_parts     ? "the newest changes of each part of the feed"
                               : "changes " + base::human_count(changes.front().sequence) + " to " +
                                 base::human_count(changes.back().sequence));
  return ViewReply{.body = end_frame(std::move(out))};
}

base::Result<ViewReply> changes_stream(const ViewContext& context, const RequestValues& values) {
  if (context.streams->fetch_add(1) >= kMaxStreams) {
    context.streams->fetch_sub(1);
    return ViewReply{
        .status = 503, .body = "too many live feeds are open", .content_type = "text/plain; charset=utf-8"};
  }
  const auto since = store::FeedCursor::parse(values.text("since"));
  return ViewReply{.content_type = "text/event-stream",
                   .stream = std::make_shared<ChangeStream>(
                       *context.store, since ? std::optional(*since) : std::nullopt, *context.streams)};
}

}  // namespace sheaf::browse
