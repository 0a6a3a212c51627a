#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/time.h"
#include "sheaf/base/url.h"
#include "sheaf/http/fetch.h"
#include "sheaf/http/validators.h"
#include "sheaf/pull/failure.h"

#include <climits>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

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
  /// A collection: the transfer ends early where it clearly is something else (CollectionProbe).
  bool is_collection = false;
  std::optional<std::uint64_t> advertised = {};  ///< its size, by the sitemap
  std::function<void(std::uint64_t bytes)> progress = {};  ///< how much of the file is there
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
///
/// Tarpits: a download that fell behind the pace of the fetcher (http::TransferPace) is not tried again by
/// the same object, and after kSlowTransfers of them nothing more is asked for: fetch() fails at once.
class Downloads {
 public:
  /// `quota` is for everything in the folder, in bytes.
  Downloads(std::filesystem::path folder, http::Fetcher& fetcher, http::RetryPolicy retry,
            std::uint64_t quota, std::function<bool()> cancelled = {});

  static constexpr unsigned kSlowTransfers = 3;

  /// Asked before every request and every redirect that leaves its origin; a failure ends the download.
  using Guard = std::function<Failure(const base::Url&)>;
  void set_guard(Guard guard) { guard_ = std::move(guard); }

  /// Errors as of http::Fetcher; a quota that is used up is refused.
  base::Result<Download> fetch(const DownloadRequest& request);

  /// The failure that the error of the last fetch() means, with its code.
  [[nodiscard]] Failure failure(const base::Error& error) const { return {failure_code_, error.message}; }

  /// Deletes the file of a URL, and what there is of it.
  void drop(std::string_view url);

  /// The sitemaps of the site were all read through this object, so that clean() knows what is offered.
  void note_all_listed() { all_listed_ = true; }
  /// Deletes what no later pull needs: every file whose URL was neither asked for through this object nor is
  /// one of `kept`. Does nothing before note_all_listed(). To be called at the end of a pull.
  void clean(const std::vector<std::string>& kept);

  /// Bytes of all files here.
  [[nodiscard]] std::uint64_t used() const;

 private:
  struct Note;
  struct Attempt;
  [[nodiscard]] static std::string name_of(std::string_view url);
  /// Deletes every file whose name is not in `names`.
  void keep_only(const std::unordered_set<std::string>& names);
  base::Result<std::uint64_t> make_room();
  [[nodiscard]] std::filesystem::path path_of(std::string_view url, std::string_view ending) const;
  [[nodiscard]] std::optional<Note> read_note(std::string_view url) const;
  [[nodiscard]] base::Result<void> write_note(const Note& note) const;
  base::Result<Download> fetch_with_retries(const DownloadRequest& request, std::uint64_t limit);
  [[nodiscard]] base::Result<void> admit(const base::Url& url);
  std::unexpected<base::Error> fail(Failure failure, base::Errc code);
  base::Result<http::FetchHead> follow(const DownloadRequest& request, http::FetchRequest get,
                                       Attempt& attempt);
  base::Result<Download> try_once(const DownloadRequest& request, std::uint64_t limit);
  base::Result<Download> finish(const DownloadRequest& request, Attempt& attempt,
                                const http::FetchHead& head);
  [[nodiscard]] std::unexpected<base::Error> over_quota(std::string_view url);
  bool wait(std::chrono::milliseconds time) const;

  std::filesystem::path folder_;
  http::Fetcher* fetcher_;
  http::RetryPolicy retry_;
  std::uint64_t quota_;
  std::function<bool()> cancelled_;
  Guard guard_;
  FailureCode failure_code_ = FailureCode::none;
  unsigned slow_transfers_ = 0;
  bool all_listed_ = false;
  std::optional<std::uint64_t> used_;       ///< bytes of all files, kept up to date
  std::unordered_set<std::string> needed_;  ///< names of the files that were asked for
  std::unordered_set<std::string> asked_;   ///< whole files known to be what the server has
};

}  // namespace sheaf::pull
