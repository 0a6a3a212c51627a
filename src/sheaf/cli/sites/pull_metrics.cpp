#include "sheaf/cli/sites/pull_metrics.h"

#include "sheaf/cli/output/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace sheaf::cli {
namespace {

std::string head(std::string_view name, std::string_view what, std::string_view type) {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, what, type);
}

template <class Number>
std::string gauge(std::string_view name, std::string_view what, Number value) {
  return head(name, what, "gauge") + fmt::format("{} {}\n", name, value);
}

std::string counter(std::string_view name, std::string_view what, std::uint64_t value) {
  return head(name, what, "counter") + fmt::format("{} {}\n", name, value);
}

double in_seconds(std::uint64_t ms) { return static_cast<double>(ms) / 1000; }

}  // namespace

void PullMetrics::count(const pull::PullReport& report) {
  ++pulls_;
  if (!report.ok) ++failures_[static_cast<std::size_t>(report.failure.code)];
  const auto took = static_cast<std::uint64_t>(std::max<std::int64_t>(report.took.count(), 0));
  const auto bucket = std::ranges::lower_bound(kBounds, took);
  ++durations_[static_cast<std::size_t>(bucket - kBounds.begin())];
  milliseconds_ += took;
  requests_ += report.requests;
  bytes_ += report.bytes;
  for (const pull::PullSectionReport& section : report.sections) {
    added_ += section.added;
    changed_ += section.changed;
    removed_ += section.removed;
  }
  if (!report.crawl) return;
  added_ += report.crawl->added;
  changed_ += report.crawl->changed;
  removed_ += report.crawl->removed;
}

/// All codes exist from the start, so that a monitor sees the first failure as an increase.
std::string PullMetrics::failures_text() const {
  std::string text = head("sheaf_pull_failures_total", "Failed pulls by reason.", "counter");
  for (std::size_t i = 0; i < failures_.size(); ++i) {
    const auto code = static_cast<pull::FailureCode>(i);
    if (code == pull::FailureCode::none && failures_[i] == 0) continue;
    text += fmt::format("sheaf_pull_failures_total{{code=\"{}\"}} {}\n", pull::to_string(code),
                        failures_[i].load());
  }
  return text;
}

std::string PullMetrics::durations_text() const {
  std::string text = head("sheaf_pull_duration_seconds", "Duration of pulls.", "histogram");
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    count += durations_[i];
    text +=
        fmt::format("sheaf_pull_duration_seconds_bucket{{le=\"{}\"}} {}\n", in_seconds(kBounds[i]), count);
  }
  count += durations_.back();
  return text + fmt::format(
                    "sheaf_pull_duration_seconds_bucket{{le=\"+Inf\"}} {0}\n"
                    "sheaf_pull_duration_seconds_sum {1}\n"
                    "sheaf_pull_duration_seconds_count {0}\n",
                    count, in_seconds(milliseconds_));
}

std::string PullMetrics::text() const {
  return counter("sheaf_pulls_total", "Finished pulls.", pulls_) + failures_text() + durations_text() +
         counter("sheaf_pull_requests_total", "Requests made.", requests_) +
         counter("sheaf_pull_bytes_total", "Bytes of bodies received.", bytes_) +
         counter("sheaf_pull_pages_added_total", "Pages added to the store.", added_) +
         counter("sheaf_pull_pages_changed_total", "Pages changed in the store.", changed_) +
         counter("sheaf_pull_pages_removed_total", "Pages removed from the store.", removed_);
}

std::string fleet_metrics_text(const pull::FleetGauges& gauges) {
  return gauge("sheaf_pull_sites", "Sites on the list.", gauges.sites.load()) +
         gauge("sheaf_pull_sites_failing", "Sites whose last pull failed.", gauges.failing.load()) +
         gauge("sheaf_pull_sites_running", "Sites being pulled.", gauges.running.load()) +
         gauge("sheaf_pull_sites_due", "Sites that wait for their turn.", gauges.due.load()) +
         gauge("sheaf_pull_sites_late", "Sites that have waited for more than ten minutes.",
               gauges.late.load()) +
         gauge("sheaf_pull_next_due_timestamp_seconds",
               "When the first waiting site is due; a time in the past means that it waits for its turn.",
               gauges.next_due.load());
}

std::string store_metrics_text(const store::PageStore& store) {
  const auto bytes = store.disk_bytes();
  const auto sections = store.sections();
  if (!bytes || !sections) return {};
  std::uint64_t pages = 0;
  for (const store::SectionState& section : *sections) pages += section.pages;
  return gauge("sheaf_store_bytes", "Bytes of the store's files on disk.", *bytes) +
         gauge("sheaf_store_pages", "Pages in the store.", pages) +
         gauge("sheaf_store_sections", "Sections in the store.", sections->size());
}

namespace {

std::uint64_t as_count(std::int64_t number) { return number < 0 ? 0 : static_cast<std::uint64_t>(number); }

/// Escapes the value of a label for Prometheus.
std::string label(const std::string& text) {
  std::string escaped;
  for (const char c : printable(text, Lines::join)) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::string worker_metrics_text(const std::vector<store::shared::WorkerInfo>& workers) {
  using store::WorkerLoad;
  struct Series {
    const char* name;
    const char* help;
    std::int64_t WorkerLoad::* value;
  };
  constexpr Series kSeries[] = {
      {"sites", "Sites of a worker.", &WorkerLoad::sites},
      {"sites_due", "Sites of a worker that wait for their turn.", &WorkerLoad::due},
      {"sites_late", "Sites of a worker that have waited for more than ten minutes.", &WorkerLoad::late},
      {"sites_failing", "Sites of a worker whose last pull failed.", &WorkerLoad::failing},
      {"sites_running", "Sites that a worker pulls.", &WorkerLoad::running},
  };
  std::string text;
  for (const Series& series : kSeries) {
    text +=
        fmt::format("# HELP sheaf_worker_{0} {1}\n# TYPE sheaf_worker_{0} gauge\n", series.name, series.help);
    for (const store::shared::WorkerInfo& worker : workers)
      if (worker.live && worker.fleet)
        text += fmt::format("sheaf_worker_{}{{worker=\"{}\"}} {}\n", series.name, label(worker.host),
                            as_count(worker.load.*series.value));
  }
  return text;
}

std::string describe_workers(const std::vector<store::shared::WorkerInfo>& workers) {
  const auto live = static_cast<std::uint64_t>(
      std::ranges::count_if(workers, [](const store::shared::WorkerInfo& worker) { return worker.live; }));
  std::string text = fmt::format("{} live\n", counted(live, "worker", "workers"));
  for (const store::shared::WorkerInfo& worker : workers)
    text += fmt::format("  {:<24} {}, {}, {} due, {} late, {} failing, {} running{}\n",
                        printable(worker.host, Lines::join),
                        counted(as_count(worker.buckets), "bucket", "buckets"),
                        counted(as_count(worker.load.sites), "site", "sites"), worker.load.due,
                        worker.load.late, worker.load.failing, worker.load.running,
                        worker.live ? "" : fmt::format("; not seen for {} s", worker.seen_seconds_ago));
  return text;
}

void write_workers(JsonOutput& out, const std::vector<store::shared::WorkerInfo>& workers) {
  out.begin_array("workers");
  for (const store::shared::WorkerInfo& worker : workers)
    out.begin_object()
        .string("id", worker.id)
        .string("host", worker.host)
        .string("version", worker.version)
        .boolean("live", worker.live)
        .number("seenSecondsAgo", as_count(worker.seen_seconds_ago))
        .number("buckets", as_count(worker.buckets))
        .number("sites", as_count(worker.load.sites))
        .number("due", as_count(worker.load.due))
        .number("late", as_count(worker.load.late))
        .number("failing", as_count(worker.load.failing))
        .number("running", as_count(worker.load.running))
        .end_object();
  out.end_array();
}

}  // namespace sheaf::cli
