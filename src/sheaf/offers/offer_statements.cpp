#include "sheaf/offers/offer_statements.h"

#include "sheaf/base/ascii.h"

#include <fmt/format.h>

namespace sheaf::offers {

std::optional<WrongStatement> compare_statements(const site::AdvertisedCollection& offer,
                                                 const FileStatement& file) {
  if (offer.size && *offer.size != file.bytes)
    return WrongStatement{StatementKind::size, fmt::format("{} has {} bytes where the sitemap says {}",
                                                           offer.url, file.bytes, *offer.size)};
  if (offer.checksum && !file.checksum.empty() && base::lower_text(*offer.checksum) != file.checksum)
    return WrongStatement{StatementKind::checksum,
                          fmt::format("{} has the checksum {} where the sitemap says {}", offer.url,
                                      file.checksum, *offer.checksum)};
  if (offer.pages && file.pages && *offer.pages != *file.pages)
    return WrongStatement{StatementKind::pages, fmt::format("{} has {} pages where the sitemap says {}",
                                                            offer.url, *file.pages, *offer.pages)};
  return std::nullopt;
}

bool is_older_than_stated(const std::optional<Instant>& advertised, Instant generated) {
  return advertised && generated.seconds < advertised->seconds - kStaleSeconds;
}

bool may_be_collection(std::string_view prefix) {
  constexpr std::string_view kGzip = "\x1f\x8b";
  constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";
  constexpr std::string_view kZstdSkippable = "\x2a\x4d\x18";  // after a byte from 0x50 to 0x5f
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (prefix.starts_with(kGzip) || prefix.starts_with(kZstd)) return true;
  if (prefix.size() >= 4 && (prefix[0] & 0xF0) == 0x50 && prefix.substr(1, 3) == kZstdSkippable) return true;
  if (prefix.starts_with(kByteOrderMark)) prefix.remove_prefix(kByteOrderMark.size());
  prefix = base::trim_xml_space(prefix);
  return prefix.empty() || prefix.front() == '{';
}

}  // namespace sheaf::offers
