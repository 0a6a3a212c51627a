#pragma once

#include "sheaf/base/error.h"
#include "sheaf/format/collections/collection_writer.h"
#include "sheaf/store/page_store.h"
#include <sheaf/export.h>
#include <sheaf/page.h>
#include <sheaf/time.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Writes pages of a store in other formats. (The namespace differs from the folder because `export` is a C++
// keyword.)
namespace sheaf::exporting {

using sheaf::ExportFilter;
using sheaf::ExportOptions;
using sheaf::ExportSink;
using sheaf::ExportSummary;

/// The member that export adds to a page: its provenance. A member of that name in the page itself is
/// removed, so a consumer can trust it.
inline constexpr std::string_view kProvenanceMember = "sheaf";

/// Appends the page's JSON as stored, with one more member at the end:
/// "sheaf":{"site":"https://example.com","section":"blog","fetched":"2026-01-15T00:00:00Z"}.
/// If changes are exported, the member also has the number of the newest change: "sequence":12.
/// Appends no line feed. `page.json` must not be empty.
void append_page_line(std::string& out, const store::StoredPage& page,
                      std::optional<std::uint64_t> sequence = std::nullopt);

/// Appends the line of a removed page:
/// {"url":..,"sheaf":{"site":..,"section":..,"sequence":12,"removed":true}}.
void append_removal_line(std::string& out, const store::StoreChange& change);

/// Returns the relative path of a page's file: `example.com/docs/start.md` for
/// https://example.com/docs/start. `site` is the site from which the store got the page. `extension` begins
/// with a dot and is in lower case.
///
/// No two pages have the same file, and no file has the name of a folder, even on case-insensitive file
/// systems. The names are valid on all common file systems and stay inside the folder. Simple URLs (https,
/// lower case, default port, no query, ...) are used as they are. Any other name ends in `~` and a hash of
/// site and URL, 128 bits of SHA-256, so an attacker cannot choose a URL that overwrites another page's file.
std::filesystem::path page_file_name(std::string_view site, std::string_view url, std::string_view extension);

/// Renders the content of a page as text. Provided by the caller, because this module does not know HTML.
using Renderer = std::function<std::string(const Page& page)>;

/// Whether a page's language matches: `wanted` is a prefix of its subtags, ignoring case.
bool matches_language(std::string_view language, std::string_view wanted);
bool matches_url(const ExportFilter& filter, std::string_view url);

/// The number of pages that an export would write.
base::Result<ExportSummary> count_pages(const store::PageStore& store, const ExportOptions& options);

/// JSON Lines: each page as stored, with site, section and fetch time.
base::Result<ExportSummary> export_lines(const store::PageStore& store, const ExportOptions& options,
                                         const ExportSink& sink);

/// Writes the pages that changed after a position in the change feed, as JSON Lines: each page once, in its
/// current version, in the order of its newest change. Pages that were removed, or no longer pass the filter,
/// have a line too. Each line has the number of the change. Memory use does not depend on the length of the
/// feed. Fails with Errc::refused if the position is before the start or after the end of the feed.
base::Result<ExportSummary> export_changes(const store::PageStore& store, const ExportOptions& options,
                                           const store::FeedCursor& after, const ExportSink& sink);

/// Writes each page's front matter and rendered content, one page after another.
base::Result<ExportSummary> export_text(const store::PageStore& store, const ExportOptions& options,
                                        const Renderer& render, const ExportSink& sink);

/// Like export_text, with one file per page below `folder`: `example.com/docs/start.md` for
/// https://example.com/docs/start. Existing files are overwritten; none is removed.
base::Result<ExportSummary> export_files(const store::PageStore& store, const ExportOptions& options,
                                         const Renderer& render, const std::filesystem::path& folder,
                                         std::string_view extension);

/// Writes a snapshot of one section. Fails with Errc::not_found if there is no such section, with
/// invalid_argument if several match, and with refused if a reader would reject a page.
base::Result<format::WriteSummary> export_collection(const store::PageStore& store,
                                                     const ExportOptions& options,
                                                     std::vector<format::WriterTarget> targets);

}  // namespace sheaf::exporting
