#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config.h"

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
  /// The sitemap as readers see it now; empty if there is none.
  virtual base::Result<std::string> read_sitemap() = 0;
  virtual base::Result<void> put_sitemap(std::string_view bytes) = 0;
  /// A file beside the sitemap that it lists, for sites whose sitemap is an index.
  virtual base::Result<std::string> read_beside_sitemap(const std::string& name) = 0;
  virtual base::Result<void> put_beside_sitemap(const std::string& name, std::string_view bytes) = 0;
};

/// The local folder is what the web server serves.
std::unique_ptr<Target> folder_target(const PublishConfig& config);

}  // namespace sheaf::publish
