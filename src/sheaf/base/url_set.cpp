#include "sheaf/base/url_set.h"

#include <numeric>
#include <utility>

namespace sheaf::base {
namespace {

constexpr std::size_t kFirstSlots = 16;
constexpr std::uint64_t kEmpty = 0;

/// The first slot for a hash in a table of `count` slots. It scales the middle bits to the range, because the
/// table sizes are not powers of two; the top bits select the table.
std::size_t home(std::uint64_t hash, std::size_t count) {
  return static_cast<std::size_t>(((hash >> 8 & 0xffffffff) * count) >> 32);
}

}  // namespace

std::uint64_t UrlSet::hash_of(std::string_view url) const {
  const std::uint64_t hash = base::keyed_hash(key_, url);
  return hash == kEmpty ? 1 : hash;
}

bool UrlSet::contains(std::string_view url) const {
  const std::uint64_t hash = hash_of(url);
  const std::vector<std::uint64_t>& slots = tables_[hash >> 56].slots;
  if (slots.empty()) return false;
  std::size_t at = home(hash, slots.size());
  while (slots[at] != kEmpty && slots[at] != hash)
    if (++at == slots.size()) at = 0;
  return slots[at] == hash;
}

bool UrlSet::insert(std::string_view url) {
  const std::uint64_t hash = hash_of(url);
  const bool is_new = insert(tables_[hash >> 56], hash);
  size_ += is_new ? 1 : 0;
  return is_new;
}

bool UrlSet::insert(Table& table, std::uint64_t hash) {
  if (table.used * 5 >= table.slots.size() * 4) grow(table);
  std::size_t at = home(hash, table.slots.size());
  while (table.slots[at] != kEmpty) {
    if (table.slots[at] == hash) return false;
    if (++at == table.slots.size()) at = 0;
  }
  table.slots[at] = hash;
  ++table.used;
  return true;
}

void UrlSet::grow(Table& table) {
  const std::size_t count = table.slots.empty() ? kFirstSlots : table.slots.size() + table.slots.size() / 2;
  Table larger{std::vector<std::uint64_t>(count, kEmpty), 0};
  for (const std::uint64_t hash : table.slots)
    if (hash != kEmpty) insert(larger, hash);
  table = std::move(larger);
}

std::size_t UrlSet::memory_bytes() const {
  return std::accumulate(tables_.begin(), tables_.end(), sizeof(*this),
                         [](std::size_t sum, const Table& table) {
                           return sum + table.slots.capacity() * sizeof(std::uint64_t);
                         });
}

}  // namespace sheaf::base
