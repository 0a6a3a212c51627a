#include "sheaf/export/parquet_export.h"

#include "sheaf/base/file.h"
#include "sheaf/base/text_sort.h"
#include "sheaf/base/url.h"
#include "sheaf/base/url_set.h"
#include "sheaf/export/dataset_card.h"
#include "sheaf/export/export_manifest.h"
#include "sheaf/export/selected_pages.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/deltas/collection_pass.h"
#include "sheaf/format/pages/stored_page_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace sheaf::exporting {
namespace {

using base::Errc;
using base::fail;
using base::Result;
using store::PageStore;
using store::StoredPage;

constexpr std::string_view kCardName = "README.md";
constexpr std::string_view kDataFolder = "data";

/// Receives rows: either the files of a folder, or one file.
struct RowSink {
  std::function<Result<void>(const PageRow& row, const Page& page)> add;
  std::function<Result<void>(const PageRow& row)> add_removed;
};

/// Passes the selected pages to a sink: all pages sorted, or the changed pages in feed order.
class RowSource {
 public:
  RowSource(const PageStore& store, const ExportOptions& options, const ParquetOptions& parquet,
            std::filesystem::path folder, const RowSink& sink)
      : store_(store), options_(options), parquet_(parquet), folder_(std::move(folder)), sink_(sink) {}

  Result<ExportSummary> run() {
    SHEAF_TRY(note_origins());
    return parquet_.after ? changed_pages() : sorted_pages();
  }

 private:
  Result<void> note_origins() {
    SHEAF_TRY_ASSIGN(const auto sections, store_.sections(options_.filter.site));
    for (const store::SectionState& section : sections)
      origins_[{section.site, section.section}] = to_string(section.origin);
    return {};
  }

  Result<ExportSummary> sorted_pages() {
    SHEAF_TRY_ASSIGN(const store::FeedCursor cursor, store_.newest_change());
    base::TextSort sort(parquet_.sort_memory, folder_);
    SHEAF_TRY_ASSIGN(ExportSummary summary,
                     walk_pages(store_, options_, std::nullopt, [&](const StoredPage& stored, const Page*) {
                       return sort.add(page_key(row_of(stored)), stored.json);
                     }));
    SHEAF_TRY(sort.sort());
    while (true) {
      SHEAF_TRY_ASSIGN(const auto entry, sort.next());
      if (!entry) break;
      PageRow row = row_of_key(entry->key);
      row.json = entry->text;
      SHEAF_TRY_ASSIGN(const bool added, add(row));
      if (!added) --summary.pages, ++summary.damaged;
    }
    summary.cursor = cursor;
    return summary;
  }

  Result<ExportSummary> changed_pages() {
    std::uint64_t unreadable = 0;
    SHEAF_TRY_ASSIGN(
        ExportSummary summary,
        walk_changed_pages(store_, options_, *parquet_.after,
                           [&](const store::StoreChange& change, const StoredPage* page) -> Result<void> {
                             if (page == nullptr)
                               return sink_.add_removed({change.site, change.section, change.url, {}, {}});
                             SHEAF_TRY_ASSIGN(const bool added, add(row_of(*page)));
                             if (!added) ++unreadable;
                             return {};
                           }));
    summary.pages -= unreadable;
    summary.damaged += unreadable;
    return summary;
  }

  static PageRow row_of(const StoredPage& page) { return {page.site, page.section, page.url, {}, page.json}; }

  /// Returns false if the page cannot be read.
  Result<bool> add(PageRow row) {
    const auto decoded = decoder_(row.json);
    if (!decoded) {
      if (options_.on_damage)
        options_.on_damage(fmt::format("the page {} of section {} of {} is not a valid page: {}", row.url,
                                       row.section, row.site, decoded.error()));
      return false;
    }
    const auto origin = origins_.find({std::string(row.site), std::string(row.section)});
    row.source = origin == origins_.end() ? std::string_view("collections") : origin->second;
    SHEAF_TRY(sink_.add(row, **decoded));
    return true;
  }

  const PageStore& store_;
  const ExportOptions& options_;
  const ParquetOptions& parquet_;
  std::filesystem::path folder_;
  const RowSink& sink_;
  std::map<std::pair<std::string, std::string>, std::string_view> origins_;
  format::StoredPageDecoder decoder_{format::Detail::checks};
};

/// Returns the manifest of an earlier export, or an empty one if there is none. Fails if the folder has files
/// that an earlier export did not write, or an export of another kind.
Result<ExportManifest> check_folder(const std::filesystem::path& folder, const std::filesystem::path& data,
                                    const ParquetOptions& parquet, const UnfinishedExport& unfinished) {
  SHEAF_TRY_ASSIGN(const auto before, read_manifest(folder));
  if (before && before->after.has_value() != parquet.after.has_value())
    return fail(Errc::refused, fmt::format("{} has an export of {}: write {} to another folder",
                                           folder.string(), before->after ? "changes" : "all pages",
                                           parquet.after ? "changes" : "all pages"));
  if (before && before->layout != parquet.layout)
    return fail(Errc::refused,
                fmt::format("{} has an export with --layout {}: use the same, or another folder",
                            folder.string(), to_string(before->layout)));
  if (!before && parquet.layout == FolderLayout::huggingface && !unfinished.names().contains(kCardName) &&
      std::filesystem::exists(folder / kCardName))
    return fail(Errc::refused, fmt::format("{} is there already, and not from an earlier export: choose "
                                           "another folder",
                                           (folder / kCardName).string()));
  ExportManifest manifest = before.value_or(ExportManifest());
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(data, error)) {
    const std::string name = entry.path().filename().string();
    const bool known =
        unfinished.names().contains(name) ||
        std::ranges::any_of(manifest.files, [&](const ShardFile& file) { return file.name == name; });
    if (name.ends_with(".parquet") && !name.starts_with('.') && !known)
      return fail(Errc::refused,
                  fmt::format("{} is not from an earlier export, and programs that read the folder would "
                              "read it too: choose another folder",
                              entry.path().string()));
  }
  return manifest;
}

/// Deletes what a killed export left. No other export is writing to the folder: its list is locked.
void delete_leftovers(const std::filesystem::path& folder, const std::filesystem::path& data, bool has_card) {
  base::remove_leftover_files(data, is_shard_name);
  base::remove_leftover_files(folder, [&](std::string_view name) {
    return name == kManifestName || (has_card && name == kCardName);
  });
}

std::set<std::string_view> names_of(const std::vector<ShardFile>& files) {
  std::set<std::string_view> names;
  for (const ShardFile& file : files) names.insert(file.name);
  return names;
}

/// Deletes the data files of earlier exports, finished or not, that are not `current`.
Result<std::uint64_t> delete_old_files(const std::filesystem::path& data, const UnfinishedExport& unfinished,
                                       const std::set<std::string_view>& current) {
  std::uint64_t deleted = 0;
  for (const std::string& name : unfinished.names()) {
    if (current.contains(name) || !is_shard_name(name)) continue;
    std::error_code error;
    if (std::filesystem::remove(data / name, error)) ++deleted;
    if (error)
      return std::unexpected(
          base::system_error(error.value(), fmt::format("cannot delete {}", (data / name).string())));
  }
  return deleted;
}

Result<void> write_card(const std::filesystem::path& folder, const DatasetFacts& facts) {
  SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(folder / kCardName));
  SHEAF_TRY(file.write(dataset_card(facts)));
  return file.commit();
}

ShardSettings settings_for(const ParquetOptions& parquet) {
  ShardSettings settings = parquet.shards;
  settings.columns.op = parquet.after.has_value();
  settings.sorted = !parquet.after;
  if (parquet.after) settings.prefix = "changes";
  return settings;
}

}  // namespace

Result<ParquetSummary> export_parquet(const PageStore& store, const ExportOptions& options,
                                      const ParquetOptions& parquet, const std::filesystem::path& folder) {
  const bool has_card = parquet.layout == FolderLayout::huggingface;
  const std::filesystem::path data = has_card ? folder / kDataFolder : folder;
  SHEAF_TRY(base::make_folder(folder));
  SHEAF_TRY_ASSIGN(auto unfinished, UnfinishedExport::open(folder, parquet.layout));
  SHEAF_TRY_ASSIGN(const ExportManifest before, check_folder(folder, data, parquet, unfinished));
  SHEAF_TRY(base::make_folder(data));
  delete_leftovers(folder, data, has_card);
  const ShardSettings settings = settings_for(parquet);
  ParquetShards shards(data, settings, unfinished.was_interrupted() ? ExportManifest() : before, &unfinished);
  DatasetFacts facts;
  const RowSink sink{[&](const PageRow& row, const Page& page) {
                       if (has_card) facts.add(row.site, page.language);
                       return shards.add(row, page);
                     },
                     [&](const PageRow& row) { return shards.add_removed(row); }};
  ParquetSummary summary;
  SHEAF_TRY_ASSIGN(summary.pages, RowSource(store, options, parquet, folder, sink).run());
  SHEAF_TRY(shards.finish());
  summary.files = shards.files();
  summary.untouched = shards.untouched();
  summary.counts = shards.counts();
  summary.cursor = summary.pages.cursor;
  for (const ShardFile& file : summary.files) summary.bytes += file.bytes;
  if (has_card) {
    facts.counts = summary.counts;
    facts.columns = settings.columns;
    facts.files = summary.files.size();
    facts.file_bytes = summary.bytes;
    SHEAF_TRY(unfinished.add(std::string(kCardName)));
    SHEAF_TRY(write_card(folder, facts));
  }
  const std::set<std::string_view> current = names_of(summary.files);
  for (const ShardFile& old : before.files)
    if (!current.contains(old.name)) SHEAF_TRY(unfinished.add(old.name));
  SHEAF_TRY(write_manifest(
      folder, {parquet.after, summary.cursor, summary.counts.rows, summary.files, parquet.layout}));
  SHEAF_TRY_ASSIGN(summary.deleted, delete_old_files(data, unfinished, current));
  SHEAF_TRY(unfinished.finish());
  return summary;
}

Result<ParquetSummary> export_parquet_file(const PageStore& store, const ExportOptions& options,
                                           const ParquetOptions& parquet, const std::filesystem::path& file) {
  const ShardSettings settings = settings_for(parquet);
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(file));
  parquet::ParquetWriterOptions writing;
  writing.level = settings.level;
  writing.threads = settings.threads;
  if (settings.sorted) writing.sorted_by = {"site", "section", "url"};
  writing.metadata = {{"sheaf.schema", "1"}};
  PageTable table(settings.columns, std::move(writing),
                  [&](std::string_view bytes) { return out.write(bytes); });
  const RowSink sink{[&](const PageRow& row, const Page& page) { return table.add(row, page); },
                     [&](const PageRow& row) { return table.add_removed(row); }};
  ParquetSummary summary;
  SHEAF_TRY_ASSIGN(summary.pages, RowSource(store, options, parquet, file.parent_path(), sink).run());
  SHEAF_TRY(table.finish());
  SHEAF_TRY(out.commit());
  summary.files = {{file.filename().string(), table.counts().rows, out.size(), {}}};
  summary.bytes = out.size();
  summary.counts = table.counts();
  summary.cursor = summary.pages.cursor;
  return summary;
}

namespace {

std::string site_of(std::string_view url) {
  const auto parsed = base::Url::parse(url);
  return parsed ? parsed->origin() : std::string();
}

/// Writes the pages of one collection. run() returns nullopt if a URL occurs twice.
class TableConversion {
 public:
  TableConversion(const ShardSettings& settings, const format::ConvertOptions& options)
      : settings_(settings), options_(options) {}

  Result<std::optional<format::ConvertSummary>> run(const format::SourceOpener& input,
                                                    const std::filesystem::path& path) {
    SHEAF_TRY_ASSIGN(auto source, input());
    const std::string name = source->name();
    auto opened = format::CollectionReader::open(
        std::move(source),
        {options_.limits, format::Detail::checks, options_.threads, format::HeadRule::required},
        [this](const format::Finding&) { ++summary_.findings; });
    if (!opened) return std::unexpected(format::to_error(name, opened.error()));
    SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(path));
    SHEAF_TRY_ASSIGN(const bool complete, copy_pages(*opened, name, file));
    if (!complete) return std::nullopt;
    summary_.skipped = opened->statistics().skipped;
    SHEAF_TRY(file.commit());
    summary_.written.files = {{path, format::Codec::plain, 0, file.size()}};
    return summary_;
  }

 private:
  Result<bool> copy_pages(format::CollectionReader& reader, const std::string& name, base::AtomicFile& file) {
    TableColumns columns = settings_.columns;
    columns.op = reader.head().type == model::CollectionType::delta;
    parquet::ParquetWriterOptions writing;
    writing.level = settings_.level;
    writing.threads = settings_.threads;
    writing.metadata = {{"sheaf.schema", "1"}};
    PageTable table(columns, std::move(writing), [&](std::string_view bytes) { return file.write(bytes); });
    const std::string section = reader.head().section;
    base::UrlSet urls;
    while (true) {
      const auto more = reader.next();
      if (!more) return std::unexpected(format::to_error(name, more.error()));
      if (!*more) break;
      const Page& page = reader.page();
      if (!urls.insert(page.url)) return false;
      SHEAF_TRY(table.add({site_of(page.url), section, page.url, "collections", reader.raw()}, page));
      if (options_.progress && urls.size() % 256 == 0)
        options_.progress(reader.statistics().compressed_bytes, urls.size());
    }
    if (columns.op)
      for (const std::string& url : reader.head().removed)
        SHEAF_TRY(table.add_removed({site_of(url), section, url, {}, {}}));
    SHEAF_TRY(table.finish());
    summary_.written.pages = table.counts().rows - table.counts().removed;
    return true;
  }

  const ShardSettings& settings_;
  const format::ConvertOptions& options_;
  format::ConvertSummary summary_;
};

}  // namespace

Result<format::ConvertSummary> convert_to_parquet(const format::SourceOpener& input,
                                                  const std::filesystem::path& file,
                                                  const ShardSettings& settings,
                                                  const format::ConvertOptions& options) {
  SHEAF_TRY_ASSIGN(auto converted, TableConversion(settings, options).run(input, file));
  if (converted) return std::move(*converted);
  // A URL occurs twice, and its newest page counts. So a collection without duplicates is written first and
  // then converted.
  const std::filesystem::path once = file.string() + ".once.scp";
  const auto remove_once =
      std::unique_ptr<const std::filesystem::path, void (*)(const std::filesystem::path*)>(
          &once, [](const std::filesystem::path* path) {
            std::error_code ignored;
            std::filesystem::remove(*path, ignored);
          });
  SHEAF_TRY_ASSIGN(const auto merged,
                   format::convert_collection(input, {{once, format::Codec::plain, {}}}, options));
  SHEAF_TRY_ASSIGN(const auto opener, format::reopenable_source(once.string(), options.temporary_folder));
  SHEAF_TRY_ASSIGN(auto again, TableConversion(settings, options).run(opener, file));
  if (!again) return base::fail(base::Errc::invalid_data, "a URL came twice in a collection that we wrote");
  again->duplicates = merged.duplicates;
  again->skipped = merged.skipped;
  again->findings = merged.findings;
  return std::move(*again);
}

}  // namespace sheaf::exporting
