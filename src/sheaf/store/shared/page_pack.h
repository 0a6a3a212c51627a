#pragma once

#include "sheaf/base/error.h"
#include "sheaf/objects/object_store.h"
#include "sheaf/objects/s3_store.h"
#include "sheaf/store/section_writer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store::shared {

/// Uncompressed bytes of a full pack. A pack has pages that are stored together: the records of
/// section_writer.h one after the other, each preceded by its size, as one zstd frame with a checksum.
/// Similar pages compress several times better together than alone, and a pack is still small enough to be
/// read for a single page.
inline constexpr std::size_t kPackBytes = std::size_t{128} << 10U;
/// The same for packs in object storage. There, a request costs money and takes longer than sending some
/// hundred kilobytes, and packs of this size are a sixth smaller in total.
inline constexpr std::size_t kObjectPackBytes = std::size_t{2} << 20U;
/// Uncompressed bytes that a pack may have, because PostgreSQL limits a value to a gigabyte. A page with more
/// than half of this is refused.
inline constexpr std::uint64_t kMaxPackBytes = std::uint64_t{900} << 20U;

/// Collects the records of a pack.
class PackBuilder {
 public:
  explicit PackBuilder(std::size_t full_bytes = kPackBytes) : full_bytes_(full_bytes) {}
  /// Returns the number of the page within the pack.
  std::uint32_t add(const PageData& data);
  [[nodiscard]] std::uint32_t pages() const { return pages_; }
  [[nodiscard]] const std::string& raw() const { return raw_; }
  [[nodiscard]] bool is_full() const { return raw_.size() >= full_bytes_; }
  void clear();

 private:
  std::size_t full_bytes_;
  std::string raw_;
  std::string record_;
  std::uint32_t pages_ = 0;
};

/// Makes the dictionary with which later packs of a section are compressed, from its first full pack. With
/// it, small packs, such as those of most deltas, compress as well as large ones.
std::string make_dictionary(std::string_view raw);

/// Whether the bytes are such a dictionary: complete records at its front can be read.
bool is_dictionary(std::string_view bytes);

/// zstd levels. Size matters most in object storage: level 7 saves 5 %, but takes half as long again as level
/// 5.
inline constexpr int kPackLevel = 5;
inline constexpr int kObjectPackLevel = 7;

/// Returns an empty string on failure.
std::string compress_pack(std::string_view raw, std::string_view dictionary, int level = kPackLevel);
/// Fails with Errc::invalid_data if the bytes are damaged or do not decompress to `raw_size` bytes.
base::Result<std::string> decompress_pack(std::string_view bytes, std::string_view dictionary,
                                          std::uint64_t raw_size);

/// The pages of a decompressed pack, by number.
class PackReader {
 public:
  /// Returns nullopt if `raw` is not a pack.
  static std::optional<PackReader> open(std::string raw);
  [[nodiscard]] std::size_t pages() const { return records_.size(); }
  /// Returns nullopt if there is no such page, or if it cannot be read. The result borrows from the reader.
  [[nodiscard]] std::optional<PageData> page(std::uint64_t slot) const;

 private:
  struct Record {
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  std::string raw_;
  std::vector<Record> records_;
};

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
