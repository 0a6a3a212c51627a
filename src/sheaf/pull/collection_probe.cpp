#include "sheaf/pull/collection_probe.h"

#include "sheaf/base/ascii.h"
#include "sheaf/http/message/message.h"
#include "sheaf/offers/pull_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::pull {
namespace {

constexpr std::size_t kPrefixBytes = 4;
// The size in a sitemap may be slightly wrong if the file was replaced a moment ago. An honest site is never
// off by more than this factor plus this many bytes.
constexpr std::uint64_t kSizeFactor = 2;
constexpr std::uint64_t kSizeSlack = std::uint64_t{1} << 20;

}  // namespace

Failure CollectionProbe::begin(const http::fetch::FetchHead& head, std::uint64_t resumed_from) {
  url_ = head.url;
  html_type_ = http::message::is_html_type(head.header("content-type"));
  looked_ = resumed_from > 0 || !head.header("content-encoding").empty();  // undone and read later
  prefix_.clear();
  received_ = resumed_from;
  const auto length = head.length();
  return length ? check_size(resumed_from + std::min(*length, UINT64_MAX - resumed_from)) : Failure{};
}

Failure CollectionProbe::take(std::string_view bytes) {
  received_ += bytes.size();
  if (Failure failure = check_size(received_)) return failure;
  if (looked_) return {};
  prefix_ += bytes.substr(0, kPrefixBytes - prefix_.size());
  if (prefix_.size() < kPrefixBytes) return {};
  looked_ = true;
  const bool is_markup = base::trim_xml_space(prefix_).starts_with('<');
  if (!is_markup && (!html_type_ || offers::may_be_collection(prefix_))) return {};
  return {FailureCode::not_a_collection, fmt::format("{} is not a collection: the server sent {}", url_,
                                                     html_type_ ? "a web page (text/html)" : "HTML or XML")};
}

Failure CollectionProbe::check_size(std::uint64_t bytes) const {
  if (!advertised_ || *advertised_ > (UINT64_MAX - kSizeSlack) / kSizeFactor) return {};
  if (bytes <= *advertised_ * kSizeFactor + kSizeSlack) return {};
  return {FailureCode::oversized_collection,
          fmt::format("{} has {} bytes or more, but its sitemap says {}", url_, bytes, *advertised_)};
}

}  // namespace sheaf::pull
