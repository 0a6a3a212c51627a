#pragma once

#include "sheaf/html/names.h"
#include "sheaf/text/padded_text.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::html {

/// Maps names to texts and back, for one document. Known names are always present. clear() removes all other
/// names and keeps the memory. A lookup usually takes one multiplication and one comparison of eight bytes.
class NameTable {
 public:
  NameTable();

  /// Returns the name for a text, which must be in its final case. Adds the name if it is new. Returns
  /// Name::none if the table is full.
  Name intern(text::PaddedText text) {
    const bool fits = text.can_read(text.data(), 8) && text.size() < kMasks.size();
    return intern_by_key(
        text, fits ? load(text.data()) & kMasks[text.size()] : first_bytes(text.data(), text.size()));
  }
  /// Returns the name for a text; Name::none if it is not in the table.
  [[nodiscard]] Name find(std::string_view text) const;

  [[nodiscard]] std::string_view text(Name name) const {
    const Entry& entry = entries_[index_of(name)];
    return {chars_.data() + entry.offset, entry.size};
  }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// Bytes used by the names of this document, without known names.
  [[nodiscard]] std::size_t memory() const;
  void clear();

  /// A mark per name, to find duplicate attributes without a search: a name was seen in the current tag if
  /// its `serial` is that of the tag. See Tokenizer::read_attribute().
  struct Mark {
    std::uint32_t serial = 0;
    std::uint32_t value = 0;
  };
  Mark& mark(Name name) { return entries_[index_of(name)].mark; }
  std::uint32_t next_serial() { return ++serial_; }

 private:
  struct Entry {
    std::uint64_t key = 0;  // the first eight bytes, zero-filled; the whole name if it is short
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
    Mark mark;
  };
  static constexpr std::array<std::uint64_t, 9> kMasks = {0,
                                                          0xFF,
                                                          0xFFFF,
                                                          0xFFFFFF,
                                                          0xFFFFFFFF,
                                                          0xFFFFFFFFFF,
                                                          0xFFFFFFFFFFFF,
                                                          0xFFFFFFFFFFFFFF,
                                                          0xFFFFFFFFFFFFFFFF};

  static std::uint64_t load(const char* p) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, p, sizeof bytes);
    if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
    return bytes;
  }
  static std::uint64_t first_bytes(const char* p, std::size_t size);

  [[nodiscard]] std::size_t slot_of(std::uint64_t hash) const {
    return static_cast<std::size_t>(hash >> shift_);
  }
  [[nodiscard]] std::uint64_t hash(std::string_view text, std::uint64_t key) const;
  [[nodiscard]] bool is(const Entry& entry, std::string_view text, std::uint64_t key) const {
    return entry.key == key && entry.size == text.size() &&
           (text.size() <= 8 || std::memcmp(chars_.data() + entry.offset, text.data(), text.size()) == 0);
  }
  Name intern_by_key(std::string_view text, std::uint64_t key) {
    std::size_t slot = slot_of(text.size() <= 8 ? key * multiplier_ : hash(text, key));
    for (;; slot = (slot + 1) & (slots_.size() - 1)) {
      const std::uint16_t index = slots_[slot];
      if (index == 0) return add(text, key, slot);
      if (is(entries_[index], text, key)) return static_cast<Name>(index);
    }
  }
  Name add(std::string_view text, std::uint64_t key, std::size_t slot);
  void rebuild(unsigned bits);

  std::vector<Entry> entries_;        // indexed by Name
  std::vector<std::uint16_t> slots_;  // hash table with open addressing; 0 is a free slot
  std::string chars_;
  std::uint64_t multiplier_;
  unsigned shift_ = 0;
  std::uint32_t serial_ = 0;
  std::size_t known_chars_ = 0;
};

}  // namespace sheaf::html
