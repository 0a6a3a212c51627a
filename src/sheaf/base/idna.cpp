#include "sheaf/base/idna.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/base/idna_bidi.h"
#include "sheaf/base/idna_mapping.h"
#include "sheaf/base/punycode.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sheaf::base {
namespace {

// DNS ends at 253 bytes. Every code point costs some calls of libidn2, about a microsecond each.
constexpr std::size_t kMaxDomainBytes = 16384;

bool is_ascii(std::u32string_view text) {
  return std::ranges::all_of(text, [](char32_t c) { return c < 0x80; });
}

// A label as Unicode, its A-label form undone. What comes out of an A-label must already be what mapping
// gives.
std::optional<std::u32string> to_unicode_label(std::u32string_view label) {
  if (!label.starts_with(U"xn--")) return std::u32string(label);
  if (!is_ascii(label)) return std::nullopt;
  std::optional<std::u32string> decoded = decode_punycode(std::string(label.begin() + 4, label.end()));
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

}  // namespace

std::optional<std::string> domain_to_ascii(std::string_view domain) {
  if (std::ranges::all_of(domain, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    return lower_text(domain);
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
