#include "sheaf/html/name_table.h"

#include <algorithm>
#include <limits>
#include <random>

namespace sheaf::html {
namespace {

constexpr unsigned kFirstBits = 11;  // 2048 slots: the known names fill one fifth

// The factor of the multiply-shift hash. As long as it is secret, the hash spreads any set of names, even one
// designed to collide.
std::uint64_t process_multiplier() {
  static const std::uint64_t multiplier = [] {
    std::random_device device;
    return (std::uint64_t{device()} << 32 | device()) | 1;
  }();
  return multiplier;
}

}  // namespace

NameTable::NameTable() : multiplier_(process_multiplier()) {
  entries_.reserve(kKnownNames);
  entries_.emplace_back();
  for (const KnownName& known : kKnownNameList) {
    entries_.push_back({.key = first_bytes(known.text.data(), known.text.size()),
                        .offset = static_cast<std::uint32_t>(chars_.size()),
                        .size = static_cast<std::uint32_t>(known.text.size()),
                        .mark = {}});
    chars_ += known.text;
  }
  known_chars_ = chars_.size();
  rebuild(kFirstBits);
}

std::uint64_t NameTable::first_bytes(const char* p, std::size_t size) {
  char bytes[8] = {};
  std::copy_n(p, std::min<std::size_t>(size, 8), bytes);
  return load(bytes);
}

std::uint64_t NameTable::hash(std::string_view text, std::uint64_t key) const {
  std::uint64_t value = key * multiplier_;
  for (std::size_t at = 8; at < text.size(); at += 8) {
    value = ((value >> 29) ^ value ^ first_bytes(text.data() + at, text.size() - at)) * multiplier_;
  }
  return value;
}

Name NameTable::find(std::string_view text) const {
  const std::uint64_t key = first_bytes(text.data(), text.size());
  for (std::size_t slot = slot_of(hash(text, key));; slot = (slot + 1) & (slots_.size() - 1)) {
    const std::uint16_t index = slots_[slot];
    if (index == 0) return Name::none;
    if (is(entries_[index], text, key)) return static_cast<Name>(index);
  }
}

Name NameTable::add(std::string_view text, std::uint64_t key, std::size_t slot) {
  if (entries_.size() > std::numeric_limits<std::uint16_t>::max()) return Name::none;
  const auto name = static_cast<Name>(entries_.size());
  entries_.push_back({.key = key,
                      .offset = static_cast<std::uint32_t>(chars_.size()),
                      .size = static_cast<std::uint32_t>(text.size()),
                      .mark = {}});
  chars_ += text;
  slots_[slot] = static_cast<std::uint16_t>(name);
  if (entries_.size() * 2 > slots_.size()) rebuild(64 - shift_ + 1);
  return name;
}

void NameTable::rebuild(unsigned bits) {
  shift_ = 64 - bits;
  slots_.assign(std::size_t{1} << bits, 0);
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    const std::string_view name = text(static_cast<Name>(i));
    std::size_t slot = slot_of(hash(name, entries_[i].key));
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<std::uint16_t>(i);
  }
}

void NameTable::clear() {
  // Marks of an earlier document must not be valid in this one, so the serial number keeps increasing. Long
  // before it could overflow within a document, all marks are cleared and the number restarts.
  if (serial_ > std::numeric_limits<std::uint32_t>::max() / 2) {
    for (Entry& entry : entries_) entry.mark = {};
    serial_ = 0;
  }
  // Entries are removed in reverse order of insertion, so that the probe sequences of the remaining entries
  // have no gaps.
  while (entries_.size() > kKnownNames) {
    const auto last = static_cast<Name>(entries_.size() - 1);
    std::size_t slot = slot_of(hash(text(last), entries_.back().key));
    while (slots_[slot] != static_cast<std::uint16_t>(last)) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = 0;
    entries_.pop_back();
  }
  chars_.resize(known_chars_);
}

std::size_t NameTable::memory() const {
  return (entries_.size() - kKnownNames) * (sizeof(Entry) + 2 * sizeof(std::uint16_t)) + chars_.size() -
         known_chars_;
}

}  // namespace sheaf::html
