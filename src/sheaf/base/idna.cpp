#include "sheaf/base/idna.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/idna_mapping.h"
#include "sheaf/base/punycode.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace sheaf::base {
namespace {

// DNS ends at 253 bytes. Every code point costs some calls of libidn2, about a microsecond each.
constexpr std::size_t kMaxDomainBytes = 16384;

bool is_ascii(std::u32string_view text) {
  return std::ranges::all_of(text, [](char32_t c) { return c < 0x80; });
}

// The classes of UAX #9 as far as RFC 5893 tells them apart.
enum class Bidi { left, right, arabic_number, european_number, neutral, mark };

struct BidiRange {
  char32_t first;
  char32_t last;
  Bidi bidi;
};

// The first match counts: exceptions before the blocks they lie in.
constexpr std::array<BidiRange, 26> kBidiRanges{{
    {0x200C, 0x200D, Bidi::neutral},
    {0x0606, 0x0607, Bidi::neutral},
    {0x0609, 0x060A, Bidi::neutral},
    {0x060C, 0x060C, Bidi::neutral},
    {0x060E, 0x060F, Bidi::neutral},
    {0x0660, 0x0669, Bidi::arabic_number},
    {0x066A, 0x066A, Bidi::neutral},
    {0x066B, 0x066C, Bidi::arabic_number},
    {0x06DE, 0x06DE, Bidi::neutral},
    {0x06E9, 0x06E9, Bidi::neutral},
    {0x06F0, 0x06F9, Bidi::european_number},
    {0x07F6, 0x07F9, Bidi::neutral},
    {0x0590, 0x08FF, Bidi::right},
    {0xFD3E, 0xFD4F, Bidi::neutral},
    {0xFDCF, 0xFDCF, Bidi::neutral},
    {0xFDFD, 0xFDFF, Bidi::neutral},
    {0xFB1D, 0xFDFF, Bidi::right},
    {0xFE70, 0xFEFF, Bidi::right},
    {0x102E1, 0x102FB, Bidi::european_number},
    {0x1091F, 0x1091F, Bidi::neutral},
    {0x10B39, 0x10B3F, Bidi::neutral},
    {0x10D30, 0x10D39, Bidi::arabic_number},
    {0x10E60, 0x10E7E, Bidi::arabic_number},
    {0x10800, 0x10FFF, Bidi::right},
    {0x1EEF0, 0x1EEF1, Bidi::neutral},
    {0x1E800, 0x1EFFF, Bidi::right},
}};

Bidi ascii_bidi(char32_t c) {
  if (c >= U'0' && c <= U'9') return Bidi::european_number;
  if ((c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z')) return Bidi::left;
  return Bidi::neutral;
}

Bidi bidi_of(char32_t c) {
  if (c < 0x80) return ascii_bidi(c);
  if (is_mark(c)) return Bidi::mark;
  for (const BidiRange& range : kBidiRanges) {
    if (c >= range.first && c <= range.last) return range.bidi;
  }
  // Nearly all symbols are neutral and nearly all letters run left to right; only domains with right-to-left
  // letters elsewhere ever ask.
  return is_label_character(c) ? Bidi::left : Bidi::neutral;
}

bool is_right_to_left(char32_t c) {
  if (c < 0x590) return false;
  const Bidi bidi = bidi_of(c);
  return bidi == Bidi::right || bidi == Bidi::arabic_number;
}

// RFC 5893 section 2: the six conditions, for a label of a domain that has right-to-left letters somewhere.
bool satisfies_bidi_rule(std::u32string_view label) {
  std::vector<Bidi> classes;
  classes.reserve(label.size());
  for (const char32_t c : label) classes.push_back(bidi_of(c));
  const auto has = [&](Bidi bidi) { return std::ranges::find(classes, bidi) != classes.end(); };

  const auto last =
      std::ranges::find_if(classes.rbegin(), classes.rend(), [](Bidi b) { return b != Bidi::mark; });
  if (last == classes.rend()) return false;
  if (classes.front() == Bidi::left) {
    return !has(Bidi::right) && !has(Bidi::arabic_number) &&
           (*last == Bidi::left || *last == Bidi::european_number);
  }
  if (classes.front() != Bidi::right || has(Bidi::left)) return false;
  if (has(Bidi::european_number) && has(Bidi::arabic_number)) return false;
  return *last != Bidi::neutral;
}

// A label as Unicode, its A-label form undone. What comes out of an A-label must already be what mapping
// gives.
std::optional<std::u32string> to_unicode_label(std::u32string_view label) {
  if (!label.starts_with(U"xn--")) return std::u32string(label);
  if (!is_ascii(label)) return std::nullopt;
  const std::optional<std::u32string> decoded = decode_punycode(std::string(label.begin() + 4, label.end()));
  if (!decoded || is_ascii(*decoded) || decoded->starts_with(U"xn--")) return std::nullopt;
  if (decoded->find(U'.') != std::u32string::npos || map_domain(*decoded) != decoded) return std::nullopt;
  return decoded;
}

// UTS #46 "Validity Criteria", what mapping has not seen to already.
bool is_valid_label(std::u32string_view label) {
  if (label.empty()) return true;
  if (is_mark(label.front())) return false;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if ((label[i] == 0x200C || label[i] == 0x200D) && !is_joiner_allowed(label, i)) return false;
  }
  return true;
}

std::optional<std::vector<std::u32string>> to_unicode_labels(std::u32string_view domain) {
  std::vector<std::u32string> labels;
  for (;;) {
    const std::size_t dot = domain.find(U'.');
    std::optional<std::u32string> label = to_unicode_label(domain.substr(0, dot));
    if (!label || !is_valid_label(*label)) return std::nullopt;
    labels.push_back(*std::move(label));
    if (dot == std::u32string_view::npos) return labels;
    domain.remove_prefix(dot + 1);
  }
}

std::optional<std::string> join_as_ascii(const std::vector<std::u32string>& labels) {
  std::string out;
  for (const std::u32string& label : labels) {
    if (&label != &labels.front()) out.push_back('.');
    if (is_ascii(label)) {
      for (const char32_t c : label) out.push_back(static_cast<char>(c));
      continue;
    }
    const std::optional<std::string> encoded = encode_punycode(label);
    if (!encoded) return std::nullopt;
    out.append("xn--").append(*encoded);
  }
  return out;
}

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

}  // namespace

std::optional<std::string> domain_to_ascii(std::string_view domain) {
  if (std::ranges::all_of(domain, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    std::string lower(domain);
    std::ranges::transform(lower, lower.begin(), to_lower);
    return lower;
  }
  if (domain.size() > kMaxDomainBytes) return std::nullopt;
  const std::optional<std::u32string> mapped = map_domain(decode_utf8(domain));
  if (!mapped) return std::nullopt;
  const std::optional<std::vector<std::u32string>> labels = to_unicode_labels(*mapped);
  if (!labels) return std::nullopt;
  const auto is_bidi = [](const std::u32string& label) {
    return std::ranges::any_of(label, is_right_to_left);
  };
  const auto passes = [](const std::u32string& label) { return label.empty() || satisfies_bidi_rule(label); };
  if (std::ranges::any_of(*labels, is_bidi) && !std::ranges::all_of(*labels, passes)) return std::nullopt;
  return join_as_ascii(*labels);
}

}  // namespace sheaf::base
