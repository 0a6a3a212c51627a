#include "sheaf/access/quota_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>

namespace sheaf::access {
namespace {

std::int64_t period_begin(const Quota& quota, std::int64_t now) { return now - now % quota.seconds; }

}  // namespace

QuotaTable::QuotaTable(std::size_t clients, base::HashKey key)
    : hash_key_(key), sets_(std::bit_ceil(std::max<std::size_t>(1, clients / kWays))) {}

std::uint64_t QuotaTable::key_of(std::string_view rule, std::string_view client) const {
  return base::keyed_hash(hash_key_, fmt::format("{}\n{}", rule, client));
}

/// Evicts an entry whose period began before `begin`, if there is one. Periods differ in length, so the
/// period of that entry may not have ended.
QuotaTable::Entry& QuotaTable::find(Set& set, std::uint64_t key, std::int64_t begin) {
  Entry* least = set.data();
  const auto rank = [begin](const Entry& entry) {
    return std::tuple(entry.begin >= 0, entry.begin >= begin, entry.used.requests);
  };
  for (Entry& entry : set) {
    if (entry.begin >= 0 && entry.key == key) {
      if (entry.begin != begin) entry = {.key = key, .begin = begin, .used = {}};
      return entry;
    }
    if (rank(entry) < rank(*least)) least = &entry;
  }
  *least = {.key = key, .begin = begin, .used = {}};
  return *least;
}

QuotaUse QuotaTable::count_request(std::uint64_t key, const Quota& quota, std::int64_t now) {
  const std::size_t index = key & (sets_.size() - 1);
  const std::lock_guard lock(locks_[index % locks_.size()]);
  QuotaUse& used = find(sets_[index], key, period_begin(quota, now)).used;
  const QuotaUse before = used;
  ++used.requests;
  return before;
}

void QuotaTable::add_bytes(std::uint64_t key, const Quota& quota, std::int64_t now, std::uint64_t bytes) {
  const std::size_t index = key & (sets_.size() - 1);
  const std::lock_guard lock(locks_[index % locks_.size()]);
  find(sets_[index], key, period_begin(quota, now)).used.bytes += bytes;
}

}  // namespace sheaf::access
