#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config.h"
#include "sheaf/publish/delivery_config.h"
#include "sheaf/publish/s3_credentials.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace sheaf::publish {

/// What a server is to say of a file.
struct ObjectLabel {
  std::string content_type;
  std::string content_encoding;  ///< empty for none
  std::string cache_control;
};

/// How a collection is to be served, by its name and how often its section has a new snapshot.
ObjectLabel label_of_collection(const CollectionName& name, site::UpdateFreq update);
ObjectLabel label_of_sitemap();

/// A place elsewhere that takes files under names. Every call can be made again.
class ObjectStore {
 public:
  virtual ~ObjectStore() = default;

  /// Replaces what has the name, whole or not at all as far as the place can do that.
  virtual base::Result<void> put(const std::string& name, const std::filesystem::path& file,
                                 const ObjectLabel& label) = 0;
  /// One that is not there is fine.
  virtual base::Result<void> remove(const std::string& name) = 0;

  /// Whether it can be asked what it has.
  [[nodiscard]] virtual bool is_readable() const = 0;
  /// Whether there is an object of that size. False also where that cannot be found out.
  virtual base::Result<bool> has(const std::string& name, std::uint64_t size) = 0;
  /// nullopt if there is none.
  virtual base::Result<std::optional<std::string>> read(const std::string& name) = 0;

  /// For messages: "s3://bucket".
  [[nodiscard]] virtual std::string name() const = 0;
  /// Tells one place from another; for nobody's eyes.
  [[nodiscard]] virtual std::string identity() const = 0;
};

std::unique_ptr<ObjectStore> s3_store(const S3Delivery& delivery, S3Account account);
std::unique_ptr<ObjectStore> command_store(const CommandDelivery& delivery);

}  // namespace sheaf::publish
