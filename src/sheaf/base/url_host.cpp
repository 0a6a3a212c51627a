#include "sheaf/base/url_host.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/base/escaping.h"
#include "sheaf/base/hex.h"

#include <unicode/uidna.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace sheaf::base {
namespace {

// A DNS name has at most 253 bytes. The limit is needed because ICU's running time is quadratic in the length
// of a label.
constexpr std::size_t kMaxDomainBytes = 2048;

// ICU always reports the checks that the URL Standard turns off: CheckHyphens and VerifyDnsLength.
constexpr std::uint32_t kIgnoredErrors = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
                                         UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN |
                                         UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;

/// Maps `first`..`last` to the range that starts at `to`, or to nothing if `to` is 0.
struct Mapping {
  char32_t first;
  char32_t last;
  char32_t to;
};

// Changes of Unicode 15.1 and 16 to the mapping of older characters. Debian 12's ICU has Unicode 15. The
// targets map to themselves in every version, so applying the table before a newer ICU changes nothing.
constexpr std::array<Mapping, 18> kNewMappings{{
    {0x04C0, 0x04C0, 0x04CF},
    {0x10A0, 0x10C5, 0x2D00},
    {0x115F, 0x1160, 0},
    {0x17B4, 0x17B5, 0},
    {0x180E, 0x180E, 0},
    {0x1E9E, 0x1E9E, 0x00DF},
    {0x2061, 0x2063, 0},
    {0x206A, 0x206F, 0},
    {0x2132, 0x2132, 0x214E},
    {0x2183, 0x2183, 0x2184},
    {0x3164, 0x3164, 0},
    {0xFFA0, 0xFFA0, 0},
    {0x1D173, 0x1D17A, 0},
    {0x2F868, 0x2F868, 0x36FC},
    {0x2F874, 0x2F874, 0x5F53},
    {0x2F91F, 0x2F91F, 0x243AB},
    {0x2F95F, 0x2F95F, 0x7AEE},
    {0x2F9BF, 0x2F9BF, 0x45D7},
}};

std::string apply_new_mappings(std::string_view domain) {
  std::string out;
  out.reserve(domain.size());
  while (!domain.empty()) {
    const char32_t c = take_code_point(domain);
    const auto* const found = std::ranges::find_if(
        kNewMappings, [c](const Mapping& mapping) { return c >= mapping.first && c <= mapping.last; });
    if (found == kNewMappings.end()) {
      append_utf8(out, c);
    } else if (found->to != 0) {
      append_utf8(out, found->to + (c - found->first));
    }
  }
  return out;
}

// Since Unicode 15.1, UTS #46 refuses two kinds of A-labels that ICU accepts: a label that encodes only ASCII
// (its Punycode is empty or ends with the delimiter), and a label that encodes another label with "xn--". The
// decoded form of the second kind has "--" in the third position; ICU reports that only for the whole domain.
bool is_refused_a_label(std::string_view label, std::uint32_t errors) {
  if (!label.starts_with("xn--")) return false;
  return label.ends_with('-') || (label.starts_with("xn--xn--") && (errors & UIDNA_ERROR_HYPHEN_3_4) != 0);
}

bool has_refused_a_label(std::string_view ascii, std::uint32_t errors) {
  for (;;) {
    const std::size_t dot = ascii.find('.');
    if (is_refused_a_label(ascii.substr(0, dot), errors)) return true;
    if (dot == std::string_view::npos) return false;
    ascii.remove_prefix(dot + 1);
  }
}

const UIDNA* uts46() {
  static const std::unique_ptr<UIDNA, void (*)(UIDNA*)> instance = [] {
    UErrorCode status = U_ZERO_ERROR;
    UIDNA* const opened =
        uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII, &status);
    return std::unique_ptr<UIDNA, void (*)(UIDNA*)>(U_SUCCESS(status) ? opened : nullptr, uidna_close);
  }();
  return instance.get();
}

std::optional<std::string> name_to_ascii(std::string_view domain) {
  std::string ascii(256, '\0');
  for (;;) {
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t size =
        uidna_nameToASCII_UTF8(uts46(), domain.data(), static_cast<std::int32_t>(domain.size()), ascii.data(),
                               static_cast<std::int32_t>(ascii.size()), &info, &status);
    const bool fits = status != U_BUFFER_OVERFLOW_ERROR;
    if (fits && (U_FAILURE(status) || (info.errors & ~kIgnoredErrors) != 0)) return std::nullopt;
    ascii.resize(static_cast<std::size_t>(size));
    if (fits) return has_refused_a_label(ascii, info.errors) ? std::nullopt : std::optional(std::move(ascii));
  }
}

}  // namespace

std::optional<std::string> domain_to_ascii(std::string_view domain) {
  if (std::ranges::all_of(domain, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    return lower_text(domain);
  }
  if (domain.size() > kMaxDomainBytes || uts46() == nullptr) return std::nullopt;
  return name_to_ascii(apply_new_mappings(domain));
}

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

namespace {

enum HostByte : std::uint8_t {
  plain = 0,
  upper = 1,
  forbidden = 2,
  encoded = 4
};  // encoded: '%' or not ASCII

constexpr auto make_host_table() {
  std::array<HostByte, 256> table{};
  for (std::size_t c = 0; c < table.size(); ++c) {
    if (c <= 0x20 || c == 0x7F) table[c] = forbidden;
    if (c >= 'A' && c <= 'Z') table[c] = upper;
    if (c >= 0x80) table[c] = encoded;
  }
  for (const char c : std::string_view("#/:<>?@[\\]^|")) table[static_cast<unsigned char>(c)] = forbidden;
  table['%'] = encoded;
  return table;
}

constexpr auto kHostBytes = make_host_table();

HostByte classify(char c) { return kHostBytes[static_cast<unsigned char>(c)]; }

bool append_bracketed(std::string& out, std::string_view host) {
  if (!host.ends_with(']')) return false;
  const std::optional<Ipv6Pieces> pieces = parse_ipv6(host.substr(1, host.size() - 2));
  if (!pieces) return false;
  out.push_back('[');
  append_ipv6(out, *pieces);
  out.push_back(']');
  return true;
}

enum class Appended { yes, refused, needs_decoding };

// Fast path for nearly every host: ASCII without percent-encoding, written straight to `out`.
Appended append_ascii_domain(std::string& out, std::string_view host) {
  unsigned seen = plain;
  for (const char c : host) seen |= classify(c);
  // Check this first: in a non-ASCII host, a forbidden character may combine into an allowed one ('<' and
  // U+0338 give U+226E).
  if ((seen & encoded) != 0) return Appended::needs_decoding;
  if ((seen & forbidden) != 0) return Appended::refused;
  const std::size_t start = out.size();
  out.append(host);
  if ((seen & upper) == 0) return Appended::yes;
  for (std::size_t i = start; i < out.size(); ++i) {
    if (classify(out[i]) == upper) out[i] = static_cast<char>(out[i] + ('a' - 'A'));
  }
  return Appended::yes;
}

bool append_domain(std::string& out, std::string_view host) {
  switch (append_ascii_domain(out, host)) {
    case Appended::yes: return true;
    case Appended::refused: return false;
    case Appended::needs_decoding: break;
  }
  const std::optional<std::string> ascii = domain_to_ascii(percent_decode(host));
  if (!ascii) return false;
  for (const char c : *ascii) {
    if (classify(c) != plain) return false;
  }
  out.append(*ascii);
  return true;
}

}  // namespace

bool append_host(std::string& out, std::string_view host) {
  if (host.starts_with('[')) return append_bracketed(out, host);
  const std::size_t start = out.size();
  if (!append_domain(out, host) || out.size() == start) return false;
  const std::string_view domain = std::string_view(out).substr(start);
  if (!ends_in_number(domain)) return true;
  const std::optional<std::uint32_t> address = parse_ipv4(domain);
  if (!address) return false;
  out.resize(start);
  append_ipv4(out, *address);
  return true;
}

}  // namespace sheaf::base
