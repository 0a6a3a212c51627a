#include "sheaf/cli/options/site_list_file.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/pull/site_list.h"

#include <fmt/format.h>

namespace sheaf::cli {
namespace {

constexpr std::uint64_t kListBytes = std::uint64_t{64} << 20;

}  // namespace

base::Result<std::vector<base::Url>> read_site_list(const std::string& file) {
  SHEAF_TRY_ASSIGN(const auto source, base::open_source(file));
  SHEAF_TRY_ASSIGN(const std::string text, base::read_up_to(*source, kListBytes));
  if (text.size() > kListBytes)
    return base::fail(base::Errc::invalid_data, fmt::format("{} is longer than {} bytes", file, kListBytes));
  return pull::parse_site_list(text, file);
}

std::optional<FileWatch::Signature> FileWatch::look() const {
  std::error_code gone;
  Signature now;
  now.written = std::filesystem::last_write_time(file_, gone);
  if (!gone) now.bytes = std::filesystem::file_size(file_, gone);
  return gone ? std::nullopt : std::optional(now);
}

bool FileWatch::has_changed() {
  const auto now = look();
  if (!now || now == seen_) return false;
  seen_ = now;
  return true;
}

}  // namespace sheaf::cli
