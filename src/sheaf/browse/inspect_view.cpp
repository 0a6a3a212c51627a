#include "sheaf/base/byte_source.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/browse/browse_views.h"
#include "sheaf/browse/inspections.h"
#include "sheaf/browse/page_body.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/pages/stored_page_decoder.h"

#include <algorithm>

namespace sheaf::browse {
namespace {

constexpr std::size_t kFindingsShown = 500;

void write_upload_form(markup::HtmlWriter& out) {
  out.open_form(markup::OwnPath("/inspect/upload"), markup::FormMethod::post_file,
                {{"class", "drop"}, {"id", "drop"}});
  out.open("p", {{"class", "field"}})
      .element("label", "A collection: .scp, .scp.gz or .scp.zst", {{"for", "file"}});
  out.open("input", {{"type", "file"}, {"name", "file"}, {"id", "file"}, {"required"}}).close();
  out.element("button", "Inspect")
      .element("p", "or drop it here; it is read here and not stored", {{"class", "muted"}});
  out.close();
}

void write_name_form(markup::HtmlWriter& out) {
  out.open_form(markup::OwnPath("/inspect/open"), markup::FormMethod::post_fields, {{"class", "filter"}});
  write_field(out, {.name = "name",
                    .label = "Path of a file on this machine, or URL",
                    .hint = "/srv/site/scp/all.scp.zst"});
  out.element("button", "Open").close();
}

void write_recent(markup::HtmlWriter& out, const std::vector<Inspection>& recent) {
  if (recent.empty()) return;
  out.element("h2", "Recently inspected").open("ol", {{"class", "pages"}});
  for (const Inspection& one : recent) {
    out.open("li")
        .link(markup::OwnPath("/inspect/result").with("id", one.id), one.name, {{"data-row"}})
        .text(" ");
    if (!one.result)
      write_badge(out, "plain", "being read");
    else if (!one.result->trouble.empty() || !one.result->report.is_valid())
      write_badge(out, "bad", one.result->trouble.empty() ? "invalid" : "unreadable");
    else
      write_badge(out, "good", "valid");
    out.close();
  }
  out.close();
}

void write_collection_head(markup::HtmlWriter& out, const format::ValidationReport& report) {
  out.element("h2", "Head");
  if (!report.head) {
    out.element("p", "The file has no metadata line.", {{"class", "muted"}});
    return;
  }
  const CollectionHead& head = *report.head;
  out.open("dl", {{"class", "facts"}});
  write_fact(out, "Id", head.id);
  write_fact(out, "Section", head.section);
  write_fact(out, "Type", to_string(head.type));
  write_fact(out, "Generated", head.generated);
  if (head.since) write_fact(out, "Since", *head.since);
  write_fact(out, "Version", head.version);
  if (head.state) write_fact(out, "State", *head.state);
  if (head.checksum) write_fact(out, "Checksum", *head.checksum);
  if (!head.removed.empty()) write_fact(out, "Removed", base::counted(head.removed.size(), "URL", "URLs"));
  for (const auto& [key, value] : head.extra) write_fact(out, key, value.substr(0, 2'000));
  out.close();
}

std::string count_text(const format::NameCounts& counts) {
  std::string text;
  for (const auto& [name, count] : counts.most_first())
    text += (text.empty() ? "" : ", ") + name + " " + base::human_count(count);
  return text.empty() ? "none" : text;
}

void write_sizes(markup::HtmlWriter& out, const InspectionResult& result) {
  const auto& statistics = result.report.statistics;
  const auto& sizes = result.overview.sizes;
  out.element("h2", "Sizes").open("dl", {{"class", "facts"}});
  write_fact(out, "File",
             base::human_size(statistics.compressed_bytes) + " " + std::string(to_string(statistics.codec)));
  write_fact(out, "Uncompressed", base::human_size(statistics.plain_bytes));
  write_fact(
      out, "Pages",
      base::human_count(result.report.pages) + ", " + base::human_count(statistics.skipped) + " skipped");
  write_fact(
      out, "Page",
      "half up to " + base::human_size(sizes.below(0.5)) + ", largest " + base::human_size(sizes.largest()));
  write_fact(out, "Blocks", count_text(result.overview.blocks));
  write_fact(out, "Languages", count_text(result.overview.languages));
  if (result.overview.oldest)
    write_fact(out, "Modified",
               format_time(*result.overview.oldest) + " to " + format_time(*result.overview.newest));
  out.close();
}

void write_finding_row(markup::HtmlWriter& out, const Finding& finding) {
  const FindingLevel level = level_of(finding.code);
  out.open("tr").element("td", finding.line == 0 ? std::string("file") : std::to_string(finding.line),
                         {{"class", "number"}});
  out.open("td");
  write_badge(out, level == FindingLevel::fatal || level == FindingLevel::page ? "bad" : "plain",
              to_string(level));
  out.close().open("td").element("code", to_string(finding.code)).close();
  out.open("td", {{"dir", "auto"}}).text(finding.message);
  if (!finding.url.empty()) out.open("p", {{"class", "url"}}).web_link(finding.url, finding.url).close();
  out.close().close();
}

void write_findings(markup::HtmlWriter& out, const format::ValidationReport& report) {
  std::uint64_t total = 0;
  for (const std::uint64_t count : report.counts) total += count;
  out.element("h2", "Findings");
  if (report.findings.empty() && !report.fatal) {
    out.element("p", "None.", {{"class", "muted"}});
    return;
  }
  out.open("div", {{"class", "wide"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "Findings"}});
  out.open("table", {{"class", "rows"}}).open("thead").open("tr");
  for (const std::string_view name : {"Line", "Level", "Code", "What"})
    out.element("th", name, {{"scope", "col"}});
  out.close().close().open("tbody");
  if (report.fatal) write_finding_row(out, *report.fatal);
  const std::size_t shown = std::min(report.findings.size(), kFindingsShown);
  for (std::size_t i = 0; i < shown; ++i) write_finding_row(out, report.findings[i]);
  out.close().close().close();
  if (total > shown + 1)
    out.element("p", base::counted(total, "finding", "findings") + " in all", {{"class", "muted"}});
}

void write_inspected_pages(markup::HtmlWriter& out, const Inspection& inspection) {
  const auto& pages = inspection.result->pages;
  out.element("h2", "Pages").open("ol", {{"class", "pages"}});
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const InspectedPage& page = pages[i];
    const std::string_view title = page.title.empty() ? page.url : page.title;
    out.open("li");
    if (page.place)
      out.link(markup::OwnPath("/inspect/page").with("id", inspection.id).with("n", i), title,
               {{"data-row"}, {"dir", "auto"}});
    else
      out.element("span", title, {{"dir", "auto"}});
    out.open("p", {{"class", "muted"}}).element("span", page.url, {{"class", "url"}});
    out.text(" line " + std::to_string(page.line) + ", " + page.modified.substr(0, 10) + ", " +
             base::human_size(page.bytes));
    out.close().close();
  }
  out.close();
  const std::uint64_t all = inspection.result->report.statistics.pages;
  if (all > pages.size())
    out.element("p",
                "The first " + base::human_count(pages.size()) + " of " + base::human_count(all) + " pages.",
                {{"class", "muted"}});
}

void write_verdict(markup::HtmlWriter& out, const InspectionResult& result) {
  out.open("p", {{"class", "verdict"}, {"role", "status"}});
  if (!result.trouble.empty() || result.report.is_unreadable()) {
    write_badge(out, "bad", "unreadable");
    out.text(" ").text(result.trouble.empty() ? result.report.fatal->message : result.trouble);
  } else if (!result.report.is_valid()) {
    write_badge(out, "bad", "invalid");
    out.text(" ").element("code", to_string(result.report.fatal->code));
  } else {
    write_badge(out, "good", "valid");
    out.text(" ").text(result.report.is_strictly_valid() ? "without findings" : "with findings");
    out.text(result.report.checksum == ChecksumVerdict::verified ? "; the checksum is right"
                                                                 : "; no checksum");
  }
  out.close();
}

}  // namespace

base::Result<ViewReply> inspect_view(const ViewContext& context, const RequestValues& /*values*/) {
  markup::HtmlWriter out;
  begin_frame(out, context.parts(), {.title = "Inspector", .place = AppPlace::inspect});
  out.element("h1", "Inspector");
  write_upload_form(out);
  if (context.open_by_name == OpenByName::machine) write_name_form(out);
  // On a server that other machines can reach, users must not see what others inspect.
  if (context.open_by_name == OpenByName::machine) write_recent(out, context.inspections->list());
  return ViewReply{.body = end_frame(std::move(out))};
}

base::Result<ViewReply> inspection_view(const ViewContext& context, const RequestValues& values) {
  const auto inspection = context.inspections->find(values.text("id"));
  if (!inspection)
    return ViewReply{.status = 404,
                     .body = notice_page(context.parts(), "No such inspection",
                                         "Only the last few are kept; inspect the file again.")};
  markup::HtmlWriter out;
  begin_frame(out, context.parts(),
              {.title = inspection->name,
               .place = AppPlace::inspect,
               .reload_seconds = inspection->result ? 0U : 1U});
  out.element("h1", inspection->name.substr(0, 1'000), {{"class", "title"}});
  if (!inspection->result) {
    out.element("p", "The file is being read. This page reloads automatically.",
                {{"class", "notice"}, {"role", "status"}});
    return ViewReply{.body = end_frame(std::move(out))};
  }
  write_verdict(out, *inspection->result);
  if (inspection->result->trouble.empty()) {
    write_findings(out, inspection->result->report);
    write_collection_head(out, inspection->result->report);
    write_sizes(out, *inspection->result);
    write_inspected_pages(out, *inspection);
  }
  return ViewReply{.body = end_frame(std::move(out))};
}

base::Result<ViewReply> inspected_page_view(const ViewContext& context, const RequestValues& values) {
  const auto inspection = context.inspections->find(values.text("id"));
  const std::uint64_t number = values.number("n", UINT64_MAX, 0, kMaxInspectedPages);
  if (!inspection || !inspection->result || number >= inspection->result->pages.size() ||
      !inspection->result->pages[number].place)
    return ViewReply{.status = 404,
                     .body = notice_page(context.parts(), "No such page", "Inspect the file again.")};
  const InspectedPage& entry = inspection->result->pages[number];
  std::string json(static_cast<std::size_t>(entry.bytes), '\0');
  SHEAF_TRY(inspection->result->kept->read_at(*entry.place, json));
  format::StoredPageDecoder decoder(format::Detail::everything);
  const auto page = decoder(json);
  const markup::OwnPath self = markup::OwnPath("/inspect/page").with("id", inspection->id).with("n", number);
  markup::HtmlWriter out;
  begin_frame(out, context.parts(),
              {.title = entry.title.empty() ? entry.url : entry.title, .place = AppPlace::inspect});
  out.open("p").link(markup::OwnPath("/inspect/result").with("id", inspection->id), inspection->name).close();
  write_page_head(out, entry.title.empty() ? entry.url : entry.title, entry.url);
  write_tabs(out, self, values.text("tab"), {{"", "Content"}, {"markdown", "Markdown"}, {"json", "JSON"}});
  write_page_tab(out, values.text("tab"), page ? *page : nullptr, json);
  return ViewReply{.body = end_frame(std::move(out))};
}

namespace {

using Open = std::function<base::Result<std::unique_ptr<base::ByteSource>>()>;

constexpr std::uint64_t kMaxPlainBytes = std::uint64_t{8} << 30U;
constexpr std::size_t kListedTextBytes = 300;

/// Fails when the app stops, because reading a large file takes a while.
class StoppableSource final : public base::ByteSource {
 public:
  StoppableSource(std::unique_ptr<base::ByteSource> source, const std::atomic<bool>& stopped)
      : source_(std::move(source)), stopped_(stopped) {}
  base::Result<std::size_t> read(std::span<char> out) override {
    if (stopped_.load()) return base::fail(base::Errc::refused, "stopped");
    return source_->read(out);
  }
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return source_->size(); }
  [[nodiscard]] const std::string& name() const override { return source_->name(); }

 private:
  std::unique_ptr<base::ByteSource> source_;
  const std::atomic<bool>& stopped_;
};

format::Limits inspection_limits() {
  format::Limits limits;
  limits.decompressed_bytes = kMaxPlainBytes;
  return limits;
}

/// Lists the pages and keeps the JSON of the first ones.
class PageCollector {
 public:
  explicit PageCollector(InspectionResult& result) : result_(result) {
    if (auto spool = base::SpoolFile::create({}))
      spool_ = std::make_shared<base::SpoolFile>(std::move(*spool));
  }

  void add(format::CollectionReader& reader) {
    const Page& page = reader.page();
    const std::string_view json = reader.raw();
    result_.overview.add(page, json.size());
    if (result_.pages.size() >= kMaxInspectedPages) return;
    InspectedPage entry{.line = reader.line_number(),
                        .url = std::string(page.url.substr(0, 8'192)),
                        .title = std::string(page.title.substr(0, kListedTextBytes)),
                        .modified = std::string(page.modified.substr(0, 40)),
                        .bytes = json.size()};
    if (spool_ && spool_->size() + json.size() <= kMaxKeptBytes) {
      const std::uint64_t place = spool_->size();
      if (spool_->append(json)) entry.place = place;
    }
    result_.pages.push_back(std::move(entry));
  }

  void finish() { result_.kept = spool_; }

 private:
  InspectionResult& result_;
  std::shared_ptr<base::SpoolFile> spool_;
};

void read_pages(std::unique_ptr<base::ByteSource> source, InspectionResult& result) {
  const format::ReaderOptions options{inspection_limits(), format::Detail::checks, 1,
                                      format::HeadRule::optional};
  PageCollector collector(result);
  auto reader = format::CollectionReader::open(std::move(source), options, {});
  while (reader) {
    const auto more = reader->next();
    if (!more || !*more) break;  // the report has the error
    collector.add(*reader);
  }
  collector.finish();
}

}  // namespace

InspectionResult inspect_collection(const Open& open, const std::atomic<bool>& stopped) {
  InspectionResult result;
  for (const bool for_verdict : {true, false}) {
    auto source = open();
    if (!source) {
      result.trouble = source.error().message;
      return result;
    }
    auto stoppable = std::make_unique<StoppableSource>(std::move(*source), stopped);
    if (for_verdict) {
      format::ValidateOptions options;
      options.limits = inspection_limits();
      result.report = format::validate(std::move(stoppable), options);
    } else {
      read_pages(std::move(stoppable), result);
    }
  }
  return result;
}

}  // namespace sheaf::browse
