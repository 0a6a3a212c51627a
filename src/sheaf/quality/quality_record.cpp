#include "sheaf/quality/quality_record.h"

#include "sheaf/base/code_points.h"
#include "sheaf/base/record.h"
#include "sheaf/format/json/json_text.h"

#include <fmt/format.h>

namespace sheaf::quality {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{16} << 10;

/// The record was written by this process, so this is a disk error.
std::unexpected<base::Error> lost() {
  return base::fail(base::Errc::io, "the temporary file of the quality report cannot be read back");
}

}  // namespace

std::string encode(const MeasuredPage& page) {
  return base::RecordWriter()
      .text(page.section)
      .text(page.url)
      .text(page.title)
      .number(page.chars)
      .number(page.share ? *page.share + 1 : 0)
      .number(page.near_empty ? 1 : 0)
      .number(page.has_own_title ? 1 : 0)
      .bytes();
}

base::Result<MeasuredPage> decode_page(std::string_view bytes) {
  base::RecordReader in(bytes);
  MeasuredPage page;
  page.section = in.text();
  page.url = in.text();
  page.title = in.text();
  page.chars = in.number();
  if (const std::uint64_t share = in.number(); share > 0) page.share = share - 1;
  page.near_empty = in.number() != 0;
  page.has_own_title = in.number() != 0;
  if (!in.good()) return lost();
  return page;
}

std::string encode(const SkippedPage& page) {
  return base::RecordWriter().text(page.section).text(page.item).text(page.reason).text(page.detail).bytes();
}

base::Result<SkippedPage> decode_skipped(std::string_view bytes) {
  base::RecordReader in(bytes);
  SkippedPage page;
  page.section = in.text();
  page.item = in.text();
  page.reason = in.text();
  page.detail = in.text();
  if (!in.good()) return lost();
  return page;
}

void JsonStream::begin(std::string_view key) {
  if (!first_) text_ += ',';
  first_ = false;
  if (key.empty()) return;
  format::append_json_string(text_, key);
  text_ += ':';
}

JsonStream& JsonStream::begin_object(std::string_view key) {
  begin(key);
  text_ += '{';
  first_ = true;
  return *this;
}

JsonStream& JsonStream::end_object() {
  text_ += '}';
  first_ = false;
  return *this;
}

JsonStream& JsonStream::begin_array(std::string_view key) {
  begin(key);
  text_ += '[';
  first_ = true;
  return *this;
}

JsonStream& JsonStream::end_array() {
  text_ += ']';
  first_ = false;
  return *this;
}

// Names of files need not be UTF-8; JSON must be.
JsonStream& JsonStream::string(std::string_view key, std::string_view value) {
  begin(key);
  format::append_json_string(text_, base::make_valid_utf8(value));
  return *this;
}

JsonStream& JsonStream::element(std::string_view value) { return string({}, value); }

JsonStream& JsonStream::number(std::string_view key, std::uint64_t value) {
  begin(key);
  text_ += fmt::format("{}", value);
  return *this;
}

JsonStream& JsonStream::thousandths(std::string_view key, std::uint64_t value) {
  begin(key);
  text_ += fmt::format("{}.{:03}", value / 1000, value % 1000);
  return *this;
}

void JsonStream::null(std::string_view key) {
  begin(key);
  text_ += "null";
}

base::Result<void> JsonStream::flush_if_large() {
  return text_.size() < kPieceBytes ? base::Result<void>() : finish();
}

base::Result<void> JsonStream::finish() {
  SHEAF_TRY(sink_(text_));
  text_.clear();
  return {};
}

}  // namespace sheaf::quality
