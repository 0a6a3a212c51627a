#include "sheaf/cli/limit_options.h"

namespace sheaf::cli {

std::string refuse_sign(std::string& text) {
  return text.starts_with('-') ? "must not be negative, found " + text : std::string();
}

namespace {

CLI::Option* add_size(CLI::App& command, const std::string& name, std::uint64_t& value,
                      const std::string& what) {
  return command.add_option(name, value, what)
      ->transform(CLI::AsSizeValue(false))
      ->transform(CLI::Validator(refuse_sign, ""))  // the last transform comes first
      ->capture_default_str()
      ->group("Limits");
}

}  // namespace

void add_limit_options(CLI::App& command, format::Limits& limits) {
  add_size(command, "--max-compressed", limits.compressed_bytes, "largest file, e.g. 2GiB");
  add_size(command, "--max-decompressed", limits.decompressed_bytes, "largest file once decompressed");
  // simdjson counts in 32 bits.
  add_size(command, "--max-page", limits.page_bytes, "longest line; a longer page is skipped")
      ->check(CLI::Range(std::uint64_t{1}, 4000 * format::kMiB));
  command.add_option("--max-blocks", limits.blocks, "most content blocks of a page")
      ->check(CLI::Range(1U, 0xFFFFFFU))
      ->capture_default_str()
      ->group("Limits");
  command.add_option("--max-depth", limits.depth, "deepest JSON nesting of a page")
      ->check(CLI::Range(8U, 100'000U))
      ->capture_default_str()
      ->group("Limits");
  command.add_option("--max-ratio", limits.ratio, "highest decompressed : compressed")
      ->check(CLI::Range(1U, 1'000'000U))
      ->capture_default_str()
      ->group("Limits");
}

}  // namespace sheaf::cli
