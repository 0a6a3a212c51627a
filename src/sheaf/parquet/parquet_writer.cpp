#include "sheaf/parquet/parquet_writer.h"

#include <algorithm>
#include <limits>

namespace sheaf::parquet {
namespace {

using base::Result;

/// Parquet stores page sizes as signed 32-bit numbers.
constexpr std::uint64_t kMaxPageBytes = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t kTypicalRatio =
    4;  // compression ratio of page texts, assumed until this file has data of its own

}  // namespace

ParquetWriter::ParquetWriter(Schema schema, ParquetWriterOptions options, ByteSink sink)
    : schema_(std::move(schema)),
      options_(std::move(options)),
      sink_(std::move(sink)),
      compressor_(options_.threads, options_.level) {
  for (const TableField& field : schema_.fields) {
    fields_.push_back({columns_.size(), kNewRow, false});
    if (!field.is_list()) {
      columns_.emplace_back(field.column, std::vector<std::string>{field.column.name},
                            ColumnWriter::Levels{0, static_cast<std::uint8_t>(field.column.optional ? 1 : 0)},
                            compressor_);
      continue;
    }
    for (const Column& member : field.members)
      columns_.emplace_back(
          member, std::vector<std::string>{field.column.name, "list", "element", member.name},
          ColumnWriter::Levels{kSameRow, static_cast<std::uint8_t>(kNullMember + (member.optional ? 1 : 0))},
          compressor_);
  }
}

ParquetWriter::~ParquetWriter() = default;

Result<void> ParquetWriter::write(std::string_view bytes) {
  SHEAF_TRY(sink_(bytes));
  offset_ += bytes.size();
  return {};
}

std::uint64_t ParquetWriter::group_bytes() const {
  std::uint64_t bytes = 0;
  for (const ColumnWriter& column : columns_) bytes += column.plain_bytes();
  return bytes;
}

std::uint64_t ParquetWriter::estimated_size() const {
  if (plain_written_ == 0) return group_bytes() / kTypicalRatio;
  return offset_ +
         static_cast<std::uint64_t>(static_cast<double>(group_bytes()) * static_cast<double>(offset_) /
                                    static_cast<double>(plain_written_));
}

Result<void> ParquetWriter::begin_row(std::uint64_t bytes) {
  if (bytes > kMaxPageBytes / 2)
    return base::fail(base::Errc::refused, "a page of more than 1 GiB does not fit into a Parquet file");
  if (group_rows_ > 0 && group_bytes() + bytes > options_.row_group_bytes) return end_row_group();
  return {};
}

void ParquetWriter::put(std::size_t field, std::string_view value) {
  leaf(field).put(kNewRow, schema_.fields[field].column.optional ? 1 : 0, value);
}

void ParquetWriter::put(std::size_t field, std::int64_t value) {
  leaf(field).put(kNewRow, schema_.fields[field].column.optional ? 1 : 0, value);
}

void ParquetWriter::put_null(std::size_t field) { leaf(field).put_null(kNewRow, 0); }

void ParquetWriter::put_null_list(std::size_t field) {
  for (std::size_t i = 0; i < schema_.fields[field].members.size(); ++i)
    leaf(field, i).put_null(kNewRow, kNullList);
}

void ParquetWriter::put_empty_list(std::size_t field) {
  for (std::size_t i = 0; i < schema_.fields[field].members.size(); ++i)
    leaf(field, i).put_null(kNewRow, kEmptyList);
}

void ParquetWriter::add_struct(std::size_t field) {
  FieldColumns& columns = fields_[field];
  columns.next_repetition = columns.in_row ? kSameRow : kNewRow;
  columns.in_row = true;
}

void ParquetWriter::put_member(std::size_t field, std::size_t member, std::string_view value) {
  const bool optional = schema_.fields[field].members[member].optional;
  leaf(field, member).put(fields_[field].next_repetition, kNullMember + (optional ? 1 : 0), value);
}

void ParquetWriter::put_member(std::size_t field, std::size_t member, std::int64_t value) {
  const bool optional = schema_.fields[field].members[member].optional;
  leaf(field, member).put(fields_[field].next_repetition, kNullMember + (optional ? 1 : 0), value);
}

void ParquetWriter::put_null_member(std::size_t field, std::size_t member) {
  leaf(field, member).put_null(fields_[field].next_repetition, kNullMember);
}

void ParquetWriter::end_row() {
  for (ColumnWriter& column : columns_) column.end_row();
  for (FieldColumns& field : fields_) field.in_row = false;
  ++group_rows_;
}

Result<void> ParquetWriter::end_row_group() {
  if (group_rows_ == 0) return {};
  if (offset_ == 0) SHEAF_TRY(write(kMagic));
  for (ColumnWriter& column : columns_) column.finish();
  FinishedRowGroup& group = groups_.emplace_back();
  group.rows = static_cast<std::int64_t>(group_rows_);
  for (ColumnWriter& column : columns_) {
    SHEAF_TRY(write_column(column, group.columns.emplace_back()));
    plain_written_ += static_cast<std::uint64_t>(group.columns.back().plain_bytes);
    column.reset();
  }
  rows_ += std::exchange(group_rows_, 0);
  return {};
}

Result<void> ParquetWriter::write_column(ColumnWriter& column, FinishedColumn& out) {
  const std::uint64_t start = offset_;
  if (column.has_dictionary()) SHEAF_TRY(write_dictionary(column, out));
  out.data_offset = static_cast<std::int64_t>(offset_);
  for (ColumnPage& page : column.pages()) SHEAF_TRY(write_page(page, out));
  out.bytes = static_cast<std::int64_t>(offset_ - start);
  return {};
}

Result<void> ParquetWriter::write_dictionary(ColumnWriter& column, FinishedColumn& out) {
  std::string plain = column.dictionary_page();
  const std::size_t plain_bytes = plain.size();
  const std::string bytes = compressor_.add(std::move(plain)).get();
  const std::string header = dictionary_page_header(plain_bytes, bytes.size(), column.dictionary_size());
  out.dictionary_offset = static_cast<std::int64_t>(offset_);
  out.plain_bytes += static_cast<std::int64_t>(header.size() + plain_bytes);
  SHEAF_TRY(write(header));
  return write(bytes);
}

Result<void> ParquetWriter::write_page(ColumnPage& page, FinishedColumn& out) {
  if (page.plain_bytes > kMaxPageBytes)
    return base::fail(base::Errc::refused, "a page of more than 2 GiB does not fit into a Parquet file");
  const std::string bytes = page.bytes.get();
  const std::string header = data_page_header(page.plain_bytes, bytes.size(), page.values, page.dictionary);
  out.pages.push_back({static_cast<std::int64_t>(offset_),
                       static_cast<std::int32_t>(header.size() + bytes.size()),
                       static_cast<std::int64_t>(page.first_row), page.statistics});
  out.statistics.add(page.statistics);
  out.values += static_cast<std::int64_t>(page.values);
  out.plain_bytes += static_cast<std::int64_t>(header.size() + page.plain_bytes);
  SHEAF_TRY(write(header));
  return write(bytes);
}

Result<void> ParquetWriter::write_indexes() {
  const auto put_part = [&](std::string_view bytes) -> Result<FilePart> {
    const FilePart part{static_cast<std::int64_t>(offset_), static_cast<std::int32_t>(bytes.size())};
    SHEAF_TRY(write(bytes));
    return part;
  };
  for (FinishedRowGroup& group : groups_)
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto index = column_index(group.columns[i], columns_[i].column().physical);
      if (!index) continue;
      SHEAF_TRY_ASSIGN(group.columns[i].column_index, put_part(*index));
    }
  for (FinishedRowGroup& group : groups_)
    for (FinishedColumn& column : group.columns) {
      SHEAF_TRY_ASSIGN(column.offset_index, put_part(offset_index(column)));
    }
  return {};
}

Result<void> ParquetWriter::finish() {
  SHEAF_TRY(end_row_group());
  if (offset_ == 0) SHEAF_TRY(write(kMagic));
  SHEAF_TRY(write_indexes());
  FooterFacts facts;
  facts.schema = &schema_;
  facts.rows = static_cast<std::int64_t>(rows_);
  facts.groups = groups_;
  facts.metadata = options_.metadata;
  for (const ColumnWriter& column : columns_) facts.leaves.push_back({column.column(), column.path()});
  for (const std::string& name : options_.sorted_by)
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i].path().size() == 1 && columns_[i].column().name == name) facts.sorted_by.push_back(i);
  return write(file_footer(facts));
}

}  // namespace sheaf::parquet
