#include "sheaf/base/file.h"
#include "sheaf/base/make_folder.h"
#include "sheaf/base/regular_file.h"
#include "sheaf/publish/delivery/target.h"
#include "sheaf/trust/signing.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <sheaf/publish.h>

#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSitemapBytes = std::size_t{256} << 20U;  // well above the limit of sitemaps.org

/// Returns an empty text if there is no such file.
base::Result<std::string> read_if_exists(const fs::path& file) {
  auto bytes = base::read_whole_file(file.string(), kSitemapBytes);
  if (!bytes && bytes.error().code == base::Errc::not_found) return std::string();
  return bytes;
}

base::Result<void> write_whole(const fs::path& file, std::string_view bytes) {
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(file));
  SHEAF_TRY(out.write(bytes));
  return out.commit();
}

/// Makes a removal below `folder` survive a power loss; otherwise a page that was withdrawn could come back
/// after the catalog has forgotten its file. The folder may have been removed too.
base::Result<void> sync_removal(fs::path folder) {
  std::error_code error;
  while (!folder.empty() && folder.has_relative_path() && !fs::exists(folder, error))
    folder = folder.parent_path();
  return base::sync_folder(folder);
}

class FolderTarget final : public Target {
 public:
  FolderTarget(fs::path out, fs::path sitemap) : out_(std::move(out)), sitemap_(std::move(sitemap)) {}

  /// The file is already in place; only its time is set. Web servers take Last-Modified from it, and by the
  /// drafts that should be the collection's `generated`.
  base::Result<void> put_collection(const std::string& name) override {
    std::error_code error;
    const fs::path file = out_ / name;
    if (!fs::exists(file, error))
      return base::fail(
          base::Errc::not_found,
          fmt::format("{} is missing from {} although it was just written", name, out_.string()));
    const auto collection = parse_collection_name(name);
    if (!collection) return {};
    const timespec generated{collection->generated.seconds, 0};
    const std::array<timespec, 2> times = {generated, generated};
    if (utimensat(AT_FDCWD, file.c_str(), times.data(), 0) != 0)
      return std::unexpected(base::system_error(errno, fmt::format("cannot set the time of {}", name)));
    return {};
  }

  base::Result<void> put_signature(const std::string& /*collection*/) override { return {}; }

  base::Result<void> put_site_file(const std::string& name, std::string_view bytes) override {
    const fs::path file = sitemap_.parent_path() / name;
    SHEAF_TRY(base::make_folder(file.parent_path()));
    SHEAF_TRY_ASSIGN(const std::string there, read_if_exists(file));
    return there == bytes ? base::Result<void>() : write_whole(file, bytes);
  }

  base::Result<std::optional<std::string>> read_site_file(const std::string& name) override {
    if (!may_have_site_file(name)) return std::nullopt;
    SHEAF_TRY_ASSIGN(std::string bytes, read_if_exists(sitemap_.parent_path() / name));
    return bytes;
  }

  base::Result<void> remove_site_file(const std::string& name) override {
    std::error_code error;
    const fs::path file = sitemap_.parent_path() / name;
    fs::remove(file, error);
    if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
      return std::unexpected(
          base::system_error(error.value(), fmt::format("cannot remove {}", file.string())));
    // Also deletes folders that are now empty; for others remove() fails.
    for (fs::path folder = fs::path(name).parent_path(); !folder.empty(); folder = folder.parent_path())
      if (!fs::remove(sitemap_.parent_path() / folder, error)) break;
    return sync_removal(file.parent_path());
  }

  bool may_have_site_file(const std::string& name) override {
    std::error_code error;
    return fs::exists(sitemap_.parent_path() / name, error);
  }

  base::Result<void> remove_collection(const std::string& name) override {
    std::error_code error;
    fs::remove(out_ / (name + std::string(trust::kSignatureEnding)), error);
    fs::remove(out_ / name, error);
    if (error)
      return std::unexpected(base::system_error(error.value(), fmt::format("cannot remove {}", name)));
    return sync_removal(out_);
  }

  base::Result<std::string> read_sitemap() override { return read_if_exists(sitemap_); }
  base::Result<void> put_sitemap(std::string_view bytes) override { return write_whole(sitemap_, bytes); }
  base::Result<std::string> read_beside_sitemap(const std::string& name) override {
    return read_if_exists(sitemap_.parent_path() / name);
  }
  base::Result<void> put_beside_sitemap(const std::string& name, std::string_view bytes) override {
    return write_whole(sitemap_.parent_path() / name, bytes);
  }
  base::Result<bool> deliver_sitemap(const std::string& /*name_beside*/) override { return false; }
  [[nodiscard]] std::string place() const override { return {}; }
  [[nodiscard]] std::string identity() const override { return {}; }
  [[nodiscard]] std::uint64_t sent() const override { return 0; }

 private:
  fs::path out_;
  fs::path sitemap_;
};

}  // namespace

std::unique_ptr<Target> folder_target(const PublishConfig& config) {
  return std::make_unique<FolderTarget>(config.out, config.sitemap);
}

}  // namespace sheaf::publish
