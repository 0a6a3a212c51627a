#pragma once

#include "sheaf/base/error.h"
#include "sheaf/objects/s3_store.h"
#include "sheaf/publish/config/config.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::publish {

/// The place from which clients fetch files. Every call can be repeated with the same arguments.
class Target {
 public:
  virtual ~Target() = default;

  /// Makes a collection, which is complete in the local folder, available under its name.
  virtual base::Result<void> put_collection(const std::string& name) = 0;
  /// Makes the signature of a collection available. It is next to the collection in the local folder.
  virtual base::Result<void> put_signature(const std::string& collection) = 0;
  /// Writes a small text file, such as the key list. `name` is relative to the folder of the sitemap.
  virtual base::Result<void> put_site_file(const std::string& name, std::string_view bytes) = 0;
  /// Returns nullopt if the file does not exist, or if files at the target cannot be read.
  virtual base::Result<std::optional<std::string>> read_site_file(const std::string& name) = 0;
  /// Deletes the file, and folders that are then empty. No error if it does not exist.
  virtual base::Result<void> remove_site_file(const std::string& name) = 0;
  /// Returns false if it is known, without a request, that the file does not exist.
  virtual bool may_have_site_file(const std::string& name) = 0;
  /// Deletes a collection and its signature. No error if they do not exist.
  virtual base::Result<void> remove_collection(const std::string& name) = 0;
  /// The sitemap that clients see or will see; empty if there is none.
  virtual base::Result<std::string> read_sitemap() = 0;
  virtual base::Result<void> put_sitemap(std::string_view bytes) = 0;
  /// A file next to the sitemap and listed in it, for sites whose sitemap is an index.
  virtual base::Result<std::string> read_beside_sitemap(const std::string& name) = 0;
  virtual base::Result<void> put_beside_sitemap(const std::string& name, std::string_view bytes) = 0;
  /// Sends the results of read_sitemap() and read_beside_sitemap(name) again if necessary. For a run that
  /// changes neither: an upload of the site may have replaced them. Returns whether anything was sent.
  virtual base::Result<bool> deliver_sitemap(const std::string& name_beside) = 0;

  /// Name for messages: "s3://bucket". Empty for the local folder.
  [[nodiscard]] virtual std::string place() const = 0;
  /// Identifies the target, to detect a change of target. Empty for the local folder.
  [[nodiscard]] virtual std::string identity() const = 0;
  /// Number of files sent.
  [[nodiscard]] virtual std::uint64_t sent() const = 0;
};

/// The target for sites whose web server serves the local folder.
std::unique_ptr<Target> folder_target(const PublishConfig& config);

/// The configured target. Credentials are read from the environment; a folder needs none.
base::Result<std::unique_ptr<Target>> make_target(const PublishConfig& config,
                                                  const objects::Environment& environment);

}  // namespace sheaf::publish
