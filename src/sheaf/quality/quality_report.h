#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/external_sort.h"
#include "sheaf/base/file.h"
#include "sheaf/quality/page_quality.h"
#include <sheaf/validate.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::format {
class JsonWriter;
}

// The quality report of a site's pages, for its publisher or operator. publish and pull share it.

namespace sheaf::quality {

/// A list of records that may not fit in memory. Records are appended one by one, then read in order or by
/// position. Up to a megabyte is kept in memory; more is written to a temporary file.
class RecordSpool {
 public:
  /// `folder` is for the temporary file, as in base::SpoolFile::create().
  explicit RecordSpool(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Appends a record and returns its position, for at().
  base::Result<std::uint64_t> append(std::string_view record);
  /// Calls `use` for each record in order. If `use` fails, each() stops and returns the error.
  base::Result<void> each(const std::function<base::Result<void>(std::string_view)>& use) const;
  base::Result<std::string> at(std::uint64_t place) const;
  [[nodiscard]] std::uint64_t records() const { return records_; }

 private:
  base::Result<void> flush();
  base::Result<void> read(std::uint64_t place, std::string& out, std::size_t size) const;
  [[nodiscard]] std::uint64_t end() const { return flushed_ + buffer_.size(); }

  std::filesystem::path folder_;
  std::optional<base::SpoolFile> file_;
  std::string buffer_;         ///< records that are not in the file yet
  std::uint64_t flushed_ = 0;  ///< number of bytes in the file
  std::uint64_t records_ = 0;
};

/// Version of the report file and of the member `quality` of --json. It is incremented when a member is
/// removed, renamed or changes its meaning, not when a member is added.
inline constexpr std::uint64_t kReportVersion = 1;

/// A page with fewer characters and without other content (PageQuality::has_media) is near-empty.
inline constexpr std::uint64_t kNearEmptyChars = 50;

/// A page that was skipped.
struct SkippedPage {
  std::string_view section = {};
  std::string_view item = {};    ///< URL of the page, or its name in the source
  std::string_view reason = {};  ///< "noindex", "draft", ...; see docs/publishing.md and docs/pulling.md
  std::string_view detail = {};  ///< may be empty
};

using sheaf::QualitySummary;

/// One line for each kind of finding, for people: "3 pages are nearly empty". Counts of zero are omitted.
std::vector<std::string> describe(const QualitySummary& summary);
/// The counts as a JSON object.
void write_summary(format::JsonWriter& out, std::string_view key, const QualitySummary& summary);

/// Collects the measurements of pages and writes the report. Memory use does not depend on the number of
/// pages, because lists are written to temporary files and titles are sorted on disk. Not thread-safe.
class QualityReport {
 public:
  /// `folder` is for temporary files; if empty, the system's folder for temporary files.
  explicit QualityReport(const std::filesystem::path& folder = {});

  base::Result<void> add_page(std::string_view section, std::string_view url, std::string_view title,
                              const PageQuality& quality);
  void count_unread() { ++summary_.unread; }
  base::Result<void> skip(const SkippedPage& page);

  /// Calls `use` for each skipped page, in the order of skip().
  base::Result<void> each_skipped(const std::function<void(const SkippedPage&)>& use) const;

  /// Completes the report. Call it after the last page.
  base::Result<QualitySummary> finish();

  /// Writes the report as one JSON object without a line feed. Call it after finish(). The sink receives
  /// pieces that do not split characters. `site` is the URL of the site.
  base::Result<void> write(std::string_view site,
                           const std::function<base::Result<void>(std::string_view)>& sink) const;

 private:
  /// The hash of a title and the position of the record of its page.
  struct TitlePlace {
    std::uint64_t title = 0;
    std::uint64_t place = 0;
    friend auto operator<=>(const TitlePlace&, const TitlePlace&) = default;
  };
  class Writer;

  base::Result<void> collect_duplicates();

  QualitySummary summary_;
  RecordSpool pages_;
  RecordSpool skipped_;
  RecordSpool duplicates_;  ///< entries for titles that several pages have, grouped by title
  base::ExternalSort<TitlePlace> titles_;
  TextCounter texts_;
  KeptShareHistogram shares_;
  std::vector<CountedText> repeated_;
  std::optional<UsualShare> usual_;
};

// The records of the lists that the quality report keeps on disk.

/// A measured page. The views point into the bytes that it was decoded from.
struct MeasuredPage {
  std::string_view section;
  std::string_view url;
  std::string_view title;
  std::uint64_t chars = 0;
  std::optional<std::uint64_t> share = {};  ///< kept share of the page's text, in thousandths
  bool near_empty = false;
  bool has_own_title = true;
};

std::string encode(const MeasuredPage& page);
std::string encode(const SkippedPage& page);
base::Result<MeasuredPage> decode_page(std::string_view bytes);
base::Result<SkippedPage> decode_skipped(std::string_view bytes);

}  // namespace sheaf::quality
