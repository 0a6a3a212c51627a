#include "sheaf/cli/sites/worker_report.h"

#include "sheaf/cli/output/terminal.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::cli {
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
