#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/section_record.h"
#include "sheaf/store/shared/shared_core.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sheaf::store::shared {

/// Writes the pages of one operation as packs, before anything refers to them. Few pages stay in memory and
/// are inserted by the transaction that commits the operation. More pages are inserted immediately, as packs
/// without used pages, and deleted again if the operation is not committed. With object storage, larger packs
/// are objects. Objects of an operation that is not committed are left to gc, because its COMMIT may still
/// take effect.
class PackWriter {
 public:
  PackWriter(SharedCore& core, BucketPtr bucket);
  ~PackWriter();
  PackWriter(const PackWriter&) = delete;
  PackWriter& operator=(const PackWriter&) = delete;

  /// The section's dictionary, if it has one. Must be called before the first add().
  void set_dictionary(std::string dictionary) { dictionary_ = std::move(dictionary); }
  /// The dictionary after the last page: the given one, or one made of the first full pack; empty if there
  /// were too few pages.
  [[nodiscard]] const std::string& dictionary() const { return dictionary_; }

  base::Result<Place> add(const PageData& data);
  base::Result<void> close();

  /// Counts a page of this pack to which the index will refer.
  void count_live(std::uint64_t pack) { ++live_[pack]; }
  /// Inserts the packs that are in memory, and sets the number of used pages of the others. May be repeated
  /// with another connection.
  base::Result<void> commit(PgConnection& connection) const;
  /// Must be called after the commit; otherwise the destructor deletes the packs.
  void keep() { kept_ = true; }

 private:
  struct Pack {
    std::uint64_t number = 0;
    std::uint32_t pages = 0;
    std::uint64_t raw = 0;
    bool with_dictionary = false;
    std::string bytes;
    std::string object = {};  ///< name of the object that has the bytes instead
  };

  std::uint64_t new_number();
  base::Result<void> end_pack();
  base::Result<void> put_object(Pack& pack);
  base::Result<void> write_held();
  base::Result<void> insert(PgConnection& connection, const Pack& pack, std::uint32_t live) const;
  [[nodiscard]] std::uint32_t live_of(std::uint64_t pack) const;

  SharedCore& core_;
  BucketPtr bucket_;
  std::unique_ptr<PackObjects> objects_;
  PackBuilder builder_;
  std::uint64_t number_ = 0;  ///< number of the pack being built
  std::string dictionary_;
  std::vector<Pack> held_;
  std::size_t held_bytes_ = 0;
  std::vector<std::uint64_t> written_;
  std::map<std::uint64_t, std::uint32_t> live_;
  bool kept_ = false;
};

/// The epoch is part of a pack's number, so that no two owners of a bucket ever use the same number, and
/// numbers increase.
inline constexpr unsigned kPackEpochShift = 36;

}  // namespace sheaf::store::shared
