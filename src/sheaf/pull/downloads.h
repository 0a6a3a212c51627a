#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/http/fetch/fetch_body.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/pull/download_note.h"
#include "sheaf/pull/failure.h"
#include "sheaf/pull/site_usage.h"
#include <sheaf/time.h>

#include <climits>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sheaf::pull {

/// A file to download.
struct DownloadRequest {
  std::string url;
  std::uint64_t limit = 0;  ///< maximum size in bytes
  /// Identifies the version that is expected at the URL. A complete file with the same label is used without
  /// a request; if the label is empty, the server is asked whether the file has changed.
  std::string label = {};
  unsigned most_tries = UINT_MAX;  ///< maximum, if the policy allows more
  /// Validators of a version that the caller has already used. If the server still has that version, the
  /// outcome is `unchanged`, without a file.
  http::fetch::Validators known = {};
  /// Whether this is a collection: then the transfer ends early if the file clearly is something else
  /// (CollectionProbe).
  bool is_collection = false;
  std::optional<std::uint64_t> advertised = {};            ///< its size according to the sitemap
  std::function<void(std::uint64_t bytes)> progress = {};  ///< bytes of the file so far
};

enum class DownloadOutcome : std::uint8_t {
  fetched,
  unchanged,  ///< the server says that the file on disk, or the version that the caller knows, is current
  kept,       ///< complete on disk with the same label; nothing was requested
  answered,   ///< an unusable status; there is no file
};

struct Download {
  DownloadOutcome outcome = DownloadOutcome::answered;
  int status = 0;                   ///< of the response; 0 if nothing was requested
  std::filesystem::path file = {};  ///< empty if there is none
  std::string url = {};             ///< after redirects
  std::string content_type = {};
  http::fetch::Validators validators = {};
  std::uint64_t bytes = 0;  ///< of the file
  bool resumed = false;     ///< known to be assembled from several requests
  /// From Retry-After, if the server sent one.
  std::optional<std::chrono::seconds> retry_after = {};
};

/// Downloads files of one site into a folder, named by a hash of their URLs. A partial download is resumed
/// with Range and If-Range, also by a later process, so that two versions never mix. In the lifetime of this
/// object, a URL without a label is requested only once, and a collection that failed not again. Must not be
/// used by several threads or processes at the same time.
///
/// Two limits protect against tarpits and dead servers, because a sitemap may list thousands of files:
///
/// - A download that fell below the minimum rate of the fetcher (TransferPace) is not retried. After
///   kSlowTransfers of them, on any hosts, every fetch() fails at once: each costs a minute, and one quick
///   response does not make up for it.
/// - An origin is not requested again after kUnansweredInARow requests in a row without a response, or with
///   a status that means a temporary error. Any other response resets the count.
class Downloads {
 public:
  /// `quota` limits the total size of the folder, in bytes. Half of the free space on its disk limits it too.
  Downloads(std::filesystem::path folder, http::fetch::Fetcher& fetcher, unsigned tries, std::uint64_t quota,
            std::function<bool()> cancelled = {});

  static constexpr unsigned kSlowTransfers = 3;
  static constexpr unsigned kUnansweredInARow = 5;

  /// Called before every request and every redirect to another origin; a failure ends the download.
  using Guard = std::function<Failure(const base::Url&)>;
  void set_guard(Guard guard) { guard_ = std::move(guard); }

  /// The usage preferences that the fetched collections state; nullopt if none was fetched.
  [[nodiscard]] const std::optional<SiteUsage>& usage() const { return usage_; }

  /// Downloads a file. Fails like Fetcher::fetch, and with Errc::refused if the quota is exhausted.
  base::Result<Download> fetch(const DownloadRequest& request);

  /// The failure of the last fetch(), whose error is `error`.
  [[nodiscard]] Failure failure(const base::Error& error) const { return {failure_code_, error.message}; }

  /// Deletes the file of a URL, complete or partial.
  void drop(std::string_view url);

  /// Tells clean() that all sitemaps of the site were read through this object, so it knows everything that
  /// is offered.
  void note_all_listed() { all_listed_ = true; }
  /// Deletes what no later pull needs: files whose URL was neither requested through this object nor is in
  /// `kept`, if all that is offered is known (note_all_listed), and in any case the oldest files beyond
  /// kKeptSitemaps, kKeptSitemapBytes and `most_collections`. Call it at the end of a pull.
  void clean(const std::vector<std::string>& kept, std::size_t most_collections = kKeptCollections);

  static constexpr std::size_t kKeptSitemaps = 1000;
  static constexpr std::uint64_t kKeptSitemapBytes = std::uint64_t{64} << 20;
  static constexpr std::size_t kKeptCollections = 16;

  /// Total size of all files in the folder.
  [[nodiscard]] std::uint64_t used() const;

 private:
  struct Attempt;
  [[nodiscard]] static std::string name_of(std::string_view url);
  /// Deletes every file whose name is not in `names`.
  void keep_only(const std::unordered_set<std::string>& names);
  base::Result<std::uint64_t> make_room();
  void measure();
  /// Deletes a partial file that the next try or pull cannot continue.
  void drop_part(std::string_view url);
  [[nodiscard]] std::filesystem::path path_of(std::string_view url, std::string_view ending) const;
  [[nodiscard]] std::optional<DownloadNote> read_note(std::string_view url) const;
  base::Result<Download> fetch_with_retries(const DownloadRequest& request, std::uint64_t limit);
  [[nodiscard]] base::Result<void> admit(const base::Url& url);
  std::unexpected<base::Error> fail(Failure failure, base::Errc code);
  /// Fails if the site has reached its limit of slow transfers, or the origin of the file its limit of
  /// unanswered requests.
  base::Result<void> check_patience(const DownloadRequest& request, const std::string& origin);
  /// Counts the requests in a row that the origin did not answer.
  void note_response(const std::string& origin, const base::Result<Download>& download);
  base::Result<http::fetch::FetchHead> follow(const DownloadRequest& request, http::fetch::FetchRequest get,
                                              Attempt& attempt);
  base::Result<Download> try_once(const DownloadRequest& request, std::uint64_t limit);
  base::Result<Download> finish(const DownloadRequest& request, Attempt& attempt,
                                const http::fetch::FetchHead& head);
  base::Result<void> undo_coding(const DownloadRequest& request, const DownloadNote& note, Attempt& attempt);
  [[nodiscard]] std::unexpected<base::Error> over_quota(std::string_view url);

  std::filesystem::path folder_;
  http::fetch::Fetcher* fetcher_;
  unsigned tries_;
  std::uint64_t quota_;
  std::function<bool()> cancelled_;
  Guard guard_;
  std::optional<SiteUsage> usage_;
  FailureCode failure_code_ = FailureCode::none;
  unsigned slow_transfers_ = 0;
  std::unordered_map<std::string, unsigned> unanswered_;  ///< requests in a row without a response, by origin
  bool all_listed_ = false;
  std::optional<std::uint64_t> used_;                ///< bytes of all files, kept up to date
  std::uint64_t room_ = 0;                           ///< maximum bytes of all files, at the moment
  std::unordered_set<std::string> collections_;      ///< names of the collections that were requested
  std::unordered_set<std::string> needed_;           ///< names of the files that were requested
  std::unordered_set<std::string> asked_;            ///< complete files known to be current
  std::unordered_map<std::string, Failure> failed_;  ///< collections that are not tried again, by URL
};

}  // namespace sheaf::pull
