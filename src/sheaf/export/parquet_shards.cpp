#include "sheaf/export/parquet_shards.h"

#include "sheaf/base/hex.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sheaf::exporting {
namespace {

using base::Result;

// A file ends between a quarter of its maximum size and that size. In between, each page has a chance to
// begin the next file. The average distance between such pages is a third of the size, so about one file in
// ten reaches the maximum.
constexpr std::uint64_t kMinParts = 4;
constexpr std::uint64_t kChanceParts = 3;
constexpr std::uint64_t kTypicalRatio =
    4;  // compression ratio; the distance is counted in bytes of the pages' JSON
constexpr std::size_t kShardNameBytes = 8;
constexpr std::uint64_t kMinRowGroup = std::uint64_t{1} << 20U;

base::Digest digest_of_text(std::string_view text) {
  base::Sha256 sha;
  sha.update(text);
  return sha.finish();
}

}  // namespace

/// The file that is being written.
struct ParquetShards::Open {
  std::string name;
  base::AtomicFile file;
  base::Sha256 sha;
  std::optional<PageTable> table;
};

bool is_shard_name(std::string_view name) {
  constexpr std::string_view kEnd = ".parquet";
  const std::size_t dash = name.find('-');
  if (dash == std::string_view::npos || !name.ends_with(kEnd)) return false;
  const std::string_view prefix = name.substr(0, dash);
  const std::string_view hash = name.substr(dash + 1, name.size() - dash - 1 - kEnd.size());
  return (prefix == "pages" || prefix == "changes") && hash.size() == 2 * kShardNameBytes &&
         hash.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool may_begin_shard(std::string_view key, std::uint64_t bytes, std::uint64_t bytes_between) {
  const base::Digest digest = digest_of_text(key);
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof(number); ++i) number = number << 8U | digest[i];
  // number / 2^64 < bytes / bytes_between, without overflow.
  return number / std::max<std::uint64_t>(bytes, 1) < UINT64_MAX / std::max<std::uint64_t>(bytes_between, 1);
}

std::string page_key(const PageRow& row) {
  std::string key(row.site);
  key += '\0';
  key += row.section;
  key += '\0';
  key += row.url;
  return key;
}

PageRow row_of_key(std::string_view key) {
  const std::size_t site = key.find('\0');
  const std::size_t section = key.find('\0', site + 1);
  return {key.substr(0, site), key.substr(site + 1, section - site - 1), key.substr(section + 1), {}, {}};
}

ParquetShards::ParquetShards(std::filesystem::path folder, ShardSettings settings, ExportManifest before,
                             UnfinishedExport* unfinished)
    : folder_(std::move(folder)),
      settings_(std::move(settings)),
      before_(std::move(before)),
      unfinished_(unfinished) {}

ParquetShards::~ParquetShards() = default;

Result<void> ParquetShards::open_file(const std::string& key) {
  const base::Digest digest = digest_of_text(key);
  std::string name =
      fmt::format("{}-{}.parquet", settings_.prefix, base::to_hex(std::span(digest).first(kShardNameBytes)));
  SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(folder_ / name));
  open_ = std::unique_ptr<Open>(new Open{std::move(name), std::move(file), {}, {}});
  parquet::ParquetWriterOptions options;
  options.level = settings_.level;
  options.threads = settings_.threads;
  // The compression ratio is unknown until a row group has been written, so small files need small row
  // groups.
  options.row_group_bytes = std::clamp(settings_.shard_bytes, kMinRowGroup, options.row_group_bytes);
  if (settings_.sorted) options.sorted_by = {"site", "section", "url"};
  options.metadata = {{"sheaf.schema", "1"}};
  open_->table.emplace(settings_.columns, std::move(options),
                       [file_open = open_.get()](std::string_view bytes) -> Result<void> {
                         file_open->sha.update(bytes);
                         return file_open->file.write(bytes);
                       });
  return {};
}

Result<void> ParquetShards::begin_row(const PageRow& row, std::size_t bytes) {
  const std::string key = page_key(row);
  if (open_) {
    const std::uint64_t size = open_->table->writer().estimated_size();
    const bool chance = size >= settings_.shard_bytes / kMinParts &&
                        may_begin_shard(key, bytes, settings_.shard_bytes / kChanceParts * kTypicalRatio);
    if (chance || size >= settings_.shard_bytes) SHEAF_TRY(close_file());
  }
  return open_ ? Result<void>() : open_file(key);
}

Result<void> ParquetShards::add(const PageRow& row, const Page& page) {
  SHEAF_TRY(begin_row(row, row.json.size()));
  return open_->table->add(row, page);
}

Result<void> ParquetShards::add_removed(const PageRow& row) {
  SHEAF_TRY(begin_row(row, row.url.size()));
  return open_->table->add_removed(row);
}

Result<void> ParquetShards::close_file() {
  const std::unique_ptr<Open> open = std::move(open_);
  SHEAF_TRY(open->table->finish());
  const TableCounts& counts = open->table->counts();
  ShardFile file{open->name, counts.rows, open->file.size(), base::to_hex(open->sha.finish())};
  counts_.rows += counts.rows;
  counts_.removed += counts.removed;
  counts_.text_bytes += counts.text_bytes;
  counts_.words += counts.words;
  std::error_code error;
  const bool same = std::ranges::find(before_.files, file) != before_.files.end() &&
                    std::filesystem::file_size(folder_ / file.name, error) == file.bytes && !error;
  if (same) {
    ++untouched_;
  } else {
    if (unfinished_ != nullptr) SHEAF_TRY(unfinished_->add(file.name));
    SHEAF_TRY(open->file.commit());
  }
  files_.push_back(std::move(file));
  return {};
}

Result<void> ParquetShards::finish() {
  // Readers of "folder/*.parquet" need at least one file, which has the schema.
  if (!open_ && files_.empty()) SHEAF_TRY(open_file(""));
  return open_ ? close_file() : Result<void>();
}

}  // namespace sheaf::exporting
