#include "sheaf/cli/options/common_options.h"

#include "sheaf/cli/output/output_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace sheaf::cli {

namespace {

/// More threads would cost memory and gain nothing: each has buffers of some megabytes.
constexpr unsigned kMaxThreads = 256;

}  // namespace

unsigned number_of_processors() { return std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads); }

Option add_thread_option(const Command& command, unsigned& threads, const std::string& what) {
  threads = number_of_processors();
  return command.option("--threads", threads, what + "; default: the number of processors")
      .within(1U, kMaxThreads);
}

namespace {

constexpr std::size_t kDateLength = std::string_view("2026-01-31").size();

}  // namespace

base::Result<std::optional<Instant>> parse_time_option(std::string_view option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto parsed = parse_time(text.size() == kDateLength ? text + "T00:00:00Z" : text);
  if (parsed) return parsed->instant;
  return base::fail(
      base::Errc::invalid_argument,
      fmt::format("{} takes a date like 2026-01-31 or a time like 2026-01-31T08:00:00Z, found {}", option,
                  text));
}

namespace {

Option add_size(const Command& command, const std::string& name, std::uint64_t& value,
                const std::string& what) {
  return command.option(name, value, what).size().show_default().group("Limits");
}

template <class Number>
void add_count(const Command& command, const std::string& name, Number& value, const std::string& what,
               Number least, Number most) {
  command.option(name, value, what).within(least, most).show_default().group("Limits");
}

}  // namespace

void add_limit_options(const Command& command, format::Limits& limits) {
  add_size(command, "--max-compressed", limits.compressed_bytes,
           "maximum size of the compressed file, e.g. 2GiB");
  add_size(command, "--max-decompressed", limits.decompressed_bytes, "maximum decompressed size");
  // simdjson counts bytes in 32 bits.
  add_size(command, "--max-page", limits.page_bytes, "maximum line length; a longer page is skipped")
      .within(std::uint64_t{1}, 4000 * format::kMiB);
  add_count(command, "--max-blocks", limits.blocks, "maximum number of content blocks per page", 1U,
            0xFFFFFFU);
  add_count(command, "--max-depth", limits.depth, "maximum nesting depth of a page's JSON", 8U, 100'000U);
  add_count(command, "--max-values", limits.values,
            "maximum number of JSON values per page, member names included", 1000U, 0xFFFFFFFFU);
  add_count(command, "--max-ratio", limits.ratio, "maximum decompression ratio", 1U, 1'000'000U);
}

std::optional<std::string> environment_variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): nobody sets any
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Option add_delta_options(const Command& command, DeltaCommandOptions& options,
                         const std::string& output_name) {
  const Option output = command
                            .option("-o,--output", options.outputs,
                                    output_name + " to write; the extension selects the codec; repeatable")
                            .value_name("FILE")
                            .one_at_a_time();
  command.option("--level", options.level, "compression level; default: 6 for gzip (1 to 9), 9 for zstd")
      .within(1, 19);
  command
      .option("--id", options.library.id, "id in the metadata line; default: made of section, type and time")
      .value_name("ID");
  command.flag(
      "--allow-shrink", [&options] { options.library.shrink = format::Shrink::allow; },
      "write the output even if more than half of the pages are removed");
  command.flag("--json", options.json, "print the report as JSON");
  add_thread_option(command, options.library.threads, "threads to use");
  command
      .option("--temporary", options.library.temporary_folder,
              "folder for temporary files; default: the folder of the output")
      .value_name("DIR")
      .existing_folder();
  add_limit_options(command, options.library.limits);
  return output;
}

base::Result<std::vector<format::WriterTarget>> targets_of(const DeltaCommandOptions& options) {
  std::vector<format::WriterTarget> targets;
  for (const std::string& path : options.outputs) {
    SHEAF_TRY_ASSIGN(auto target, target_for(path, options.level));
    targets.push_back(std::move(target));
  }
  return targets;
}

}  // namespace sheaf::cli
