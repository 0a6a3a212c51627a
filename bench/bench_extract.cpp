// Compares the whole extraction with the parse alone, on one core, for every HTML file under the folders.
//
//   bench_extract [--rounds N] [--set NAME] [--json FILE] [--timings] FOLDER...
//
// NAME is what the rows call the pages; --json adds the rows to a file. With --timings the last line is
// {"pages": N, "bytes": N, "parse_seconds": S, "extract_seconds": S}, for bench/extract_peers.py.
#include "race.h"
#include "sheaf/extract/extract.h"
#include "sheaf/html/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace sheaf;

std::vector<std::string> read_pages(const std::vector<fs::path>& folders) {
  std::vector<fs::path> files;
  for (const fs::path& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && entry.path().extension() == ".html") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<std::string> pages;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    pages.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return pages;
}

/// Adds up the shortest time of each page. This is steadier than the best round: something else always runs
/// during a part of a round.
class PageTimes {
 public:
  explicit PageTimes(std::size_t pages) : least_(pages, std::numeric_limits<double>::infinity()) {}

  void measure(std::size_t page, const std::function<void()>& work) {
    least_[page] = std::min(least_[page], bench::seconds_of(work));
  }
  [[nodiscard]] double sum() const { return std::accumulate(least_.begin(), least_.end(), 0.0); }

 private:
  std::vector<double> least_;  // seconds
};

}  // namespace

int main(int argc, char** argv) {
  unsigned rounds = 5;
  bool timings = false;
  std::string json;
  std::string set = "pages";
  std::vector<fs::path> folders;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--rounds" && i + 1 < argc) {
      rounds = static_cast<unsigned>(std::max(1, std::atoi(argv[++i])));
    } else if (argument == "--json" && i + 1 < argc) {
      json = argv[++i];
    } else if (argument == "--set" && i + 1 < argc) {
      set = argv[++i];
    } else if (argument == "--timings") {
      timings = true;
    } else {
      folders.emplace_back(argument);
    }
  }
  const std::vector<std::string> pages = read_pages(folders);
  std::size_t bytes = 0;
  for (const std::string& page : pages) bytes += page.size();
  if (bytes == 0) {
    fmt::print(stderr, "usage: bench_extract [--rounds N] [--set NAME] FOLDER...   (no .html files found)\n");
    return 2;
  }

  extract::ExtractOptions options;
  options.url = "https://example.com/docs/page.html";
  options.fallback_modified = Instant{};
  extract::Extractor extractor;
  std::size_t blocks = 0;
  for (const std::string& page : pages) blocks += extractor.extract(page, options).page.content.size();
  bench::require(blocks > pages.size(), "pages have content");

  html::Document document;
  PageTimes parsing(pages.size());
  PageTimes extracting(pages.size());
  const auto each_page = [&](PageTimes& times, auto work) {
    for (std::size_t i = 0; i < pages.size(); ++i) times.measure(i, [&] { work(pages[i]); });
  };
  const auto laps = bench::race(
      "extract",
      {{"parse alone",
        [&] { each_page(parsing, [&](const std::string& page) { html::parse(page, {}, document); }); }},
       {"whole extraction",
        [&] { each_page(extracting, [&](const std::string& page) { extractor.extract(page, options); }); }}},
      rounds, static_cast<double>(bytes));
  bench::Report report("extraction");
  report.at_most(fmt::format("whole extraction : parse alone, {}", set), 3.0,
                 extracting.sum() / parsing.sum());
  report.note(fmt::format("whole extraction, {}: pages", set),
              static_cast<double>(pages.size()) / laps[1].processor, "pages/s");
  report.note(fmt::format("whole extraction, {}: bytes", set),
              static_cast<double>(bytes) / 1e6 / laps[1].processor, "MB/s");
  report.print();
  report.append_json(json);
  if (timings)
    fmt::print("{{\"pages\": {}, \"bytes\": {}, \"parse_seconds\": {:.6f}, \"extract_seconds\": {:.6f}}}\n",
               pages.size(), bytes, laps[0].processor, laps[1].processor);
  return 0;
}
