#include "sheaf/parquet/parquet_footer.h"

namespace sheaf::parquet {
namespace {

constexpr std::uint8_t kTrue = 1;
constexpr std::uint8_t kFalse = 2;
constexpr std::size_t kShortList = 15;  // lists of this size or larger store their size as a varint
constexpr int kShortDelta = 15;

}  // namespace

void ThriftWriter::varint(std::uint64_t value) {
  for (; value >= 0x80U; value >>= 7U) out_->push_back(static_cast<char>(value | 0x80U));
  out_->push_back(static_cast<char>(value));
}

void ThriftWriter::zigzag(std::int64_t value) {
  varint((static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63));
}

/// An id up to 15 higher than the previous one is stored as the difference, in one byte with the type.
void ThriftWriter::field(int id, std::uint8_t type) {
  const int delta = id - last_ids_.back();
  last_ids_.back() = id;
  if (delta > 0 && delta <= kShortDelta) {
    out_->push_back(static_cast<char>(static_cast<unsigned>(delta) << 4U | type));
    return;
  }
  out_->push_back(static_cast<char>(type));
  zigzag(id);
}

void ThriftWriter::boolean(int id, bool value) { field(id, value ? kTrue : kFalse); }

void ThriftWriter::i16(int id, std::int16_t value) {
  field(id, static_cast<std::uint8_t>(Type::i16));
  zigzag(value);
}

void ThriftWriter::i32(int id, std::int32_t value) {
  field(id, static_cast<std::uint8_t>(Type::i32));
  zigzag(value);
}

void ThriftWriter::i64(int id, std::int64_t value) {
  field(id, static_cast<std::uint8_t>(Type::i64));
  zigzag(value);
}

void ThriftWriter::binary(int id, std::string_view value) {
  field(id, static_cast<std::uint8_t>(Type::binary));
  element_binary(value);
}

void ThriftWriter::begin_struct(int id) {
  field(id, static_cast<std::uint8_t>(Type::structure));
  last_ids_.push_back(0);
}

void ThriftWriter::begin_struct() { last_ids_.push_back(0); }

void ThriftWriter::end_struct() {
  out_->push_back('\0');
  last_ids_.pop_back();
}

void ThriftWriter::empty_struct(int id) {
  begin_struct(id);
  end_struct();
}

void ThriftWriter::begin_list(int id, Type element, std::size_t size) {
  field(id, static_cast<std::uint8_t>(Type::list));
  const auto type = static_cast<unsigned>(element);
  if (size < kShortList) {
    out_->push_back(static_cast<char>(static_cast<unsigned>(size) << 4U | type));
    return;
  }
  out_->push_back(static_cast<char>(0xF0U | type));
  varint(size);
}

void ThriftWriter::element_boolean(bool value) { out_->push_back(static_cast<char>(value ? kTrue : kFalse)); }
void ThriftWriter::element_i32(std::int32_t value) { zigzag(value); }
void ThriftWriter::element_i64(std::int64_t value) { zigzag(value); }

void ThriftWriter::element_binary(std::string_view value) {
  varint(value.size());
  *out_ += value;
}

namespace {

// Constants of parquet.thrift.
constexpr std::int32_t kDataPage = 0;
constexpr std::int32_t kDictionaryPage = 2;
constexpr std::int32_t kPlain = 0;
constexpr std::int32_t kRle = 3;
constexpr std::int32_t kRleDictionary = 8;
constexpr std::int32_t kZstd = 6;
constexpr std::int32_t kRequired = 0;
constexpr std::int32_t kOptional = 1;
constexpr std::int32_t kRepeated = 2;
constexpr std::int32_t kConvertedUtf8 = 0;
constexpr std::int32_t kConvertedList = 3;
constexpr std::int32_t kConvertedTimestampMicros = 10;
constexpr std::int32_t kConvertedJson = 19;
constexpr int kLogicalString = 1;
constexpr int kLogicalList = 3;
constexpr int kLogicalTimestamp = 8;
constexpr int kLogicalJson = 12;
constexpr int kMicros = 2;
constexpr std::int32_t kUnordered = 0;
constexpr std::int32_t kAscending = 1;

using Type = ThriftWriter::Type;

/// Old readers know only the converted type; new ones prefer the logical type.
void add_meaning(ThriftWriter& out, LogicalType meaning) {
  if (meaning == LogicalType::number) return;
  const bool is_time = meaning == LogicalType::timestamp;
  out.i32(6, is_time                        ? kConvertedTimestampMicros
             : meaning == LogicalType::json ? kConvertedJson
                                            : kConvertedUtf8);
  out.begin_struct(10);
  if (is_time) {
    out.begin_struct(kLogicalTimestamp);
    out.boolean(1, true);  // in UTC
    out.begin_struct(2);
    out.empty_struct(kMicros);
    out.end_struct();
    out.end_struct();
  } else {
    out.empty_struct(meaning == LogicalType::json ? kLogicalJson : kLogicalString);
  }
  out.end_struct();
}

void add_column(ThriftWriter& out, const Column& column) {
  out.begin_struct();
  out.i32(1, static_cast<std::int32_t>(column.physical));
  out.i32(3, column.optional ? kOptional : kRequired);
  out.binary(4, column.name);
  add_meaning(out, column.meaning);
  out.end_struct();
}

/// The three levels that the format prescribes for lists: the list, a repeated group, the element.
void add_list(ThriftWriter& out, const TableField& field) {
  out.begin_struct();
  out.i32(3, kOptional);
  out.binary(4, field.column.name);
  out.i32(5, 1);
  out.i32(6, kConvertedList);
  out.begin_struct(10);
  out.empty_struct(kLogicalList);
  out.end_struct();
  out.end_struct();
  out.begin_struct();
  out.i32(3, kRepeated);
  out.binary(4, "list");
  out.i32(5, 1);
  out.end_struct();
  out.begin_struct();
  out.i32(3, kRequired);
  out.binary(4, "element");
  out.i32(5, static_cast<std::int32_t>(field.members.size()));
  out.end_struct();
  for (const Column& member : field.members) add_column(out, member);
}

void add_schema(ThriftWriter& out, const Schema& schema) {
  constexpr std::size_t kListLevels = 3;
  std::size_t elements = 1;
  for (const TableField& field : schema.fields)
    elements += field.is_list() ? kListLevels + field.members.size() : 1;
  out.begin_list(2, Type::structure, elements);
  out.begin_struct();
  out.binary(4, schema.name);
  out.i32(5, static_cast<std::int32_t>(schema.fields.size()));
  out.end_struct();
  for (const TableField& field : schema.fields) {
    if (field.is_list()) {
      add_list(out, field);
    } else {
      add_column(out, field.column);
    }
  }
}

void add_statistics(ThriftWriter& out, int id, const ColumnStatistics& statistics, PhysicalType physical) {
  out.begin_struct(id);
  out.i64(3, statistics.nulls());
  const bool has_upper = statistics.has_upper(physical);
  if (has_upper) out.binary(5, statistics.upper(physical));
  if (statistics.has_values()) out.binary(6, statistics.lower(physical));
  if (has_upper) out.boolean(7, statistics.upper_is_exact());
  if (statistics.has_values()) out.boolean(8, statistics.lower_is_exact());
  out.end_struct();
}

void add_encodings(ThriftWriter& out, const FinishedColumn& column) {
  const bool dictionary = column.dictionary_offset.has_value();
  // The dictionary page itself is plain.
  out.begin_list(2, Type::i32, dictionary ? 3 : 2);
  out.element_i32(kPlain);
  out.element_i32(kRle);
  if (dictionary) out.element_i32(kRleDictionary);
}

void add_column_metadata(ThriftWriter& out, const FinishedColumn& column, const LeafColumn& leaf) {
  out.begin_struct(3);
  out.i32(1, static_cast<std::int32_t>(leaf.column.physical));
  add_encodings(out, column);
  out.begin_list(3, Type::binary, leaf.path.size());
  for (const std::string& name : leaf.path) out.element_binary(name);
  out.i32(4, kZstd);
  out.i64(5, column.values);
  out.i64(6, column.plain_bytes);
  out.i64(7, column.bytes);
  out.i64(9, column.data_offset);
  if (column.dictionary_offset) out.i64(11, *column.dictionary_offset);
  add_statistics(out, 12, column.statistics, leaf.column.physical);
  out.end_struct();
}

void add_column_chunk(ThriftWriter& out, const FinishedColumn& column, const LeafColumn& leaf) {
  out.begin_struct();
  out.i64(2, 0);  // the metadata is here in the footer, not next to the column
  add_column_metadata(out, column, leaf);
  out.i64(4, column.offset_index.offset);
  out.i32(5, column.offset_index.bytes);
  if (column.column_index) {
    out.i64(6, column.column_index->offset);
    out.i32(7, column.column_index->bytes);
  }
  out.end_struct();
}

void add_row_group(ThriftWriter& out, const FinishedRowGroup& group, const FooterFacts& facts,
                   std::size_t number) {
  std::int64_t plain_bytes = 0;
  std::int64_t bytes = 0;
  out.begin_struct();
  out.begin_list(1, Type::structure, group.columns.size());
  for (std::size_t i = 0; i < group.columns.size(); ++i) {
    add_column_chunk(out, group.columns[i], facts.leaves[i]);
    plain_bytes += group.columns[i].plain_bytes;
    bytes += group.columns[i].bytes;
  }
  out.i64(2, plain_bytes);
  out.i64(3, group.rows);
  if (!facts.sorted_by.empty()) {
    out.begin_list(4, Type::structure, facts.sorted_by.size());
    for (const std::size_t column : facts.sorted_by) {
      out.begin_struct();
      out.i32(1, static_cast<std::int32_t>(column));
      out.boolean(2, false);  // not descending
      out.boolean(3, false);  // nulls last
      out.end_struct();
    }
  }
  const FinishedColumn& first = group.columns.front();
  out.i64(5, first.dictionary_offset.value_or(first.data_offset));
  out.i64(6, bytes);
  if (number <= INT16_MAX) out.i16(7, static_cast<std::int16_t>(number));
  out.end_struct();
}

std::string page_header(std::int32_t type, std::size_t plain_bytes, std::size_t bytes, std::uint64_t values,
                        std::int32_t encoding) {
  std::string text;
  ThriftWriter out(text);
  out.begin_struct();
  out.i32(1, type);
  out.i32(2, static_cast<std::int32_t>(plain_bytes));
  out.i32(3, static_cast<std::int32_t>(bytes));
  out.begin_struct(type == kDataPage ? 5 : 7);
  out.i32(1, static_cast<std::int32_t>(values));
  out.i32(2, encoding);
  if (type == kDataPage) {
    out.i32(3, kRle);
    out.i32(4, kRle);
  }
  out.end_struct();
  out.end_struct();
  return text;
}

/// Returns the order of the pages' bounds. If they are ascending, readers can use binary search.
std::int32_t boundary_order(const FinishedColumn& column, PhysicalType physical) {
  const ColumnStatistics* last = nullptr;
  for (const FinishedPage& page : column.pages) {
    if (!page.statistics.has_values()) continue;
    if (last != nullptr && !ColumnStatistics::is_ascending(*last, page.statistics, physical))
      return kUnordered;
    last = &page.statistics;
  }
  return kAscending;
}

}  // namespace

std::string data_page_header(std::size_t plain_bytes, std::size_t bytes, std::uint64_t values,
                             bool dictionary) {
  return page_header(kDataPage, plain_bytes, bytes, values, dictionary ? kRleDictionary : kPlain);
}

std::string dictionary_page_header(std::size_t plain_bytes, std::size_t bytes, std::uint64_t values) {
  return page_header(kDictionaryPage, plain_bytes, bytes, values, kPlain);
}

std::string offset_index(const FinishedColumn& column) {
  std::string text;
  ThriftWriter out(text);
  out.begin_struct();
  out.begin_list(1, Type::structure, column.pages.size());
  for (const FinishedPage& page : column.pages) {
    out.begin_struct();
    out.i64(1, page.offset);
    out.i32(2, page.bytes);
    out.i64(3, page.first_row);
    out.end_struct();
  }
  out.end_struct();
  return text;
}

std::optional<std::string> column_index(const FinishedColumn& column, PhysicalType physical) {
  for (const FinishedPage& page : column.pages)
    if (page.statistics.has_values() && !page.statistics.has_upper(physical)) return std::nullopt;
  std::string text;
  ThriftWriter out(text);
  out.begin_struct();
  out.begin_list(1, Type::boolean, column.pages.size());
  for (const FinishedPage& page : column.pages) out.element_boolean(!page.statistics.has_values());
  // A page with only nulls has no bounds; empty strings are written instead.
  out.begin_list(2, Type::binary, column.pages.size());
  for (const FinishedPage& page : column.pages)
    out.element_binary(page.statistics.has_values() ? page.statistics.lower(physical) : "");
  out.begin_list(3, Type::binary, column.pages.size());
  for (const FinishedPage& page : column.pages)
    out.element_binary(page.statistics.has_values() ? page.statistics.upper(physical) : "");
  out.i32(4, boundary_order(column, physical));
  out.begin_list(5, Type::i64, column.pages.size());
  for (const FinishedPage& page : column.pages) out.element_i64(page.statistics.nulls());
  out.end_struct();
  return text;
}

std::string file_footer(const FooterFacts& facts) {
  std::string text;
  ThriftWriter out(text);
  out.begin_struct();
  out.i32(1, 2);
  add_schema(out, *facts.schema);
  out.i64(3, facts.rows);
  out.begin_list(4, Type::structure, facts.groups.size());
  for (std::size_t i = 0; i < facts.groups.size(); ++i) add_row_group(out, facts.groups[i], facts, i);
  if (!facts.metadata.empty()) {
    out.begin_list(5, Type::structure, facts.metadata.size());
    for (const auto& [key, value] : facts.metadata) {
      out.begin_struct();
      out.binary(1, key);
      out.binary(2, value);
      out.end_struct();
    }
  }
  out.binary(6, "sheaf");
  // States that bounds are compared in the order of the column's type. Readers must not use bounds without
  // this list.
  out.begin_list(7, Type::structure, facts.leaves.size());
  for (std::size_t i = 0; i < facts.leaves.size(); ++i) {
    out.begin_struct();
    out.empty_struct(1);
    out.end_struct();
  }
  out.end_struct();
  text += plain_number(PhysicalType::int32, static_cast<std::int64_t>(text.size()));
  text += kMagic;
  return text;
}

}  // namespace sheaf::parquet
