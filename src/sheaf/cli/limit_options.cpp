#include "sheaf/cli/limit_options.h"

namespace sheaf::cli {
namespace {

/// CLI11 reads -1 as the largest number there is.
std::string refuse_sign(std::string& text) {
  return text.starts_with('-') ? "a size cannot be negative: " + text : std::string();
}

void add_size(CLI::App& command, const std::string& name, std::uint64_t& value, const std::string& what) {
  command.add_option(name, value, what)
      ->transform(CLI::AsSizeValue(false))
      ->transform(CLI::Validator(refuse_sign, ""))  // the last transform comes first
      ->capture_default_str()
      ->group("Limits");
}

}  // namespace

void add_limit_options(CLI::App& command, format::Limits& limits) {
  add_size(command, "--max-compressed", limits.compressed_bytes, "largest file, e.g. 2GiB");
  add_size(command, "--max-decompressed", limits.decompressed_bytes, "largest file once decompressed");
  add_size(command, "--max-page", limits.page_bytes, "longest line; a longer page is skipped");
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
