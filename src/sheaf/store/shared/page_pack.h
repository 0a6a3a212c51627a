#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/section_record.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store::shared {

/// Pages that are stored together: the records of section_record.h one after the other, each with its size
/// before it, as one zstd frame with a checksum. Similar pages next to each other compress several times
/// better than each alone, and a pack is still small enough to be read for a single page.
inline constexpr std::size_t kPackBytes = std::size_t{128} << 10U;
/// The same for packs in object storage. A request takes longer there than to send some hundred kilobytes,
/// and costs money; packs of this size are a sixth smaller in total.
inline constexpr std::size_t kObjectPackBytes = std::size_t{2} << 20U;
/// A page larger than this is refused: PostgreSQL's values end at a gigabyte.
inline constexpr std::uint64_t kMostPackBytes = std::uint64_t{900} << 20U;

/// Collects the records of a pack.
class PackBuilder {
 public:
  explicit PackBuilder(std::size_t full_bytes = kPackBytes) : full_bytes_(full_bytes) {}
  /// The number of the page within the pack.
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

/// What later packs of a section are compressed with, made of its first full pack: small packs, as those of
/// most deltas, are then as dense as large ones.
std::string make_dictionary(std::string_view raw);

/// Levels of zstd. In object storage space is what counts: 7 takes half as long again as 5, and 5 % less.
inline constexpr int kPackLevel = 5;
inline constexpr int kObjectPackLevel = 7;

std::string compress_pack(std::string_view raw, std::string_view dictionary, int level = kPackLevel);
/// Errors: invalid_data if the bytes are damaged, or do not give `raw_size` bytes.
base::Result<std::string> decompress_pack(std::string_view bytes, std::string_view dictionary,
                                          std::uint64_t raw_size);

/// The pages of a decompressed pack, by number.
class PackReader {
 public:
  /// nullopt if the bytes are not those of a pack.
  static std::optional<PackReader> open(std::string raw);
  [[nodiscard]] std::size_t pages() const { return records_.size(); }
  /// Nullopt if there is no such page, or if it cannot be read. Borrows from the reader.
  [[nodiscard]] std::optional<PageData> page(std::uint64_t slot) const;

 private:
  struct Record {
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  std::string raw_;
  std::vector<Record> records_;
};

}  // namespace sheaf::store::shared
