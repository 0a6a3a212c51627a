#pragma once

#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/pull/failure.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::pull {

/// Inspects a download as it arrives, and fails as soon as it clearly is not the collection that the sitemap
/// promises: a web page, or a file far larger than advertised. Files that pass are still verified in full.
class CollectionProbe {
 public:
  /// `advertised` is the size that the sitemap states.
  explicit CollectionProbe(std::optional<std::uint64_t> advertised) : advertised_(advertised) {}

  /// Starts a body; the first `resumed_from` bytes of the file are already on disk.
  Failure begin(const http::fetch::FetchHead& head, std::uint64_t resumed_from);
  /// Inspects the next bytes of the body.
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
