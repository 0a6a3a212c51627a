#include "sheaf/warc/warc_writer.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/file.h"
#include "sheaf/format/codecs/codec.h"
#include "sheaf/warc/warc_record.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

namespace sheaf::warc {
namespace {

using base::Result;

constexpr int kGzipLevel = 6;
constexpr std::string_view kOpenSuffix = ".open";

/// Returns "20260131235959", the form of a time in names of WARC files.
std::string compact_time(Instant now) {
  std::string digits;
  for (const char c : format_time({now.seconds, 0}))
    if (base::is_digit(c)) digits += c;
  return digits.substr(0, 14);
}

/// libcurl has removed the transfer coding, so the Transfer-Encoding header would be wrong. It is kept under
/// another name, as Common Crawl does.
std::string without_transfer_coding(std::string_view head) {
  constexpr std::string_view kName = "transfer-encoding:";
  std::string out;
  while (!head.empty()) {
    const std::string_view line = take_line(head);
    if (base::lower_text(line.substr(0, kName.size())) == kName) out += "X-Crawl-";
    out += line;
    out += "\r\n";
  }
  return out;
}

}  // namespace

Result<void> append_record(std::string& out, const RecordFields& fields, std::string_view block,
                           RecordCoding coding) {
  const std::string head = format_record_head(fields, block.size());
  constexpr std::string_view kEnd = "\r\n\r\n";
  if (coding == RecordCoding::plain) {
    out += head;
    out += block;
    out += kEnd;
    return {};
  }
  const auto encoder = format::make_gzip_encoder(kGzipLevel);
  SHEAF_TRY(encoder->encode(head, format::Flush::more, out));
  SHEAF_TRY(encoder->encode(block, format::Flush::more, out));
  return encoder->encode(kEnd, format::Flush::end, out);
}

Result<void> append_warcinfo(std::string& out, std::string_view software, Instant now, RecordCoding coding) {
  const std::string block = fmt::format("software: {}\r\nformat: WARC File Format 1.1\r\n", software);
  const std::string id = new_record_id();
  return append_record(out,
                       {.type = RecordType::warcinfo,
                        .date = {now.seconds, 0},
                        .id = id,
                        .content_type = "application/warc-fields"},
                       block, coding);
}

Result<std::unique_ptr<WarcFolder>> WarcFolder::open(std::filesystem::path folder, std::string software,
                                                     std::uint64_t file_bytes) {
  SHEAF_TRY(base::make_folder(folder));
  return std::unique_ptr<WarcFolder>(new WarcFolder(std::move(folder), std::move(software), file_bytes));
}

WarcFolder::~WarcFolder() { (void)finish(); }

Result<void> WarcFolder::record(const http::fetch::Exchange& exchange) {
  const std::string id = new_record_id();
  const std::string request_id = new_record_id();
  const Instant date{exchange.began.seconds, 0};
  std::string bytes;
  SHEAF_TRY(
      append_record(bytes,
                    {.type = RecordType::response,
                     .url = exchange.url,
                     .date = date,
                     .id = id,
                     .content_type = "application/http; msgtype=response",
                     .more = {{"WARC-IP-Address", exchange.address}, {"WARC-Truncated", exchange.truncated}}},
                    without_transfer_coding(exchange.response_head) + exchange.body, RecordCoding::gzip));
  SHEAF_TRY(append_record(bytes,
                          {.type = RecordType::request,
                           .url = exchange.url,
                           .date = date,
                           .id = request_id,
                           .content_type = "application/http; msgtype=request",
                           .more = {{"WARC-Concurrent-To", id}}},
                          exchange.request_head, RecordCoding::gzip));
  const std::lock_guard lock(mutex_);
  if (!file_.is_open()) SHEAF_TRY(begin_file());
  SHEAF_TRY(base::write_all(file_.get(), bytes, path_.string()));
  written_ += bytes.size();
  return written_ < file_bytes_ ? Result<void>() : end_file();
}

Result<void> WarcFolder::begin_file() {
  const Instant now = sheaf::now();
  while (true) {
    path_ = folder_ / fmt::format("sheaf-{}-{}-{:05}.warc.gz", compact_time(now), getpid(), number_++);
    const std::string open_path = path_.string() + std::string(kOpenSuffix);
    file_ = base::FileDescriptor(::open(open_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file_.is_open()) break;
    if (errno != EEXIST)
      return std::unexpected(base::system_error(errno, fmt::format("cannot create {}", open_path)));
  }
  std::string bytes;
  SHEAF_TRY(append_warcinfo(bytes, software_, now, RecordCoding::gzip));
  written_ = bytes.size();
  return base::write_all(file_.get(), bytes, path_.string());
}

Result<void> WarcFolder::end_file() {
  const std::string open_path = path_.string() + std::string(kOpenSuffix);
  const bool synced = fsync(file_.get()) == 0;
  const int error = errno;
  file_.reset();
  if (!synced) return std::unexpected(base::system_error(error, fmt::format("cannot write {}", open_path)));
  std::error_code renamed;
  std::filesystem::rename(open_path, path_, renamed);
  if (!renamed) return base::sync_folder(folder_);
  return std::unexpected(base::system_error(renamed.value(), fmt::format("cannot rename {}", open_path)));
}

Result<void> WarcFolder::finish() {
  const std::lock_guard lock(mutex_);
  return file_.is_open() ? end_file() : Result<void>();
}

}  // namespace sheaf::warc
