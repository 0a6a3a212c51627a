#include "sheaf/parquet/column_writer.h"

#include "sheaf/base/free_memory.h"
#include "sheaf/parquet/level_encoding.h"

#include <utility>

namespace sheaf::parquet {
namespace {

// A page is the unit that a reader decompresses or skips. Larger pages compress better: with pages of 1 MiB,
// a file is a few per cent larger than with one page per row group.
constexpr std::uint64_t kPageBytes = std::uint64_t{1} << 20U;
constexpr std::uint64_t kPageRows = 20'000;
constexpr std::size_t kDictionaryBytes = std::size_t{512} << 10U;

/// Appends the levels of a page: their encoded length in four bytes, then the encoded levels.
void append_levels(std::string& out, std::span<const std::uint8_t> levels, std::uint8_t highest) {
  if (highest == 0) return;
  std::string encoded;
  append_hybrid(encoded, levels, bit_width(highest));
  out += plain_number(PhysicalType::int32, static_cast<std::int64_t>(encoded.size()));
  out += encoded;
}

}  // namespace

ColumnWriter::ColumnWriter(Column column, std::vector<std::string> path, Levels levels,
                           PageCompressor& compressor)
    : column_(std::move(column)), path_(std::move(path)), levels_(levels), compressor_(&compressor) {
  reset();
}

void ColumnWriter::reset() {
  pages_.clear();
  rows_ = page_row_ = chunk_bytes_ = 0;
  with_dictionary_ = column_.dictionary == DictionaryEncoding::try_it;
  dictionary_used_ = false;
  numbers_.clear();
  entries_.clear();
  dictionary_bytes_ = 0;
}

void ColumnWriter::add_level(std::uint8_t repetition, std::uint8_t definition) {
  if (levels_.repetition > 0) repetitions_.push_back(repetition);
  if (levels_.definition > 0) definitions_.push_back(definition);
  ++page_values_;
  page_bytes_ += (levels_.repetition > 0 ? 1U : 0U) + (levels_.definition > 0 ? 1U : 0U);
}

void ColumnWriter::append_plain(std::string& out, std::string_view value) const {
  if (column_.physical == PhysicalType::bytes)
    out += plain_number(PhysicalType::int32, static_cast<std::int64_t>(value.size()));
  out += value;
}

void ColumnWriter::put_value(std::string_view plain) {
  page_bytes_ += plain.size() + (column_.physical == PhysicalType::bytes ? 4U : 0U);
  if (with_dictionary_) {
    auto found = numbers_.find(plain);
    if (found == numbers_.end() && dictionary_bytes_ + plain.size() <= kDictionaryBytes) {
      entries_.emplace_back(plain);
      dictionary_bytes_ += plain.size() + 4;
      found = numbers_.emplace(entries_.back(), static_cast<std::uint32_t>(entries_.size() - 1)).first;
    }
    if (found != numbers_.end()) return indexes_.push_back(found->second);
    drop_dictionary();
  }
  append_plain(values_, plain);
}

/// Stops using the dictionary. The values of the open page become plain, and so are all later ones. Finished
/// pages keep it.
void ColumnWriter::drop_dictionary() {
  for (const std::uint32_t index : indexes_) append_plain(values_, entries_[index]);
  indexes_.clear();
  with_dictionary_ = false;
  numbers_.clear();
  if (!dictionary_used_) entries_.clear();
}

void ColumnWriter::put(std::uint8_t repetition, std::uint8_t definition, std::string_view value) {
  add_level(repetition, definition);
  statistics_.add_text(value);
  put_value(value);
}

void ColumnWriter::put(std::uint8_t repetition, std::uint8_t definition, std::int64_t value) {
  add_level(repetition, definition);
  statistics_.add_number(value);
  put_value(plain_number(column_.physical, value));
}

void ColumnWriter::put_null(std::uint8_t repetition, std::uint8_t definition) {
  add_level(repetition, definition);
  statistics_.add_null();
}

void ColumnWriter::end_row() {
  ++rows_;
  if (page_bytes_ >= kPageBytes || rows_ - page_row_ >= kPageRows) end_page();
}

void ColumnWriter::end_page() {
  if (page_values_ == 0) return;
  // The first page decides whether the dictionary is kept: its entries must be at most half as large as the
  // plain page.
  if (with_dictionary_ && !dictionary_used_ && dictionary_bytes_ * 2 > page_bytes_) drop_dictionary();
  std::string page;
  page.reserve(values_.size() + indexes_.size() + page_values_ / 4);
  append_levels(page, repetitions_, levels_.repetition);
  append_levels(page, definitions_, levels_.definition);
  if (with_dictionary_) {
    const unsigned width = bit_width(entries_.empty() ? 0 : static_cast<std::uint32_t>(entries_.size() - 1));
    page.push_back(static_cast<char>(width));
    append_hybrid(page, std::span<const std::uint32_t>(indexes_), width);
    dictionary_used_ = true;
  } else {
    page += values_;
  }
  // One long value can make this buffer large; its memory is returned.
  if (values_.capacity() > 4 * kPageBytes) base::free_storage(values_);
  const std::uint64_t plain_bytes = page.size();
  pages_.push_back({compressor_->add(std::move(page)), plain_bytes, page_values_, page_row_, with_dictionary_,
                    std::exchange(statistics_, {})});
  chunk_bytes_ += plain_bytes;
  repetitions_.clear();
  definitions_.clear();
  values_.clear();
  indexes_.clear();
  page_values_ = page_bytes_ = 0;
  page_row_ = rows_;
}

void ColumnWriter::finish() { end_page(); }

std::string ColumnWriter::dictionary_page() const {
  std::string page;
  for (const std::string& entry : entries_) append_plain(page, entry);
  return page;
}

}  // namespace sheaf::parquet
