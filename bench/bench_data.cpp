// What the benchmarks of data formats compare with: our own code without a program or a language around it.
//
// Times are of the processor, unless it says otherwise.
//
//   bench_data extract SECONDS FILE...   extracts the files again and again: pages per second, with their
//   JSON bench_data warc THREADS FILE         reads every record of a WARC file: seconds (of the processor,
//   and of
//                                        the clock), records, bytes of blocks
#include "sheaf/base/byte_source.h"
#include "sheaf/warc/warc_reader.h"

#include <fmt/format.h>

#include <sheaf/extract.h>
#include <sheaf/page.h>
#include <sheaf/reader.h>
#include <sheaf/writer.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// Processor time of this process: what a busy machine delays does not count.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::string read_bytes(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int measure_extraction(double seconds, const std::vector<std::string>& pages) {
  sheaf::PageExtractor extractor;
  sheaf::ExtractionOptions options;
  options.url = "https://docs.example/page.html";
  options.fallback_modified = sheaf::Instant{1'780'000'000, 0};
  double best = 0;
  std::size_t bytes = 0;
  const double start = processor_seconds();
  do {
    const double lap = processor_seconds();
    for (const std::string& page : pages)
      bytes += sheaf::page_json(extractor.extract_html(page, options).page).size();
    best = std::max(best, static_cast<double>(pages.size()) / (processor_seconds() - lap));
  } while (processor_seconds() - start < seconds);
  fmt::print("{{\"pagesPerSecond\":{},\"bytes\":{}}}\n", best, bytes);
  return 0;
}

int measure_warc(unsigned threads, const std::string& path) {
  double best = 0;
  double best_wall = 0;
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  for (int round = 0; round < 3; ++round) {
    const double start = processor_seconds();
    const auto begun = std::chrono::steady_clock::now();
    const auto source = sheaf::base::open_source(path);
    if (!source) return 1;
    sheaf::warc::WarcReader reader(**source, {}, {.threads = threads});
    records = bytes = 0;
    while (true) {
      const auto head = reader.next();
      if (!head) return 1;
      if (*head == nullptr) break;
      const auto block = reader.block();
      if (!block) return 1;
      ++records;
      bytes += block->bytes.size();
    }
    const double taken = processor_seconds() - start;
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    best = round == 0 ? taken : std::min(best, taken);
    best_wall = round == 0 ? wall : std::min(best_wall, wall);
  }
  fmt::print("{{\"seconds\":{},\"clock\":{},\"records\":{},\"bytes\":{}}}\n", best, best_wall, records,
             bytes);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  if (words.size() == 3 && words[0] == "warc")
    return measure_warc(static_cast<unsigned>(std::atoi(argv[2])), std::string(words[2]));
  if (words.size() < 3 || words[0] != "extract") return 2;
  std::vector<std::string> pages;
  for (int i = 3; i < argc; ++i) pages.push_back(read_bytes(argv[i]));
  return measure_extraction(std::atof(argv[2]), pages);
}
