#include "sheaf/store/shared/pack_objects.h"

#include "sheaf/objects/folder_store.h"
#include "sheaf/objects/s3_store.h"
#include "sheaf/store/shared/page_pack.h"

#include <fmt/format.h>

#include <random>
#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Errc;
using base::fail;
using base::Result;

constexpr std::string_view kS3 = "s3://";
constexpr std::string_view kMarker = "sheaf-store";
constexpr std::string_view kPackFolder = "packs/";

objects::ObjectLabel label() {
  return {"application/octet-stream", "", "private, max-age=31536000, immutable"};
}

}  // namespace

Result<std::unique_ptr<PackObjects>> PackObjects::open(const std::string& location,
                                                       const objects::Environment& environment) {
  if (!location.starts_with(kS3)) {
    if (!location.starts_with('/'))
      return fail(
          Errc::invalid_argument,
          fmt::format("{} is neither s3://BUCKET/PREFIX nor the absolute path of a folder", location));
    return std::unique_ptr<PackObjects>(new PackObjects(objects::folder_store(location), ""));
  }
  const std::string rest = location.substr(kS3.size());
  const std::size_t slash = rest.find('/');
  objects::S3Settings settings;
  settings.bucket = rest.substr(0, slash);
  std::string prefix = slash == std::string::npos ? "" : rest.substr(slash + 1);
  if (!prefix.empty() && !prefix.ends_with('/')) prefix += '/';
  if (settings.bucket.empty())
    return fail(Errc::invalid_argument, fmt::format("{} names no bucket: give s3://BUCKET/PREFIX", location));
  SHEAF_TRY_ASSIGN(auto account, objects::find_s3_account(settings, environment));
  return std::unique_ptr<PackObjects>(
      new PackObjects(objects::s3_store(settings, std::move(account)), std::move(prefix)));
}

Result<void> PackObjects::claim() {
  const std::string marker = prefix_ + std::string(kMarker);
  SHEAF_TRY_ASSIGN(const auto there, store_->head(marker));
  if (!there) {
    SHEAF_TRY_ASSIGN(const bool stored, store_->put_new(marker, "the packs of a store of sheaf\n", label()));
    if (stored) return {};
  }
  return fail(Errc::already_exists,
              fmt::format("{} has the objects of another store below \"{}\": choose another "
                          "location, because gc deletes unknown objects",
                          store_->name(), prefix_));
}

Result<std::string> PackObjects::put(std::string_view bytes) {
  std::random_device random;
  const std::string id = fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
  std::string name = fmt::format("{}{}{}/{}", prefix_, kPackFolder, id.substr(0, 2), id.substr(2));
  SHEAF_TRY_ASSIGN(const bool stored, store_->put_new(name, bytes, label()));
  if (stored) return name;
  // The response to an earlier try of the same put may have been lost.
  SHEAF_TRY_ASSIGN(const auto there, store_->get(name, bytes.size()));
  if (there && *there == bytes) return name;
  return fail(Errc::io, fmt::format("{} did not store {}", store_->name(), name));
}

Result<std::string> PackObjects::get(const std::string& name) {
  SHEAF_TRY_ASSIGN(auto bytes, store_->get(name, kMaxPackBytes));
  if (bytes) return std::move(*bytes);
  return fail(Errc::invalid_data,
              fmt::format("is missing: there is no object {} in {}", name, store_->name()));
}

Result<void> PackObjects::each(const std::function<Result<void>(const std::string& name)>& use) {
  return store_->list(prefix_ + std::string(kPackFolder),
                      [&](const objects::ObjectInfo& object) { return use(object.name); });
}

}  // namespace sheaf::store::shared
