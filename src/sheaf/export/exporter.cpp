#include "sheaf/export/exporter.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/base/file.h"
#include "sheaf/base/make_folder.h"
#include "sheaf/base/wildcard.h"
#include "sheaf/export/page_file_name.h"
#include "sheaf/export/page_line.h"
#include "sheaf/export/selected_pages.h"
#include "sheaf/format/deltas/collection_delta.h"
#include "sheaf/format/json/json_text.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace sheaf::exporting {
namespace {

using base::Errc;
using base::fail;
using base::Result;
using store::PageStore;
using store::StoredPage;

void add_member(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  std::string quoted;
  format::append_json_string(quoted, value);  // a JSON string is valid YAML
  format::append_visible_json(out, quoted);
  out += '\n';
}

std::string front_matter(const StoredPage& stored, const Page& page) {
  std::string out = "---\n";
  add_member(out, "title", page.title);
  if (!page.description.empty()) add_member(out, "description", page.description);
  add_member(out, "url", page.url);
  if (page.canonical) add_member(out, "canonical", *page.canonical);
  if (page.author) add_member(out, "author", *page.author);
  if (page.published) add_member(out, "published", *page.published);
  add_member(out, "modified", page.modified);
  add_member(out, "language", page.language);
  add_member(out, "site", stored.site);
  add_member(out, "section", stored.section);
  return out + "---\n\n";
}

/// Writes many small files. They are synced in groups, because the file system can then write them together.
class FileGroup {
 public:
  Result<void> add(const std::filesystem::path& path, std::string_view bytes) {
    SHEAF_TRY(base::make_folder(path.parent_path()));
    SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(path));
    SHEAF_TRY(file.write(bytes));
    files_.push_back(std::move(file));
    return files_.size() < kFiles ? Result<void>() : commit();
  }

  Result<void> commit() { return base::AtomicFile::commit_all(std::exchange(files_, {})); }

 private:
  static constexpr std::size_t kFiles = 128;  // each has an open descriptor
  std::vector<base::AtomicFile> files_;
};

Result<store::SectionState> only_section(const PageStore& store, const Filter& filter) {
  SHEAF_TRY_ASSIGN(const auto sections, store.sections(filter.site));
  std::vector<store::SectionState> found;
  for (const auto& section : sections)
    if (filter.section.empty() || section.section == filter.section) found.push_back(section);
  if (found.empty()) return fail(Errc::not_found, "the store has no such section; `sheaf status` lists them");
  if (found.size() == 1) return found.front();
  std::string names;
  for (std::size_t i = 0; i < found.size() && i < 5; ++i)
    names += fmt::format("{}{} of {}", i == 0 ? "" : ", ", found[i].section, found[i].site);
  return fail(Errc::invalid_argument,
              fmt::format("a collection holds one section, and {} match ({}{}); choose by site and section",
                          found.size(), names, found.size() > 5 ? ", ..." : ""));
}

}  // namespace

bool matches_language(std::string_view language, std::string_view wanted) {
  if (base::lower_text(language.substr(0, wanted.size())) != base::lower_text(wanted)) return false;
  return wanted.empty() || language.size() == wanted.size() || language[wanted.size()] == '-';
}

bool matches_url(const Filter& filter, std::string_view url) {
  return filter.url.empty() || base::matches_wildcard(filter.url, url);
}

Result<Summary> count_pages(const PageStore& store, const Options& options) {
  return walk_pages(store, options, std::nullopt, {});
}

Result<Summary> export_lines(const PageStore& store, const Options& options, const Sink& sink) {
  std::string line;
  return walk_pages(store, options, std::nullopt, [&](const StoredPage& stored, const Page*) -> Result<void> {
    line.clear();
    append_page_line(line, stored);
    line += '\n';
    return sink(line);
  });
}

Result<Summary> export_text(const PageStore& store, const Options& options, const Renderer& render,
                            const Sink& sink) {
  return walk_pages(store, options, format::Detail::everything,
                    [&](const StoredPage& stored, const Page* page) -> Result<void> {
                      SHEAF_TRY(sink(front_matter(stored, *page)));
                      SHEAF_TRY(sink(render(*page)));
                      return sink("\n");
                    });
}

Result<Summary> export_files(const PageStore& store, const Options& options, const Renderer& render,
                             const std::filesystem::path& folder, std::string_view extension) {
  FileGroup files;
  const auto written =
      walk_pages(store, options, format::Detail::everything, [&](const StoredPage& stored, const Page* page) {
        return files.add(folder / page_file_name(stored.site, stored.url, extension),
                         front_matter(stored, *page) + render(*page));
      });
  SHEAF_TRY(files.commit());
  return written;
}

Result<format::WriteSummary> export_collection(const PageStore& store, const Options& options,
                                               std::vector<format::WriterTarget> targets) {
  SHEAF_TRY_ASSIGN(const auto section, only_section(store, options.filter));
  model::CollectionHead head;
  head.section = section.section;
  head.type = model::CollectionType::snapshot;
  head.set_generated(section.generated);
  head.id = format::default_collection_id(head);
  SHEAF_TRY_ASSIGN(auto writer, format::CollectionWriter::create(
                                    head, std::move(targets),
                                    {.limits = {}, .spool_folder = {}, .threads = options.threads}));
  Options of_section = options;
  of_section.filter.site = section.site;
  of_section.filter.section = section.section;
  SHEAF_TRY_ASSIGN(const Summary walked,
                   walk_pages(store, of_section, format::Detail::everything,
                              [&](const StoredPage&, const Page* page) { return writer.add(*page); }));
  if (walked.damaged > 0)
    return fail(
        Errc::invalid_data,
        fmt::format("{} of section {} of {} cannot be read, and a snapshot would report them as removed: "
                    "nothing was written; `sheaf pull {} --repair` restores them",
                    base::counted(walked.damaged, "page", "pages"), section.section, section.site,
                    section.site));
  return writer.finish();
}

}  // namespace sheaf::exporting
