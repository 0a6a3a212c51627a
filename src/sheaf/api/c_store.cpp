#include "sheaf/api/c_open_store.h"
#include "sheaf/api/c_walk_thread.h"
#include "sheaf/format/json/json_writer.h"
#include <sheaf/pull.h>
#include <sheaf/reader.h>

#include <cstdlib>

using sheaf::Result;
using namespace sheaf::c_api;  // NOLINT(google-build-using-namespace): the functions below are in no
                               // namespace

namespace sheaf::c_api {
namespace {

/// Fills batches row by row.
class BatchFiller {
 public:
  explicit BatchFiller(const WalkThread::Give& give) : give_(give) {}

  sheaf_batch& batch() { return *batch_; }
  /// False: stop.
  bool end_row() {
    if (batch_->count() < kBatchPages && batch_->data.size() < kBatchBytes) return true;
    return flush();
  }
  bool flush() {
    if (batch_->count() == 0) return true;
    return give_(std::exchange(batch_, std::make_unique<sheaf_batch>()));
  }

 private:
  const WalkThread::Give& give_;
  WalkThread::Batch batch_ = std::make_unique<sheaf_batch>();
};

Result<void> add_entry(sheaf_batch& batch, PageParser& parser, const StoredPage& entry) {
  SHEAF_TRY_ASSIGN(const Page* page, parser.parse(entry.json));
  add_page(batch, *page, entry.json);
  batch.put(SHEAF_SITE, entry.site);
  batch.put(SHEAF_SECTION, entry.section);
  return {};
}

Result<void> walk_entries(const Store& store, const PageFilter& filter, const WalkThread::Give& give) {
  BatchFiller filler(give);
  PageParser parser;
  const auto walked = store.each_page(filter, [&](const StoredPage& entry) -> Result<bool> {
    SHEAF_TRY(add_entry(filler.batch(), parser, entry));
    return filler.end_row();
  });
  if (walked) filler.flush();
  return walked;
}

std::string change_json(const StoreChange& change) {
  format::JsonWriter out;
  out.begin_object()
      .number("sequence", change.sequence)
      .string("kind", to_string(change.kind))
      .string("site", change.site)
      .string("section", change.section)
      .string("url", change.url)
      .string("oldModified", change.old_modified)
      .string("newModified", change.new_modified)
      .end_object();
  return out.text();
}

Result<void> walk_changes(const Store& store, const FeedCursor& since, const WalkThread::Give& give) {
  BatchFiller filler(give);
  SHEAF_TRY(store.changes(since, [&](const StoreChange& change) -> Result<bool> {
    sheaf_batch& batch = filler.batch();
    batch.add_row();
    batch.put(SHEAF_URL, change.url);
    batch.put(SHEAF_JSON, change_json(change));
    batch.put(SHEAF_SITE, change.site);
    batch.put(SHEAF_SECTION, change.section);
    return filler.end_row();
  }));
  filler.flush();
  return {};
}

/// Counts as an open cursor of a store, and keeps the store open.
class CursorCount {
 public:
  explicit CursorCount(std::shared_ptr<OpenStore> open) : open_(std::move(open)) { open_->add_cursor(); }
  ~CursorCount() { open_->remove_cursor(); }
  CursorCount(const CursorCount&) = delete;
  CursorCount& operator=(const CursorCount&) = delete;

  [[nodiscard]] const Store& store() const { return open_->store(); }

 private:
  std::shared_ptr<OpenStore> open_;
};

/// A walk over a store, on its own thread.
class StoreWalk {
 public:
  using Walk = std::function<Result<void>(const Store& store, const WalkThread::Give& give)>;

  StoreWalk(std::shared_ptr<OpenStore> open, Walk walk)
      : count_(std::move(open)), thread_([this, work = std::move(walk)](const WalkThread::Give& give) {
          return work(count_.store(), give);
        }) {}

  Result<WalkThread::Batch> next() { return thread_.next(); }

 private:
  CursorCount count_;  // destroyed last: the thread reads the store until it is joined
  WalkThread thread_;
};

Result<std::unique_ptr<sheaf_cursor>> walk_cursor(const sheaf_store& store, StoreWalk::Walk walk) {
  const StoreCall call(store.open);
  auto cursor = std::make_unique<sheaf_cursor>();
  cursor->next = [thread = std::make_shared<StoreWalk>(store.open, std::move(walk))] {
    return thread->next();
  };
  return cursor;
}

Result<std::unique_ptr<sheaf_cursor>> changes_cursor(const sheaf_store& store, const FeedCursor& since) {
  return walk_cursor(store, [since](const Store& opened, const WalkThread::Give& give) {
    return walk_changes(opened, since, give);
  });
}

void append_section(format::JsonWriter& out, const SectionState& section) {
  out.begin_object()
      .string("site", section.site)
      .string("section", section.section)
      .boolean("fromHtml", section.origin == Origin::html)
      .string("generated", format_time(section.generated))
      .number("pages", section.pages)
      .number("bytes", section.bytes);
  if (section.proven)
    out.boolean("proven", *section.proven);
  else
    out.null("proven");
  out.end_object();
}

std::string sections_json(const std::vector<SectionState>& sections) {
  format::JsonWriter out;
  out.begin_array();
  for (const SectionState& section : sections) append_section(out, section);
  out.end_array();
  return out.text();
}

std::string pull_json(const PullReport& report) {
  PageChanges sum;
  std::uint64_t pages = 0;
  for (const PullSectionReport& section : report.sections) {
    sum += section;
    pages += section.pages;
  }
  if (report.crawl) {
    sum += *report.crawl;
    pages += report.crawl->pages;
  }
  format::JsonWriter out;
  out.begin_object()
      .string("site", report.site)
      .boolean("ok", report.ok)
      .string("code", report.failure ? to_string(report.failure.code) : "")
      .string("message", report.failure.message)
      .boolean("fromHtml", report.route == PullRoute::html)
      .boolean("complete", !report.crawl || report.crawl->complete)
      .number("pages", pages)
      .number("added", sum.added)
      .number("changed", sum.changed)
      .number("removed", sum.removed)
      .number("requests", report.requests)
      .number("bytes", report.bytes)
      .end_object();
  return out.text();
}

/// Programs that load this library pass credentials in environment variables, as libpq also expects.
std::optional<std::string> environment_variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): nobody sets any
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace
}  // namespace sheaf::c_api

sheaf_store* sheaf_store_open(const char* path, int writable, sheaf_error** error) {
  return guarded(error, [&]() -> Result<std::unique_ptr<sheaf_store>> {
    const auto access = writable != 0 ? sheaf::StoreAccess::write : sheaf::StoreAccess::read;
    SHEAF_TRY_ASSIGN(auto store, sheaf::Store::open(path, access, environment_variable));
    return std::unique_ptr<sheaf_store>(new sheaf_store{std::make_shared<OpenStore>(std::move(store))});
  });
}

sheaf_batch* sheaf_store_get(const sheaf_store* store, sheaf_text url, sheaf_error** error) {
  return guarded(error, [&]() -> Result<std::unique_ptr<sheaf_batch>> {
    const StoreCall call(store->open);
    SHEAF_TRY_ASSIGN(const auto entry, call.store().get(view(url)));
    auto batch = std::make_unique<sheaf_batch>();
    sheaf::PageParser parser;
    if (entry) SHEAF_TRY(add_entry(*batch, parser, *entry));
    return batch;
  });
}

sheaf_cursor* sheaf_store_pages(const sheaf_store* store, sheaf_text site, sheaf_text section, sheaf_text url,
                                sheaf_error** error) {
  return guarded(error, [&]() -> Result<std::unique_ptr<sheaf_cursor>> {
    sheaf::PageFilter filter;
    filter.site = view(site);
    filter.section = view(section);
    filter.url = view(url);
    return walk_cursor(*store, [filter](const sheaf::Store& opened, const WalkThread::Give& give) {
      return walk_entries(opened, filter, give);
    });
  });
}

sheaf_cursor* sheaf_store_changes(const sheaf_store* store, uint64_t since, sheaf_error** error) {
  return guarded(error, [&]() { return changes_cursor(*store, since); });
}

sheaf_cursor* sheaf_store_changes_after(const sheaf_store* store, sheaf_text position, sheaf_error** error) {
  return guarded(error, [&]() -> Result<std::unique_ptr<sheaf_cursor>> {
    SHEAF_TRY_ASSIGN(const auto since, sheaf::FeedCursor::parse(view(position)));
    return changes_cursor(*store, since);
  });
}

sheaf_string* sheaf_store_position(const sheaf_store* store, sheaf_error** error) {
  return guarded(error, [&]() -> Result<std::unique_ptr<sheaf_string>> {
    const StoreCall call(store->open);
    SHEAF_TRY_ASSIGN(const auto position, call.store().position());
    return make_string(position.text());
  });
}

sheaf_string* sheaf_store_sections(const sheaf_store* store, sheaf_error** error) {
  return guarded(error, [&]() -> Result<std::unique_ptr<sheaf_string>> {
    const StoreCall call(store->open);
    SHEAF_TRY_ASSIGN(const auto sections, call.store().sections());
    return make_string(sections_json(sections));
  });
}

int sheaf_store_refresh(sheaf_store* store, sheaf_error** error) {
  const std::unique_ptr<sheaf_string> done(guarded(error, [&]() -> Result<std::unique_ptr<sheaf_string>> {
    SHEAF_TRY(store->open->refresh());
    return make_string({});
  }));
  return done == nullptr ? 0 : 1;
}

void sheaf_store_free(sheaf_store* store) { delete store; }

sheaf_string* sheaf_pull(sheaf_store* store, sheaf_text url, sheaf_text user_agent, int allow_private,
                         sheaf_error** error) {
  return guarded(error, [&]() -> Result<std::unique_ptr<sheaf_string>> {
    sheaf::RequestOptions requests;
    if (user_agent.data != nullptr) requests.user_agent = view(user_agent);
    requests.allow_private = allow_private != 0;
    const StoreCall call(store->open);
    SHEAF_TRY_ASSIGN(const auto result, sheaf::pull_site(call.store(), view(url), requests));
    return make_string(pull_json(result));
  });
}
