#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/time.h"
#include "sheaf/format/collection_writer.h"
#include "sheaf/model/page.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <filesystem>
#include <functional>
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
  std::string language;                ///< "en" is every English, "en-GB" only that of Britain
};

struct Options {
  Filter filter;
  std::function<void(std::uint64_t bytes, std::uint64_t pages)> progress;
};

struct Summary {
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;  ///< of their JSON
  /// Of a site's sections that have the same page only the newest is given out, unless a section is asked
  /// for.
  std::uint64_t duplicates = 0;
};

/// Takes what is written; an error ends the export.
using Sink = std::function<base::Result<void>(std::string_view bytes)>;
/// The content of a page as text of some kind. Not in this module, which knows no HTML.
using Renderer = std::function<std::string(const model::Page& page)>;

/// Whether a page's language is the one asked for: the same subtags as far as those go, in any case.
bool matches_language(std::string_view language, std::string_view wanted);

/// Each page's JSON on a line, as it came, with site, section and time of the fetch (page_line.h).
base::Result<Summary> export_lines(const store::PageStore& store, const Options& options, const Sink& sink);

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
