// Shows that work grows in step with input: doubles hostile inputs of every parser of outside data and of
// every exporter, and counts the steps. Linear work doubles; n log n grows a little faster; quadratic work
// grows fourfold.
//
//   growth_tests [--shard I/N] [--bytes MAX] [--steps MAX] [--list] [NAME...]
//
// Names are those of fuzz targets, or the beginnings of those of exporters.
#include "exporters.h"
#include "hostile_inputs.h"
#include "step_counter.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#define SHEAF_FUZZ_TARGET(name) extern "C" int fuzz_##name(const std::uint8_t* data, std::size_t size);
#include "fuzz_targets.inc"
#undef SHEAF_FUZZ_TARGET

namespace sheaf::growth {
namespace {

// A doubled input may take this many times as many steps. log(2n)/log(n) is below 1.1 from a kilobyte on.
constexpr double kGrowth = 2.2;
// Buffers and tables of a fixed size are set up in steps that do not grow evenly.
constexpr double kFixedSteps = 150'000;
constexpr std::size_t kSmallest = 1'024;
constexpr double kMostSteps = 200'000'000;

struct Options {
  std::size_t bytes = std::size_t{128} << 10U;
  double steps = 500'000;  ///< an input that took more is not doubled again, if its steps grow evenly
  std::size_t shard = 0;
  std::size_t shards = 1;
  bool list = false;
  std::vector<std::string_view> names;
};

template <int (*target)(const std::uint8_t*, std::size_t)>
void run_target(std::string_view bytes) {
  target(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

std::vector<Subject> parsers() {
  return {
#define SHEAF_FUZZ_TARGET(name) {#name, run_target<fuzz_##name>},
#include "fuzz_targets.inc"
#undef SHEAF_FUZZ_TARGET
  };
}

std::uint64_t count_steps(const Subject& subject, const std::string& bytes) {
  const std::uint64_t before = steps();
  subject.run(bytes);
  return steps() - before;
}

/// Returns false, after a message, if the steps grow too fast. Growth that a limit ends, such as the depth of
/// an HTML tree, is no fault: then larger inputs grow evenly. Nor is a single jump, when a buffer is full.
bool check(const Subject& subject, const Shape& shape, const Options& options) {
  std::string smaller = shape.of_size(kSmallest);
  subject.run(smaller);  // what is set up once does not count
  auto before = static_cast<double>(count_steps(subject, smaller));
  int jumps = 0;  // in a row
  for (std::size_t bytes = 2 * kSmallest;; bytes *= 2) {
    const std::string larger = shape.of_size(bytes);
    const auto after = static_cast<double>(count_steps(subject, larger));
    jumps = after <= kGrowth * before + kFixedSteps ? 0 : jumps + 1;
    const bool is_large = bytes >= options.bytes;
    if (jumps == 0 && (after > options.steps || is_large)) return true;
    if (jumps > 1 && (after > kMostSteps || is_large)) {
      fmt::print("{}: {} bytes take {:.0f} steps, {} bytes {:.0f}, {:.1f} times as many: {}\n", subject.name,
                 smaller.size(), before, larger.size(), after, after / before, shape.name());
      return false;
    }
    smaller = larger;
    before = after;
  }
}

bool is_wanted(const Subject& subject, const Options& options) {
  if (options.names.empty()) return true;
  for (const std::string_view name : options.names)
    if (subject.name.starts_with(name)) return true;
  return false;
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::string_view value = i + 1 < argc ? argv[i + 1] : "";
    if (argument == "--list") {
      options.list = true;
    } else if (!argument.starts_with("--")) {
      options.names.push_back(argument);
    } else {
      if (argument == "--bytes") options.bytes = number(value);
      if (argument == "--steps") options.steps = static_cast<double>(number(value));
      if (argument == "--shard") options.shard = number(value);
      if (argument == "--shard") options.shards = number(value.substr(value.find('/') + 1));
      ++i;
    }
  }
  return options;
}

int run(const Options& options) {
  std::size_t subjects = 0;
  std::size_t checks = 0;
  std::size_t failures = 0;
  const auto check_all = [&](const std::vector<Subject>& all, const auto& shapes_of) {
    for (const Subject& subject : all) {
      if (!is_wanted(subject, options) || subjects++ % options.shards != options.shard) continue;
      const std::uint64_t before = steps();
      for (const Shape& shape : shapes_of(subject)) {
        ++checks;
        failures += check(subject, shape, options) ? 0 : 1;
      }
      if (options.list) fmt::print("{}: {} steps\n", subject.name, steps() - before);
      std::fflush(stdout);
    }
  };
  check_all(parsers(), [](const Subject& parser) { return shapes_for(parser.name); });
  check_all(exporters(), [](const Subject& exporter) {
    return exporter.name == "warc_default" ? shapes_for(exporter.name) : text_shapes();
  });
  fmt::print("{} inputs, {} grow too fast\n", checks, failures);
  return failures == 0 && checks > 0 ? 0 : 1;
}

}  // namespace
}  // namespace sheaf::growth

int main(int argc, char** argv) { return sheaf::growth::run(sheaf::growth::read_options(argc, argv)); }
