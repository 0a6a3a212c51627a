#include "sheaf/model/text_offsets.h"

#include <algorithm>
#include <numeric>

namespace sheaf::model {
namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Iterates over a text, character by character.
class CharacterWalk {
 public:
  explicit CharacterWalk(std::string_view text) : text_(text) {}

  [[nodiscard]] bool at_end() const { return byte_ == text_.size(); }
  [[nodiscard]] std::size_t byte() const { return byte_; }
  [[nodiscard]] std::uint32_t unit() const { return unit_; }
  void step() {
    const bool is_pair = static_cast<unsigned char>(text_[byte_]) >= 0xF0U;  // a surrogate pair in UTF-16
    ++byte_;
    while (!at_end() && continues_character(text_[byte_])) ++byte_;
    unit_ += is_pair ? 2 : 1;
  }

 private:
  std::string_view text_;
  std::size_t byte_ = 0;
  std::uint32_t unit_ = 0;
};

template <class T>
std::vector<std::size_t> in_order(std::span<const T> places) {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return places[i]; });
  return order;
}

}  // namespace

std::vector<std::uint32_t> utf16_offsets(std::string_view text, std::span<const std::size_t> bytes) {
  std::vector<std::uint32_t> units(bytes.size());
  CharacterWalk walk(text);
  for (const std::size_t i : in_order(bytes)) {
    while (walk.byte() < bytes[i] && !walk.at_end()) walk.step();
    units[i] = walk.unit();
  }
  return units;
}

std::vector<std::size_t> byte_offsets(std::string_view text, std::span<const std::uint32_t> units) {
  std::vector<std::size_t> bytes(units.size());
  CharacterWalk walk(text);
  for (const std::size_t i : in_order(units)) {
    while (walk.unit() < units[i] && !walk.at_end()) walk.step();
    bytes[i] = walk.unit() == units[i] ? walk.byte() : kNoOffset;
  }
  return bytes;
}

}  // namespace sheaf::model
