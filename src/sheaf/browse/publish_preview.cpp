#include "sheaf/browse/publish_preview.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/base/file.h"
#include "sheaf/browse/block_html.h"
#include "sheaf/browse/browse_views.h"
#include "sheaf/browse/page_body.h"
#include "sheaf/format/pages/page_encoder.h"
#include "sheaf/format/pages/stored_page_decoder.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sheaf::browse {
namespace {

constexpr std::size_t kPreviewTextBytes = 500;

std::string shortened(std::string_view text) { return std::string(base::cut_utf8(text, kPreviewTextBytes)); }

class PreviewCollector {
 public:
  PreviewCollector(PreviewResult& result, base::SpoolFile spool)
      : result_(result), spool_(std::make_shared<base::SpoolFile>(std::move(spool))) {
    result_.json = spool_;
  }

  base::Result<void> add(PreviewItem item, const Page* page) {
    if (result_.items.size() >= kMaxPreviewItems) {
      ++result_.dropped;
      return {};
    }
    for (std::string* text : {&item.name, &item.title, &item.detail, &item.repairs}) *text = shortened(*text);
    if (page != nullptr) SHEAF_TRY(keep_page(*page, item));
    result_.items.push_back(std::move(item));
    return {};
  }

 private:
  base::Result<void> keep_page(const Page& page, PreviewItem& entry) {
    std::string json;
    format::encode_page(page, json);
    if (spool_->size() + json.size() > kMaxPreviewBytes) return {};
    entry.place = spool_->size();
    entry.size = json.size();
    return spool_->append(json);
  }

  PreviewResult& result_;
  std::shared_ptr<base::SpoolFile> spool_;
};

}  // namespace

PublishPreview::PublishPreview(std::string site, PreviewReader reader)
    : site_(std::move(site)), reader_(std::move(reader)) {
  thread_ = std::thread([this] { run(); });
}

PublishPreview::~PublishPreview() {
  {
    const std::lock_guard lock(mutex_);
    stopping_.store(true);
  }
  wake_.notify_all();
  thread_.join();
}

std::shared_ptr<const PreviewResult> PublishPreview::result() const {
  const std::lock_guard lock(mutex_);
  return result_;
}

bool PublishPreview::is_reading() const {
  const std::lock_guard lock(mutex_);
  return is_reading_;
}

void PublishPreview::read_again() {
  const std::lock_guard lock(mutex_);
  if (is_reading_) return;
  is_wanted_ = true;
  is_reading_ = true;
  wake_.notify_all();
}

void PublishPreview::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_.load() || is_wanted_; });
    if (stopping_.load()) return;
    is_wanted_ = false;
    lock.unlock();
    auto result = std::make_shared<const PreviewResult>(read());
    lock.lock();
    result_ = std::move(result);
    is_reading_ = false;
  }
}

PreviewResult PublishPreview::read() {
  PreviewResult result;
  result.as_of = sheaf::now();
  auto spool = base::SpoolFile::create({});
  if (!spool) {
    result.trouble = spool.error().message;
    return result;
  }
  PreviewCollector collector(result, std::move(*spool));
  auto report =
      reader_({result.as_of.seconds, 0}, [&](PreviewItem item, const Page* page) -> base::Result<void> {
        if (stopping_.load()) return base::fail(base::Errc::refused, "stopped");
        return collector.add(std::move(item), page);
      });
  if (report)
    result.report = std::move(*report);
  else
    result.trouble = report.error().message;
  return result;
}

namespace {

constexpr std::uint64_t kItemsShown = 100;
constexpr std::uint64_t kMaxOriginal = std::uint64_t{8} << 20U;

bool is_shown(const PreviewItem& item, std::string_view text, std::string_view state) {
  if (state == "published" && !item.skip.empty()) return false;
  if (state == "skipped" && item.skip.empty()) return false;
  if (!state.empty() && state != "published" && state != "skipped" && item.skip != state) return false;
  return text.empty() || item.name.find(text) != std::string::npos ||
         item.url.find(text) != std::string::npos || item.title.find(text) != std::string::npos;
}

void write_state_links(markup::HtmlWriter& out, const PreviewResult& result, std::string_view state) {
  std::map<std::string, std::uint64_t> skipped;
  std::uint64_t published = 0;
  for (const PreviewItem& item : result.items) item.skip.empty() ? ++published : ++skipped[item.skip];
  const auto entry = [&](std::string_view value, std::string_view label, std::uint64_t count) {
    const std::string text = std::string(label) + " " + base::human_count(count);
    out.open("li");
    const markup::OwnPath path = markup::OwnPath("/publish").with("state", value);
    value == state ? out.link(path, text, {{"aria-current", "true"}}) : out.link(path, text);
    out.close();
  };
  out.open("nav", {{"class", "tabs"}, {"aria-label", "What became of the items"}}).open("ul");
  entry("", "All", result.items.size());
  entry("published", "Published", published);
  entry("skipped", "Skipped", result.items.size() - published);
  for (const auto& [name, count] : skipped) entry(name, name, count);
  out.close().close();
}

void write_item(markup::HtmlWriter& out, const PreviewItem& item, std::uint64_t number) {
  out.open("li");
  out.link(markup::OwnPath("/publish/page").with("n", number), item.title.empty() ? item.name : item.title,
           {{"data-row"}, {"dir", "auto"}});
  out.text(" ");
  if (item.skip.empty())
    write_badge(out, "good", "published");
  else
    write_badge(out, "bad", item.skip);
  out.open("p", {{"class", "muted"}})
      .element("span", item.url.empty() ? item.name : item.url, {{"class", "url"}});
  out.text(" ").element("span", item.section).close();
  if (!item.skip.empty())
    out.element("p", item.reason + (item.detail.empty() ? "" : ": " + item.detail), {{"dir", "auto"}});
  if (!item.repairs.empty()) out.element("p", "repaired: " + item.repairs, {{"dir", "auto"}});
  out.close();
}

void write_run(markup::HtmlWriter& out, const PreviewResult& result) {
  out.open("div", {{"class", "wide"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "Sections"}});
  out.open("table", {{"class", "rows"}}).open("thead").open("tr");
  for (const std::string_view name : {"Section", "Pages", "New", "Changed", "Removed"})
    out.element("th", name, {{"scope", "col"}});
  out.close().close().open("tbody");
  for (const PreviewSection& section : result.report.sections) {
    out.open("tr").element("td", section.name);
    for (const std::uint64_t value : {section.pages, section.added, section.changed, section.removed})
      out.element("td", base::human_count(value), {{"class", "number"}});
    out.close();
  }
  out.close().close().close();
  for (const std::string& note : result.report.notes) out.element("p", note, {{"class", "muted"}});
}

ViewReply still_reading(const ViewContext& context) {
  markup::HtmlWriter out;
  begin_frame(out, context.parts(), {.title = "Published", .place = AppPlace::publish, .reload_seconds = 2});
  out.element("h1", "Published")
      .element("p", "The sources are being read. This page reloads automatically.",
               {{"class", "notice"}, {"role", "status"}});
  return {.body = end_frame(std::move(out))};
}

const PreviewItem* find_item(const PreviewResult* result, const RequestValues& values) {
  if (result == nullptr || result->items.empty()) return nullptr;
  const std::uint64_t number = values.number("n", UINT64_MAX, 0, result->items.size() - 1);
  return number == UINT64_MAX ? nullptr : &result->items[number];
}

ViewReply no_such_item(const ViewContext& context) {
  return {.status = 404,
          .body = notice_page(context.parts(), "No such item",
                              "The list of items has changed; start again at its beginning.")};
}

}  // namespace

base::Result<ViewReply> publish_view(const ViewContext& context, const RequestValues& values) {
  const auto result = context.preview->result();
  if (!result) return still_reading(context);
  const std::string_view text = values.text("q");
  const std::string_view state = values.text("state");
  markup::HtmlWriter out;
  begin_frame(out, context.parts(), {.title = "Published", .place = AppPlace::publish});
  out.element("h1", "Published from " + context.preview->site());
  out.open("p", {{"class", "muted"}}).text("Read ");
  write_age(out, result->as_of, sheaf::now());
  out.text("; nothing was written. ")
      .link(markup::OwnPath("/publish/again"), "Read the sources again")
      .close();
  if (!result->trouble.empty())
    out.element("p", "Publishing would fail: " + result->trouble, {{"class", "notice"}});
  write_run(out, *result);
  write_state_links(out, *result, state);
  out.open_form(markup::OwnPath("/publish"), markup::FormMethod::get, {{"class", "filter"}});
  write_field(out, {.name = "q", .label = "Name, URL or title contains", .value = text});
  out.open("input", {{"type", "hidden"}, {"name", "state"}, {"value", state}})
      .element("button", "Filter")
      .close();
  const std::uint64_t from = values.number("from", 0, 0, result->items.size());
  std::uint64_t matching = 0;
  out.open("ol", {{"class", "pages"}});
  for (std::uint64_t i = 0; i < result->items.size(); ++i) {
    if (!is_shown(result->items[i], text, state)) continue;
    if (matching >= from && matching < from + kItemsShown) write_item(out, result->items[i], i);
    ++matching;
  }
  out.close();
  const markup::OwnPath list = markup::OwnPath("/publish").with("q", text).with("state", state);
  const markup::OwnPath previous = list.with("from", from < kItemsShown ? 0 : from - kItemsShown);
  const markup::OwnPath next = list.with("from", from + kItemsShown);
  write_paging(out, from > 0 ? &previous : nullptr, from + kItemsShown < matching ? &next : nullptr,
               base::counted(matching, "item", "items"));
  return ViewReply{.body = end_frame(std::move(out))};
}

base::Result<ViewReply> publish_again(const ViewContext& context, const RequestValues& /*values*/) {
  context.preview->read_again();
  return ViewReply{.status = 303, .redirect = markup::OwnPath("/publish")};
}

base::Result<ViewReply> published_page_view(const ViewContext& context, const RequestValues& values) {
  const auto result = context.preview->result();
  const PreviewItem* item = find_item(result.get(), values);
  if (item == nullptr) return no_such_item(context);
  std::string json(static_cast<std::size_t>(item->size), '\0');
  if (item->size > 0) SHEAF_TRY(result->json->read_at(item->place, json));
  format::StoredPageDecoder decoder(format::Detail::everything);
  const auto page = decoder(json);
  const markup::OwnPath self = markup::OwnPath("/publish/page").with("n", values.text("n"));
  const std::string_view tab = values.text("tab");
  markup::HtmlWriter out;
  begin_frame(out, context.parts(),
              {.title = item->title.empty() ? item->name : item->title, .place = AppPlace::publish});
  write_page_head(out, item->title.empty() ? item->name : item->title,
                  item->url.empty() ? item->name : item->url);
  if (!item->skip.empty())
    out.element("p", "Skipped: " + item->reason + (item->detail.empty() ? "" : ": " + item->detail),
                {{"class", "notice"}});
  if (!item->repairs.empty()) out.element("p", "Repaired: " + item->repairs, {{"class", "notice"}});
  if (item->size > 0)
    write_tabs(out, self, tab, {{"", "Beside the original"}, {"markdown", "Markdown"}, {"json", "JSON"}});
  out.open("div", {{"class", tab.empty() ? "beside" : "alone"}});
  if (tab.empty()) {
    out.open("section", {{"class", "original"}}).element("h2", "Original");
    if (item->file.empty())
      out.element("p", "The source has no file of this page.", {{"class", "muted"}});
    else
      out.sandboxed_frame(markup::OwnPath("/publish/original").with("n", values.text("n")),
                          "The original, without styles and scripts from elsewhere");
    out.close();
  }
  out.open("section").element("h2", "Extracted");
  if (item->size == 0)
    out.element("p", item->skip.empty() ? "The page is too large to be kept here." : "It is not published.",
                {{"class", "muted"}});
  else
    write_page_tab(out, tab, page ? *page : nullptr, json);
  return ViewReply{.body = end_frame(std::move(out))};
}

base::Result<ViewReply> published_original(const ViewContext& context, const RequestValues& values) {
  const auto result = context.preview->result();
  const PreviewItem* item = find_item(result.get(), values);
  if (item == nullptr || item->file.empty()) return no_such_item(context);
  SHEAF_TRY_ASSIGN(std::string bytes, base::read_regular_file(item->file.string(), kMaxOriginal));
  const std::string extension = item->file.extension().string();
  const bool is_html = extension == ".html" || extension == ".htm" || extension == ".xhtml";
  return ViewReply{.body = std::move(bytes),
                   .content_type = is_html ? "text/html" : "text/plain; charset=utf-8",
                   .is_foreign = true};
}

}  // namespace sheaf::browse
