#pragma once

#include "sheaf/base/error.h"
#include "sheaf/http/fetch/fetch_body.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::pull {

/// Facts about a downloaded file, kept in a small file next to it.
struct DownloadNote {
  std::string url;
  std::string final_url;
  std::string label;
  http::fetch::Validators validators;
  std::string content_type;
  std::uint64_t bytes = 0;  ///< size of the file according to the server; 0 if it did not say
  std::string coding = {};  ///< Content-Encoding of the part

  /// Whether the download can be resumed: Range and If-Range must be able to prove that the rest belongs to
  /// the same version. That needs a strong entity tag or, without any entity tag, a date (RFC 9110, 8.8.1 and
  /// 13.1.5).
  [[nodiscard]] bool can_be_resumed() const;
};

/// Returns nullopt if there is no note, it is damaged, or it belongs to another URL.
std::optional<DownloadNote> read_download_note(const std::filesystem::path& file, std::string_view url);
base::Result<void> write_download_note(const std::filesystem::path& file, const DownloadNote& note);

}  // namespace sheaf::pull
