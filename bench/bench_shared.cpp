// What pulls do to a store, without the network, for bench/shared_bench.py:
//
//   bench_shared STORE --unchanged SITES [--threads N]   commits the end of a pull that found nothing new
//   bench_shared STORE --looked-at SITES [--threads N]   the same with all that such a pull reads
//   bench_shared STORE --changed SITES [--threads N]     applies a collection of ten changed pages to each
//   bench_shared STORE --apply FILE                      applies one collection
//   bench_shared LINES --collect STEM                    makes STEM.scp.zst of page lines
//
// Prints one line of JSON: how many, the seconds, and the seconds of the processor that this process used.
#include "bench_corpus.h"
#include "race.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/pull/pull_history.h"
#include "sheaf/pull/schedule.h"
#include "sheaf/store/open/open_store.h"
#include "sheaf/store/work_share.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::bench {
namespace {

using store::PageStore;

constexpr int kPages = 10;
const std::string kSection = "docs";

struct Options {
  std::string location;
  std::string what;
  std::string value;
  unsigned threads = 64;  // as many sites at a time as a worker of a fleet
};

template <class T>
T need(base::Result<T> result, std::string_view what) {
  require(result.has_value(), fmt::format("{}: {}", what, result ? "" : result.error().message));
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

std::string site_of(int number) { return fmt::format("https://site{}.example", number); }

double processor_seconds() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

void each_site(int sites, unsigned threads, const std::function<void(int)>& work) {
  std::atomic<int> next = 0;
  std::vector<std::jthread> crew;
  for (unsigned i = 0; i < threads; ++i)
    crew.emplace_back([&] {
      for (int number = next++; number < sites; number = next++) work(number);
    });
}

/// A pull that found nothing new, as `sheaf pull` ends it: one commit with history and schedule.
void end_pull(PageStore& store, int number) {
  pull::PullReport report;
  report.site = site_of(number);
  report.ok = true;
  report.began = sheaf::now();
  report.requests = 2;
  report.bytes = 600;
  pull::PullHistory history;
  pull::add_pull(history, report, kPages);
  const auto schedule = pull::reschedule({}, report, {}, report.began, 0.5);
  store::SectionEdit edit(report.site, pull::kHtmlSection);
  edit.put_note(store::kHistoryNote, store::encode(history));
  edit.put_note(store::kScheduleNote, store::encode(schedule));
  need(store.commit(edit), "commit");
}

/// The store's part of such a pull: robots.txt, keys, the section and its memory, then the end.
void look_at(PageStore& store, int number) {
  const std::string site = site_of(number);
  store::WorkShare* const share = store.work_share();
  require(share == nullptr || share->enter(site), "the site is ours");
  for (const char* const name : {"robots", "key", "section/docs"}) need(store.note(site, name), "a note");
  need(store.section(site, kSection), "the section");
  need(store.settle(site, kSection), "settle");
  need(store.sections(site), "sections");
  need(store::read_history(store, site), "history");
  end_pull(store, number);
  if (share != nullptr) share->leave(site);
}

std::string page_line(const std::string& site, int number, const std::string& modified) {
  return fmt::format(
      R"({{"url":"{}/page/{}","title":"Page {}","description":"What page {} is about","modified":"{}","language":"en",)"
      R"("content":[{{"type":"heading","level":1,"text":"Page {}"}},{{"type":"text","text":"{}"}}]}})"
      "\n",
      site, number, number, number, modified, number,
      fmt::format("Of {} at {}. {}", site, modified, std::string(1200, 'x')));
}

std::string collection_of(const std::string& site, const std::string& time) {
  std::string text = fmt::format(
      R"({{"collection":{{"id":"{}","section":"{}","type":"snapshot","generated":"{}","version":"0.1"}}}})"
      "\n",
      time.substr(0, 4) + time.substr(11, 2) + time.substr(14, 2) + time.substr(17, 2), kSection, time);
  for (int number = 0; number < kPages; ++number) text += page_line(site, number, time);
  return text;
}

/// A worker has its buckets before it pulls.
void become_worker(PageStore& store, int sites) {
  store::WorkShare* const share = store.work_share();
  if (share == nullptr) return;
  for (int number = 0; number < sites;) {
    if (share->owns(site_of(number)))
      ++number;
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void change(PageStore& store, int number, const std::string& time) {
  const std::string site = site_of(number);
  const std::string text = collection_of(site, time);
  store::ApplyOptions options;
  options.now = sheaf::now();
  const auto summary = need(store.apply(site, kSection, base::buffer_source(text), options), "apply");
  require(summary.added + summary.changed == kPages, "all pages change");
  need(store.settle(site, kSection), "settle");
  end_pull(store, number);
}

void apply_file(PageStore& store, const std::string& path) {
  auto reader = format::CollectionReader::open(need(base::open_source(path), "opening"), {}, {});
  require(reader.has_value(), "the collection's head");
  store::ApplyOptions options;
  options.now = sheaf::now();
  options.threads = 2;
  options.vouch = [](const base::Url&) { return true; };
  const auto summary = need(store.apply("https://example.com", reader->head().section,
                                        need(base::open_source(path), "opening"), options),
                            "apply");
  require(summary.added > 0, "pages are added");
}

int run(const Options& options) {
  if (options.what == "--collect") {
    make_collections(options.location, options.value, {format::Codec::zstd}, bench_head());
    return 0;
  }
  const auto store = need(store::open_store(options.location, StoreAccess::write), "opening the store");
  const int sites = options.what == "--apply" ? 1 : std::stoi(options.value);
  if (options.what != "--apply") become_worker(*store, sites);
  const double processor = processor_seconds();
  const double seconds = seconds_of([&] {
    if (options.what == "--unchanged") {
      each_site(sites, options.threads, [&](int number) { end_pull(*store, number); });
    } else if (options.what == "--looked-at") {
      each_site(sites, options.threads, [&](int number) { look_at(*store, number); });
    } else if (options.what == "--changed") {
      const std::string now = format_time({sheaf::now().seconds, 0});
      each_site(sites, options.threads, [&](int number) { change(*store, number, now); });
    } else {
      apply_file(*store, options.value);
    }
  });
  std::printf(R"({"count":%d,"seconds":%.4f,"processor":%.4f})"
              "\n",
              sites, seconds, processor_seconds() - processor);
  return 0;
}

}  // namespace
}  // namespace sheaf::bench

int main(int argc, char** argv) {
  using namespace sheaf::bench;  // NOLINT(google-build-using-namespace): a program of its own
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--threads" && i + 1 < argc) {
      options.threads = static_cast<unsigned>(std::stoul(argv[++i]));
    } else if (argument.starts_with("--") && i + 1 < argc) {
      options.what = argument;
      options.value = argv[++i];
    } else {
      options.location = argument;
    }
  }
  require(!options.location.empty() && !options.what.empty(), "a store and what to do with it are given");
  return run(options);
}
