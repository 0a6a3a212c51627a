#include "sheaf/export/parquet_shards.h"

#include "sheaf/base/free_memory.h"
#include "sheaf/base/hex.h"
#include "sheaf/model/plain_text.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace sheaf::exporting {
namespace {

using base::Result;
using parquet::Column;
using parquet::DictionaryEncoding;
using parquet::LogicalType;
using parquet::PhysicalType;

/// Indexes of the fields in the schema.
enum PageField : std::size_t {
  kUrl,
  kSiteField,
  kSection,
  kTitle,
  kDescription,
  kAuthor,
  kPublished,
  kModified,
  kLanguage,
  kText,
  kBlocks,
  kWordCount,
  kSource,
  kOnRequest,  // the columns from here on depend on TableColumns
};

enum BlockMember : std::size_t { kBlockType, kBlockText, kBlockLevel, kBlockUrl, kBlockLanguage };

constexpr std::size_t kKeptBuffer = std::size_t{4} << 20U;
constexpr std::size_t kRowOverhead = 1024;

Column text_column(std::string name, bool optional,
                   DictionaryEncoding dictionary = DictionaryEncoding::try_it) {
  return {std::move(name), PhysicalType::bytes, LogicalType::text, optional, dictionary};
}

/// Returns microseconds since 1970, or nullopt if the text is not a time. A date stands for its first moment
/// in UTC.
std::optional<std::int64_t> microseconds(std::string_view time) {
  constexpr std::size_t kDate = 10;  // 2026-01-31
  const auto parsed = time.size() == kDate ? parse_time(fmt::format("{}T00:00:00Z", time)) : parse_time(time);
  if (!parsed) return std::nullopt;
  return parsed->instant.seconds * 1'000'000 + parsed->instant.nanoseconds / 1'000;
}

/// The values of a block's level, url and language columns.
struct BlockFacts {
  OptionalText url = {};
  OptionalText language = {};
  std::optional<int> level = {};

  void operator()(const HeadingBlock& block) { level = block.level; }
  void operator()(const LinkBlock& block) { url = block.url; }
  void operator()(const ImageBlock& block) { url = block.url; }
  void operator()(const CodeBlock& block) { language = block.language; }
  void operator()(const VideoBlock& block) { url = media_url(*block.media); }
  void operator()(const AudioBlock& block) { url = media_url(*block.media); }
  void operator()(const auto&) {}

  static OptionalText media_url(const Media& media) {
    if (const auto* one = std::get_if<Text>(&media.url)) return *one;
    const auto& links = std::get<List<MediaLink>>(media.url);
    return links.empty() ? OptionalText() : links.front().href;
  }
};

}  // namespace

parquet::Schema PageTable::schema(TableColumns columns) {
  const Column time{"", PhysicalType::int64, LogicalType::timestamp, true, DictionaryEncoding::try_it};
  const auto time_column = [&](std::string name) {
    Column column = time;
    column.name = std::move(name);
    return column;
  };
  std::vector<parquet::TableField> fields = {
      {text_column("url", false, DictionaryEncoding::never)},
      {text_column("site", false)},
      {text_column("section", false)},
      {text_column("title", true)},
      {text_column("description", true)},
      {text_column("author", true)},
      {time_column("published")},
      {time_column("modified")},
      {text_column("language", true)},
      {text_column("text", true, DictionaryEncoding::never)},
      {text_column("blocks", true),
       {text_column("type", false),
        text_column("text", false, DictionaryEncoding::never),
        {"level", PhysicalType::int32, LogicalType::number, true, DictionaryEncoding::try_it},
        text_column("url", true),
        text_column("language", true)}},
      {{"word_count", PhysicalType::int64, LogicalType::number, true, DictionaryEncoding::try_it}},
      {text_column("source", true)},
  };
  if (columns.json)
    fields.push_back({{"json", PhysicalType::bytes, LogicalType::json, true, DictionaryEncoding::never}});
  if (columns.op) fields.push_back({text_column("op", false)});
  return {"page", std::move(fields)};
}

PageTable::PageTable(TableColumns columns, parquet::ParquetWriterOptions options, parquet::ByteSink sink)
    : columns_(columns), writer_(schema(columns), std::move(options), std::move(sink)) {}

void PageTable::put_time(std::size_t field, std::string_view time) {
  if (const auto value = microseconds(time)) {
    writer_.put(field, *value);
  } else {
    writer_.put_null(field);
  }
}

void PageTable::put_block(const Block& block) {
  BlockFacts facts;
  std::visit(facts, block.kind);
  text_.clear();
  model::append_block_text(text_, block);
  writer_.add_struct(kBlocks);
  writer_.put_member(kBlocks, kBlockType, type_name(block));
  writer_.put_member(kBlocks, kBlockText, text_);
  const auto put = [&](std::size_t member, const OptionalText& value) {
    value ? writer_.put_member(kBlocks, member, *value) : writer_.put_null_member(kBlocks, member);
  };
  facts.level ? writer_.put_member(kBlocks, kBlockLevel, std::int64_t{*facts.level})
              : writer_.put_null_member(kBlocks, kBlockLevel);
  put(kBlockUrl, facts.url);
  put(kBlockLanguage, facts.language);
}

void PageTable::put_blocks(const Page& page) {
  if (page.content.empty()) return writer_.put_empty_list(kBlocks);
  for (const Block& block : page.content) put_block(block);
}

Result<void> PageTable::add(const PageRow& row, const Page& page) {
  text_.clear();
  model::append_page_text(text_, page);
  SHEAF_TRY(writer_.begin_row(kRowOverhead + 2 * text_.size() + (columns_.json ? row.json.size() : 0)));
  const std::uint64_t words = model::count_words(text_);
  ++counts_.rows;
  counts_.text_bytes += text_.size();
  counts_.words += words;
  writer_.put(kUrl, row.url);
  writer_.put(kSiteField, row.site);
  writer_.put(kSection, row.section);
  writer_.put(kTitle, page.title);
  writer_.put(kDescription, page.description);
  page.author ? writer_.put(kAuthor, *page.author) : writer_.put_null(kAuthor);
  put_time(kPublished, page.published.value_or(""));
  put_time(kModified, page.modified);
  writer_.put(kLanguage, page.language);
  writer_.put(kText, text_);
  put_blocks(page);
  writer_.put(kWordCount, static_cast<std::int64_t>(words));
  writer_.put(kSource, row.source);
  if (columns_.json) writer_.put(kOnRequest, row.json);
  if (columns_.op) writer_.put(kOnRequest + (columns_.json ? 1 : 0), "put");
  writer_.end_row();
  if (text_.capacity() > kKeptBuffer) base::free_storage(text_);
  return {};
}

Result<void> PageTable::add_removed(const PageRow& row) {
  SHEAF_TRY(writer_.begin_row(kRowOverhead));
  ++counts_.rows;
  ++counts_.removed;
  writer_.put(kUrl, row.url);
  writer_.put(kSiteField, row.site);
  writer_.put(kSection, row.section);
  for (const std::size_t field : {kTitle, kDescription, kAuthor, kPublished, kModified, kLanguage, kText})
    writer_.put_null(field);
  writer_.put_null_list(kBlocks);
  writer_.put_null(kWordCount);
  writer_.put_null(kSource);
  if (columns_.json) writer_.put_null(kOnRequest);
  if (columns_.op) writer_.put(kOnRequest + (columns_.json ? 1 : 0), "delete");
  writer_.end_row();
  return {};
}

namespace {

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
