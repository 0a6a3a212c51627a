#include "sheaf/publish/last_place.h"

#include "sheaf/base/file.h"
#include "sheaf/base/regular_file.h"

#include <cstdint>
#include <filesystem>
#include <system_error>

namespace sheaf::publish {
namespace {

constexpr std::uint64_t kPlaceBytes = 4096;

std::filesystem::path last_place_file(const PublishConfig& config) { return config.state / "delivered-to"; }

}  // namespace

base::Result<std::string> read_last_delivery(const PublishConfig& config) {
  const std::filesystem::path file = last_place_file(config);
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return std::string();
  return base::read_regular_file(file.string(), kPlaceBytes);
}

base::Result<void> write_last_delivery(const PublishConfig& config, const std::string& place) {
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(last_place_file(config)));
  SHEAF_TRY(out.write(place));
  return out.commit();
}

}  // namespace sheaf::publish
