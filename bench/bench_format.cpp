// The figures the project holds itself to for collections, on a corpus of real pages made by make_corpus.py:
//
//   bench_format DATA [--rounds N] [--only validate|writer|memory|delta] [--stream-gb N] [--callgrind]
//                     [--json FILE]
//
// DATA is the folder that bench/run prepares; the benchmark keeps its collections there. --json adds the rows
// of the table to a file. Before it measures an operation it checks that the result is correct. Exit status:
// 0 unless such a check fails.

#include "bench_corpus.h"
#include "child_process.h"
#include "codec_parts.h"
#include "race.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/collections/collection_writer.h"
#include "sheaf/format/collections/validator.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::bench {
namespace {

using format::Codec;

constexpr std::size_t kSmallSlice = 10'000'000;
constexpr std::size_t kWriterSlice = 150'000'000;  // level 9 is slow
constexpr std::size_t kStreamSlice = 100'000'000;
constexpr double kMemoryAllowance = 64.0 * 1024 * 1024;
constexpr double kBytesAPage = 16;

struct Options {
  std::filesystem::path data;
  unsigned rounds = 5;
  std::string only;
  std::uint64_t stream_bytes = 10'000'000'000;
  bool callgrind = false;
  std::string json;

  [[nodiscard]] bool wants(std::string_view section) const { return only.empty() || only == section; }
  [[nodiscard]] std::string file(std::string_view name) const { return (data / name).string(); }
};

/// The program that belongs to this benchmark lies beside its folder in the build tree.
std::string sheaf_program() {
  return (std::filesystem::canonical("/proc/self/exe").parent_path().parent_path() / "sheaf").string();
}

format::ValidationReport validate(std::string_view bytes, unsigned threads) {
  format::ValidateOptions options;
  options.threads = threads;
  return format::validate(base::buffer_source(bytes), options);
}

format::ValidationReport validate_file(const std::string& path) {
  auto source = base::open_source(path);
  require(source.has_value(), path + " opens");
  auto report = format::validate(std::move(*source), {});
  require(report.is_valid(), path + " is valid");
  return report;
}

/// One codec: the decoder, the hash and the parser alone, then validate on one to three threads.
void bench_validate(const Options& options, Codec codec, std::string_view plain, Report& report) {
  const std::string_view extension = format::extension_of(codec);
  const Bytes file = Bytes::read(options.file(fmt::format("corpus{}", extension)));
  const std::string_view bytes = file.view();
  const auto decode = [&] { return codec == Codec::zstd ? decode_zstd(bytes) : decode_gzip(bytes); };

  require(decode() == plain.size(), "the decoder alone gives every byte");
  const auto verdict = validate(bytes, 1);
  require(verdict.is_strictly_valid() && verdict.checksum == format::ChecksumVerdict::verified,
          "the corpus is strictly valid and its checksum verified");
  require(parse_lines(plain) == verdict.pages + 1, "the parser alone sees every line");

  const auto check = [&](unsigned threads) {
    return [&bytes, threads] { require(validate(bytes, threads).is_valid(), "the corpus is valid"); };
  };
  const auto laps = race(fmt::format("validate {}", extension),
                         {{"decode alone", [&] { decode(); }},
                          {"SHA-256 alone", [&] { hash_sha256(plain); }},
                          {"simdjson alone", [&] { parse_lines(plain); }},
                          {"validate, 1 thread", check(1)},
                          {"validate, 2 threads", check(2)},
                          {"validate, 3 threads", check(3)}},
                         options.rounds, static_cast<double>(plain.size()));
  report.at_least(fmt::format("validate {}, 1 thread : sum of its parts", extension), 0.8,
                  (laps[0].processor + laps[1].processor + laps[2].processor) / laps[3].processor);
  report.at_least(fmt::format("validate {}, 2 threads : 1 thread", extension), 1.5,
                  laps[3].wall / laps[4].wall);
  // The gain of two threads on two idle cores, computed from processor time: wall-clock time is misleading on
  // a busy machine.
  report.note(fmt::format("validate {}, 2 threads, by processor time", extension),
              laps[3].processor / laps[4].busier_half);
  report.note(fmt::format("validate {}, 3 threads : 1 thread", extension), laps[3].wall / laps[5].wall);
  report.note(fmt::format("validate {}, 1 thread", extension),
              static_cast<double>(plain.size()) / 1e6 / laps[3].processor, "MB/s");
}

void bench_writer(const Options& options, Report& report) {
  const Bytes lines = Bytes::read(options.file("corpus.jsonl"), kWriterSlice);
  const DecodedPages decoded = decode_lines(whole_lines(lines.view(), lines.view().size()));
  const auto write = [&](const std::string& name, Codec codec) {
    auto writer =
        format::CollectionWriter::create(bench_head(), {{options.file(name), codec, std::nullopt}}, {});
    require(writer.has_value(), "the writer starts");
    for (const Page& page : decoded.pages)
      require(writer->add(page).has_value(), "the writer takes every page");
    require(writer->finish().has_value(), "the writer finishes");
  };
  write("written.scp", Codec::plain);
  write("written.scp.zst", Codec::zstd);
  const Bytes plain = Bytes::read(options.file("written.scp"));
  const auto verdict = validate_file(options.file("written.scp.zst"));
  require(verdict.pages == decoded.pages.size() && verdict.checksum == format::ChecksumVerdict::verified,
          "what was written reads back whole");

  const auto laps = race("write .scp.zst",
                         {{"zstd level 9 alone", [&] { encode_zstd(plain.view(), 9); }},
                          {"CollectionWriter, level 9", [&] { write("written.scp.zst", Codec::zstd); }}},
                         options.rounds, static_cast<double>(plain.view().size()));
  report.at_least("writer, level 9 : zstd level 9 alone", 0.8, laps[0].wall / laps[1].wall);
  report.note("writer, level 9", static_cast<double>(plain.view().size()) / 1e6 / laps[1].wall, "MB/s");
  std::filesystem::remove(options.file("written.scp"));
  std::filesystem::remove(options.file("written.scp.zst"));
}

void report_memory(std::string figure, const ChildRun& run, std::uint64_t longest_line, std::uint64_t pages,
                   Report& report) {
  require(run.exit_status == 0, figure + " ends with status 0");
  report.at_most(
      std::move(figure),
      kMemoryAllowance + static_cast<double>(longest_line) + kBytesAPage * static_cast<double>(pages),
      static_cast<double>(run.peak_bytes), kBytes);
}

void bench_memory(const Options& options, Report& report) {
  make_collections(options.file("corpus.jsonl"), options.file("slice"), {Codec::zstd, Codec::gzip},
                   bench_head(), kSmallSlice);
  std::uint64_t longest_line = 0;
  for (const std::string_view name : {"slice.scp.zst", "slice.scp.gz", "corpus.scp.zst", "corpus.scp.gz"}) {
    const auto verdict = validate_file(options.file(name));
    longest_line = std::max(longest_line, verdict.statistics.longest_line);
    report_memory(fmt::format("memory: validate {} MB of {}", verdict.statistics.plain_bytes / 1'000'000,
                              name.substr(name.find('.'))),
                  run_child({sheaf_program(), "validate", options.file(name)}),
                  verdict.statistics.longest_line, verdict.pages, report);
    if (!name.ends_with(".zst")) continue;
    const std::string converted = options.file("converted.scp.zst");
    report_memory(
        fmt::format("memory: convert {} MB of .scp.zst", verdict.statistics.plain_bytes / 1'000'000),
        run_child({sheaf_program(), "convert", options.file(name), converted}),
        verdict.statistics.longest_line, verdict.pages, report);
    std::filesystem::remove(converted);
  }
  if (options.stream_bytes == 0) return;
  Bytes lines = Bytes::read(options.file("corpus.jsonl"), kStreamSlice);
  std::uint64_t pages = 0;
  const ChildRun run = run_child({sheaf_program(), "validate", "-"}, [&](int descriptor) {
    pages = stream_collection(descriptor, lines, options.stream_bytes);
  });
  report_memory(fmt::format("memory: validate {} MB of .scp.zst, piped", options.stream_bytes / 1'000'000),
                run, longest_line, pages, report);
}

/// The sum of all pages, as the collection states it.
std::string state_of(const std::string& path) {
  auto source = base::open_source(path);
  require(source.has_value(), path + " opens");
  const auto reader = format::CollectionReader::open(std::move(*source), {});
  require(reader.has_value() && reader->head().state.has_value(), path + " states the sum of its pages");
  return *reader->head().state;
}

/// Runs a command a few times; gives the fastest run with the largest memory.
ChildRun repeat_child(const std::vector<std::string>& command, unsigned rounds) {
  ChildRun best = run_child(command);
  for (unsigned round = 1; round < rounds; ++round) {
    const ChildRun run = run_child(command);
    best = {std::max(best.exit_status, run.exit_status), std::min(best.seconds, run.seconds),
            std::max(best.peak_bytes, run.peak_bytes)};
  }
  require(best.exit_status == 0, command[1] + " ends with status 0");
  return best;
}

void report_delta(std::string_view command, const ChildRun& run, double bytes, double pages, Report& report) {
  report.note(fmt::format("{}: speed", command), bytes / 1e6 / run.seconds, "MB/s");
  report.note(fmt::format("{}: pages", command), pages / run.seconds, "pages/s");
  report.note(fmt::format("{}: memory", command), static_cast<double>(run.peak_bytes), kBytes);
}

/// Through the commands, as users run them: memory can only be measured for a separate process.
void bench_delta(const Options& options, Report& report) {
  make_collections(options.file("old.jsonl"), options.file("old"), {Codec::zstd},
                   bench_head("2026-01-01T00:00:00Z"));
  make_collections(options.file("new.jsonl"), options.file("new"), {Codec::zstd},
                   bench_head("2026-02-01T00:00:00Z"));
  const std::string old_file = options.file("old.scp.zst");
  const std::string new_file = options.file("new.scp.zst");
  const std::string delta = options.file("delta.scp.zst");
  const std::string merged = options.file("merged.scp.zst");
  const auto older = validate_file(old_file);
  const auto newer = validate_file(new_file);
  const ChildRun diff = repeat_child({sheaf_program(), "diff", old_file, new_file, "-o", delta}, 3);
  const ChildRun merge = repeat_child({sheaf_program(), "merge", old_file, delta, "-o", merged}, 3);
  const auto changes = validate_file(delta);
  require(state_of(merged) == state_of(new_file) && validate_file(merged).pages == newer.pages,
          "old merged with diff(old, new) gives new");

  const auto bytes = [](const format::ValidationReport& verdict) {
    return static_cast<double>(verdict.statistics.plain_bytes);
  };
  report.note("diff and merge: pages in the old snapshot", static_cast<double>(older.pages), "pages");
  report.note("diff and merge: pages in the new snapshot", static_cast<double>(newer.pages), "pages");
  report.note("diff and merge: pages in the delta", static_cast<double>(changes.pages), "pages");
  report_delta("diff", diff, bytes(older) + bytes(newer), static_cast<double>(older.pages + newer.pages),
               report);
  report_delta("merge", merge, bytes(older) + bytes(changes),
               static_cast<double>(older.pages + changes.pages), report);
  std::filesystem::remove(delta);
  std::filesystem::remove(merged);
}

/// Instructions do not depend on how busy the machine is, so this figure is comparable between runs.
void bench_callgrind(const Options& options, Report& report) {
  make_collections(options.file("corpus.jsonl"), options.file("slice"), {Codec::zstd, Codec::gzip},
                   bench_head(), kSmallSlice);
  for (const std::string_view name : {"slice.scp.zst", "slice.scp.gz"}) {
    const std::string profile = options.file(fmt::format("callgrind.{}.out", name));
    const ChildRun run = run_child({"valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=" + profile,
                                    sheaf_program(), "validate", "--threads", "1", options.file(name)});
    require(run.exit_status == 0, "validate runs under callgrind");
    std::ifstream lines(profile);
    std::string word;
    while (lines >> word && word != "totals:") {
    }
    double instructions = 0;
    lines >> instructions;
    report.note(fmt::format("instructions a byte: validate {}", name.substr(name.find('.'))),
                instructions / static_cast<double>(validate_file(options.file(name)).statistics.plain_bytes));
  }
}

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto value = [&] {
      require(i + 1 < argc, fmt::format("{} has a value", word));
      return std::string(argv[++i]);
    };
    if (word == "--rounds") {
      options.rounds = static_cast<unsigned>(std::max(1, std::stoi(value())));
    } else if (word == "--only") {
      options.only = value();
    } else if (word == "--stream-gb") {
      options.stream_bytes = std::stoull(value()) * 1'000'000'000;
    } else if (word == "--json") {
      options.json = value();
    } else if (word == "--callgrind") {
      options.callgrind = true;
    } else {
      options.data = word;
    }
  }
  require(!options.data.empty(), "a data folder is given");
  return options;
}

void run(const Options& options) {
  Report report;
  make_collections(options.file("corpus.jsonl"), options.file("corpus"),
                   {Codec::zstd, Codec::gzip, Codec::plain}, bench_head());
  if (options.wants("validate")) {
    report.start_group("validate");
    const Bytes plain = Bytes::read(options.file("corpus.scp"));
    bench_validate(options, Codec::zstd, plain.view(), report);
    bench_validate(options, Codec::gzip, plain.view(), report);
  }
  const auto section = [&](std::string name, bool wanted, const auto& bench) {
    report.start_group(std::move(name));
    if (wanted) bench(options, report);
  };
  section("writer", options.wants("writer"), bench_writer);
  section("memory", options.wants("memory"), bench_memory);
  section("delta", options.wants("delta"), bench_delta);
  section("instructions", options.callgrind, bench_callgrind);
  report.print();
  report.append_json(options.json);
}

}  // namespace
}  // namespace sheaf::bench

int main(int argc, char** argv) {
  if (sheaf::bench::launch_if_asked(argc, argv)) return 0;
  sheaf::bench::run(sheaf::bench::parse_options(argc, argv));
  return 0;
}
