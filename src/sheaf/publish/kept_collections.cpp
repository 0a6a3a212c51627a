#include "sheaf/publish/kept_collections.h"

#include "sheaf/base/make_folder.h"

#include <filesystem>
#include <set>
#include <system_error>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

fs::path kept_folder(const PublishConfig& config) { return config.state / "collections"; }

void remove_others(const fs::path& folder, const std::set<std::string>& names) {
  std::error_code error;
  std::vector<fs::path> others;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (!names.contains(it->path().filename().string())) others.push_back(it->path());
  for (const fs::path& other : others) fs::remove(other, error);
}

}  // namespace

void keep_collections(const PublishConfig& config, const std::vector<SectionRelease>& sections) {
  const fs::path folder = kept_folder(config);
  std::error_code error;
  fs::create_directories(folder, error);
  std::set<std::string> names;
  for (const SectionRelease& section : sections)
    for (const PublishedFile& file : section.state.files) {
      const std::string name = to_string(file.name);
      names.insert(name);
      if (!fs::exists(folder / name, error)) fs::create_hard_link(config.out / name, folder / name, error);
    }
  remove_others(folder, names);
}

bool restore_collection(const PublishConfig& config, const std::string& name, std::uint64_t size,
                        RestoreMode mode) {
  const fs::path kept = kept_folder(config) / name;
  std::error_code error;
  if (fs::file_size(kept, error) != size || error) return false;
  if (mode == RestoreMode::look) return true;
  if (!base::make_folder(config.out)) return false;
  fs::remove(config.out / name, error);
  fs::create_hard_link(kept, config.out / name, error);
  return !error;
}

}  // namespace sheaf::publish
