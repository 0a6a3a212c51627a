#include "sheaf/base/idna.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"

#include <unicode/uidna.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
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

}  // namespace sheaf::base
