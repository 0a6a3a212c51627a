// Fills a store from a collection of real pages and reads it again, two cores:
//
//   bench_store FOLDER [--rounds N] [--stream-gb N] [--work FOLDER] [--json FILE]
//
// FOLDER holds corpus.jsonl, of which corpus.scp.zst is made. Checked first: the store adds up to the
// collection's digest and verifies.
//
//   bench_store --apply STORE     applies the collection on standard input; used by this program for memory
#include "bench_corpus.h"
#include "child_process.h"
#include "race.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/export/exporter.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/collections/collection_writer.h"
#include "sheaf/format/collections/validator.h"
#include "sheaf/store/open/open_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace sheaf::bench {
namespace {

namespace fs = std::filesystem;
using store::PageStore;

constexpr unsigned kThreads = 2;
constexpr std::size_t kGets = 4000;
constexpr std::size_t kSmallStream = 10'000'000;
// What the design allows: 64 MiB, the store's caches (two tables of 32 MiB), 16 bytes per page.
constexpr double kMemoryAllowance = 64.0 * 1024 * 1024;
constexpr double kStoreCaches = 2 * 32.0 * 1024 * 1024;
constexpr double kBytesAPage = 16;
const std::string kSite = "https://docs.example";  // of the corpus: pages of other sites are skipped
const std::string kSection = "docs";

struct Options {
  fs::path folder;
  fs::path work;
  unsigned rounds = 3;
  unsigned stream_gb = 10;
  std::string json;
};

template <class T>
T need(base::Result<T> result, std::string_view what) {
  require(result.has_value(), fmt::format("{}: {}", what, result ? "" : result.error().message));
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

std::unique_ptr<PageStore> open_store(const fs::path& folder) {
  return need(store::open_store(folder.string(), StoreAccess::write), "opening the store");
}

store::ApplySummary apply(PageStore& store, std::unique_ptr<base::ByteSource> source,
                          const std::string& section) {
  store::ApplyOptions options;
  options.threads = kThreads;
  options.now = sheaf::now();
  return need(store.apply(kSite, section, std::move(source), options), "applying");
}

std::unique_ptr<base::ByteSource> source_of(const fs::path& path) {
  return need(base::open_source(path.string()), "opening a collection");
}

std::string section_of(const fs::path& path) {
  auto reader = format::CollectionReader::open(source_of(path), {}, {});
  require(reader.has_value(), "the collection's head");
  return reader->head().section;
}

std::uint64_t disk_bytes(const fs::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

/// Every hundredth page with a new time.
std::uint64_t make_delta(const fs::path& snapshot, const fs::path& delta) {
  auto reader = format::CollectionReader::open(source_of(snapshot), {}, {});
  require(reader.has_value(), "the snapshot's head");
  model::CollectionHead head = reader->head();
  head.checksum.reset();
  head.state.reset();
  head.type = model::CollectionType::delta;
  head.set_since(head.generated_at);
  head.set_generated({head.generated_at.seconds + 3600, 0});
  auto writer =
      need(format::CollectionWriter::create(head, {{delta, format::Codec::zstd, {}}}, {}), "a delta");
  const std::string modified = format_time(head.generated_at);
  std::uint64_t pages = 0;
  std::uint64_t seen = 0;
  while (*reader->next()) {
    if (++seen % 100 != 0) continue;
    Page page = reader->page();
    page.modified = modified;
    page.modified_at = head.generated_at;
    need(writer.add(page), "a page of the delta");
    ++pages;
  }
  need(writer.finish(), "writing the delta");
  return pages;
}

std::vector<std::string> some_urls(const PageStore& store) {
  std::vector<std::string> urls;
  store::PageFilter filter;
  filter.with_json = false;
  need(store.each_page(filter,
                       [&](const store::StoredPage& page) -> base::Result<bool> {
                         urls.push_back(page.url);
                         return true;
                       }),
       "listing");
  std::mt19937_64 random(1);
  std::ranges::shuffle(urls, random);
  if (urls.size() > kGets) urls.resize(kGets);
  return urls;
}

void measure_apply(const Options& options, const fs::path& corpus, const std::string& section,
                   Report& report) {
  const double plain = static_cast<double>(fs::file_size(options.folder / "corpus.jsonl"));
  const fs::path folder = options.work / "store";
  const auto laps =
      race("applying a snapshot",
           {{"validate",
             [&] {
               format::ValidateOptions how;
               how.threads = kThreads;
               require(format::validate(source_of(corpus), how).is_valid(), "the corpus is valid");
             }},
            {"apply",
             [&] {
               fs::remove_all(folder);
               const auto store_owner = open_store(folder);
               PageStore& store = *store_owner;
               const store::ApplySummary summary = apply(store, source_of(corpus), section);
               require(summary.proven == true && summary.added > 0, "the store has the pages");
             }}},
           options.rounds, plain);
  report.at_least("apply a snapshot : validate, two threads", 0.5, laps[0].wall / laps[1].wall);
}

void measure_sizes(const fs::path& corpus, PageStore& store, const fs::path& folder, Report& report) {
  const double compressed = static_cast<double>(fs::file_size(corpus));
  report.note("disk : .scp.zst, as applied", static_cast<double>(disk_bytes(folder)) / compressed);
  const double seconds = seconds_of([&] { need(store.gc({}), "gc"); });
  report.note("gc, which packs", seconds, kSeconds);
  report.at_most("disk : .scp.zst, packed", 1.3, static_cast<double>(disk_bytes(folder)) / compressed);
}

void measure_delta(const Options& options, const fs::path& corpus, const std::string& section,
                   PageStore& store, Report& report) {
  const fs::path delta = options.work / "delta.scp.zst";
  const std::uint64_t pages = make_delta(corpus, delta);
  store::ApplySummary summary;
  const double seconds = seconds_of([&] { summary = apply(store, source_of(delta), section); });
  require(summary.changed == pages, "the delta changes its pages");
  report.note(fmt::format("apply a delta of 1 % ({} pages)", pages), seconds, kSeconds);
}

void measure_reading(const Options& options, const fs::path& corpus, const PageStore& store, Report& report) {
  const auto urls = some_urls(store);
  const double seconds = seconds_of([&] {
    for (const std::string& url : urls) require(need(store.get(url), "get").has_value(), "a page is there");
  });
  report.note("get, one thread", static_cast<double>(urls.size()) / seconds, "pages/s");
  const double plain = static_cast<double>(fs::file_size(options.folder / "corpus.jsonl"));
  const auto laps = race("export",
                         {{"read the collection",
                           [&] {
                             auto reader = format::CollectionReader::open(source_of(corpus), {}, {});
                             while (*reader->next()) require(!reader->raw().empty(), "a page");
                           }},
                          {"export as jsonl",
                           [&] {
                             std::uint64_t bytes = 0;
                             need(exporting::export_lines(store, {},
                                                          [&](std::string_view text) -> base::Result<void> {
                                                            bytes += text.size();
                                                            return {};
                                                          }),
                                  "export");
                             require(bytes > 0, "pages are exported");
                           }}},
                         options.rounds, plain);
  report.note("export : reading the collection, one thread", laps[0].wall / laps[1].wall);
}

void measure_memory(const Options& options, const std::string& program, Report& report) {
  if (options.stream_gb == 0) return;
  // stream_collection() writes its lines at least once, so they are as few as the small stream has.
  Bytes lines = Bytes::read(options.folder / "corpus.jsonl", kSmallStream);
  const auto measure = [&](std::uint64_t size) {
    const fs::path folder = options.work / "stream";
    fs::remove_all(folder);
    std::uint64_t pages = 0;
    const ChildRun run = run_child({program, "--apply", folder.string()}, [&](int descriptor) {
      pages = stream_collection(descriptor, lines, size);
    });
    require(run.exit_status == 0, "a stream is applied");
    fs::remove_all(folder);
    report.at_most(fmt::format("memory: apply {} MB of .scp.zst, piped", size / 1'000'000),
                   kMemoryAllowance + kStoreCaches + kBytesAPage * static_cast<double>(pages),
                   static_cast<double>(run.peak_bytes), kBytes);
  };
  measure(kSmallStream);
  measure(std::uint64_t{options.stream_gb} * 1'000'000'000);
}

int apply_input(const fs::path& folder) {
  const auto store_owner = open_store(folder);
  PageStore& store = *store_owner;
  require(
      apply(store, base::descriptor_source(0, "standard input"), std::string(bench_head().section)).added > 0,
      "pages are added");
  return 0;
}

int run(const Options& options, const std::string& program) {
  make_collections(options.folder / "corpus.jsonl", options.folder / "corpus", {format::Codec::zstd},
                   bench_head());
  const fs::path corpus = options.folder / "corpus.scp.zst";
  const std::string section = section_of(corpus);
  Report report("store");
  measure_apply(options, corpus, section, report);
  {
    const fs::path folder = options.work / "store";
    const auto store_owner = open_store(folder);
    PageStore& store = *store_owner;
    require(need(store.verify(), "verify").faults.empty(), "the store verifies");
    measure_sizes(corpus, store, folder, report);
    measure_reading(options, corpus, store, report);
    measure_delta(options, corpus, section, store, report);
    require(need(store.verify(), "verify").faults.empty(), "the store verifies");
  }
  measure_memory(options, program, report);
  fs::remove_all(options.work);
  report.print();
  report.append_json(options.json);
  return 0;
}

}  // namespace
}  // namespace sheaf::bench

int main(int argc, char** argv) {
  using namespace sheaf::bench;  // NOLINT(google-build-using-namespace): a program of its own
  if (launch_if_asked(argc, argv)) return 0;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 2 && arguments[0] == "--apply") return apply_input(arguments[1]);
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool has_value = i + 1 < arguments.size();
    if (arguments[i] == "--rounds" && has_value) {
      options.rounds = static_cast<unsigned>(std::stoul(arguments[++i]));
    } else if (arguments[i] == "--stream-gb" && has_value) {
      options.stream_gb = static_cast<unsigned>(std::stoul(arguments[++i]));
    } else if (arguments[i] == "--json" && has_value) {
      options.json = arguments[++i];
    } else if (arguments[i] == "--work" && has_value) {
      options.work = arguments[++i];
    } else {
      options.folder = arguments[i];
    }
  }
  require(!options.folder.empty(), "a folder with corpus.jsonl is given");
  if (options.work.empty()) options.work = options.folder / "store-work";
  std::filesystem::create_directories(options.work);
  return run(options, argv[0]);
}
