#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/base/text_sort.h"
#include "sheaf/base/url.h"
#include "sheaf/crawl/page_visit.h"
#include "sheaf/warc/warc_reader.h"
#include "sheaf/warc/warc_record.h"
#include <sheaf/time.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

// A capture of a URL, as WarcPages sorts them on disk.
namespace sheaf::crawl {

/// One capture. The texts are views of the data that it was made from.
struct ArchivedCapture {
  enum class Kind : std::uint8_t {
    page,
    revisit,           ///< its content is that of an earlier capture of the same URL
    revisit_of_other,  ///< its content is that of another URL; sorted with the captures of that URL
  };

  Kind kind = Kind::page;
  std::string_view site = {};  ///< site::site_key of the URL
  std::string_view url = {};
  Instant date = {};
  std::string_view etag = {};
  std::string_view last_modified = {};
  std::string_view content_type = {};
  std::string_view robots = {};
  std::string_view id = {};      ///< of the record; in a revisit, of the record that it refers to
  std::string_view digest = {};  ///< of the payload, as the record states it
  std::optional<Instant> refers_to_date = {};
  std::string_view body = {};  ///< of a page
};

std::string encode_capture(const ArchivedCapture& capture);
/// `bytes` must come from encode_capture(); the result has views of them.
ArchivedCapture decode_capture(std::string_view bytes);

/// Whether a revisit refers to this page, by its record ID, date or payload digest. A revisit that has none
/// of them refers to every earlier capture of the URL.
bool refers_to(const ArchivedCapture& revisit, const ArchivedCapture& page);

/// The page as it was at the time of the revisit: its content with the URL, date and validators of the
/// revisit.
ArchivedCapture page_at_revisit(const ArchivedCapture& revisit, const ArchivedCapture& page);

/// The key by which captures are sorted: by site, then by the hash of the URL, then newest first. Of two
/// captures with the same time, the one that was read last comes first. `number` is the number of the record.
std::string capture_key(std::string_view site, std::string_view url, Instant date, std::uint64_t number);
/// The part of the key that all captures of a URL share.
std::string_view url_part(std::string_view capture_key);

/// A page of an archive, in the form of a visit.
struct ArchivedPage {
  std::string site;  ///< site::site_key of its URL
  PageVisit visit;   ///< fate `stored`, with the decoded body
  Instant date;      ///< when it was fetched; kUndated if the archive does not say it
};

/// The date of captures without a usable one, so that every other capture of their URL is newer.
inline constexpr Instant kUndated{0, 0};

/// Counts of the records of WARC files by their outcome.
struct WarcCounts {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;    ///< of the files whose sizes are known
  std::uint64_t records = 0;  ///< the sum of `types`
  std::array<std::uint64_t, warc::kRecordTypes> types{};
  std::uint64_t pages = 0;         ///< HTML with status 200
  std::uint64_t other_type = 0;    ///< documents that are not HTML
  std::uint64_t other_status = 0;  ///< redirects, errors, not found
  std::uint64_t not_selected = 0;  ///< not http or https, or of another site than requested
  std::uint64_t unreadable = 0;    ///< pages that are cut, too large, or cannot be decoded
  std::uint64_t too_large = 0;     ///< blocks over the limit of warc::WarcLimits, of unknown type
  std::uint64_t repeated = 0;      ///< older captures of a URL that has a newer one
  std::uint64_t revisited = 0;     ///< pages dated by a later `revisit` record
  std::uint64_t unresolved = 0;    ///< `revisit` records of pages that the files do not have
  std::uint64_t faults = 0;        ///< damage in the files themselves
};

struct WarcPagesOptions {
  std::function<bool(const base::Url& url)> is_selected = {};  ///< empty: every http or https URL
  std::uint64_t page_bytes = kPageBytes;
  std::filesystem::path temporary = {};  ///< folder for data that does not fit in memory
  std::size_t memory = std::size_t{48} << 20;
  unsigned threads = 1;  ///< for decompression
  Instant now = {};      ///< dates up to a day later are replaced by this one; later ones are not usable
  /// Called for each fault with a sentence that names the file and the place.
  std::function<void(const std::string& sentence)> on_fault = {};
  std::function<void(std::uint64_t bytes, std::uint64_t records)> progress = {};
  std::function<bool()> cancelled = {};
};

/// The pages in WARC files: HTML documents with status 200, the newest capture of each URL. A `revisit`
/// record is a capture too: its content is that of the record it refers to.
///
/// Pages are ordered by site, then by the hash of their URL, as in a crawl, so both learn the same template.
/// The files may have them in any order and may be larger than memory, so the pages are sorted on disk. Add
/// all files, then call sort(), then next().
class WarcPages {
 public:
  explicit WarcPages(WarcPagesOptions options);

  /// Reads a file. Damage is reported and skipped; a file without a record, or one that cannot be decoded, is
  /// damage too. Fails with an error of the disk, and with Errc::refused if cancelled.
  base::Result<void> add(base::ByteSource& file);
  /// Fails with Errc::invalid_data if none of the files has a WARC record.
  base::Result<void> sort();
  /// Returns nullopt after the last page.
  base::Result<std::optional<ArchivedPage>> next();

  [[nodiscard]] const WarcCounts& counts() const { return counts_; }
  /// The origin of the site with this key that has the most pages. A site may have several origins: http and
  /// https, with and without `www.`.
  [[nodiscard]] std::string origin_of(const std::string& site) const;
  [[nodiscard]] std::size_t sites() const { return origins_.size(); }

 private:
  /// A record with a URL that was asked for.
  struct Record {
    const warc::RecordHead& head;
    const base::Url& url;
    const std::string& file;
    std::uint64_t offset;  ///< in the decompressed file
  };

  base::Result<void> read_records(warc::WarcReader& reader, const std::string& file);
  base::Result<void> take(warc::WarcReader& reader, const warc::RecordHead& head, const std::string& file);
  base::Result<void> take_page(const Record& record, std::string_view block);
  base::Result<void> keep(const Record& record, const http::fetch::FetchHead& response,
                          std::string_view body);
  base::Result<void> take_revisit(const Record& record, std::string_view block);
  base::Result<void> copy_to_other_urls();
  base::Result<std::optional<std::string>> newest_capture();
  Instant date_of(const Record& record);
  void report_file(std::string sentence);
  void report(const std::string& sentence);
  void report(const std::string& file, std::uint64_t offset, std::string_view message);

  WarcPagesOptions options_;
  base::TextSort sort_;
  WarcCounts counts_;
  std::map<std::string, std::map<std::string, std::uint64_t>> origins_;  ///< site -> origin -> pages
  std::uint64_t of_other_urls_ = 0;             ///< revisits that refer to another URL
  std::optional<base::TextSort::Entry> ahead_;  ///< the first capture of the next URL
  std::string bad_file_;                        ///< why the first bad file could not be read
};

}  // namespace sheaf::crawl
