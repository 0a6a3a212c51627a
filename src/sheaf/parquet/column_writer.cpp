#include "sheaf/parquet/column_writer.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/free_memory.h"
#include "sheaf/base/threads.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

namespace sheaf::parquet {
namespace {

constexpr std::size_t kPrefix = 64;

/// Returns a short upper bound of all texts with this prefix: its last character is incremented, or an
/// earlier one if that is the highest code point. Returns an empty string if there is no bound.
std::string next_text(std::string_view prefix) {
  constexpr char32_t kLast = 0x10FFFF;
  constexpr char32_t kSurrogates = 0xD800;
  constexpr char32_t kAfterSurrogates = 0xE000;
  std::string out(prefix);
  while (!out.empty()) {
    std::size_t start = out.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(out[start]) & 0xC0U) == 0x80U) --start;
    std::string_view last = std::string_view(out).substr(start);
    const char32_t character = base::take_code_point(last);
    out.resize(start);
    if (character >= kLast) continue;
    base::append_utf8(out, character + 1 == kSurrogates ? kAfterSurrogates : character + 1);
    return out;
  }
  return out;
}

}  // namespace

void ColumnStatistics::add_prefix(std::string_view prefix, bool cut) {
  if (!has_values_) {
    low_ = high_ = prefix;
    lower_is_truncated_ = upper_is_truncated_ = cut;
    has_values_ = true;
    return;
  }
  const auto low = prefix <=> std::string_view(low_);
  if (low < 0) low_ = prefix;
  if (low < 0 || (low == 0 && !cut)) lower_is_truncated_ = cut;
  const auto high = prefix <=> std::string_view(high_);
  if (high > 0) high_ = prefix;
  if (high > 0 || (high == 0 && cut)) upper_is_truncated_ = cut;
}

void ColumnStatistics::add_text(std::string_view value) {
  const std::string_view prefix = base::cut_utf8(value, kPrefix);
  add_prefix(prefix, prefix.size() < value.size());
}

void ColumnStatistics::add_number(std::int64_t value) {
  min_ = has_values_ ? std::min(min_, value) : value;
  max_ = has_values_ ? std::max(max_, value) : value;
  has_values_ = true;
}

void ColumnStatistics::add(const ColumnStatistics& other) {
  nulls_ += other.nulls_;
  if (!other.has_values_) return;
  const bool first = !has_values_;
  add_prefix(other.low_, other.lower_is_truncated_);
  add_prefix(other.high_, other.upper_is_truncated_);
  min_ = first ? other.min_ : std::min(min_, other.min_);
  max_ = first ? other.max_ : std::max(max_, other.max_);
}

std::string ColumnStatistics::lower(PhysicalType physical) const {
  return physical == PhysicalType::bytes ? low_ : plain_number(physical, min_);
}

std::string ColumnStatistics::upper(PhysicalType physical) const {
  if (physical != PhysicalType::bytes) return plain_number(physical, max_);
  return upper_is_truncated_ ? next_text(high_) : high_;
}

bool ColumnStatistics::has_upper(PhysicalType physical) const {
  return has_values_ && (physical != PhysicalType::bytes || !upper_is_truncated_ || !upper(physical).empty());
}

bool ColumnStatistics::is_ascending(const ColumnStatistics& page, const ColumnStatistics& next,
                                    PhysicalType physical) {
  if (physical != PhysicalType::bytes) return page.min_ <= next.min_ && page.max_ <= next.max_;
  return page.low_ <= next.low_ && page.upper(physical) <= next.upper(physical);
}

std::string plain_number(PhysicalType physical, std::int64_t value) {
  const unsigned bytes = physical == PhysicalType::int32 ? 4 : 8;
  std::string out;
  for (unsigned i = 0; i < bytes; ++i)
    out.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i)));
  return out;
}

namespace {

constexpr std::size_t kGroup = 8;  // values in a packed group

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80U; value >>= 7U) out.push_back(static_cast<char>(value | 0x80U));
  out.push_back(static_cast<char>(value));
}

template <class Value>
std::size_t run_length(std::span<const Value> values, std::size_t from) {
  std::size_t end = from + 1;
  while (end < values.size() && values[end] == values[from]) ++end;
  return end - from;
}

void append_run(std::string& out, std::size_t count, std::uint32_t value, unsigned width) {
  append_varint(out, std::uint64_t{count} << 1U);
  for (unsigned shift = 0; shift < width; shift += 8) out.push_back(static_cast<char>(value >> shift));
}

/// Packs values, the lowest bits first. The last group is padded with zeros, which readers ignore.
template <class Value>
void append_packed(std::string& out, std::span<const Value> values, unsigned width) {
  const std::size_t groups = (values.size() + kGroup - 1) / kGroup;
  append_varint(out, std::uint64_t{groups} << 1U | 1U);
  std::uint64_t bits = 0;
  unsigned held = 0;
  for (std::size_t i = 0; i < groups * kGroup; ++i) {
    bits |= std::uint64_t{i < values.size() ? values[i] : Value{}} << held;
    for (held += width; held >= 8; held -= 8, bits >>= 8U) out.push_back(static_cast<char>(bits));
  }
}

template <class Value>
void append_values(std::string& out, std::span<const Value> values, unsigned width) {
  std::size_t packed_from = 0;  // values from here to `at` are not written yet
  std::size_t at = 0;
  const auto flush_packed = [&] {
    if (at > packed_from) append_packed(out, values.subspan(packed_from, at - packed_from), width);
  };
  while (at < values.size()) {
    std::size_t run = run_length(values, at);
    // Packed values are written in whole groups, so an incomplete group takes values from the run.
    const std::size_t open = (at - packed_from) % kGroup;
    const std::size_t fill = open == 0 ? 0 : std::min(kGroup - open, run);
    if (run - fill < kGroup) {
      at += run;
      continue;
    }
    at += fill;
    run -= fill;
    flush_packed();
    append_run(out, run, values[at], width);
    at += run;
    packed_from = at;
  }
  flush_packed();
}

}  // namespace

unsigned bit_width(std::uint32_t largest) { return static_cast<unsigned>(std::bit_width(largest)); }

void append_hybrid(std::string& out, std::span<const std::uint32_t> values, unsigned width) {
  append_values(out, values, width);
}

void append_hybrid(std::string& out, std::span<const std::uint8_t> values, unsigned width) {
  append_values(out, values, width);
}

namespace {

constexpr std::size_t kPagesWaiting = 4;
constexpr std::size_t kStep = std::size_t{64} << 10U;

using Context = std::unique_ptr<ZSTD_CCtx, decltype([](ZSTD_CCtx* context) { ZSTD_freeCCtx(context); })>;

Context make_context(int level) {
  Context context(ZSTD_createCCtx());
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  return context;
}

/// Compresses a page into one frame, which states its size. Works in steps: ZSTD_compressBound() of a page of
/// 100 MB is more than 100 MB, so compressing in one call would need a second buffer of that size.
std::string compress(ZSTD_CCtx* context, std::string_view page) {
  ZSTD_CCtx_reset(context, ZSTD_reset_session_only);
  ZSTD_CCtx_setPledgedSrcSize(context, page.size());
  std::string out;
  const auto step = std::make_unique_for_overwrite<std::array<char, kStep>>();
  ZSTD_inBuffer input{page.data(), page.size(), 0};
  for (std::size_t left = 1; left != 0;) {
    ZSTD_outBuffer output{step->data(), step->size(), 0};
    left = ZSTD_compressStream2(context, &output, &input, ZSTD_e_end);
    // No input is invalid, so the only possible failure is lack of memory.
    if (ZSTD_isError(left) != 0) throw std::bad_alloc();
    out.append(step->data(), output.pos);
  }
  out.shrink_to_fit();
  return out;
}

}  // namespace

PageCompressor::PageCompressor(unsigned threads, int level) : level_(level), jobs_(kPagesWaiting) {
  base::start_threads(threads_, threads, 0, [this] { work(); });
}

PageCompressor::~PageCompressor() { jobs_.close(); }

std::future<std::string> PageCompressor::add(std::string page) {
  Job job{std::move(page), {}};
  auto result = job.result.get_future();
  if (threads_.empty()) {
    job.result.set_value(compress(make_context(level_).get(), job.page));
  } else {
    jobs_.push(std::move(job));
  }
  return result;
}

void PageCompressor::work() {
  Context context;
  while (auto job = jobs_.pop()) {
    try {
      if (!context) context = make_context(level_);
      job->result.set_value(compress(context.get(), job->page));
    } catch (...) {
      job->result.set_exception(std::current_exception());
    }
  }
}

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
