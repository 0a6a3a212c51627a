#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/base/text_sort.h"
#include "sheaf/base/url.h"
#include "sheaf/crawl/archived_capture.h"
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

namespace sheaf::crawl {

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
