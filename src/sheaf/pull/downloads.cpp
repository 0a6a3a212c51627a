#include "sheaf/pull/downloads.h"

#include "sheaf/base/file.h"
#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"
#include "sheaf/http/fetch/address_rules.h"
#include "sheaf/http/fetch/fetch_body.h"
#include "sheaf/http/fetch/host_gate.h"
#include "sheaf/pull/collection_probe.h"
#include "sheaf/pull/content_coding_undo.h"
#include "sheaf/pull/fetch_failure.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <random>
#include <span>
#include <utility>

namespace sheaf::pull {
namespace {

namespace fs = std::filesystem;
using base::Errc;
using base::Result;

constexpr std::size_t kNameBytes = 16;    // of the hash of a URL, in a file name
constexpr std::uint64_t kNoteRoom = 512;  // approximate size of a note
// Bytes that a try must transfer to count as progress.
constexpr std::uint64_t kProgressBytes = std::uint64_t{64} * 1024;

/// The number at the start of a text, which is removed.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Whether a Content-Range is that of the rest of a file, from this byte on: "bytes 100-199/200". `size` is
/// the size of the file; 0 if it is not known.
bool is_rest_of_file(std::string_view text, std::uint64_t from, std::uint64_t size) {
  const std::string start = fmt::format("bytes {}-", from);
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  const auto last = take_number(text);
  if (!last || *last < from || !text.starts_with('/')) return false;
  text.remove_prefix(1);
  const auto total = text == "*" ? std::optional(*last + 1) : take_number(text);
  return total == *last + 1 && (size == 0 || total == size);
}

/// Whether two sets of validators may belong to one version of a file. A missing one says nothing.
bool may_be_same_version(const http::fetch::Validators& a, const http::fetch::Validators& b) {
  const auto agree = [](const std::string& x, const std::string& y) {
    return x.empty() || y.empty() || x == y;
  };
  return agree(a.etag(), b.etag()) && agree(a.last_modified(), b.last_modified());
}

/// The files of one URL. The order is that of their importance.
struct StoredName {
  bool is_needed = false;
  fs::file_time_type newest = fs::file_time_type::min();
  std::uint64_t bytes = 0;
  bool is_collection = false;

  friend auto operator<=>(const StoredName&, const StoredName&) = default;
};

/// Whether a status means that the body is the whole file. A proxy may answer 203 instead of 200.
bool is_whole(int status) { return status == 200 || status == 203; }

/// Describes a complete file on disk. `status` is that of the response; 0 if nothing was requested.
Download stored_file(const DownloadNote& note, const fs::path& file, DownloadOutcome outcome, int status) {
  std::error_code error;
  return {.outcome = outcome,
          .status = status,
          .file = file,
          .url = note.final_url,
          .content_type = note.content_type,
          .validators = note.validators,
          .bytes = fs::file_size(file, error)};
}

}  // namespace

/// Writes a body to its file, from the start or from where the last try stopped.
struct Downloads::Attempt final : http::fetch::FetchSink {
  Attempt(Downloads& owner, const DownloadRequest& what, const std::optional<DownloadNote>& before,
          fs::path to)
      : downloads(owner), request(what), note(before), part(std::move(to)), probe(what.advertised) {}

  Result<void> begin(const http::fetch::FetchHead& head) override {
    file.reset();
    if (!is_whole(head.status) && head.status != 206) return {};
    resumed = head.status == 206;
    const std::uint64_t from = resumed ? resume_from : 0;
    if (resumed && !is_rest(head))
      return downloads.fail(
          {FailureCode::http_status,
           fmt::format("{} was asked for its bytes from {} on and answered with others: \"{}\", ETag {}",
                       head.url, from, head.header("content-range"), head.header("etag"))},
          Errc::invalid_data);
    if (request.is_collection)
      if (Failure failure = probe.begin(head, from))
        return downloads.fail(std::move(failure), Errc::invalid_data);
    // The old file is deleted first, then the note is written: a file on disk always belongs to its note.
    if (!resumed) {
      downloads.drop(request.url);
      SHEAF_TRY(write_download_note(downloads.path_of(request.url, ".note"),
                                    {.url = request.url,
                                     .final_url = head.url,
                                     .label = request.label,
                                     .validators = http::fetch::Validators(head),
                                     .content_type = std::string(head.header("content-type")),
                                     .bytes = head.length().value_or(0),
                                     .coding = head.joined("content-encoding")}));
    }
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (resumed ? 0 : O_TRUNC);
    file = base::FileDescriptor(::open(part.c_str(), flags, 0644));
    if (!file.is_open() || ::lseek(file.get(), static_cast<off_t>(from), SEEK_SET) < 0)
      return std::unexpected(base::system_error(errno, fmt::format("cannot write {}", part.string())));
    written = from;
    return {};
  }

  Result<void> take(std::string_view bytes) override {
    if (!file.is_open()) return {};  // a status other than success
    if (request.is_collection)
      if (Failure failure = probe.take(bytes)) return downloads.fail(std::move(failure), Errc::invalid_data);
    written += bytes.size();
    if (request.progress) request.progress(written);
    return base::write_all(file.get(), bytes, part.string());
  }

  /// Whether a 206 has the rest of the version of which a part is on disk.
  [[nodiscard]] bool is_rest(const http::fetch::FetchHead& head) {
    mixes_versions = resume_from == 0 ||
                     !is_rest_of_file(head.header("content-range"), resume_from, note->bytes) ||
                     !may_be_same_version(http::fetch::Validators(head), note->validators);
    return !mixes_versions;
  }

  Downloads& downloads;
  const DownloadRequest& request;
  const std::optional<DownloadNote>& note;  ///< of the part on disk
  fs::path part;
  CollectionProbe probe;
  base::FileDescriptor file;
  std::uint64_t resume_from = 0;
  std::uint64_t written = 0;
  bool resumed = false;
  bool mixes_versions = false;  ///< a 206 did not continue the part on disk
};

Downloads::Downloads(fs::path folder, http::fetch::Fetcher& fetcher, unsigned tries, std::uint64_t quota,
                     std::function<bool()> cancelled)
    : folder_(std::move(folder)),
      fetcher_(&fetcher),
      tries_(tries),
      quota_(quota),
      cancelled_(std::move(cancelled)) {}

std::string Downloads::name_of(std::string_view url) {
  const base::Digest digest = base::sha256(url);
  return base::to_hex(std::span(digest).first(kNameBytes));
}

fs::path Downloads::path_of(std::string_view url, std::string_view ending) const {
  return folder_ / fmt::format("{}{}", name_of(url), ending);
}

std::optional<DownloadNote> Downloads::read_note(std::string_view url) const {
  return read_download_note(path_of(url, ".note"), url);
}

std::unexpected<base::Error> Downloads::fail(Failure failure, Errc code) {
  failure_code_ = failure.code;
  return base::fail(code, std::move(failure.message));
}

Result<void> Downloads::admit(const base::Url& url) {
  if (!guard_) return {};
  if (Failure failure = guard_(url)) return fail(std::move(failure), Errc::refused);
  return {};
}

Result<void> Downloads::check_patience(const DownloadRequest& request, const std::string& origin) {
  if (slow_transfers_ >= kSlowTransfers)
    return fail(
        {FailureCode::too_slow, fmt::format("{} is not requested: {} transfers of this site were too slow",
                                            request.url, slow_transfers_)},
        Errc::io);
  const auto unanswered = unanswered_.find(origin);
  if (unanswered == unanswered_.end() || unanswered->second < kUnansweredInARow) return {};
  return fail(
      {FailureCode::unreachable, fmt::format("{} is not requested: {} files of {} in a row were not answered",
                                             request.url, unanswered->second, origin)},
      Errc::io);
}

void Downloads::note_response(const std::string& origin, const Result<Download>& download) {
  const bool nobody_asked = download && download->outcome == DownloadOutcome::kept;
  if (nobody_asked || (cancelled_ && cancelled_())) return;
  const bool unanswered =
      download ? http::fetch::is_temporary(download->status) : failure_code_ == FailureCode::unreachable;
  unanswered_[origin] = unanswered ? unanswered_[origin] + 1 : 0;
}

Result<Download> Downloads::fetch(const DownloadRequest& request) {
  failure_code_ = FailureCode::unreachable;
  const auto url = base::Url::parse(request.url);
  const std::string origin = url ? url->origin() : std::string();
  if (const auto failed = failed_.find(request.url); failed != failed_.end())
    return fail(failed->second, Errc::io);
  SHEAF_TRY(check_patience(request, origin));
  SHEAF_TRY(base::make_folder(folder_));
  needed_.insert(name_of(request.url));
  if (request.is_collection) collections_.insert(name_of(request.url));
  SHEAF_TRY_ASSIGN(const std::uint64_t taken, make_room());
  const std::uint64_t limit = std::min(request.limit, room_ - taken);
  auto download = fetch_with_retries(request, limit);
  note_response(origin, download);
  if (download) return download;
  used_.reset();  // a partial file may remain
  if (failure_code_ == FailureCode::too_slow) ++slow_transfers_;
  const bool useless = failure_code_ == FailureCode::not_a_collection ||
                       failure_code_ == FailureCode::oversized_collection ||
                       failure_code_ == FailureCode::too_large;
  if (useless || !request.is_collection) drop_part(request.url);
  if (request.is_collection && !is_local_failure(download.error()))
    failed_[request.url] = failure(download.error());
  return download;
}

Result<Download> Downloads::fetch_with_retries(const DownloadRequest& request, std::uint64_t limit) {
  http::fetch::WaitClock& clock = *fetcher_->options().clock;
  const http::fetch::WaitClock::Time start = clock.now();
  const http::fetch::TransferPace& pace = fetcher_->options().pace;
  const http::fetch::RetryPause& pauses = fetcher_->options().retry;
  std::minstd_rand generator(std::random_device{}());
  std::uint64_t before = 0;
  std::uint64_t received = 0;
  for (unsigned tries = 1;; ++tries) {
    auto download = try_once(request, limit);
    const bool temporary =
        download
            ? download->outcome == DownloadOutcome::answered && http::fetch::is_temporary(download->status)
            : download.error().code == Errc::io && failure_code_ != FailureCode::too_slow;
    if (!download && failure_code_ == FailureCode::too_large && limit < request.limit)
      return over_quota(request.url);
    if (!temporary) return download;
    // Tries that make progress do not count, so that a large file gets through over a bad connection.
    std::error_code missing;
    const std::uintmax_t part = fs::file_size(path_of(request.url, ".part"), missing);
    if (!missing && part >= before + kProgressBytes) {
      received += part - before;
      before = part;
      tries = 1;
    }
    const auto asked = download && download->retry_after ? *download->retry_after : std::chrono::seconds(0);
    if (tries >= std::min(tries_, request.most_tries) || asked > pauses.longest) return download;
    // The minimum rate also applies to all tries together: otherwise a server could send a few bytes per try
    // for ever.
    const auto elapsed = clock.now() - start;
    if (elapsed + asked > pace.retry_window() + pace.allowed(received)) return download;
    const auto pause =
        http::fetch::wait_before(tries, pauses, std::uniform_real_distribution<>(0, 1)(generator));
    if (!http::fetch::wait_unless_cancelled(std::max<std::chrono::milliseconds>(pause, asked), cancelled_,
                                            clock))
      return base::fail(Errc::refused, fmt::format("{}: stopped", request.url));
  }
}

/// Returns the bytes in use, which are below the quota. Files of earlier pulls are deleted before a download
/// is refused.
Result<std::uint64_t> Downloads::make_room() {
  if (!used_) measure();
  if (*used_ >= room_) {
    keep_only(needed_);
    measure();
  }
  if (*used_ < room_) return *used_;
  return fail(
      {FailureCode::too_large, fmt::format("the files of this site take {} bytes, which exhausts its "
                                           "quota of {} bytes; raise it with --quota (at most half of "
                                           "the free disk space is used), or delete {}",
                                           *used_, room_, folder_.string())},
      Errc::refused);
}

/// Replaces a collection that the server compressed on the fly by what it is without that.
Result<void> Downloads::undo_coding(const DownloadRequest& request, const DownloadNote& note,
                                    Attempt& attempt) {
  if (!request.is_collection) return {};
  const fs::path plain = path_of(request.url, ".plain");
  const auto bytes = undo_content_coding({attempt.part, request.url, note.coding, request.advertised}, plain,
                                         std::min(request.limit, room_));
  if (!bytes && bytes.error().code == Errc::invalid_data) {
    drop(request.url);
    return fail({FailureCode::invalid_collection,
                 fmt::format("{} cannot be read: {}", request.url, bytes.error().message)},
                Errc::invalid_data);
  }
  if (!bytes) return std::unexpected(bytes.error());
  if (!*bytes) return {};
  attempt.written = **bytes;
  std::error_code error;
  fs::rename(plain, attempt.part, error);
  if (!error) return {};
  return std::unexpected(base::system_error(error.value(), fmt::format("cannot rename {}", plain.string())));
}

void Downloads::measure() {
  used_ = used();
  std::error_code unknown;
  const std::uintmax_t free = fs::space(folder_, unknown).available;
  room_ = unknown ? quota_ : std::min<std::uint64_t>(quota_, *used_ + free / 2);
}

void Downloads::clean(const std::vector<std::string>& kept, std::size_t most_collections) {
  std::unordered_set<std::string> collections = collections_;
  for (const std::string& url : kept) collections.insert(name_of(url));
  std::unordered_map<std::string, StoredName> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    StoredName& file = files[entry.path().stem().string()];
    file.bytes += entry.file_size(ignored);
    file.newest = std::max(file.newest, entry.last_write_time(ignored));
    if (entry.path().extension() == ".part") file.is_collection = true;
  }
  std::vector<std::pair<std::string, StoredName>> wanted;
  for (auto& [name, file] : files) {
    file.is_collection = file.is_collection || collections.contains(name);
    file.is_needed = needed_.contains(name) || collections.contains(name);
    if (file.is_needed || !all_listed_) wanted.emplace_back(name, file);
  }
  std::ranges::sort(wanted, std::greater(), [](const auto& each) { return each.second; });
  std::unordered_set<std::string> names;
  std::size_t sitemaps = kKeptSitemaps;
  std::uint64_t sitemap_bytes = kKeptSitemapBytes;
  for (const auto& [name, file] : wanted) {
    std::size_t& room = file.is_collection ? most_collections : sitemaps;
    if (room == 0 || (!file.is_collection && file.bytes > sitemap_bytes)) continue;
    --room;
    if (!file.is_collection) sitemap_bytes -= file.bytes;
    names.insert(name);
  }
  keep_only(names);
  fs::last_write_time(folder_, fs::file_time_type::clock::now(), ignored);  // tidy_downloads() reads it
}

void Downloads::keep_only(const std::unordered_set<std::string>& names) {
  std::error_code ignored;
  std::vector<fs::path> useless;
  for (const auto& entry : fs::directory_iterator(folder_, ignored))
    if (!names.contains(entry.path().stem().string())) useless.push_back(entry.path());
  for (const fs::path& file : useless) fs::remove(file, ignored);
  used_.reset();
}

std::unexpected<base::Error> Downloads::over_quota(std::string_view url) {
  return fail(
      {FailureCode::too_large, fmt::format("{} does not fit into the site's quota of {} bytes, of "
                                           "which {} are used; raise it with --quota (at most half of "
                                           "the free disk space is used), or delete {}",
                                           url, room_, used(), folder_.string())},
      Errc::refused);
}

/// Redirects are followed here and not by the fetcher, because the guard must admit every host before it is
/// requested.
Result<http::fetch::FetchHead> Downloads::follow(const DownloadRequest& request,
                                                 http::fetch::FetchRequest get, Attempt& attempt) {
  get.may_follow = [this](std::string_view) { return !guard_; };
  for (unsigned redirects = 0;; ++redirects) {
    const auto here = base::Url::parse(get.url);
    if (here) SHEAF_TRY(admit(*here));
    auto head = fetcher_->fetch(get, attempt);
    if (!head) {
      const http::fetch::FetchTrouble trouble = fetcher_->trouble();
      if (trouble != http::fetch::FetchTrouble::refused_by_sink)
        failure_code_ = fetch_failure(trouble, {}).code;
      return head;
    }
    if (!http::fetch::is_redirect(*head) || !here) return head;
    auto target =
        http::fetch::redirect_target(head->header("location"), *here, fetcher_->options().allow_http);
    if (!target) {
      const bool refused = target.error().code == Errc::refused;
      failure_code_ = refused ? FailureCode::insecure_url : FailureCode::http_status;
      return std::unexpected(std::move(target).error());
    }
    if (redirects == fetcher_->options().redirects)
      return fail(
          {FailureCode::http_status, fmt::format("{} redirects more than {} times, last to {}", request.url,
                                                 redirects, http::fetch::shown_url(*target))},
          Errc::invalid_data);
    get.url = target->href();
  }
}

Result<Download> Downloads::try_once(const DownloadRequest& request, std::uint64_t limit) {
  const fs::path whole = path_of(request.url, ".body");
  std::optional<DownloadNote> note = read_note(request.url);
  std::error_code error;
  const bool have_whole = note && fs::is_regular_file(whole, error);
  const bool same_label = note && !request.label.empty() && note->label == request.label;
  if (have_whole && (same_label || asked_.contains(request.url)))
    return stored_file(*note, whole, DownloadOutcome::kept, 0);
  Attempt attempt(*this, request, note, path_of(request.url, ".part"));
  http::fetch::FetchRequest get{.url = request.url, .limit = limit, .retry = false};
  if (have_whole) {
    note->validators.add_conditions(get.headers);
  } else if (note && note->can_be_resumed() && note->label == request.label) {
    const std::uintmax_t part = fs::file_size(attempt.part, error);
    if (!error && part > 0 && part < limit) {
      attempt.resume_from = part;
      get.limit = limit - part;
      get.headers.emplace_back("Range", fmt::format("bytes={}-", part));
      get.headers.emplace_back("If-Range", note->validators.etag().empty() ? note->validators.last_modified()
                                                                           : note->validators.etag());
    }
  }
  if (get.headers.empty()) request.known.add_conditions(get.headers);
  if (request.is_collection) get.headers.emplace_back("Accept-Encoding", "identity");
  auto head = follow(request, std::move(get), attempt);
  const bool is_useless = attempt.mixes_versions || (head && head->status == 416);
  if (is_useless && attempt.resume_from > 0) {  // our part is of another version: start again
    drop(request.url);
    return try_once(request, limit);
  }
  if (!head) return std::unexpected(std::move(head).error());
  if (head->status == 304 && have_whole) {
    asked_.insert(request.url);
    return stored_file(*note, whole, DownloadOutcome::unchanged, head->status);
  }
  if (head->status == 304 && !request.known.empty())
    return Download{.outcome = DownloadOutcome::unchanged,
                    .status = head->status,
                    .url = head->url,
                    .validators = request.known};
  return finish(request, attempt, *head);
}

Result<Download> Downloads::finish(const DownloadRequest& request, Attempt& attempt,
                                   const http::fetch::FetchHead& head) {
  Download download{.status = head.status,
                    .url = head.url,
                    .content_type = std::string(head.header("content-type")),
                    .retry_after = http::fetch::retry_after(head)};
  if (!attempt.file.is_open()) return download;
  if (request.is_collection) {
    if (!usage_) usage_.emplace();
    usage_->add(head);
  }
  const std::optional<DownloadNote> note = read_note(request.url);
  if (!note) return base::fail(Errc::io, fmt::format("the note of {} is missing", attempt.part.string()));
  // Renamed after fsync: a file with the final name is complete even after a power failure.
  if (::fsync(attempt.file.get()) != 0)
    return std::unexpected(base::system_error(errno, fmt::format("cannot write {}", attempt.part.string())));
  SHEAF_TRY(undo_coding(request, *note, attempt));
  const fs::path whole = path_of(request.url, ".body");
  std::error_code error;
  fs::rename(attempt.part, whole, error);
  if (error)
    return std::unexpected(
        base::system_error(error.value(), fmt::format("cannot rename {}", attempt.part.string())));
  asked_.insert(request.url);
  download.outcome = DownloadOutcome::fetched;
  download.file = whole;
  download.content_type = note->content_type;
  download.validators = note->validators;
  download.bytes = attempt.written;
  download.resumed = attempt.resumed;
  if (used_) *used_ += attempt.written + kNoteRoom;
  return download;
}

void Downloads::drop_part(std::string_view url) {
  std::error_code ignored;
  if (fs::exists(path_of(url, ".part"), ignored)) drop(url);
}

void Downloads::drop(std::string_view url) {
  asked_.erase(std::string(url));
  std::error_code ignored;
  for (const std::string_view ending : {".note", ".part", ".plain", ".body"}) {
    const fs::path file = path_of(url, ending);
    const std::uintmax_t size = fs::file_size(file, ignored);
    if (!ignored && fs::remove(file, ignored) && used_) *used_ -= std::min<std::uint64_t>(size, *used_);
  }
}

std::uint64_t Downloads::used() const {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    std::error_code unreadable;
    const std::uintmax_t size = entry.file_size(unreadable);
    if (!unreadable) bytes += size;
  }
  return bytes;
}

}  // namespace sheaf::pull
