#include "sheaf/base/url.h"
#include "sheaf/base/url_set.h"
#include "sheaf/export/parquet_export.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/deltas/collection_pass.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace sheaf::exporting {
namespace {

using base::Result;

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
