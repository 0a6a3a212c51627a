#include "sheaf/lab/conformance_vectors.h"

#include "sheaf/base/file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <system_error>

namespace sheaf::lab {
namespace {

constexpr std::size_t kMaxExpectedBytes = std::size_t{16} << 20U;

bool is_plain_name(std::string_view name) {
  return !name.empty() && !name.starts_with('.') && name.find('/') == std::string_view::npos;
}

}  // namespace

std::string ConformanceVector::verdict() const {
  if (!is_valid) return fmt::format("invalid: {}", fatal);
  return codes.empty() ? "valid" : fmt::format("valid, with {}", fmt::join(codes, ", "));
}

base::Result<std::vector<ConformanceVector>> read_vectors(const std::filesystem::path& folder) {
  const std::string file = (folder / "expected.json").string();
  SHEAF_TRY_ASSIGN(const std::string text, base::read_regular_file(file, kMaxExpectedBytes));
  simdjson::dom::parser parser;
  simdjson::dom::object root;
  const simdjson::padded_string padded(text);
  if (const auto error = parser.parse(padded).get(root))
    return base::fail(base::Errc::invalid_data,
                      fmt::format("{} is not a list of verdicts: {}", file, simdjson::error_message(error)));
  std::vector<ConformanceVector> vectors;
  for (const auto& [name, value] : root) {
    ConformanceVector vector{.name = std::string(name), .is_valid = false, .fatal = {}, .codes = {}};
    std::error_code error;
    if (!is_plain_name(name) || !std::filesystem::is_regular_file(folder / vector.name, error) ||
        value["valid"].get(vector.is_valid) != simdjson::SUCCESS)
      return base::fail(
          base::Errc::invalid_data,
          fmt::format("{}: {} has no verdict, or there is no such file", file, name.substr(0, 100)));
    std::string_view fatal;
    if (value["fatal"].get(fatal) == simdjson::SUCCESS) vector.fatal = fatal;
    simdjson::dom::array codes;
    if (value["codes"].get(codes) == simdjson::SUCCESS)
      for (const simdjson::dom::element each : codes)
        if (std::string_view code; each.get(code) == simdjson::SUCCESS) vector.codes.emplace_back(code);
    vectors.push_back(std::move(vector));
  }
  if (vectors.empty()) return base::fail(base::Errc::invalid_data, fmt::format("{} names no vector", file));
  return vectors;
}

}  // namespace sheaf::lab
