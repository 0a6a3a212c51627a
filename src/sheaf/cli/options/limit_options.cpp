#include "sheaf/cli/options/limit_options.h"

namespace sheaf::cli {

namespace {

Option add_size(const Command& command, const std::string& name, std::uint64_t& value,
                const std::string& what) {
  return command.option(name, value, what).size().show_default().group("Limits");
}

}  // namespace

void add_limit_options(const Command& command, format::Limits& limits) {
  add_size(command, "--max-compressed", limits.compressed_bytes, "maximum file size, e.g. 2GiB");
  add_size(command, "--max-decompressed", limits.decompressed_bytes, "maximum decompressed size");
  // simdjson counts in 32 bits.
  add_size(command, "--max-page", limits.page_bytes, "maximum line length; a longer page is skipped")
      .within(std::uint64_t{1}, 4000 * format::kMiB);
  command.option("--max-blocks", limits.blocks, "maximum number of content blocks per page")
      .within(1U, 0xFFFFFFU)
      .show_default()
      .group("Limits");
  command.option("--max-depth", limits.depth, "maximum JSON nesting of a page")
      .within(8U, 100'000U)
      .show_default()
      .group("Limits");
  command
      .option("--max-values", limits.values, "maximum number of JSON values per page, member names included")
      .within(1000U, 0xFFFFFFFFU)
      .show_default()
      .group("Limits");
  command.option("--max-ratio", limits.ratio, "maximum decompression ratio")
      .within(1U, 1'000'000U)
      .show_default()
      .group("Limits");
}

}  // namespace sheaf::cli
