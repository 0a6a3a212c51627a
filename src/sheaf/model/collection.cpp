#include "sheaf/model/collection.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/hex.h"

#include <algorithm>

namespace sheaf {

std::string_view to_string(CollectionType type) {
  return type == CollectionType::snapshot ? "snapshot" : "delta";
}

void CollectionHead::set_generated(Instant instant) {
  generated = format_time(instant);
  generated_at = instant;
}

void CollectionHead::set_since(Instant instant) {
  since = format_time(instant);
  since_at = instant;
}

}  // namespace sheaf

namespace sheaf::model {
namespace {

bool is_number(std::string_view text) { return !text.empty() && std::ranges::all_of(text, base::is_digit); }

}  // namespace

bool is_valid_identifier(std::string_view text) noexcept {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return base::is_alphanumeric(c) || c == '-' || c == '_'; });
}

VersionVerdict judge_version(std::string_view version) noexcept {
  const std::size_t dot = version.find('.');
  if (dot == std::string_view::npos) return VersionVerdict::malformed;
  const std::string_view major = version.substr(0, dot);
  if (!is_number(major) || !is_number(version.substr(dot + 1))) return VersionVerdict::malformed;
  const bool is_zero = std::ranges::all_of(major, [](char c) { return c == '0'; });
  return is_zero ? VersionVerdict::supported : VersionVerdict::too_new;
}

bool is_prefixed_digest(std::string_view text, std::string_view prefix) noexcept {
  return text.size() == prefix.size() + 64 && text.starts_with(prefix) &&
         std::ranges::all_of(text.substr(prefix.size()), [](char c) { return base::hex_value(c) >= 0; });
}

}  // namespace sheaf::model
