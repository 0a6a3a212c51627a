#include "sheaf/base/ip_address.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/hex.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace sheaf::base {
namespace {

// Any number above 32 bits is out of range, so the sum is capped here and cannot overflow.
constexpr std::uint64_t kTooLarge = std::uint64_t{1} << 32;

std::optional<std::uint64_t> parse_ipv4_number(std::string_view text) noexcept {
  if (text.empty()) return std::nullopt;
  int radix = 10;
  if (text.size() >= 2 && text[0] == '0') {
    const bool is_hex = text[1] == 'x' || text[1] == 'X';
    radix = is_hex ? 16 : 8;
    text.remove_prefix(is_hex ? 2 : 1);
  }
  std::uint64_t value = 0;
  for (const char c : text) {
    const int digit = hex_value(c);
    if (digit < 0 || digit >= radix) return std::nullopt;
    value =
        std::min(value * static_cast<std::uint64_t>(radix) + static_cast<std::uint64_t>(digit), kTooLarge);
  }
  return value;
}

std::string_view without_final_dot(std::string_view host) noexcept {
  if (host.size() > 1 && host.ends_with('.')) host.remove_suffix(1);
  return host;
}

/// The IPv6 parser of the URL Standard, with one function for each kind of input at the position of a piece.
class Ipv6Reader {
 public:
  explicit Ipv6Reader(std::string_view text) noexcept : text_(text) {}

  std::optional<Ipv6Pieces> read() noexcept {
    if (text_.starts_with(':') && !take_leading_gap()) return std::nullopt;
    while (!text_.empty()) {
      if (next_ == pieces_.size()) return std::nullopt;
      if (text_.front() == ':') {
        if (!take_gap()) return std::nullopt;
      } else if (is_ipv4_ahead()) {
        if (!take_ipv4()) return std::nullopt;
      } else if (!take_piece()) {
        return std::nullopt;
      }
    }
    return spread();
  }

 private:
  bool take_leading_gap() noexcept {
    if (!text_.starts_with("::")) return false;
    text_.remove_prefix(1);
    return true;
  }

  bool take_gap() noexcept {
    if (gap_) return false;
    text_.remove_prefix(1);
    gap_ = ++next_;
    return true;
  }

  [[nodiscard]] bool is_ipv4_ahead() const noexcept {
    const std::size_t end = text_.find_first_not_of("0123456789abcdefABCDEF");
    return end != std::string_view::npos && end > 0 && end <= 4 && text_[end] == '.';
  }

  bool take_piece() noexcept {
    unsigned value = 0;
    std::size_t length = 0;
    for (; length < 4 && length < text_.size() && hex_value(text_[length]) >= 0; ++length) {
      value = value << 4 | static_cast<unsigned>(hex_value(text_[length]));
    }
    text_.remove_prefix(length);
    if (!text_.empty()) {
      if (length == 0 || text_.front() != ':') return false;
      text_.remove_prefix(1);
      if (text_.empty()) return false;
    }
    pieces_[next_++] = static_cast<std::uint16_t>(value);
    return true;
  }

  bool take_ipv4() noexcept {
    if (next_ > 6) return false;
    for (int part = 0; part < 4; ++part) {
      if (part > 0) {
        if (!text_.starts_with('.')) return false;
        text_.remove_prefix(1);
      }
      const std::optional<unsigned> value = take_byte();
      if (!value) return false;
      pieces_[next_] = static_cast<std::uint16_t>(pieces_[next_] * 256U + *value);
      if (part % 2 == 1) ++next_;
    }
    return text_.empty();
  }

  std::optional<unsigned> take_byte() noexcept {
    unsigned value = 0;
    std::size_t length = 0;
    for (; length < text_.size() && is_digit(text_[length]); ++length) {
      if (length > 0 && value == 0) return std::nullopt;
      value = value * 10 + static_cast<unsigned>(text_[length] - '0');
      if (value > 255) return std::nullopt;
    }
    text_.remove_prefix(length);
    return length > 0 ? std::optional(value) : std::nullopt;
  }

  // Moves the pieces after "::" to the end.
  std::optional<Ipv6Pieces> spread() noexcept {
    if (!gap_) return next_ == pieces_.size() ? std::optional(pieces_) : std::nullopt;
    const auto gap = pieces_.begin() + static_cast<std::ptrdiff_t>(*gap_);
    std::rotate(gap, pieces_.begin() + static_cast<std::ptrdiff_t>(next_), pieces_.end());
    return pieces_;
  }

  std::string_view text_;
  Ipv6Pieces pieces_{};
  std::size_t next_ = 0;
  std::optional<std::size_t> gap_;  // the first piece after "::"
};

struct ZeroRun {
  std::size_t begin = 0;
  std::size_t length = 0;
};

ZeroRun find_longest_zero_run(const Ipv6Pieces& pieces) {
  ZeroRun longest;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    std::size_t end = i;
    while (end < pieces.size() && pieces[end] == 0) ++end;
    if (end - i > longest.length) longest = {i, end - i};
    i = end;
  }
  return longest;
}

void append_number(std::string& out, unsigned value, int radix) {
  std::array<char, 8> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, radix).ptr;
  out.append(digits.data(), end);
}

}  // namespace

bool ends_in_number(std::string_view host) noexcept {
  host = without_final_dot(host);
  const std::string_view last = host.substr(host.rfind('.') + 1);
  if (last.empty() || !is_digit(last.front())) return false;
  return std::ranges::all_of(last, is_digit) || parse_ipv4_number(last).has_value();
}

std::optional<std::uint32_t> parse_ipv4(std::string_view host) noexcept {
  host = without_final_dot(host);
  std::uint64_t address = 0;
  for (int part = 0; part < 4; ++part) {
    const std::size_t dot = host.find('.');
    const std::optional<std::uint64_t> number = parse_ipv4_number(host.substr(0, dot));
    if (!number) return std::nullopt;
    if (dot == std::string_view::npos) {
      const int bits = 8 * (4 - part);
      if (*number >> bits != 0) return std::nullopt;
      return static_cast<std::uint32_t>(address << bits | *number);
    }
    if (*number > 255) return std::nullopt;
    address = address << 8 | *number;
    host.remove_prefix(dot + 1);
  }
  return std::nullopt;
}

std::optional<Ipv6Pieces> parse_ipv6(std::string_view host) noexcept { return Ipv6Reader(host).read(); }

void append_ipv4(std::string& out, std::uint32_t address) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    append_number(out, address >> shift & 255, 10);
    if (shift > 0) out.push_back('.');
  }
}

void append_ipv6(std::string& out, const Ipv6Pieces& pieces) {
  const ZeroRun gap = find_longest_zero_run(pieces);
  for (std::size_t i = 0; i < pieces.size();) {
    if (gap.length > 1 && i == gap.begin) {
      out.append(i == 0 ? "::" : ":");
      i += gap.length;
      continue;
    }
    append_number(out, pieces[i], 16);
    if (++i < pieces.size()) out.push_back(':');
  }
}

}  // namespace sheaf::base
