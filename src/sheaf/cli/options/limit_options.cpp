#include "sheaf/cli/options/limit_options.h"

namespace sheaf::cli {

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

}  // namespace sheaf::cli
