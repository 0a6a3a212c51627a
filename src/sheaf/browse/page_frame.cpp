#include "sheaf/browse/page_frame.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/base/hash.h"

#include <algorithm>
#include <array>

namespace sheaf::browse {

const Asset* find_asset(std::string_view name) {
  const auto* const found = std::ranges::find(kAssets, name, &Asset::name);
  return found == kAssets.end() ? nullptr : found;
}

markup::OwnPath asset_path(markup::Literal name) {
  const Asset* asset = find_asset(name.text());
  const std::uint64_t version = asset == nullptr ? 0 : base::keyed_hash(base::HashKey{}, asset->bytes);
  return markup::OwnPath("/asset").with("name", name.text()).with("v", version);
}

namespace {

constexpr std::size_t kTitleBytes = 300;

struct NavigationEntry {
  AppPlace place;
  markup::Literal path;
  std::string_view label;
};

constexpr std::array<NavigationEntry, 5> kStoreEntries = {{{AppPlace::overview, "/", "Overview"},
                                                           {AppPlace::sites, "/sites", "Sites"},
                                                           {AppPlace::pages, "/pages", "Pages"},
                                                           {AppPlace::search, "/search", "Search"},
                                                           {AppPlace::changes, "/changes", "Changes"}}};
constexpr NavigationEntry kPublishEntry = {AppPlace::publish, "/publish", "Published"};
constexpr NavigationEntry kCrawlersEntry = {AppPlace::crawlers, "/crawlers", "Crawlers"};
constexpr NavigationEntry kInspectEntry = {AppPlace::inspect, "/inspect", "Inspector"};

void write_entry(markup::HtmlWriter& out, const NavigationEntry& entry, AppPlace current) {
  out.open("li");
  if (entry.place == current)
    out.link(entry.path, entry.label, {{"aria-current", "page"}});
  else
    out.link(entry.path, entry.label);
  out.close();
}

void write_head(markup::HtmlWriter& out, const FrameOptions& options) {
  out.open("head").open("meta", {{"charset", "utf-8"}});
  out.open("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  out.open("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  if (options.reload_seconds > 0) out.reload_after(options.reload_seconds);
  out.element("title", std::string(base::cut_utf8(options.title, kTitleBytes)) + " - sheaf");
  out.icon(asset_path("icon.svg")).stylesheet(asset_path("style.css")).script(asset_path("app.js"));
  out.close();
}

void write_search_box(markup::HtmlWriter& out, std::string_view query) {
  out.open_form(markup::OwnPath("/search"), markup::FormMethod::get, {{"role", "search"}, {"class", "find"}});
  out.element("label", "Search the pages", {{"for", "find"}, {"class", "unseen"}});
  out.open("input", {{"id", "find"},
                     {"name", "q"},
                     {"type", "search"},
                     {"value", query},
                     {"placeholder", "Search the pages"},
                     {"autocomplete", "off"},
                     {"maxlength", "1024"},
                     {"aria-keyshortcuts", "/"}});
  out.element("kbd", "/", {{"aria-hidden", "true"}}).close();
}

}  // namespace

void begin_frame(markup::HtmlWriter& out, const AppParts& parts, const FrameOptions& options) {
  out.open("html", {{"lang", "en"}});
  write_head(out, options);
  out.open("body")
      .open_link(markup::OwnPath("").at("main", 0), {{"class", "skip"}})
      .text("Skip to the content")
      .close();
  out.open("header", {{"class", "bar"}});
  out.link(parts.has_store     ? markup::OwnPath("/")
           : parts.has_preview ? markup::OwnPath("/publish")
           : parts.has_logs    ? markup::OwnPath("/crawlers")
                               : markup::OwnPath("/inspect"),
           "sheaf", {{"class", "brand"}});
  out.open("nav", {{"aria-label", "Main"}}).open("ul");
  if (parts.has_store)
    for (const NavigationEntry& entry : kStoreEntries) write_entry(out, entry, options.place);
  if (parts.has_preview) write_entry(out, kPublishEntry, options.place);
  if (parts.has_logs) write_entry(out, kCrawlersEntry, options.place);
  write_entry(out, kInspectEntry, options.place);
  out.close().close();
  if (parts.has_store) write_search_box(out, options.query);
  out.close();
  out.open("main", {{"id", "main0"}, {"tabindex", "-1"}});
}

std::string end_frame(markup::HtmlWriter&& out) {
  while (out.depth() > 2) out.close();
  out.open("footer");
  out.open("p", {{"class", "keys"}}).element("kbd", "/").text(" search, ").element("kbd", "j").text(" ");
  out.element("kbd", "k").text(" next and previous, ").element("kbd", "Enter").text(" open").close();
  return std::move(out).take_document();
}

std::string notice_page(const AppParts& parts, std::string_view title, std::string_view sentence) {
  markup::HtmlWriter out;
  begin_frame(out, parts, {.title = title});
  out.element("h1", title).element("p", sentence, {{"class", "notice"}});
  return end_frame(std::move(out));
}

void write_time(markup::HtmlWriter& out, Instant time) {
  const std::string exact = format_time(time);
  std::string shown = exact.substr(0, std::string_view("2026-01-31T08:00").size());
  if (shown.size() > 10) shown[10] = ' ';
  out.element("time", shown, {{"datetime", exact}, {"title", exact}});
}

std::string describe_age(Instant time, Instant now) {
  const std::int64_t seconds = now.seconds - time.seconds;
  if (seconds < -60) return "in the future";
  if (seconds < 60) return "just now";
  const auto number = static_cast<std::uint64_t>(seconds);
  if (number < 3'600) return base::counted(number / 60, "minute", "minutes") + " ago";
  if (number < std::uint64_t{2} * 86'400) return base::counted(number / 3'600, "hour", "hours") + " ago";
  return base::counted(number / 86'400, "day", "days") + " ago";
}

void write_age(markup::HtmlWriter& out, Instant time, Instant now) {
  const std::string exact = format_time(time);
  out.element("time", describe_age(time, now), {{"datetime", exact}, {"title", exact}});
}

void write_badge(markup::HtmlWriter& out, std::string_view kind, std::string_view text) {
  const std::string classes = "badge " + std::string(kind);
  out.element("span", text, {{"class", classes}});
}

void write_field(markup::HtmlWriter& out, const FormField& field) {
  const std::string id = "f-" + std::string(field.name);
  out.open("p", {{"class", "field"}}).element("label", field.label, {{"for", id}});
  out.open("input", {{"id", id},
                     {"name", field.name},
                     {"type", field.type},
                     {"value", field.value},
                     {"placeholder", field.hint},
                     {"autocomplete", "off"}});
  out.close();
}

void write_paging(markup::HtmlWriter& out, const markup::OwnPath* previous, const markup::OwnPath* next,
                  std::string_view where) {
  out.open("nav", {{"class", "paging"}, {"aria-label", "Pages of the list"}});
  if (previous != nullptr) out.link(*previous, "Previous", {{"rel", "prev"}});
  out.element("span", where);
  if (next != nullptr) out.link(*next, "Next", {{"rel", "next"}});
  out.close();
}

void write_fact(markup::HtmlWriter& out, std::string_view name, std::string_view value) {
  out.element("dt", name).element("dd", value);
}

}  // namespace sheaf::browse
