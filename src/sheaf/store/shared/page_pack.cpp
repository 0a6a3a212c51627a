#include "sheaf/store/shared/page_pack.h"

#include "sheaf/base/free_memory.h"
#include "sheaf/base/record.h"
#include "sheaf/objects/object_store.h"
#include "sheaf/objects/s3_store.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <random>
#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Errc;
using base::fail;
using base::Result;

constexpr std::size_t kDictionaryBytes = std::size_t{32} << 10U;

struct FreeCompressor {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeDecompressor {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

}  // namespace

std::uint32_t PackBuilder::add(const PageData& data) {
  record_.clear();
  encode(data, record_);
  base::RecordWriter(raw_).text(record_);
  if (record_.capacity() > 4 * full_bytes_) base::free_storage(record_);
  return pages_++;
}

void PackBuilder::clear() {
  raw_.clear();
  if (raw_.capacity() > 4 * full_bytes_) base::free_storage(raw_);
  pages_ = 0;
}

std::string make_dictionary(std::string_view raw) {
  return std::string(raw.substr(0, std::min(raw.size(), kDictionaryBytes)));
}

bool is_dictionary(std::string_view bytes) {
  base::RecordReader in(bytes);
  while (!in.good()) {
    const std::string_view record = in.text();
    if (!in.good_so_far()) return bytes.size() == kDictionaryBytes;  // it ends within a record
    if (!decode_data(record)) return false;
  }
  return !bytes.empty() && bytes.size() <= kDictionaryBytes;
}

std::string compress_pack(std::string_view raw, std::string_view dictionary, int level) {
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeCompressor> context(ZSTD_createCCtx());
  ZSTD_CCtx_reset(context.get(), ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  if (!dictionary.empty()) ZSTD_CCtx_refPrefix(context.get(), dictionary.data(), dictionary.size());
  std::string bytes(ZSTD_compressBound(raw.size()), '\0');
  const std::size_t size = ZSTD_compress2(context.get(), bytes.data(), bytes.size(), raw.data(), raw.size());
  bytes.resize(ZSTD_isError(size) != 0 ? 0 : size);
  return bytes;
}

Result<std::string> decompress_pack(std::string_view bytes, std::string_view dictionary,
                                    std::uint64_t raw_size) {
  if (raw_size > kMaxPackBytes) return fail(Errc::invalid_data, "is larger than a pack can be");
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeDecompressor> context(ZSTD_createDCtx());
  ZSTD_DCtx_reset(context.get(), ZSTD_reset_session_and_parameters);
  if (!dictionary.empty()) ZSTD_DCtx_refPrefix(context.get(), dictionary.data(), dictionary.size());
  std::string raw(raw_size, '\0');
  const std::size_t size =
      ZSTD_decompressDCtx(context.get(), raw.data(), raw.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0 || size != raw_size) return fail(Errc::invalid_data, "cannot be decompressed");
  return raw;
}

std::optional<PackReader> PackReader::open(std::string raw) {
  PackReader reader;
  reader.raw_ = std::move(raw);
  std::string_view rest = reader.raw_;
  while (!rest.empty()) {
    base::RecordReader in(rest);
    const std::string_view record = in.text();
    if (!in.good_so_far()) return std::nullopt;
    const auto begin = static_cast<std::size_t>(record.data() - reader.raw_.data());
    reader.records_.push_back({begin, record.size()});
    rest = std::string_view(reader.raw_).substr(begin + record.size());
  }
  return reader;
}

std::optional<PageData> PackReader::page(std::uint64_t slot) const {
  if (slot >= records_.size()) return std::nullopt;
  const Record& record = records_[slot];
  return decode_data(std::string_view(raw_).substr(record.begin, record.size));
}

namespace {

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
