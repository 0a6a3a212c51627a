#include "sheaf/crawl/warc_pages.h"

#include "sheaf/base/hash.h"
#include "sheaf/base/record.h"
#include "sheaf/http/fetch/address_rules.h"
#include "sheaf/http/message/message.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

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

namespace {

using base::Result;
using warc::RecordType;

// Longer URLs are skipped: nobody links to them, and keys are held in memory.
constexpr std::size_t kUrlBytes = std::size_t{64} << 10;

constexpr std::int64_t kSecondsOfDay = 86'400;

// Revisits of one URL that are held in memory until the page they refer to is found.
constexpr std::size_t kMaxRevisits = 1000;

/// Whether a revisit with this response may be of a page; revisits of redirects and error pages are useless.
bool is_revisit_of_page(const Result<warc::ArchivedResponse>& response) {
  if (!response) return true;  // many writers omit the HTTP headers
  constexpr int kNotModified = 304;
  return response->head.status == kNotModified ||
         judge_status(response->head.status, false) == StatusMeaning::page;
}

std::string page_url(const base::Url& url) {
  return std::string(http::fetch::without_credentials(url.without_fragment()).href());
}

/// Appends a copy, unless there are too many already.
bool hold(std::vector<std::string>& held, std::string_view capture) {
  if (held.size() == kMaxRevisits) return false;
  held.emplace_back(capture);
  return true;
}

}  // namespace

WarcPages::WarcPages(WarcPagesOptions options)
    : options_(std::move(options)), sort_(options_.memory, options_.temporary) {}

void WarcPages::report(const std::string& file, std::uint64_t offset, std::string_view message) {
  report(fmt::format("{}: at byte {}: {}", file, offset, message));
}

void WarcPages::report_file(std::string sentence) {
  ++counts_.faults;
  report(sentence);
  if (bad_file_.empty()) bad_file_ = std::move(sentence);
}

void WarcPages::report(const std::string& sentence) {
  if (options_.on_fault) options_.on_fault(sentence);
}

Result<void> WarcPages::add(base::ByteSource& file) {
  ++counts_.files;
  const std::string& name = file.name();
  const auto on_fault = [&](const warc::WarcFault& fault) {
    ++counts_.faults;
    report(name, fault.offset, fault.message);
  };
  warc::WarcReader reader(file, on_fault, {.threads = options_.threads});
  const auto read = read_records(reader, name);
  if (!read && read.error().code != base::Errc::invalid_data) return read;
  counts_.bytes += file.size().value_or(0);
  // One bad file among many, such as the empty one of a crawler that was killed, does not cost the others.
  if (!read)
    report_file(read.error().message);
  else if (reader.records() == 0)
    report_file(fmt::format("{} has no WARC record: is it a WARC file?", name));
  return {};
}

Result<void> WarcPages::read_records(warc::WarcReader& reader, const std::string& file) {
  while (true) {
    SHEAF_TRY_ASSIGN(const warc::RecordHead* head, reader.next());
    if (head == nullptr) return {};
    ++counts_.records;
    ++counts_.types[static_cast<std::size_t>(head->type)];
    SHEAF_TRY(take(reader, *head, file));
    if (options_.progress) options_.progress(counts_.bytes, counts_.records);
    if (options_.cancelled && options_.cancelled())
      return base::fail(base::Errc::refused, "cancelled before all files were read");
  }
}

Result<void> WarcPages::take(warc::WarcReader& reader, const warc::RecordHead& head,
                             const std::string& file) {
  const bool is_revisit = head.type == RecordType::revisit;
  if (!is_revisit && head.type != RecordType::response && head.type != RecordType::resource) return {};
  const auto url = head.url.size() <= kUrlBytes ? base::Url::parse(head.url) : std::nullopt;
  if (!url || (options_.is_selected && !options_.is_selected(*url))) {
    ++counts_.not_selected;
    return {};
  }
  const Record record{head, *url, file, reader.record_offset()};
  SHEAF_TRY_ASSIGN(const warc::RecordBlock block, reader.block());
  if (is_revisit) return take_revisit(record, block.bytes);
  if (block.is_too_large) {
    ++counts_.too_large;
    return {};
  }
  if (block.is_cut) {  // the reader reports it
    ++counts_.unreadable;
    return {};
  }
  const auto taken = take_page(record, block.bytes);
  if (!taken && taken.error().code == base::Errc::invalid_data) {
    ++counts_.unreadable;
    report(file, record.offset, fmt::format("{}: {}", page_url(*url), taken.error().message));
    return {};
  }
  return taken;
}

Result<void> WarcPages::take_page(const Record& record, std::string_view block) {
  SHEAF_TRY_ASSIGN(const warc::ArchivedResponse response, warc::parse_response(record.head, block));
  if (judge_status(response.head.status, false) != StatusMeaning::page) {
    ++counts_.other_status;
    return {};
  }
  const std::string_view type = response.head.header("content-type");
  if (!type.empty() && !is_html_response(type, {})) {
    ++counts_.other_type;
    return {};
  }
  // Writers cut long documents on purpose. That matters only if the document is a page.
  if (!record.head.truncated.empty())
    return base::fail(base::Errc::invalid_data,
                      fmt::format("the record is truncated (WARC-Truncated: {})", record.head.truncated));
  if (record.head.is_segment)
    return base::fail(base::Errc::invalid_data, "the record is continued in other records");
  SHEAF_TRY_ASSIGN(const std::string body, warc::decode_body(response, options_.page_bytes));
  if (body.empty() || !is_html_response(type, body)) {
    ++counts_.other_type;
    return {};
  }
  return keep(record, response.head, body);
}

Result<void> WarcPages::keep(const Record& record, const http::fetch::FetchHead& response,
                             std::string_view body) {
  const std::string address = page_url(record.url);
  const Instant date = date_of(record);
  const std::string site = site::site_key(record.url);
  ++counts_.pages;
  ++origins_[site][record.url.origin()];
  const http::fetch::Validators validators(response);
  const std::string robots = response.joined("x-robots-tag");
  const ArchivedCapture capture{.site = site,
                                .url = address,
                                .date = date,
                                .etag = validators.etag(),
                                .last_modified = validators.last_modified(),
                                .content_type = response.header("content-type"),
                                .robots = robots,
                                .id = record.head.id,
                                .digest = record.head.payload_digest,
                                .body = body};
  return sort_.add(capture_key(site, address, date, counts_.records), encode_capture(capture));
}

/// A wrong date must not make a capture the newest one. The clock of the writer may be a little ahead.
Instant WarcPages::date_of(const Record& record) {
  const std::optional<Instant>& date = record.head.date;
  if (date && date->seconds > 0 && date->seconds <= options_.now.seconds + kSecondsOfDay)
    return std::min(*date, options_.now);
  ++counts_.faults;
  report(record.file, record.offset,
         fmt::format("{}: {}, so every other capture of this URL counts as newer", page_url(record.url),
                     date ? fmt::format("the WARC-Date {} cannot be right", format_time(*date))
                          : "there is no valid WARC-Date"));
  return kUndated;
}

/// A revisit is sorted with the captures of the URL that it refers to.
Result<void> WarcPages::take_revisit(const Record& record, std::string_view block) {
  const warc::RecordHead& head = record.head;
  const auto response = warc::parse_response(head, block);
  if (!is_revisit_of_page(response)) {
    ++counts_.other_status;
    return {};
  }
  const std::string address = page_url(record.url);
  const std::string site = site::site_key(record.url);
  const bool names_url = !head.refers_to_url.empty() && head.refers_to_url.size() <= kUrlBytes;
  const auto target = names_url ? base::Url::parse(head.refers_to_url) : std::nullopt;
  const std::string target_address = target ? page_url(*target) : address;
  const bool is_of_other = target_address != address;
  of_other_urls_ += is_of_other ? 1 : 0;
  const http::fetch::FetchHead none;
  const http::fetch::FetchHead& message = response ? response->head : none;
  const http::fetch::Validators validators(message);
  const std::string robots = message.joined("x-robots-tag");
  using Kind = ArchivedCapture::Kind;
  const ArchivedCapture capture{.kind = is_of_other ? Kind::revisit_of_other : Kind::revisit,
                                .site = site,
                                .url = address,
                                .date = date_of(record),
                                .etag = validators.etag(),
                                .last_modified = validators.last_modified(),
                                .robots = robots,
                                .id = head.refers_to,
                                .digest = head.payload_digest,
                                .refers_to_date = head.refers_to_date};
  const std::string target_site = is_of_other ? site::site_key(*target) : site;
  return sort_.add(capture_key(target_site, target_address, capture.date, counts_.records),
                   encode_capture(capture));
}

Result<void> WarcPages::sort() {
  if (counts_.records == 0)
    return base::fail(base::Errc::invalid_data,
                      fmt::format("nothing was read from WARC files: {}", bad_file_));
  SHEAF_TRY(sort_.sort());
  if (of_other_urls_ > 0) SHEAF_TRY(copy_to_other_urls());
  SHEAF_TRY_ASSIGN(ahead_, sort_.next());
  return {};
}

/// Sorts everything again, with a copy of each page for the other URLs whose revisits refer to it. A revisit
/// comes before the older page that it refers to.
Result<void> WarcPages::copy_to_other_urls() {
  base::TextSort copied(options_.memory, options_.temporary);
  std::vector<std::string> wanted;
  std::string last_url;
  std::uint64_t number = counts_.records;
  while (true) {
    SHEAF_TRY_ASSIGN(const auto entry, sort_.next());
    if (!entry || url_part(entry->key) != last_url) {
      counts_.unresolved += wanted.size();
      wanted.clear();
    }
    if (!entry) break;
    last_url = url_part(entry->key);
    const ArchivedCapture capture = decode_capture(entry->text);
    if (capture.kind == ArchivedCapture::Kind::revisit_of_other) {
      counts_.unresolved += hold(wanted, entry->text) ? 0 : 1;
      continue;
    }
    SHEAF_TRY(copied.add(entry->key, entry->text));
    for (std::size_t i = 0; i < wanted.size();) {
      const ArchivedCapture revisit = decode_capture(wanted[i]);
      if (!refers_to(revisit, capture)) {
        ++i;
        continue;
      }
      SHEAF_TRY(copied.add(capture_key(revisit.site, revisit.url, revisit.date, ++number),
                           encode_capture(page_at_revisit(revisit, capture))));
      if (const auto url = base::Url::parse(revisit.url))
        ++origins_[std::string(revisit.site)][url->origin()];
      ++counts_.revisited;
      ++counts_.pages;
      wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  sort_ = std::move(copied);
  return sort_.sort();
}

/// The newest capture of the next URL, encoded. nullopt if the URL has only revisits of a page that is not in
/// the files; an empty text after the last URL.
Result<std::optional<std::string>> WarcPages::newest_capture() {
  std::optional<std::string> newest;
  if (!ahead_) return std::string();
  const std::string url(url_part(ahead_->key));
  std::vector<std::string> revisits;  // those that are newer than all pages of the URL
  std::size_t rank = 0;               // index of the newest revisit whose page is `newest`; revisits.size()
                                      // if there is none
  for (; ahead_ && url_part(ahead_->key) == url;) {
    const ArchivedCapture capture = decode_capture(ahead_->text);
    if (capture.kind == ArchivedCapture::Kind::revisit) {
      if (!newest) rank += hold(revisits, ahead_->text) ? 1 : 0;
    } else {
      counts_.repeated += newest ? 1 : 0;
      const std::size_t before = rank;
      for (std::size_t i = 0; i < rank; ++i)
        if (refers_to(decode_capture(revisits[i]), capture)) rank = i;
      if (rank < before)
        newest = encode_capture(page_at_revisit(decode_capture(revisits[rank]), capture));
      else if (!newest)
        newest = std::string(ahead_->text);
    }
    SHEAF_TRY_ASSIGN(ahead_, sort_.next());
  }
  if (!newest) counts_.unresolved += revisits.size();
  counts_.revisited += newest && rank < revisits.size() ? 1 : 0;
  return newest;
}

Result<std::optional<ArchivedPage>> WarcPages::next() {
  while (true) {
    SHEAF_TRY_ASSIGN(const auto newest, newest_capture());
    if (!newest) continue;
    if (newest->empty()) return std::nullopt;
    const ArchivedCapture capture = decode_capture(*newest);
    ArchivedPage page;
    page.site = capture.site;
    page.date = capture.date;
    PageVisit& visit = page.visit;
    visit.request.url = visit.final_url = capture.url;
    visit.validators = {capture.etag, capture.last_modified};
    visit.content_type = capture.content_type;
    visit.robots_header = capture.robots;
    visit.body = capture.body;
    visit.status = 200;
    visit.fate = PageOutcome::stored;
    if (const auto served = http::message::parse_http_date(capture.last_modified, page.date.seconds))
      visit.last_modified = Instant{*served, 0};
    return page;
  }
}

std::string WarcPages::origin_of(const std::string& site) const {
  const auto found = origins_.find(site);
  if (found == origins_.end()) return {};
  // On a tie https wins, because it sorts after http.
  const auto most = std::ranges::max_element(found->second, [](const auto& a, const auto& b) {
    return a.second < b.second || (a.second == b.second && a.first < b.first);
  });
  return most->first;
}

}  // namespace sheaf::crawl
