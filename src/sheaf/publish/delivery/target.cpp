#include "sheaf/publish/delivery/target.h"

#include "sheaf/base/file.h"
#include "sheaf/objects/object_store.h"
#include "sheaf/objects/s3_store.h"
#include "sheaf/publish/delivery/object_label.h"
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

namespace {

namespace fs = std::filesystem;

/// A remote target with the same files as the local folder.
///
/// If there is a local sitemap, it is the original: the site's generator writes it, and the next upload of
/// the site sends it. The SCP elements are added to the remote sitemap first and then to the local one, so
/// that after an interruption between the two both are repeated.
class RemoteTarget final : public Target {
 public:
  RemoteTarget(const PublishConfig& config, std::unique_ptr<objects::ObjectStore> store)
      : config_(config), here_(folder_target(config)), store_(std::move(store)) {}

  base::Result<void> put_collection(const std::string& name) override {
    SHEAF_TRY(here_->put_collection(name));
    const auto parsed = parse_collection_name(name);
    if (!parsed)
      return base::fail(base::Errc::invalid_argument,
                        fmt::format("{} is not the name of a collection", name));
    const fs::path file = config_.out / name;
    std::error_code error;
    const std::uint64_t size = fs::file_size(file, error);
    if (error)
      return std::unexpected(base::system_error(error.value(), fmt::format("cannot read {}", file.string())));
    // An interrupted run may have sent it already.
    SHEAF_TRY_ASSIGN(const auto there, store_->head(remote_name(name)));
    if (there && there->size == size) return {};
    ++sent_;
    return store_->put(remote_name(name), file,
                       label_of_collection(*parsed, config_.update_of(parsed->section)));
  }

  base::Result<void> put_signature(const std::string& collection) override {
    const std::string name = collection + std::string(trust::kSignatureEnding);
    const auto parsed = parse_collection_name(collection);
    const auto update = parsed ? config_.update_of(parsed->section) : site::UpdateFreq::daily;
    ++sent_;
    return store_->put(remote_name(name), config_.out / name, label_of_signature(update));
  }

  base::Result<void> put_site_file(const std::string& name, std::string_view bytes) override {
    return send(beside_there(name), bytes, label_of_site_file(name));
  }
  base::Result<std::optional<std::string>> read_site_file(const std::string& name) override {
    if (!store_->is_readable()) return std::nullopt;
    return store_->get(beside_there(name), kSitemapBytes);
  }
  base::Result<void> remove_site_file(const std::string& name) override {
    return store_->remove(beside_there(name));
  }
  bool may_have_site_file(const std::string& /*name*/) override { return true; }

  base::Result<void> remove_collection(const std::string& name) override {
    const std::string signature = name + std::string(trust::kSignatureEnding);
    if (is_here(config_.out / signature)) SHEAF_TRY(store_->remove(remote_name(signature)));
    SHEAF_TRY(store_->remove(remote_name(name)));
    return here_->remove_collection(name);
  }

  base::Result<std::string> read_sitemap() override {
    return read(config_.sitemap, config_.delivery.sitemap);
  }
  base::Result<void> put_sitemap(std::string_view bytes) override {
    return put(config_.sitemap, config_.delivery.sitemap, bytes);
  }
  base::Result<std::string> read_beside_sitemap(const std::string& name) override {
    return read(beside(name), beside_there(name));
  }
  base::Result<void> put_beside_sitemap(const std::string& name, std::string_view bytes) override {
    return put(beside(name), beside_there(name), bytes);
  }

  base::Result<bool> deliver_sitemap(const std::string& name_beside) override {
    if (!config_.delivery.with_sitemap || !store_->is_readable()) return false;
    SHEAF_TRY_ASSIGN(const bool child, deliver(beside(name_beside), beside_there(name_beside)));
    SHEAF_TRY_ASSIGN(const bool sitemap, deliver(config_.sitemap, config_.delivery.sitemap));
    return child || sitemap;
  }

  [[nodiscard]] std::string place() const override { return store_->name(); }
  [[nodiscard]] std::string identity() const override {
    return fmt::format("{} {}", store_->identity(), config_.delivery.prefix.value_or(""));
  }
  [[nodiscard]] std::uint64_t sent() const override { return sent_; }

 private:
  [[nodiscard]] std::string remote_name(const std::string& name) const {
    return config_.delivery.prefix.value_or("") + name;
  }
  [[nodiscard]] fs::path beside(const std::string& name) const {
    return config_.sitemap.parent_path() / name;
  }
  [[nodiscard]] std::string beside_there(const std::string& name) const {
    const std::string& sitemap = config_.delivery.sitemap;
    return sitemap.substr(0, sitemap.rfind('/') + 1) + name;
  }

  static bool is_here(const fs::path& file) {
    std::error_code error;
    return fs::exists(file, error);
  }

  base::Result<std::string> read_here(const fs::path& file) {
    return file == config_.sitemap ? here_->read_sitemap()
                                   : here_->read_beside_sitemap(file.filename().string());
  }

  /// Whether the sitemap and the files next to it are read from the local folder. One answer for all of them;
  /// otherwise a local index could get a remote child.
  [[nodiscard]] bool is_kept_here() const {
    return !config_.delivery.with_sitemap || !store_->is_readable() || is_here(config_.sitemap);
  }

  base::Result<std::string> read(const fs::path& file, const std::string& name) {
    if (is_kept_here()) return read_here(file);
    SHEAF_TRY_ASSIGN(auto bytes, store_->get(name, kSitemapBytes));
    return std::move(bytes).value_or("");
  }

  base::Result<void> put(const fs::path& file, const std::string& name, std::string_view bytes) {
    if (config_.delivery.with_sitemap) SHEAF_TRY(send(name, bytes));
    if (!is_kept_here()) return {};
    return file == config_.sitemap ? here_->put_sitemap(bytes)
                                   : here_->put_beside_sitemap(file.filename().string(), bytes);
  }

  base::Result<bool> deliver(const fs::path& file, const std::string& name) {
    if (!is_here(file)) return false;
    SHEAF_TRY_ASSIGN(const std::string bytes, read_here(file));
    SHEAF_TRY_ASSIGN(const auto there, store_->get(name, kSitemapBytes));
    if (there == bytes) return false;
    SHEAF_TRY(send(name, bytes));
    return true;
  }

  /// Sends bytes by way of a temporary file, because object stores upload files and commands can only take
  /// files.
  base::Result<void> send(const std::string& name, std::string_view bytes,
                          const objects::ObjectLabel& label = label_of_sitemap()) {
    const fs::path file = config_.state / "sitemap-to-send.xml";
    SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(file));
    SHEAF_TRY(out.write(bytes));
    SHEAF_TRY(out.commit());
    ++sent_;
    const auto done = store_->put(name, file, label);
    std::error_code ignored;
    fs::remove(file, ignored);
    return done;
  }

  const PublishConfig& config_;
  std::unique_ptr<Target> here_;
  std::unique_ptr<objects::ObjectStore> store_;
  std::uint64_t sent_ = 0;
};

}  // namespace

base::Result<std::unique_ptr<Target>> make_target(const PublishConfig& config,
                                                  const objects::Environment& environment) {
  if (const auto* s3 = std::get_if<objects::S3Settings>(&config.delivery.to)) {
    SHEAF_TRY_ASSIGN(auto account, objects::find_s3_account(*s3, environment));
    return std::make_unique<RemoteTarget>(config, objects::s3_store(*s3, std::move(account)));
  }
  if (const auto* command = std::get_if<objects::CommandSettings>(&config.delivery.to))
    return std::make_unique<RemoteTarget>(config, objects::command_store(*command));
  return folder_target(config);
}

}  // namespace sheaf::publish
