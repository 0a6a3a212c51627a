#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/time.h"
#include "sheaf/http/fetch.h"
#include "sheaf/http/validators.h"

#include <climits>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace sheaf::pull {

/// What is asked for.
struct DownloadRequest {
  std::string url;
  std::uint64_t limit = 0;  ///< bytes; more are never written
  /// Names what is expected under the address. A whole file that was fetched under the same label is taken as
  /// it is, without asking; with an empty label the server is asked whether it still holds.
  std::string label = {};
  unsigned most_tries = UINT_MAX;  ///< where the policy allows more
  /// Of a version that the caller has used already and needs no more. Where the server has no other, the
  /// outcome is `unchanged` without a file.
  http::Validators known = {};
};

enum class DownloadOutcome : std::uint8_t {
  fetched,
  unchanged,  ///< the server says that what is here, or what the caller knows, still holds
  kept,       ///< whole on disk under its label; nobody was asked
  answered,   ///< another status than 200: there is no file
};

struct Download {
  DownloadOutcome outcome = DownloadOutcome::answered;
  int status = 0;                   ///< of the answer; 0 when nobody was asked
  std::filesystem::path file = {};  ///< empty if there is none
  std::string url = {};             ///< after redirects
  std::string content_type = {};
  http::Validators validators = {};
  std::uint64_t bytes = 0;  ///< of the file
  bool resumed = false;     ///< put together from pieces of several requests, as far as is known
  /// When the server wants to be asked again, where it said so.
  std::optional<std::chrono::seconds> retry_after = {};
};

/// Files fetched from one site, kept in a folder under names made from their addresses. What was fetched in
/// part is gone on with, also after the process has ended: by Range and If-Range, so that two versions never
/// mix. An address without a label is asked for once in the life of this object, and what came is then kept.
/// One thread at a time, one process at a time.
class Downloads {
 public:
  /// `quota` is for everything in the folder, in bytes.
  Downloads(std::filesystem::path folder, http::Fetcher& fetcher, http::RetryPolicy retry,
            std::uint64_t quota, std::function<bool()> cancelled = {});

  /// Errors as of http::Fetcher; a quota that is used up is refused.
  base::Result<Download> fetch(const DownloadRequest& request);

  /// Takes the file of an address away, what there is of it.
  void drop(std::string_view url);

  /// Bytes of all files here.
  [[nodiscard]] std::uint64_t used() const;

 private:
  struct Note;
  struct Attempt;
  [[nodiscard]] std::filesystem::path path_of(std::string_view url, std::string_view ending) const;
  [[nodiscard]] std::optional<Note> read_note(std::string_view url) const;
  [[nodiscard]] base::Result<void> write_note(const Note& note) const;
  base::Result<Download> try_once(const DownloadRequest& request, std::uint64_t limit);
  base::Result<Download> finish(const DownloadRequest& request, Attempt& attempt,
                                const http::FetchHead& head);
  [[nodiscard]] std::unexpected<base::Error> over_quota(std::string_view url) const;
  bool wait(std::chrono::milliseconds time) const;

  std::filesystem::path folder_;
  http::Fetcher* fetcher_;
  http::RetryPolicy retry_;
  std::uint64_t quota_;
  std::function<bool()> cancelled_;
  std::unordered_set<std::string> asked_;  ///< whole files known to be what the server has
};

}  // namespace sheaf::pull
