#include "sheaf/base/counted_text.h"
#include "sheaf/browse/browse_views.h"
#include "sheaf/browse/change_stream.h"
#include "sheaf/browse/feed_reader.h"

namespace sheaf::browse {
namespace {

constexpr std::uint64_t kChangesShown = 100;

void write_change(markup::HtmlWriter& out, const store::StoreChange& change) {
  const bool is_put = change.kind == store::ChangeKind::put;
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
