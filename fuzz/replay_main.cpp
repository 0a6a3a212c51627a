// Runs a fuzz target once over every file of the folders named on the command line, without libFuzzer.
//   fuzz_replay TARGET [FOLDER...]
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

// fuzz_targets.inc has a line SHEAF_FUZZ_TARGET(name) for each target; the build names its function
// fuzz_<name>.
#define SHEAF_FUZZ_TARGET(name) extern "C" int fuzz_##name(const std::uint8_t* data, std::size_t size);
#include "fuzz_targets.inc"
#undef SHEAF_FUZZ_TARGET

namespace {

struct Target {
  std::string_view name;
  int (*run)(const std::uint8_t* data, std::size_t size);
};

constexpr Target kTargets[] = {
#define SHEAF_FUZZ_TARGET(name) {#name, fuzz_##name},
#include "fuzz_targets.inc"
#undef SHEAF_FUZZ_TARGET
};

const Target* find_target(std::string_view name) {
  for (const Target& target : kTargets) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

std::size_t replay(const Target& target, const char* folder) {
  std::size_t files = 0;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    target.run(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    ++files;
  }
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  const Target* target = argc > 1 ? find_target(argv[1]) : nullptr;
  if (target == nullptr) {
    std::fprintf(stderr, "usage: fuzz_replay TARGET [FOLDER...]\n");
    return 2;
  }
  std::size_t files = 0;
  for (int i = 2; i < argc; ++i) files += replay(*target, argv[i]);
  // A target with nothing to replay still runs once, so that the test exercises something.
  if (files == 0) target->run(nullptr, 0);
  std::printf("%zu files replayed\n", files);
  return 0;
}
