#include "sheaf/objects/object_store.h"

#include "sheaf/base/child_process.h"
#include "sheaf/base/file.h"
#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <random>
#include <system_error>
#include <utility>
#include <vector>

namespace sheaf::objects {
namespace {

namespace fs = std::filesystem;
using base::Errc;
using base::fail;
using base::Result;

constexpr std::string_view kTemporaryMark = ".sheaf-tmp-";

class FolderStore final : public ObjectStore {
 public:
  explicit FolderStore(fs::path folder) : folder_(std::move(folder)) {}

  Result<void> put(const std::string& name, const fs::path& file, const ObjectLabel&) override {
    SHEAF_TRY_ASSIGN(const std::string bytes, read(file));
    SHEAF_TRY_ASSIGN(const fs::path path, path_of(name));
    SHEAF_TRY(base::make_folder(path.parent_path()));
    SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(path));
    SHEAF_TRY(out.write(bytes));
    return out.commit();
  }

  Result<void> remove(const std::string& name) override {
    SHEAF_TRY_ASSIGN(const fs::path path, path_of(name));
    std::error_code error;
    fs::remove(path, error);
    if (error) return failed(error, "cannot delete", path);
    return {};
  }

  [[nodiscard]] bool is_readable() const override { return true; }

  Result<std::optional<ObjectInfo>> head(const std::string& name) override {
    SHEAF_TRY_ASSIGN(const fs::path path, path_of(name));
    return info_of(name, path);
  }

  Result<std::optional<std::string>> get(const std::string& name, std::uint64_t limit) override {
    SHEAF_TRY_ASSIGN(const fs::path path, path_of(name));
    SHEAF_TRY_ASSIGN(const auto info, info_of(name, path));
    if (!info) return std::nullopt;
    if (info->size > limit)
      return fail(Errc::invalid_data, fmt::format("{} is longer than {} bytes", path.string(), limit));
    SHEAF_TRY_ASSIGN(auto bytes, read(path));
    return std::optional(std::move(bytes));
  }

  Result<void> list(const std::string& prefix, const Visitor& visit) override {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
      if (!it->is_regular_file(error)) continue;
      std::string name = it->path().lexically_relative(folder_).generic_string();
      if (name.starts_with(prefix) && name.find(kTemporaryMark) == std::string::npos)
        names.push_back(std::move(name));
    }
    if (error && error != std::errc::no_such_file_or_directory)
      return failed(error, "cannot list the folder", folder_);
    std::ranges::sort(names);
    for (const std::string& name : names) {
      SHEAF_TRY_ASSIGN(const auto info, info_of(name, folder_ / name));
      if (info) SHEAF_TRY(visit(*info));
    }
    return {};
  }

  Result<bool> put_new(const std::string& name, std::string_view bytes, const ObjectLabel&) override {
    SHEAF_TRY_ASSIGN(const fs::path path, path_of(name));
    SHEAF_TRY(base::make_folder(path.parent_path()));
    const fs::path temporary =
        path.parent_path() / fmt::format("{}{:08x}{:08x}", kTemporaryMark, random_(), random_());
    auto stored = write_and_link(temporary, bytes, path);
    std::error_code ignored;
    fs::remove(temporary, ignored);
    return stored;
  }

  [[nodiscard]] std::string name() const override { return folder_.string(); }
  [[nodiscard]] std::string identity() const override { return folder_.string(); }

 private:
  static std::unexpected<base::Error> failed(const std::error_code& error, std::string_view what,
                                             const fs::path& path) {
    return std::unexpected(base::system_error(error.value(), fmt::format("{} {}", what, path.string())));
  }

  [[nodiscard]] Result<fs::path> path_of(const std::string& name) const {
    const fs::path relative(name);
    const bool is_plain =
        !name.empty() && relative.is_relative() && std::ranges::none_of(relative, [](const fs::path& part) {
          return part == "." || part == ".." || part.empty();
        });
    if (is_plain) return folder_ / relative;
    return fail(Errc::invalid_argument, fmt::format("\"{}\" is not the name of an object", name));
  }

  static Result<std::string> read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (!in) return fail(Errc::io, fmt::format("cannot read {}", path.string()));
    return bytes;
  }

  static Result<std::optional<ObjectInfo>> info_of(const std::string& name, const fs::path& path) {
    struct stat facts{};
    if (stat(path.c_str(), &facts) != 0) {
      if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
      return std::unexpected(base::system_error(errno, fmt::format("cannot read {}", path.string())));
    }
    return ObjectInfo{
        name, static_cast<std::uint64_t>(facts.st_size),
        fmt::format("\"{}-{}-{}\"", facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec)};
  }

  static Result<void> write_new(const fs::path& path, std::string_view bytes) {
    const base::FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file.is_open())
      return std::unexpected(base::system_error(errno, fmt::format("cannot write {}", path.string())));
    SHEAF_TRY(base::write_all(file.get(), bytes, path.string()));
    if (fsync(file.get()) != 0)
      return std::unexpected(base::system_error(errno, fmt::format("cannot write {}", path.string())));
    return {};
  }

  /// A link fails if the name exists; a rename would replace it.
  static Result<bool> link_new(const fs::path& temporary, const fs::path& path) {
    if (link(temporary.c_str(), path.c_str()) != 0) {
      if (errno == EEXIST) return false;
      return std::unexpected(base::system_error(errno, fmt::format("cannot create {}", path.string())));
    }
    SHEAF_TRY(base::sync_folder(path.parent_path()));
    return true;
  }

  static Result<bool> write_and_link(const fs::path& temporary, std::string_view bytes,
                                     const fs::path& path) {
    SHEAF_TRY(write_new(temporary, bytes));
    return link_new(temporary, path);
  }

  fs::path folder_;
  std::random_device random_;
};

}  // namespace

std::unique_ptr<ObjectStore> folder_store(const fs::path& folder) {
  return std::make_unique<FolderStore>(folder);
}

namespace {

class CommandStore final : public ObjectStore {
 public:
  explicit CommandStore(CommandSettings settings) : settings_(std::move(settings)) {}

  base::Result<void> put(const std::string& name, const std::filesystem::path& file,
                         const ObjectLabel& label) override {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(file, error);
    return base::run_command(filled(settings_.put, {{"{file}", whole.string()},
                                                    {"{name}", name},
                                                    {"{type}", label.content_type},
                                                    {"{encoding}", label.content_encoding},
                                                    {"{cache}", label.cache_control}}),
                             name);
  }

  base::Result<void> remove(const std::string& name) override {
    if (settings_.remove.empty()) return {};
    return base::run_command(filled(settings_.remove, {{"{name}", name}}), name);
  }

  [[nodiscard]] bool is_readable() const override { return false; }
  base::Result<std::optional<ObjectInfo>> head(const std::string& /*name*/) override { return std::nullopt; }
  base::Result<std::optional<std::string>> get(const std::string& /*name*/,
                                               std::uint64_t /*limit*/) override {
    return std::nullopt;
  }
  base::Result<void> list(const std::string& /*prefix*/, const Visitor& /*visit*/) override {
    return base::fail(base::Errc::invalid_argument, "a command cannot list objects");
  }
  base::Result<bool> put_new(const std::string& /*name*/, std::string_view /*bytes*/,
                             const ObjectLabel& /*label*/) override {
    return base::fail(base::Errc::invalid_argument, "a command cannot tell whether an object exists");
  }

  [[nodiscard]] std::string identity() const override {
    base::Sha256 sha;
    for (const std::string& word : settings_.put) sha.update(fmt::format("{}:{}", word.size(), word));
    return base::to_hex(sha.finish());
  }
  [[nodiscard]] std::string name() const override { return fmt::format("`{}`", settings_.put.front()); }

 private:
  static std::vector<std::string> filled(const std::vector<std::string>& words,
                                         const base::Placeholders& values) {
    std::vector<std::string> result;
    result.reserve(words.size());
    for (const std::string& word : words) result.push_back(base::fill_placeholders(word, values));
    return result;
  }

  CommandSettings settings_;
};

}  // namespace

std::unique_ptr<ObjectStore> command_store(const CommandSettings& settings) {
  return std::make_unique<CommandStore>(settings);
}

}  // namespace sheaf::objects
