// sheaf/export.h - pages out of a store, in forms that other programs read
//
// JSON Lines, a collection, or a folder of Markdown files. The same as `sheaf export`.
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
// Of a site's sections that have the same page only the newest is exported, unless a section is asked for.
//
// Errors: invalid_data for a page that the store has lost; the sink's own errors; otherwise the disk.
// Threads: any number of exports of one store at a time.
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

/// Which pages. Empty members do not restrict.
struct ExportFilter {
  std::string site = {};
  std::string section = {};
  std::optional<Instant> since = {};  ///< modified then or later
  std::optional<Instant> until = {};  ///< modified before then
  std::string url = {};               ///< in which `*` stands for anything
  std::string language = {};          ///< "en" is every English, "en-GB" only British
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();  ///< pages to write at most
};

struct ExportSummary {
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;       ///< of their JSON
  std::uint64_t duplicates = 0;  ///< not exported: another section has the page newer
  std::uint64_t removed = 0;     ///< lines of pages that are gone; export_changes only
  std::uint64_t cursor = 0;      ///< the change to go on from; export_changes only
};

/// Receives what is written; an error ends the export.
using ExportSink = std::function<Result<void>(std::string_view bytes)>;

/// Each page's JSON on a line, as it came, with its site, section and the time it was fetched.
Result<ExportSummary> export_lines(const Store& store, const ExportFilter& filter, const ExportSink& sink);

/// The pages that changed after that change of the feed, as they are now, each once; and those that are gone.
/// refused where the feed no longer reaches back that far.
Result<ExportSummary> export_changes(const Store& store, const ExportFilter& filter, std::uint64_t after,
                                     const ExportSink& sink);

/// Each page as Markdown with front matter in a file of its own: `folder`/example.com/docs/start.md for
/// https://example.com/docs/start. Existing files are overwritten, none is removed.
Result<ExportSummary> export_markdown(const Store& store, const ExportFilter& filter,
                                      const std::filesystem::path& folder);

/// A snapshot of one section, which the filter must name. not_found where there is none such.
Result<WriteSummary> export_collection(const Store& store, const ExportFilter& filter,
                                       std::vector<WriterTarget> targets);

}  // namespace sheaf
