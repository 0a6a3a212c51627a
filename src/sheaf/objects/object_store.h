#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::objects {

/// The headers that a server sends with an object.
struct ObjectLabel {
  std::string content_type;
  std::string content_encoding;  ///< empty for none
  std::string cache_control;
};

struct ObjectInfo {
  std::string name;
  std::uint64_t size = 0;
  std::string etag;  ///< as the store returned it, with its quotes; changes with every put
};

/// Stores objects under names such as "scp/blog.scp.zst". Names have no "." or ".." segment. Every call can
/// be repeated. Use from one thread at a time.
///
/// Errors: permission_denied if the store refuses access, invalid_argument for invalid names and settings, io
/// and invalid_data for everything else. Messages do not contain keys or passwords.
class ObjectStore {
 public:
  virtual ~ObjectStore() = default;

  /// Uploads a file. Replaces an object of that name, atomically if the store supports it.
  virtual base::Result<void> put(const std::string& name, const std::filesystem::path& file,
                                 const ObjectLabel& label) = 0;
  /// Removing an object that does not exist succeeds.
  virtual base::Result<void> remove(const std::string& name) = 0;

  /// Whether the store can be read. If not, head() and get() find nothing, and list() and put_new() fail with
  /// invalid_argument.
  [[nodiscard]] virtual bool is_readable() const = 0;
  /// Returns nullopt if there is no such object, or if the store cannot be read.
  virtual base::Result<std::optional<ObjectInfo>> head(const std::string& name) = 0;
  /// Returns the object's bytes; nullopt if there is no such object. Fails with Errc::invalid_data if it is
  /// larger than `limit`.
  virtual base::Result<std::optional<std::string>> get(const std::string& name, std::uint64_t limit) = 0;

  using Visitor = std::function<base::Result<void>(const ObjectInfo& object)>;
  /// Calls `visit` for each object whose name begins with the prefix, ordered by name. The first error of
  /// `visit` ends the listing and is returned.
  virtual base::Result<void> list(const std::string& prefix, const Visitor& visit) = 0;
  /// Stores the bytes atomically if there is no such object. Returns false if there is one, or if another put
  /// was under way. If a response was lost, false may also mean that this put succeeded: compare with get().
  virtual base::Result<bool> put_new(const std::string& name, std::string_view bytes,
                                     const ObjectLabel& label) = 0;

  /// For messages: "s3://bucket".
  [[nodiscard]] virtual std::string name() const = 0;
  /// Identifies the store. Not for display.
  [[nodiscard]] virtual std::string identity() const = 0;
};

/// Stores objects as files below a folder, which is created if it does not exist; several machines may mount
/// it. Each file appears complete or not at all. An entity tag consists of size and modification time.
std::unique_ptr<ObjectStore> folder_store(const std::filesystem::path& folder);

/// The user's commands as argument lists. The placeholders {file}, {name}, {type}, {encoding} and {cache} are
/// replaced in each argument. No shell is involved.
struct CommandSettings {
  std::vector<std::string> put;
  std::vector<std::string> remove;  ///< if empty, old files are not removed
};

/// A store that uploads and removes files with commands. It cannot be read.
std::unique_ptr<ObjectStore> command_store(const CommandSettings& settings);

}  // namespace sheaf::objects
