#include "sheaf/export/exporter.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/wildcard.h"
#include "sheaf/export/page_file_name.h"
#include "sheaf/export/page_line.h"
#include "sheaf/format/deltas/collection_delta.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/format/pages/page_decoder.h"
#include "sheaf/store/stored_page_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <set>
#include <utility>

namespace sheaf::exporting {
namespace {

using base::Errc;
using base::fail;
using base::Result;
using store::PageStore;
using store::StoredPage;

constexpr std::uint64_t kPagesBetweenReports = 256;

/// Walks over the selected pages.
class Walk {
 public:
  using Use = std::function<Result<void>(const StoredPage& stored, const Page* page)>;

  Walk(const PageStore& store, const Options& options) : store_(store), options_(options) {}

  /// `use` gets a page decoded with that detail, or no page if none is requested and no filter needs it.
  /// Without `use`, pages are only counted.
  Result<Summary> run(std::optional<format::Detail> detail, const Use& use) {
    SHEAF_TRY(look_at_sections());
    if (!detail && !options_.filter.language.empty()) detail = format::Detail::checks;
    std::optional<store::StoredPageDecoder> decoder;
    if (detail) decoder.emplace(*detail);
    store::PageFilter filter;
    filter.site = options_.filter.site;
    filter.section = options_.filter.section;
    filter.modified_since = options_.filter.since;
    filter.modified_before = options_.filter.until;
    filter.url = options_.filter.url;
    filter.with_json = decoder || use;
    filter.on_damage = [this](const std::string& sentence) { note_damage(sentence); };
    if (options_.limit == 0) return summary_;
    const auto walked = store_.each_page(filter, [&](const StoredPage& stored) -> Result<bool> {
      report_progress();
      const Page* page = nullptr;
      if (decoder) {
        const auto decoded = (*decoder)(stored.json);
        if (!decoded) {
          note_damage(fmt::format("the page {} of section {} of {} is no valid page: {}", stored.url,
                                  stored.section, stored.site, decoded.error()));
          return true;
        }
        page = *decoded;
        if (!matches_language(page->language, options_.filter.language)) return true;
      }
      SHEAF_TRY_ASSIGN(const bool newest, is_newest(stored));
      if (newest) SHEAF_TRY(give(stored, page, use));
      return summary_.pages < options_.limit;
    });
    if (!walked) return std::unexpected(walked.error());
    return summary_;
  }

 private:
  Result<void> give(const StoredPage& stored, const Page* page, const Use& use) {
    if (use) SHEAF_TRY(use(stored, page));
    ++summary_.pages;
    summary_.bytes += stored.json.size();
    return {};
  }

  /// Counts pages read, not pages written: filtered pages take time too.
  void report_progress() {
    if (options_.progress && ++seen_ % kPagesBetweenReports == 0)
      options_.progress(summary_.bytes, seen_, expected_);
  }

  void note_damage(const std::string& sentence) {
    ++summary_.damaged;
    if (options_.on_damage) options_.on_damage(sentence);
  }

  Result<void> look_at_sections() {
    SHEAF_TRY_ASSIGN(const auto sections, store_.sections(options_.filter.site));
    for (const auto& section : sections)
      if (options_.filter.section.empty() || options_.filter.section == section.section)
        expected_ += section.pages;
    // The number of pages that pass an index filter is not known in advance.
    const Filter& filter = options_.filter;
    if (filter.since || filter.until || !filter.url.empty()) expected_ = 0;
    expected_ = std::min(expected_, options_.limit);
    if (!filter.section.empty()) return {};
    for (std::size_t i = 1; i < sections.size(); ++i)
      if (sections[i].site == sections[i - 1].site) several_.insert(sections[i].site);
    return {};
  }

  Result<bool> is_newest(const StoredPage& stored) {
    if (!several_.contains(stored.site)) return true;
    SHEAF_TRY_ASSIGN(const auto newest, store_.find(stored.url, stored.site));
    if (!newest || newest->section == stored.section) return true;
    ++summary_.duplicates;
    return false;
  }

  const PageStore& store_;
  const Options& options_;
  std::set<std::string> several_;  ///< sites with several sections
  std::uint64_t seen_ = 0;
  std::uint64_t expected_ = 0;  ///< 0 where it is not known
  Summary summary_;
};

void add_member(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  std::string quoted;
  format::append_json_string(quoted, value);  // which is YAML too
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

Result<void> write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error)
    return std::unexpected(base::system_error(
        error.value(), fmt::format("cannot make the folder {}", path.parent_path().string())));
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file)
    return std::unexpected(
        base::system_error(errno == 0 ? EIO : errno, fmt::format("cannot write {}", path.string())));
  return {};
}

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
  return Walk(store, options).run(std::nullopt, {});
}

Result<Summary> export_lines(const PageStore& store, const Options& options, const Sink& sink) {
  std::string line;
  return Walk(store, options).run(std::nullopt, [&](const StoredPage& stored, const Page*) -> Result<void> {
    line.clear();
    append_page_line(line, stored);
    line += '\n';
    return sink(line);
  });
}

Result<Summary> export_text(const PageStore& store, const Options& options, const Renderer& render,
                            const Sink& sink) {
  return Walk(store, options)
      .run(format::Detail::everything, [&](const StoredPage& stored, const Page* page) -> Result<void> {
        SHEAF_TRY(sink(front_matter(stored, *page)));
        SHEAF_TRY(sink(render(*page)));
        return sink("\n");
      });
}

Result<Summary> export_files(const PageStore& store, const Options& options, const Renderer& render,
                             const std::filesystem::path& folder, std::string_view extension) {
  return Walk(store, options)
      .run(format::Detail::everything, [&](const StoredPage& stored, const Page* page) {
        return write_file(folder / page_file_name(stored.site, stored.url, extension),
                          front_matter(stored, *page) + render(*page));
      });
}

Result<format::WriteSummary> export_collection(const PageStore& store, const Options& options,
                                               std::vector<format::WriterTarget> targets) {
  SHEAF_TRY_ASSIGN(const auto section, only_section(store, options.filter));
  model::CollectionHead head;
  head.section = section.section;
  head.type = model::CollectionType::snapshot;
  head.set_generated(section.generated);
  head.id = format::default_collection_id(head);
  SHEAF_TRY_ASSIGN(auto writer, format::CollectionWriter::create(head, std::move(targets), {}));
  Options of_section = options;
  of_section.filter.site = section.site;
  of_section.filter.section = section.section;
  SHEAF_TRY_ASSIGN(
      const Summary walked,
      Walk(store, of_section).run(format::Detail::everything, [&](const StoredPage&, const Page* page) {
        return writer.add(*page);
      }));
  if (walked.damaged > 0)
    return fail(
        Errc::invalid_data,
        fmt::format("{} pages of section {} of {} cannot be read, and a snapshot without them would say "
                    "that they were removed: nothing was written; `sheaf pull {} --repair` brings them back",
                    walked.damaged, section.section, section.site, section.site));
  return writer.finish();
}

}  // namespace sheaf::exporting
