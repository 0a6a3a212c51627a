#pragma once

#include "sheaf/base/threads.h"

#include <cstdint>
#include <deque>
#include <future>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sheaf::parquet {

/// How the values of a column are stored. The numbers are Parquet's.
enum class PhysicalType : std::uint8_t { int32 = 1, int64 = 2, bytes = 6 };

/// The logical type of the values.
enum class LogicalType : std::uint8_t {
  number,
  text,       ///< UTF-8
  json,       ///< UTF-8 that is JSON
  timestamp,  ///< microseconds since 1970 in UTC
};

/// Whether to try a dictionary of the distinct values. It is dropped if it does not save space. For values
/// that rarely repeat, such as the texts of pages, trying it is a waste of time.
enum class DictionaryEncoding : std::uint8_t { try_it, never };

/// A column of values.
struct Column {
  std::string name;
  PhysicalType physical = PhysicalType::bytes;
  LogicalType meaning = LogicalType::text;
  bool optional = false;  ///< may be null
  DictionaryEncoding dictionary = DictionaryEncoding::try_it;
};

/// A field of a row: one column or, if it has members, a list of structs. The list may be null.
struct TableField {
  Column column;
  std::vector<Column> members = {};

  [[nodiscard]] bool is_list() const { return !members.empty(); }
};

/// The schema of a row.
struct Schema {
  std::string name;
  std::vector<TableField> fields;
};

// Definition levels of a list's leaf columns: how much of the path to a value is defined.
inline constexpr std::uint8_t kNullList = 0;
inline constexpr std::uint8_t kEmptyList = 1;
inline constexpr std::uint8_t kNullMember = 2;  ///< the struct exists, but its optional member is null
/// Repetition levels: whether a value begins a new row or continues the list of the same row.
inline constexpr std::uint8_t kNewRow = 0;
inline constexpr std::uint8_t kSameRow = 1;

/// The minimum and maximum of a page or a column, and the number of nulls. Readers use them to skip pages. Of
/// texts, only bounds of at most 64 bytes are kept.
class ColumnStatistics {
 public:
  void add_null() { ++nulls_; }
  void add_text(std::string_view value);
  void add_number(std::int64_t value);
  /// Adds the statistics of a page to those of a column.
  void add(const ColumnStatistics& other);

  [[nodiscard]] std::int64_t nulls() const { return nulls_; }
  [[nodiscard]] bool has_values() const { return has_values_; }
  /// The bounds in plain encoding. Texts of the highest code points may have no short upper bound: upper() is
  /// then empty, and has_upper() is false.
  [[nodiscard]] std::string lower(PhysicalType physical) const;
  [[nodiscard]] std::string upper(PhysicalType physical) const;
  [[nodiscard]] bool has_upper(PhysicalType physical) const;
  [[nodiscard]] bool lower_is_exact() const { return !lower_is_truncated_; }
  [[nodiscard]] bool upper_is_exact() const { return !upper_is_truncated_; }

  /// Whether both bounds of `page` are at most those of `next`: what Parquet calls an ascending boundary
  /// order.
  static bool is_ascending(const ColumnStatistics& page, const ColumnStatistics& next, PhysicalType physical);

 private:
  void add_prefix(std::string_view prefix, bool cut);

  bool has_values_ = false;
  std::int64_t nulls_ = 0;
  std::int64_t min_ = 0;
  std::int64_t max_ = 0;
  std::string low_;
  std::string high_;
  bool lower_is_truncated_ = false;
  bool upper_is_truncated_ = false;
};

/// A number in Parquet's plain encoding: little-endian.
std::string plain_number(PhysicalType physical, std::int64_t value);

/// Returns the number of bits for values from 0 to `largest`.
unsigned bit_width(std::uint32_t largest);

/// Appends values in Parquet's hybrid of run-length encoding and bit packing: a run of eight or more equal
/// values becomes a count and the value; other values are packed in groups of eight. Used for repetition and
/// definition levels and for dictionary indexes. `width` is the number of bits per value, 0 to 32.
void append_hybrid(std::string& out, std::span<const std::uint32_t> values, unsigned width);
void append_hybrid(std::string& out, std::span<const std::uint8_t> values, unsigned width);

/// Compresses the pages of a file with zstd, in its own threads. An export spends most of its time here. The
/// result does not depend on the number of threads.
class PageCompressor {
 public:
  /// With 0 threads, add() compresses in the calling thread.
  PageCompressor(unsigned threads, int level);
  ~PageCompressor();
  PageCompressor(const PageCompressor&) = delete;
  PageCompressor& operator=(const PageCompressor&) = delete;

  /// Compresses a page in the background. Waits while too many pages are in progress, which bounds the memory
  /// use. The future throws std::bad_alloc if memory ran out.
  std::future<std::string> add(std::string page);

 private:
  struct Job {
    std::string page;
    std::promise<std::string> result;
  };

  void work();

  int level_;
  base::BoundedQueue<Job> jobs_;
  std::vector<std::jthread> threads_;
};

/// A finished page of a column.
struct ColumnPage {
  std::future<std::string> bytes;  ///< compressed
  std::uint64_t plain_bytes = 0;
  std::uint64_t values = 0;  ///< nulls included
  std::uint64_t first_row = 0;
  bool dictionary = false;  ///< the values are indexes into the dictionary
  ColumnStatistics statistics = {};
};

/// Collects the values of one column of a row group and cuts them into pages. A full page goes to the
/// compressor at once, so a row group in memory is mostly compressed.
class ColumnWriter {
 public:
  struct Levels {
    std::uint8_t repetition = 0;  ///< maximum repetition level
    std::uint8_t definition = 0;
  };

  ColumnWriter(Column column, std::vector<std::string> path, Levels levels, PageCompressor& compressor);

  // Add one value with its levels.
  void put(std::uint8_t repetition, std::uint8_t definition, std::string_view value);
  void put(std::uint8_t repetition, std::uint8_t definition, std::int64_t value);
  void put_null(std::uint8_t repetition, std::uint8_t definition);
  /// Must be called after each row. Pages begin at rows, as the page index requires.
  void end_row();

  /// Uncompressed bytes of this row group so far.
  [[nodiscard]] std::uint64_t plain_bytes() const { return chunk_bytes_ + page_bytes_; }

  /// Ends the last page.
  void finish();
  // The contents of the row group, valid after finish().
  [[nodiscard]] std::deque<ColumnPage>& pages() { return pages_; }
  [[nodiscard]] bool has_dictionary() const { return dictionary_used_; }
  /// The dictionary's entries in plain encoding, and their number.
  [[nodiscard]] std::string dictionary_page() const;
  [[nodiscard]] std::size_t dictionary_size() const { return entries_.size(); }
  /// Prepares for the next row group.
  void reset();

  [[nodiscard]] const Column& column() const { return column_; }
  [[nodiscard]] const std::vector<std::string>& path() const { return path_; }

 private:
  void add_level(std::uint8_t repetition, std::uint8_t definition);
  void put_value(std::string_view plain);
  void drop_dictionary();
  void append_plain(std::string& out, std::string_view value) const;
  void end_page();

  Column column_;
  std::vector<std::string> path_;
  Levels levels_;
  PageCompressor* compressor_;

  // The open page.
  std::vector<std::uint8_t> repetitions_;
  std::vector<std::uint8_t> definitions_;
  std::string values_;  ///< in plain encoding
  std::vector<std::uint32_t>
      indexes_;  ///< dictionary indexes; used instead of `values_` while there is a dictionary
  std::uint64_t page_values_ = 0;
  std::uint64_t page_bytes_ = 0;  ///< size of the page with plain values
  std::uint64_t page_row_ = 0;
  ColumnStatistics statistics_;

  // The row group.
  std::deque<ColumnPage> pages_;
  std::uint64_t rows_ = 0;
  std::uint64_t chunk_bytes_ = 0;
  bool with_dictionary_ = false;
  bool dictionary_used_ = false;  ///< a finished page uses the dictionary
  std::deque<std::string> entries_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::size_t dictionary_bytes_ = 0;
};

}  // namespace sheaf::parquet
