#include "sheaf/crawl/archived_capture.h"

#include "sheaf/base/record.h"
#include "sheaf/base/sha256.h"

#include <algorithm>

namespace sheaf::crawl {
namespace {

constexpr std::size_t kOrderBytes = 16;  // the date and the record's number, at the end of a key

void append_big_endian(std::string& out, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8)
    out += static_cast<char>(number >> static_cast<unsigned>(shift));
}

}  // namespace

std::string encode_capture(const ArchivedCapture& capture) {
  base::RecordWriter record;
  record.number(static_cast<std::uint64_t>(capture.kind))
      .text(capture.site)
      .text(capture.url)
      .time(capture.date)
      .text(capture.etag)
      .text(capture.last_modified)
      .text(capture.content_type)
      .text(capture.robots)
      .text(capture.id)
      .text(capture.digest)
      .optional_time(capture.refers_to_date)
      .text(capture.body);
  return record.bytes();
}

ArchivedCapture decode_capture(std::string_view bytes) {
  base::RecordReader record(bytes);
  ArchivedCapture capture;
  capture.kind = static_cast<ArchivedCapture::Kind>(record.number());
  capture.site = record.text();
  capture.url = record.text();
  capture.date = record.time();
  capture.etag = record.text();
  capture.last_modified = record.text();
  capture.content_type = record.text();
  capture.robots = record.text();
  capture.id = record.text();
  capture.digest = record.text();
  capture.refers_to_date = record.optional_time();
  capture.body = record.text();
  return capture;
}

bool refers_to(const ArchivedCapture& revisit, const ArchivedCapture& page) {
  if (page.kind != ArchivedCapture::Kind::page) return false;
  if (revisit.id.empty() && revisit.digest.empty() && !revisit.refers_to_date) return true;
  return (!revisit.id.empty() && revisit.id == page.id) ||
         (!revisit.digest.empty() && revisit.digest == page.digest) ||
         (revisit.refers_to_date && revisit.refers_to_date->seconds == page.date.seconds);
}

ArchivedCapture page_at_revisit(const ArchivedCapture& revisit, const ArchivedCapture& page) {
  ArchivedCapture found = page;
  found.site = revisit.site;
  found.url = revisit.url;
  found.date = revisit.date;
  if (!revisit.etag.empty() || !revisit.last_modified.empty()) {
    found.etag = revisit.etag;
    found.last_modified = revisit.last_modified;
  }
  if (!revisit.robots.empty()) found.robots = revisit.robots;
  return found;
}

std::string capture_key(std::string_view site, std::string_view url, Instant date, std::uint64_t number) {
  std::string key(site);
  key += '\0';
  const base::Digest digest = base::sha256(url);
  key.append(reinterpret_cast<const char*>(digest.data()), digest.size());
  append_big_endian(key, UINT64_MAX - static_cast<std::uint64_t>(std::max<std::int64_t>(date.seconds, 0)));
  append_big_endian(key, UINT64_MAX - number);
  return key;
}

std::string_view url_part(std::string_view capture_key) {
  return capture_key.substr(0, capture_key.size() - std::min(capture_key.size(), kOrderBytes));
}

}  // namespace sheaf::crawl
