#include "sheaf/cli/sites/chunk_options.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace sheaf::cli {

void add_chunk_options(const Command& command, exporting::ChunkRules& rules) {
  command.option("--max-chars", rules.max_chars, "maximum characters of a chunk; default: 2000")
      .within(std::uint64_t{100}, std::uint64_t{1'000'000})
      .value_name("N");
  command
      .option(
          "--overlap", rules.overlap,
          "characters of the previous chunk that each chunk repeats, at most half of --max-chars; default: 0")
      .within(std::uint64_t{0}, std::uint64_t{500'000})
      .value_name("N");
}

base::Result<void> check_chunk_rules(const exporting::ChunkRules& rules) {
  if (rules.overlap * 2 <= rules.max_chars) return {};
  return base::fail(base::Errc::invalid_argument, "--overlap must be at most half of --max-chars");
}

base::Result<void> check_printed() {
  if (std::ferror(stdout) == 0) return {};
  return base::fail(base::Errc::io, "standard output cannot be written; the state stays as it was");
}

}  // namespace sheaf::cli
