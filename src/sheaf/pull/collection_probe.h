#pragma once

#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/pull/failure.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::pull {

/// Looks at a download while it arrives and ends it where it clearly cannot be the collection that the
/// sitemap promises: a web page, or a file far larger than advertised. What passes is still verified in full.
class CollectionProbe {
 public:
  /// `advertised` is the size that the sitemap states.
  explicit CollectionProbe(std::optional<std::uint64_t> advertised) : advertised_(advertised) {}

  /// A body begins; the first `resumed_from` bytes of the file are on disk already.
  Failure begin(const http::fetch::FetchHead& head, std::uint64_t resumed_from);
  Failure take(std::string_view bytes);

 private:
  Failure check_size(std::uint64_t bytes) const;

  std::optional<std::uint64_t> advertised_;
  std::string url_;
  bool html_type_ = false;
  bool looked_ = false;
  std::string prefix_;
  std::uint64_t received_ = 0;
};

}  // namespace sheaf::pull
