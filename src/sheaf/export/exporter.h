#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/time.h"
#include "sheaf/format/collection_writer.h"
#include "sheaf/model/page.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Pages out of a store, in the forms that others read. (The namespace is not called as the folder is:
// `export` is a word of the language.)
namespace sheaf::exporting {

/// Which pages. Empty members do not restrict.
struct Filter {
  std::string site;
  std::string section;
  std::optional<base::Instant> since;  ///< modified then or later
  std::optional<base::Instant> until;  ///< modified before then
  std::string url;                     ///< in which `*` stands for anything
  std::string language;                ///< "en" is every English, "en-GB" only that of Britain
};

struct Options {
  Filter filter;
  /// `expected` is how many pages there are to go through.
  std::function<void(std::uint64_t bytes, std::uint64_t pages, std::uint64_t expected)> progress = {};
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();  ///< pages to write at most
};

struct Summary {
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;  ///< of their JSON
  /// Of a site's sections that have the same page only the newest is given out, unless a section is asked
  /// for.
  std::uint64_t duplicates = 0;
  std::uint64_t removed = 0;  ///< lines of pages that are gone; export_changes only
  std::uint64_t cursor = 0;   ///< the change to go on from; export_changes only
};

/// Takes what is written; an error ends the export.
using Sink = std::function<base::Result<void>(std::string_view bytes)>;
/// The content of a page as text of some kind. Not in this module, which knows no HTML.
using Renderer = std::function<std::string(const model::Page& page)>;

/// Whether a page's language is the one asked for: the same subtags as far as those go, in any case.
bool matches_language(std::string_view language, std::string_view wanted);
bool matches_url(const Filter& filter, std::string_view url);

/// The pages that an export would write.
base::Result<Summary> count_pages(const store::PageStore& store, const Options& options);

/// Each page's JSON on a line, as it came.
base::Result<Summary> export_lines(const store::PageStore& store, const Options& options, const Sink& sink);

/// The pages that changed after that change of the feed, as they are now, each once, in the order of their
/// newest changes; and those that are gone, or that the filter does not take any more. Each on a line with
/// the number of its change. Memory does not grow with the feed. Errors: refused where the feed does not
/// reach that far back, or not that far.
base::Result<Summary> export_changes(const store::PageStore& store, const Options& options,
                                     std::uint64_t after, const Sink& sink);

/// Each page's front matter and what the renderer makes of it, one after the other.
base::Result<Summary> export_text(const store::PageStore& store, const Options& options,
                                  const Renderer& render, const Sink& sink);

/// The same, each page in a file of its own below `folder`: `example.com/docs/start.md` for
/// https://example.com/docs/start. Files that are there are written over, none is removed.
base::Result<Summary> export_files(const store::PageStore& store, const Options& options,
                                   const Renderer& render, const std::filesystem::path& folder,
                                   std::string_view extension);

/// A snapshot of one section. Errors: not_found where there is none such, invalid_argument where several
/// match, refused for a page that a reader would not take.
base::Result<format::WriteSummary> export_collection(const store::PageStore& store, const Options& options,
                                                     std::vector<format::WriterTarget> targets);

}  // namespace sheaf::exporting
