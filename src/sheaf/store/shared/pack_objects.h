#pragma once

#include "sheaf/base/error.h"
#include "sheaf/objects/object_store.h"
#include "sheaf/objects/s3_credentials.h"

#include <memory>
#include <string>
#include <string_view>

namespace sheaf::store::shared {

/// Packs in object storage. Objects have random names and are never overwritten; they are written before the
/// commit that refers to them, and deleted only by gc. Not thread-safe.
class PackObjects {
 public:
  /// `location` is s3://BUCKET/PREFIX or the absolute path of a folder.
  static base::Result<std::unique_ptr<PackObjects>> open(const std::string& location,
                                                         const objects::Environment& environment);

  /// Marks the location as belonging to one store. Fails with Errc::already_exists if it is marked already.
  base::Result<void> claim();

  /// Stores the bytes and returns the name.
  base::Result<std::string> put(std::string_view bytes);
  /// Fails with Errc::invalid_data if there is no such object.
  base::Result<std::string> get(const std::string& name);
  base::Result<void> remove(const std::string& name) { return store_->remove(name); }
  /// Calls `use` with the names of all packs, sorted.
  base::Result<void> each(const std::function<base::Result<void>(const std::string& name)>& use);

 private:
  PackObjects(std::unique_ptr<objects::ObjectStore> store, std::string prefix)
      : store_(std::move(store)), prefix_(std::move(prefix)) {}

  std::unique_ptr<objects::ObjectStore> store_;
  std::string prefix_;  ///< empty, or ends with a slash
};

/// Smaller packs stay in the database: requests cost more than they save.
inline constexpr std::size_t kObjectBytes = std::size_t{8} << 10U;

}  // namespace sheaf::store::shared
