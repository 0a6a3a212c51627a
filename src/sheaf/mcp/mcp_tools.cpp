#include "sheaf/mcp/mcp_tools.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/escaping.h"
#include "sheaf/base/url.h"
#include "sheaf/format/json/json_writer.h"
#include "sheaf/markdown/page_markdown.h"
#include "sheaf/mcp/page_excerpt.h"
#include "sheaf/search/search_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace sheaf::mcp {
namespace {

/// What tools/list says about a tool.
struct ToolSchema {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view input;  ///< JSON Schema of its arguments
  bool only_reads = true;
};

constexpr std::array<ToolSchema, 5> kToolSchemas{{
    {"search", "Search pages",
     "Full-text search over the copied pages. Query syntax: words (all must match), \"exact phrases\", "
     "-excluded, "
     "one OR other, prefix*, site:example.com, lang:de, title:word. Results have title, URL, date, the "
     "headings "
     "above the best match and a snippet. For more results, pass the cursor of a response.",
     R"({"type":"object","properties":{"query":{"type":"string","description":"what to look for"},)"
     R"("site":{"type":"string","description":"only this host, subdomains included, or an origin"},)"
     R"("section":{"type":"string","description":"only this section of a site"},)"
     R"("lang":{"type":"string","description":"only this language, as de or de-AT"},)"
     R"("since":{"type":"string","description":"only pages modified at or after this time, such as 2026-01-31"},)"
     R"("title_only":{"type":"boolean","description":"search only in titles"},)"
     R"("limit":{"type":"integer","minimum":1,"maximum":100,"description":"results, 10 unless given"},)"
     R"("cursor":{"type":"string","description":"`next` of the previous response"}},)"
     R"("required":["query"],"additionalProperties":false})"},
    {"get_page", "Read a page",
     "One page as Markdown; with heading, only the part below that heading. Long pages come in parts, each "
     "with the offset of the next.",
     R"({"type":"object","properties":{"url":{"type":"string","description":"URL of the page, as search returns it"},)"
     R"("site":{"type":"string","description":"origin of the site it was pulled with, if several have it"},)"
     R"("section":{"type":"string","description":"section, if several have it"},)"
     R"("heading":{"type":"string","description":"text of a heading; only the part below it is returned"},)"
     R"("max_bytes":{"type":"integer","minimum":1000,"maximum":400000,"description":"bytes of Markdown, 40000 unless given"},)"
     R"("offset":{"type":"integer","minimum":0,"description":"where to continue, from the previous part"}},)"
     R"("required":["url"],"additionalProperties":false})"},
    {"list_sites", "List sites",
     "The sites and sections in the store: pages, newest state, whether the copy is proven to be complete.",
     R"({"type":"object","properties":{"site":{"type":"string","description":"only this origin"},)"
     R"("limit":{"type":"integer","minimum":1,"maximum":500,"description":"sections, 100 unless given"},)"
     R"("offset":{"type":"integer","minimum":0,"description":"sections to skip"}},"additionalProperties":false})"},
    {"changes_since", "List changes",
     "What changed in the store after a change number, oldest first: pages put and deleted. Begin with the "
     "number at the end of an earlier response, or 0.",
     R"({"type":"object","properties":{"sequence":{"type":"integer","minimum":0,"description":"number of the last change known; 0 for all"},)"
     R"("position":{"type":"string","description":"instead of sequence: the position that an earlier call returned; a shared store needs it"},)"
     R"("limit":{"type":"integer","minimum":1,"maximum":500,"description":"changes, 100 unless given"}},)"
     R"("additionalProperties":false})"},
    {"pull_site", "Pull a site",
     "Brings the copy of a site up to date over the network, and the search index with it. A long pull "
     "continues in the background; call again with the same URL for its result.",
     R"({"type":"object","properties":{"url":{"type":"string","description":"URL of the site, such as https://example.com"}},)"
     R"("required":["url"],"additionalProperties":false})",
     false},
}};

constexpr std::size_t kMaxHeadings = 60;
constexpr std::chrono::milliseconds kRefreshEvery{500};
constexpr std::size_t kDateLength = std::string_view("2026-01-31").size();
constexpr std::uint64_t kMaxNumber = std::uint64_t{1} << 53U;

std::string tool_answer(const std::expected<ToolResult, std::string>& outcome) {
  format::JsonWriter out;
  out.begin_object().begin_array("content").begin_object().string("type", "text");
  out.string("text", outcome ? outcome->text : outcome.error()).end_object().end_array();
  if (outcome && !outcome->structured.empty()) out.raw("structuredContent", outcome->structured);
  if (!outcome) out.boolean("isError", true);
  return out.end_object().text();
}

ToolResult describe(const SearchResults& results) {
  ToolResult result;
  std::size_t number = 0;
  for (const SearchHit& hit : results.hits) {
    const search::HitLines lines = search::describe_hit(hit, [](std::string_view text, bool is_match) {
      return is_match ? fmt::format("**{}**", text) : std::string(text);
    });
    result.text += fmt::format("{}. {}\n   {} ({})\n", ++number, lines.title, lines.url, lines.date);
    if (!lines.headings.empty()) result.text += fmt::format("   {}\n", lines.headings);
    if (!lines.snippet.empty()) result.text += fmt::format("   {}\n", lines.snippet);
  }
  if (results.hits.empty())
    result.text += results.is_cut ? "No page with the phrase among those checked.\n" : "Nothing found.\n";
  if (!results.suggestion.empty()) result.text += fmt::format("Did you mean: {}\n", results.suggestion);
  if (!results.next.empty()) result.text += fmt::format("More results: cursor {}\n", results.next);
  if (results.behind > 0)
    result.text += fmt::format("The index lacks the newest {} changes of the store.\n", results.behind);
  format::JsonWriter out;
  out.begin_object();
  search::append_results_json(out, results);
  result.structured = out.end_object().text();
  return result;
}

std::expected<std::optional<Instant>, std::string> parse_since(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto parsed = parse_time(text.size() == kDateLength ? text + "T00:00:00Z" : text);
  if (!parsed)
    return std::unexpected("since must be a date, as 2026-01-31, or a time, as 2026-01-31T08:00:00Z");
  return parsed->instant;
}

}  // namespace

std::string McpTools::list() const {
  format::JsonWriter out;
  out.begin_object().begin_array("tools");
  for (const ToolSchema& tool : kToolSchemas) {
    if (tool.name == "pull_site" && options_.pulls == nullptr) continue;
    out.begin_object()
        .string("name", tool.name)
        .string("title", tool.title)
        .string("description", tool.description)
        .raw("inputSchema", tool.input)
        .begin_object("annotations")
        .boolean("readOnlyHint", tool.only_reads)
        .boolean("destructiveHint", false)
        .boolean("openWorldHint", !tool.only_reads)
        .end_object()
        .end_object();
  }
  return out.end_array().end_object().text();
}

std::expected<std::string, RpcFault> McpTools::call(const std::string& name, const RpcValues& arguments) {
  const auto* const known = std::ranges::find(kToolSchemas, name, &ToolSchema::name);
  const bool is_offered = known != kToolSchemas.end() && (name != "pull_site" || options_.pulls != nullptr);
  if (!is_offered)
    return std::unexpected(
        RpcFault{RpcCode::invalid_params, fmt::format("there is no tool {}", name.substr(0, 100))});
  ToolArguments given(arguments);
  return tool_answer(run(name, given));
}

McpTools::Outcome McpTools::run(const std::string& name, ToolArguments& arguments) {
  if (name == "pull_site") return pull_site(arguments);
  const std::lock_guard lock(mutex_);
  if (const auto refreshed = refresh(); !refreshed) return std::unexpected(refreshed.error());
  if (name == "search") return search(arguments);
  if (name == "get_page") return get_page(arguments);
  if (name == "list_sites") return list_sites(arguments);
  return changes_since(arguments);
}

std::expected<void, std::string> McpTools::refresh() {
  const auto now = std::chrono::steady_clock::now();
  if (now < refreshed_ + kRefreshEvery) return {};
  const auto refreshed = store_.refresh();
  if (!refreshed) return std::unexpected(refreshed.error().message);
  refreshed_ = now;
  return {};
}

std::expected<search::SearchIndex*, std::string> McpTools::index() {
  if (!index_) {
    auto opened = search::open_index(options_.location);
    if (!opened) return std::unexpected(opened.error().message);
    index_ = std::move(*opened);
  }
  return index_.get();
}

McpTools::Outcome McpTools::search(ToolArguments& arguments) {
  SearchRequest request;
  request.query = arguments.required_text("query");
  request.site = arguments.text("site");
  request.section = arguments.text("section");
  request.language = arguments.text("lang");
  const auto since = parse_since(arguments.text("since"));
  request.title_only = arguments.flag("title_only");
  request.limit = arguments.number("limit", kDefaultSearchResults, 1, kMaxSearchResults);
  request.cursor = arguments.text("cursor");
  if (auto fault = arguments.fault()) return std::unexpected(*fault);
  if (!since) return std::unexpected(since.error());
  request.since = *since;
  const auto opened = index();
  if (!opened) return std::unexpected(opened.error());
  const auto results = (*opened)->search(store_, request);
  if (!results) return std::unexpected(results.error().message);
  return describe(*results);
}

std::expected<std::optional<store::StoredPage>, std::string> McpTools::find_page(
    const std::string& url, const std::string& site, const std::string& section) const {
  const auto find = [&](const std::string& name) -> base::Result<std::optional<store::StoredPage>> {
    if (section.empty()) return store_.get(name, site);
    std::string origin = site;
    if (const auto parsed = base::Url::parse(name); origin.empty() && parsed) origin = parsed->origin();
    return store_.get(origin, section, name);
  };
  auto page = find(url);
  // The URL is looked up as given, then in the form in which a browser would send it.
  const auto parsed = base::Url::parse(url);
  if (page && !*page && parsed) page = find(std::string(parsed->href()));
  if (!page) return std::unexpected(page.error().message);
  return std::move(*page);
}

McpTools::Outcome McpTools::get_page(ToolArguments& arguments) {
  const std::string url = arguments.required_text("url");
  const std::string site = arguments.text("site");
  const std::string section = arguments.text("section");
  const std::string heading = arguments.text("heading");
  const std::size_t size = arguments.number("max_bytes", kDefaultPageBytes, 1'000, kMaxPageBytes);
  const std::size_t offset = arguments.number("offset", 0, 0, kMaxNumber);
  if (auto fault = arguments.fault()) return std::unexpected(*fault);
  const auto stored = find_page(url, site, section);
  if (!stored) return std::unexpected(stored.error());
  if (!*stored)
    return std::unexpected(fmt::format("{} is not in the store; search finds pages", url.substr(0, 500)));
  const auto decoded = decoder_((*stored)->json);
  if (!decoded) return std::unexpected(fmt::format("the page cannot be read: {}", decoded.error()));
  Page page = **decoded;
  if (!heading.empty()) {
    const auto blocks = blocks_below(page, heading);
    if (!blocks)
      return std::unexpected(fmt::format("the page has no heading {}; it has\n{}", heading.substr(0, 200),
                                         heading_list(page, kMaxHeadings)));
    page.content = *blocks;
  }
  const std::string markdown = markdown::page_markdown(page);
  const TextPart part = part_of(markdown, offset, size);
  ToolResult result{std::string(part.text), {}};
  format::JsonWriter out;
  out.begin_object()
      .string("url", (*stored)->url)
      .string("title", page.title)
      .string("site", (*stored)->site)
      .string("section", (*stored)->section)
      .string("modified", (*stored)->modified)
      .string("language", page.language)
      .number("bytes", markdown.size())
      .number("offset", part.offset);
  if (part.next < markdown.size()) {
    out.number("next_offset", part.next);
    result.text +=
        fmt::format("\n[{} of {} bytes; continue with offset {}]\n", part.next, markdown.size(), part.next);
  }
  result.structured = out.string("markdown", part.text).end_object().text();
  return result;
}

McpTools::Outcome McpTools::list_sites(ToolArguments& arguments) {
  const std::string site = arguments.text("site");
  const std::uint64_t limit = arguments.number("limit", 100, 1, 500);
  const std::uint64_t offset = arguments.number("offset", 0, 0, kMaxNumber);
  if (auto fault = arguments.fault()) return std::unexpected(*fault);
  const auto sections = store_.sections(site);
  if (!sections) return std::unexpected(sections.error().message);
  ToolResult result;
  format::JsonWriter out;
  out.begin_object().number("total", sections->size()).begin_array("sections");
  const std::uint64_t end = std::min<std::uint64_t>(sections->size(), offset + limit);
  for (std::uint64_t i = offset; i < end; ++i) {
    const store::SectionState& state = (*sections)[i];
    const std::string_view proof = !state.proven ? "not stated" : *state.proven ? "proven" : "differs";
    result.text +=
        fmt::format("{} section {}: {} pages, as of {}, changed {}, {}\n", state.site, state.section,
                    state.pages, format_time(state.generated), format_time(state.changed_at), proof);
    out.begin_object()
        .string("site", state.site)
        .string("section", state.section)
        .number("pages", state.pages)
        .string("origin", store::to_string(state.origin))
        .string("generated", format_time(state.generated))
        .string("changed", format_time(state.changed_at))
        .string("proof", proof)
        .end_object();
  }
  out.end_array();
  if (end < sections->size()) {
    out.number("next_offset", end);
    result.text += fmt::format("{} sections in all; continue with offset {}\n", sections->size(), end);
  }
  if (sections->empty()) result.text = "The store has no such site.\n";
  result.structured = out.end_object().text();
  return result;
}

McpTools::Outcome McpTools::changes_since(ToolArguments& arguments) {
  const std::uint64_t since = arguments.number("sequence", kMaxNumber + 1, 0, kMaxNumber);
  const std::string position = arguments.text("position");
  const std::uint64_t limit = arguments.number("limit", 100, 1, 500);
  if (auto fault = arguments.fault()) return std::unexpected(*fault);
  if (since > kMaxNumber && position.empty())
    return std::unexpected("sequence is missing; give 0, or the position that an earlier call returned");
  const auto start =
      position.empty() ? base::Result<store::FeedCursor>(since) : store::FeedCursor::parse(position);
  if (!start) return std::unexpected(start.error().message);
  ToolResult result;
  format::JsonWriter out;
  out.begin_object().begin_array("changes");
  store::FeedCursor last = *start;
  std::uint64_t shown = 0;
  const auto read = store_.changes(*start, [&](const store::StoreChange& change) {
    const std::string_view kind = change.kind != store::ChangeKind::removed ? "put" : "delete";
    result.text += fmt::format("{} {} {}\n", change.sequence, kind, change.url);
    out.begin_object()
        .number("sequence", change.sequence)
        .string("kind", kind)
        .string("site", change.site)
        .string("section", change.section)
        .string("url", change.url)
        .optional("old_modified", change.old_modified)
        .optional("new_modified", change.new_modified)
        .end_object();
    last.advance(change.part, change.sequence, change.parts);
    return ++shown < limit;
  });
  if (!read) return std::unexpected(read.error().message);
  const auto newest = store_.newest_change();
  if (!newest) return std::unexpected(newest.error().message);
  result.text +=
      fmt::format("{} changes; the last is {}, the newest of the store is {}; continue from position {}\n",
                  shown, last.total(), newest->total(), last.text());
  result.structured = out.end_array()
                          .number("sequence", last.total())
                          .number("newest", newest->total())
                          .string("position", last.text())
                          .end_object()
                          .text();
  return result;
}

McpTools::Outcome McpTools::pull_site(ToolArguments& arguments) {
  const std::string url = arguments.required_text("url");
  if (auto fault = arguments.fault()) return std::unexpected(*fault);
  const auto site = base::Url::parse(url);
  if (!site) return std::unexpected("url must be an http or https URL, as https://example.com");
  const PullRunner::State state = options_.pulls->request(std::string(site->href()), options_.pull_wait);
  using Kind = PullRunner::State::Kind;
  if (state.kind == Kind::busy)
    return std::unexpected(fmt::format("{} is being pulled; one site is pulled at a time", state.site));
  if (state.kind == Kind::running)
    return ToolResult{
        fmt::format("The pull of {} is still running; call again for its result.\n", state.site),
        R"({"state":"running"})"};
  {
    const std::lock_guard lock(mutex_);
    refreshed_ = {};  // makes the next call refresh, so that it sees the new pages
  }
  if (!state.outcome.ok) return std::unexpected(state.outcome.report);
  format::JsonWriter out;
  out.begin_object().string("state", "finished").string("report", state.outcome.report).end_object();
  return ToolResult{state.outcome.report, out.text()};
}

namespace {

// https: is for resources that clients fetch themselves; ours come from the store.
constexpr std::string_view kPageScheme = "sheaf://page?url=";
constexpr std::size_t kResourcesAtOnce = 100;
constexpr std::size_t kMaxTitleLength = 300;

/// Percent-encodes a query parameter: everything except letters, digits and -._~.
std::string encode_component(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          c == '-' || c == '.' || c == '_' || c == '~';
    if (is_plain)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

RpcFault internal(std::string message) { return {RpcCode::internal_error, std::move(message)}; }

}  // namespace

std::string McpTools::list_templates() const {
  return R"({"resourceTemplates":[{"uriTemplate":"sheaf://page{?url}","name":"page","title":"Page of the store",)"
         R"("description":"A page by its URL, as Markdown","mimeType":"text/markdown"}]})";
}

/// Without an index, nothing can be listed, but pages can still be read.
std::expected<std::string, RpcFault> McpTools::list_resources(const std::string& cursor) {
  std::uint64_t after = 0;
  const auto [end, failure] = std::from_chars(cursor.data(), cursor.data() + cursor.size(), after);
  if (!cursor.empty() && (failure != std::errc() || end != cursor.data() + cursor.size()))
    return std::unexpected(
        RpcFault{RpcCode::invalid_params, "the cursor was not returned by resources/list"});
  const std::lock_guard lock(mutex_);
  const auto opened = index();
  if (!opened) return R"({"resources":[]})";
  const auto pages = (*opened)->pages(after, kResourcesAtOnce);
  if (!pages) return std::unexpected(internal(pages.error().message));
  if (const auto refreshed = refresh(); !refreshed) return std::unexpected(internal(refreshed.error()));
  format::JsonWriter out;
  out.begin_object().begin_array("resources");
  for (const search::IndexedPage& page : *pages) {
    const auto stored = store_.get(page.url, page.site);
    if (!stored || !*stored) continue;  // damaged, or removed since it was indexed
    const auto decoded = decoder_((*stored)->json);
    const std::string_view title =
        decoded ? base::cut_utf8((*decoded)->title, kMaxTitleLength) : std::string_view();
    out.begin_object()
        .string("uri", std::string(kPageScheme) + encode_component(page.url))
        .string("name", title.empty() ? std::string_view(page.url) : title)
        .string("description", page.url)
        .string("mimeType", "text/markdown")
        .end_object();
  }
  out.end_array();
  if (pages->size() == kResourcesAtOnce) out.string("nextCursor", std::to_string(pages->back().number));
  return out.end_object().text();
}

std::expected<std::string, RpcFault> McpTools::read_resource(const std::string& uri) {
  if (!uri.starts_with(kPageScheme))
    return std::unexpected(
        RpcFault{RpcCode::resource_not_found, fmt::format("resources are named {}URL", kPageScheme)});
  const std::string url = base::percent_decode(std::string_view(uri).substr(kPageScheme.size()));
  const std::lock_guard lock(mutex_);
  if (const auto refreshed = refresh(); !refreshed) return std::unexpected(internal(refreshed.error()));
  const auto stored = find_page(url, {}, {});
  if (!stored) return std::unexpected(internal(stored.error()));
  if (!*stored)
    return std::unexpected(
        RpcFault{RpcCode::resource_not_found, fmt::format("{} is not in the store", url.substr(0, 500))});
  const auto decoded = decoder_((*stored)->json);
  if (!decoded) return std::unexpected(internal(fmt::format("the page cannot be read: {}", decoded.error())));
  const std::string markdown = markdown::page_markdown(**decoded);
  const TextPart part = part_of(markdown, 0, kMaxPageBytes);
  std::string text(part.text);
  if (part.next < markdown.size())
    text += fmt::format("\n[{} of {} bytes; get_page returns the rest with offset {}]\n", part.next,
                        markdown.size(), part.next);
  format::JsonWriter out;
  out.begin_object().begin_array("contents").begin_object();
  out.string("uri", uri).string("mimeType", "text/markdown").string("text", text);
  return out.end_object().end_array().end_object().text();
}

}  // namespace sheaf::mcp
