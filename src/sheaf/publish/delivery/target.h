#pragma once

#include "sheaf/base/error.h"
#include "sheaf/objects/s3_credentials.h"
#include "sheaf/publish/config/config.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::publish {

/// Where files go that readers fetch. Every call can be made again with the same arguments.
class Target {
 public:
  virtual ~Target() = default;

  /// Makes a collection, which is complete in the local folder, available under its name.
  virtual base::Result<void> put_collection(const std::string& name) = 0;
  /// Takes a collection away. One that is not there is fine.
  virtual base::Result<void> remove_collection(const std::string& name) = 0;
  /// The sitemap that readers see, or are to see; empty if there is none.
  virtual base::Result<std::string> read_sitemap() = 0;
  virtual base::Result<void> put_sitemap(std::string_view bytes) = 0;
  /// A file beside the sitemap that it lists, for sites whose sitemap is an index.
  virtual base::Result<std::string> read_beside_sitemap(const std::string& name) = 0;
  virtual base::Result<void> put_beside_sitemap(const std::string& name, std::string_view bytes) = 0;
  /// Makes sure that readers see what read_sitemap() and read_beside_sitemap(name) give, where nothing in
  /// them has to change: a site's own upload may have replaced them. True if something had to be sent.
  virtual base::Result<bool> deliver_sitemap(const std::string& name_beside) = 0;

  /// For messages: "s3://bucket". Empty for the local folder.
  [[nodiscard]] virtual std::string place() const = 0;
  /// Tells one place from another, so that a new one is noticed. Empty for the local folder.
  [[nodiscard]] virtual std::string identity() const = 0;
  /// How many files it has sent.
  [[nodiscard]] virtual std::uint64_t sent() const = 0;
};

/// The local folder is what the web server serves.
std::unique_ptr<Target> folder_target(const PublishConfig& config);

/// What the configuration asks for. The environment is asked for keys; none are needed for a folder.
base::Result<std::unique_ptr<Target>> make_target(const PublishConfig& config,
                                                  const objects::Environment& environment);

}  // namespace sheaf::publish
