#include "sheaf/cli/output/pull_report.h"

#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"

#include <fmt/format.h>

#include <chrono>

namespace sheaf::cli {
namespace {

using pull::CrawlReport;
using pull::PlanKind;
using pull::PullReport;
using pull::PullSectionReport;

std::string safe(std::string_view text) { return printable(text, Lines::join); }

std::string describe_plan(const PullSectionReport& section) {
  const pull::SectionPlan& plan = section.plan;
  if (plan.kind == PlanKind::current) return "up to date, nothing to fetch\n";
  if (plan.kind == PlanKind::nothing) return safe(section.failure.message) + "\n";
  std::string text =
      fmt::format("{} to fetch, {}{}\n", counted(plan.steps.size(), "file", "files"), human_size(plan.bytes),
                  plan.bytes_known ? "" : " and files of unknown size");
  for (const site::AdvertisedCollection& step : plan.steps)
    text += fmt::format("      {} {}{}\n", model::to_string(step.type), safe(step.url),
                        step.size ? fmt::format(", {}", human_size(*step.size)) : "");
  return text;
}

/// Describes how many pages were skipped and blocks dropped, by finding code.
std::string describe_findings(const PullSectionReport& section) {
  std::string text;
  for (std::size_t i = 0; i < section.findings.size(); ++i) {
    const auto code = static_cast<format::Code>(i);
    if (section.findings[i] == 0 || format::level_of(code) == format::Level::warning) continue;
    const bool is_page = format::level_of(code) == format::Level::page;
    text += fmt::format("    {}: {}\n",
                        is_page ? counted(section.findings[i], "page skipped", "pages skipped")
                                : counted(section.findings[i], "block dropped", "blocks dropped"),
                        format::to_string(code));
  }
  return text;
}

std::string describe_section(const PullSectionReport& section, bool plan_only) {
  std::string text = fmt::format("  {}: ", coloured(Colour::bold, safe(section.section)));
  if (plan_only) return text + describe_plan(section);
  if (!section.ok)
    return text + fmt::format("{} {}\n", coloured(Colour::red, "failed:"), safe(section.failure.message));
  if (section.applied == 0) {
    text += fmt::format("{}, up to date\n", counted(section.pages, "page", "pages"));
  } else {
    text += fmt::format("{}: {} new, {} changed, {} removed ({}: {}){}\n",
                        counted(section.pages, "page", "pages"), human_count(section.added),
                        human_count(section.changed), human_count(section.removed),
                        pull::to_string(section.plan.kind), counted(section.applied, "file", "files"),
                        section.proven == true ? ", proven complete" : "");
  }
  return text + describe_findings(section);
}

std::string describe_crawl(const CrawlReport& crawl, pull::PullRoute route) {
  std::string text = fmt::format(
      "  {}: {}: {} new, {} changed, {} removed{}\n", coloured(Colour::bold, "html"),
      counted(crawl.pages, "page", "pages"), human_count(crawl.added), human_count(crawl.changed),
      human_count(crawl.removed), crawl.complete ? "" : "; not all requested yet, the next pull continues");
  if (route == pull::PullRoute::warc)
    text += fmt::format("    {} in the archive, {} of them no newer than the copy\n",
                        counted(crawl.listed, "page", "pages"), human_count(crawl.fresh));
  else
    text += fmt::format("    {} known, {} fetched, {} not modified, {} unchanged by lastmod\n",
                        counted(crawl.listed, "URL", "URLs"), human_count(crawl.fetched),
                        human_count(crawl.not_modified), human_count(crawl.fresh));
  const auto add = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) text += fmt::format("    {} {}\n", human_count(count), what);
  };
  add(crawl.missing, "not found");
  add(crawl.noindex, "noindex");
  add(crawl.disallowed, "disallowed by robots.txt");
  add(crawl.no_page, "not HTML, or without content");
  add(crawl.duplicates, "duplicates: canonical URL is another page of the site");
  add(crawl.elsewhere, "on another site: by URL, redirect or canonical URL");
  for (const pull::FailedPages& failed : crawl.failures)
    text += fmt::format("    {} failed: {}; the first: {}\n", human_count(failed.pages),
                        pull::to_string(failed.code), safe(failed.first));
  add(crawl.held,
      route == pull::PullRoute::warc ? "not taken: in collections" : "not fetched: in collections");
  return text;
}

void write_section(JsonOutput& json, const PullSectionReport& section) {
  json.begin_object()
      .string("section", section.section)
      .string("plan", pull::to_string(section.plan.kind))
      .boolean("ok", section.ok)
      .number("pages", section.pages)
      .number("added", section.added)
      .number("changed", section.changed)
      .number("unchanged", section.unchanged)
      .number("removed", section.removed)
      .number("applied", section.applied)
      .number("planBytes", section.plan.bytes);
  json.begin_array("files");
  for (const site::AdvertisedCollection& step : section.plan.steps) json.element(step.url);
  json.end_array();
  section.proven ? json.boolean("proven", *section.proven) : json.null("proven");
  json.boolean("resynchronised", section.resynchronised)
      .boolean("heldBack", section.held_back)
      .boolean("covered", section.covered);
  if (section.failure)
    json.string("failureCode", pull::to_string(section.failure.code))
        .string("failure", section.failure.message);
  json.begin_object("findings");
  for (std::size_t i = 0; i < section.findings.size(); ++i)
    if (section.findings[i] > 0)
      json.number(format::to_string(static_cast<format::Code>(i)), section.findings[i]);
  json.end_object().end_object();
}

void write_crawl(JsonOutput& json, const CrawlReport& crawl) {
  json.begin_object("html")
      .boolean("complete", crawl.complete)
      .number("pages", crawl.pages)
      .number("listed", crawl.listed)
      .number("fetched", crawl.fetched)
      .number("notModified", crawl.not_modified)
      .number("fresh", crawl.fresh)
      .number("added", crawl.added)
      .number("changed", crawl.changed)
      .number("unchanged", crawl.unchanged)
      .number("removed", crawl.removed)
      .number("missing", crawl.missing)
      .number("noindex", crawl.noindex)
      .number("disallowed", crawl.disallowed)
      .number("noPage", crawl.no_page)
      .number("duplicates", crawl.duplicates)
      .number("elsewhere", crawl.elsewhere)
      .number("failed", crawl.failed)
      .number("held", crawl.held);
  json.begin_array("failures");
  for (const pull::FailedPages& failed : crawl.failures)
    json.begin_object()
        .string("code", pull::to_string(failed.code))
        .number("pages", failed.pages)
        .string("first", failed.first)
        .end_object();
  json.end_array().end_object();
}

}  // namespace

std::string describe_pull(const PullReport& report, bool plan_only) {
  std::string text =
      fmt::format("{}{}\n", safe(report.site),
                  report.ok ? "" : coloured(Colour::red, fmt::format(": {}", safe(report.failure.message))));
  for (const PullSectionReport& section : report.sections) text += describe_section(section, plan_only);
  if (report.crawl) text += describe_crawl(*report.crawl, report.route);
  if (report.quality) text += describe_quality(*report.quality, {});
  for (const std::string& note : report.notes) text += fmt::format("  note: {}\n", safe(note));
  if (report.route == pull::PullRoute::warc) return text;
  text += fmt::format("  used {} and {}", counted(report.requests, "request", "requests"),
                      human_size(report.bytes));
  if (report.route == pull::PullRoute::collections && report.crawl_requests > 0)
    text +=
        fmt::format("; page by page it would be about {} and {} (estimated)",
                    counted(report.crawl_requests, "request", "requests"), human_size(report.crawl_bytes));
  return text + "\n";
}

std::string describe_fleet(const pull::FleetSummary& summary) {
  std::string text = fmt::format("{} pulled, {} failed, {} not due", human_count(summary.pulled),
                                 human_count(summary.failed), human_count(summary.not_due));
  if (summary.still_failing > 0)
    text +=
        fmt::format(" ({} of them still failing since an earlier pull)", human_count(summary.still_failing));
  if (summary.unfinished > 0) text += fmt::format(", {} not finished", human_count(summary.unfinished));
  return text;
}

std::string fleet_as_json(const pull::FleetSummary& summary) {
  JsonOutput json;
  json.begin_report()
      .begin_object("summary")
      .number("sites", summary.sites)
      .number("pulled", summary.pulled)
      .number("failed", summary.failed)
      .number("notDue", summary.not_due)
      .number("stillFailing", summary.still_failing)
      .number("unfinished", summary.unfinished)
      .end_object()
      .end_object();
  return json.text();
}

std::string pull_as_json(const PullReport& report) {
  JsonOutput json;
  json.begin_report()
      .string("site", report.site)
      .string("began", format_time({report.began.seconds, 0}))
      .decimal("seconds", std::chrono::duration<double>(report.took).count())
      .boolean("ok", report.ok)
      .string("route", pull::to_string(report.route))
      .number("requests", report.requests)
      .number("bytes", report.bytes)
      .number("crawlRequestsEstimate", report.crawl_requests)
      .number("crawlBytesEstimate", report.crawl_bytes);
  if (report.failure)
    json.string("failureCode", pull::to_string(report.failure.code))
        .string("failure", report.failure.message);
  json.begin_array("sections");
  for (const PullSectionReport& section : report.sections) write_section(json, section);
  json.end_array();
  if (report.crawl) write_crawl(json, *report.crawl);
  if (report.quality) quality::write_summary(json, "quality", *report.quality);
  json.begin_array("notes");
  for (const std::string& note : report.notes) json.element(note);
  json.end_array().end_object();
  return json.text();
}

}  // namespace sheaf::cli
