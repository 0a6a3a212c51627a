#include "sheaf/base/punycode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sheaf::base {
namespace {

// RFC 3492 section 5.
constexpr std::uint32_t kBase = 36;
constexpr std::uint32_t kTMin = 1;
constexpr std::uint32_t kTMax = 26;
constexpr std::uint32_t kSkew = 38;
constexpr std::uint32_t kDamp = 700;
constexpr std::uint32_t kInitialBias = 72;
constexpr std::uint32_t kInitialCodePoint = 0x80;
constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max();

// Both directions take quadratic time. DNS ends at 63 bytes; this leaves room for what the URL Standard lets
// pass and none for an attack, and it keeps the encoder's sum, at most 0x110000 * (kMaxLength + 1), within 32
// bits.
constexpr std::size_t kMaxLength = 2048;

std::uint32_t adapt_bias(std::uint32_t delta, std::uint32_t points, bool is_first) {
  delta /= is_first ? kDamp : 2;
  delta += delta / points;
  std::uint32_t steps = 0;
  for (; delta > (kBase - kTMin) * kTMax / 2; steps += kBase) delta /= kBase - kTMin;
  return steps + (kBase - kTMin + 1) * delta / (delta + kSkew);
}

std::uint32_t threshold(std::uint32_t position, std::uint32_t bias) {
  return position <= bias ? kTMin : std::clamp(position - bias, kTMin, kTMax);
}

char encode_digit(std::uint32_t digit) {
  return static_cast<char>(digit < 26 ? 'a' + digit : '0' + (digit - 26));
}

std::uint32_t decode_digit(char c) {
  if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a');
  if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0') + 26;
  return kBase;
}

void append_integer(std::string& out, std::uint32_t value, std::uint32_t bias) {
  for (std::uint32_t position = kBase;; position += kBase) {
    const std::uint32_t t = threshold(position, bias);
    if (value < t) break;
    out.push_back(encode_digit(t + (value - t) % (kBase - t)));
    value = (value - t) / (kBase - t);
  }
  out.push_back(encode_digit(value));
}

std::optional<std::uint32_t> take_integer(std::string_view& text, std::uint32_t bias) {
  std::uint32_t value = 0;
  std::uint32_t weight = 1;
  for (std::uint32_t position = kBase;; position += kBase) {
    if (text.empty()) return std::nullopt;
    const std::uint32_t digit = decode_digit(text.front());
    text.remove_prefix(1);
    if (digit >= kBase || digit > (kMax - value) / weight) return std::nullopt;
    value += digit * weight;
    const std::uint32_t t = threshold(position, bias);
    if (digit < t) return value;
    if (weight > kMax / (kBase - t)) return std::nullopt;
    weight *= kBase - t;
  }
}

bool is_scalar_value(std::uint32_t value) { return value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF); }

}  // namespace

std::optional<std::string> encode_punycode(std::u32string_view label) {
  if (label.size() > kMaxLength) return std::nullopt;
  std::string out;
  for (const char32_t c : label) {
    if (c < kInitialCodePoint) out.push_back(static_cast<char>(c));
  }
  const auto basic = static_cast<std::uint32_t>(out.size());
  if (basic > 0) out.push_back('-');

  std::uint32_t code_point = kInitialCodePoint;
  std::uint32_t delta = 0;
  std::uint32_t bias = kInitialBias;
  for (std::uint32_t done = basic; done < label.size(); ++delta, ++code_point) {
    std::uint32_t next = kMax;
    for (const char32_t c : label) {
      if (c >= code_point) next = std::min(next, static_cast<std::uint32_t>(c));
    }
    delta += (next - code_point) * (done + 1);
    code_point = next;
    for (const char32_t c : label) {
      if (c < code_point) ++delta;
      if (c != code_point) continue;
      append_integer(out, delta, bias);
      bias = adapt_bias(delta, done + 1, done == basic);
      delta = 0;
      ++done;
    }
  }
  return out;
}

std::optional<std::u32string> decode_punycode(std::string_view text) {
  if (text.size() > kMaxLength) return std::nullopt;
  std::u32string out;
  if (const std::size_t dash = text.rfind('-'); dash != std::string_view::npos) {
    for (const char c : text.substr(0, dash)) out.push_back(static_cast<unsigned char>(c));
    text.remove_prefix(dash + 1);
  }
  if (std::ranges::any_of(out, [](char32_t c) { return c >= kInitialCodePoint; })) return std::nullopt;

  std::uint32_t code_point = kInitialCodePoint;
  std::uint32_t index = 0;
  std::uint32_t bias = kInitialBias;
  while (!text.empty()) {
    const std::optional<std::uint32_t> delta = take_integer(text, bias);
    if (!delta || *delta > kMax - index) return std::nullopt;
    const auto points = static_cast<std::uint32_t>(out.size()) + 1;
    bias = adapt_bias(*delta, points, index == 0);
    index += *delta;
    if (index / points > 0x10FFFF) return std::nullopt;
    code_point += index / points;
    index %= points;
    if (!is_scalar_value(code_point)) return std::nullopt;
    out.insert(index++, 1, static_cast<char32_t>(code_point));
  }
  return out;
}

}  // namespace sheaf::base
