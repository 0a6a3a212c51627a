#pragma once

#include "sheaf/base/error.h"
#include "sheaf/format/collections/collection_writer.h"
#include "sheaf/store/page_store.h"
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

/// Selects pages. Empty members do not restrict.
struct Filter {
  std::string site;
  std::string section;
  std::optional<Instant> since;  ///< modified then or later
  std::optional<Instant> until;  ///< modified before then
  std::string url;               ///< in which `*` stands for anything
  std::string language;          ///< "en" is every English, "en-GB" only that of Britain
};

struct Options {
  Filter filter;
  /// `expected` is the number of pages to read.
  std::function<void(std::uint64_t bytes, std::uint64_t pages, std::uint64_t expected)> progress = {};
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();  ///< pages to write at most
  /// Called with a message for each damaged page. The other pages are exported, except into a collection,
  /// which would then claim that the damaged pages are gone.
  std::function<void(const std::string& sentence)> on_damage = {};
  unsigned threads = 1;  ///< for the compression of a collection
};

struct Summary {
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;  ///< of their JSON
  /// If several sections of a site have the same page, only the newest is exported, unless a section is
  /// selected.
  std::uint64_t duplicates = 0;
  std::uint64_t removed = 0;  ///< lines of pages that are gone; export_changes only
  store::FeedCursor cursor;   ///< the change to go on from; export_changes only
  std::uint64_t damaged = 0;  ///< pages that could not be read
};

/// Receives the output. An error ends the export.
using Sink = std::function<base::Result<void>(std::string_view bytes)>;
/// Renders the content of a page as text. Provided by the caller, because this module does not know HTML.
using Renderer = std::function<std::string(const Page& page)>;

/// Whether a page's language matches: `wanted` is a prefix of its subtags, ignoring case.
bool matches_language(std::string_view language, std::string_view wanted);
bool matches_url(const Filter& filter, std::string_view url);

/// The number of pages that an export would write.
base::Result<Summary> count_pages(const store::PageStore& store, const Options& options);

/// JSON Lines: each page as stored, with site, section and fetch time (page_line.h).
base::Result<Summary> export_lines(const store::PageStore& store, const Options& options, const Sink& sink);

/// JSON Lines of the pages that changed after a position in the change feed: each page once, as it is now, in
/// the order of its newest change. Also lists pages that were removed or no longer pass the filter. Each line
/// has the number of the change. Memory use does not depend on the length of the feed. Errc::refused if the
/// position is before the start or after the end of the feed.
base::Result<Summary> export_changes(const store::PageStore& store, const Options& options,
                                     const store::FeedCursor& after, const Sink& sink);

/// Each page's front matter and rendered content, one after another.
base::Result<Summary> export_text(const store::PageStore& store, const Options& options,
                                  const Renderer& render, const Sink& sink);

/// The same, with one file per page below `folder`: `example.com/docs/start.md` for
/// https://example.com/docs/start. Existing files are overwritten; none is removed.
base::Result<Summary> export_files(const store::PageStore& store, const Options& options,
                                   const Renderer& render, const std::filesystem::path& folder,
                                   std::string_view extension);

/// A snapshot of one section. Errors: not_found if there is no such section, invalid_argument if several
/// match, refused for a page that a reader would reject.
base::Result<format::WriteSummary> export_collection(const store::PageStore& store, const Options& options,
                                                     std::vector<format::WriterTarget> targets);

}  // namespace sheaf::exporting
