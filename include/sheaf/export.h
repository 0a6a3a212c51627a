// sheaf/export.h - export pages from a store
//
// Writes pages as JSON Lines, as a collection, as Parquet or WARC, or as a folder of Markdown files. The same
// as `sheaf export`.
//
//     #include <sheaf/export.h>
//
//     #include <cstdio>
//
//     int main() {
//       auto store = sheaf::Store::open("copy", sheaf::StoreAccess::write);
//       if (!store || !store->apply("https://shop.example", "all", "monday.scp")) return 2;
//       const auto print = [](std::string_view bytes) -> sheaf::Result<void> {
//         std::fwrite(bytes.data(), 1, bytes.size(), stdout);
//         return {};
//       };
//       const auto lines = sheaf::export_lines(*store, {}, print);
//       const auto files = sheaf::export_markdown(*store, {}, "pages");
//       return lines && files && lines->pages == files->pages ? 0 : 1;
//     }
//
// If several sections of a site have the same page, only the newest version is exported, unless the filter
// names a section.
//
// Errors: invalid_data if the store has lost a page; errors of the sink; I/O errors.
// Threads: several exports of one store may run concurrently.
#pragma once

#include <sheaf/error.h>
#include <sheaf/store.h>
#include <sheaf/time.h>
#include <sheaf/writer.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf {

/// Selects the pages to export. Empty members do not restrict the selection.
struct ExportFilter {
  std::string site = {};
  std::string section = {};
  std::optional<Instant> since = {};  ///< pages modified at this time or later
  std::optional<Instant> until = {};  ///< pages modified before this time
  std::string url = {};               ///< a pattern; `*` matches any characters
  std::string language = {};          ///< "en" matches all variants of English, "en-GB" only British English
};

struct ExportOptions {
  ExportFilter filter = {};
  /// `expected` is the number of pages to read.
  std::function<void(std::uint64_t bytes, std::uint64_t pages, std::uint64_t expected)> progress = {};
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();  ///< maximum number of pages to write
  /// Called with a message for each damaged page. The other pages are exported, except into a collection,
  /// which would then claim that the damaged pages are gone.
  std::function<void(const std::string& sentence)> on_damage = {};
  unsigned threads = 1;  ///< threads that compress a collection
};

struct ExportSummary {
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;  ///< size of the pages' JSON
  /// Pages skipped because another section of the site has a newer version.
  std::uint64_t duplicates = 0;
  std::uint64_t removed = 0;  ///< pages that were removed; export_changes only
  FeedCursor cursor;          ///< the value of `after` for the next call; export_changes only
  std::uint64_t damaged = 0;  ///< pages that could not be read
};

/// Receives the output; an error stops the export.
using ExportSink = std::function<Result<void>(std::string_view bytes)>;

/// Writes one line of JSON per page: the page as it was received, with its site, section and fetch time.
Result<ExportSummary> export_lines(const Store& store, const ExportOptions& options, const ExportSink& sink);

/// Writes the pages that changed after the position `after` of the change feed (0: all), each once and in
/// its current version, and a line for each page that was removed. Positions are those of Store::position().
/// Fails with `refused` if the feed no longer reaches back that far.
Result<ExportSummary> export_changes(const Store& store, const ExportOptions& options,
                                     const FeedCursor& after, const ExportSink& sink);

/// Writes each page as Markdown with front matter to a separate file: https://example.com/docs/start becomes
/// `folder`/example.com/docs/start.md. Existing files are overwritten; no file is removed.
Result<ExportSummary> export_markdown(const Store& store, const ExportOptions& options,
                                      const std::filesystem::path& folder);

/// Writes a snapshot of one section, which the filter must name. Fails with `not_found` if the store does not
/// have the section.
Result<WriteSummary> export_collection(const Store& store, const ExportOptions& options,
                                       std::vector<WriterTarget> targets);

/// Writes one Parquet file with the pages sorted by site, section and URL; docs/parquet.md lists the columns.
/// Fails with `refused` if the file exists and no earlier export wrote it.
Result<ExportSummary> export_parquet(const Store& store, const ExportOptions& options,
                                     const std::filesystem::path& file);

/// Writes the texts of pages as gzipped WARC conversion records, like the WET files of Common Crawl
/// (docs/warc.md).
Result<ExportSummary> export_warc(const Store& store, const ExportOptions& options, const ExportSink& sink);

}  // namespace sheaf
