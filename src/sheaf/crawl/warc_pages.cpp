#include "sheaf/crawl/warc_pages.h"

#include "sheaf/base/record.h"
#include "sheaf/base/sha256.h"
#include "sheaf/http/message/http_date.h"
#include "sheaf/site/page_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::crawl {
namespace {

using base::Result;
using warc::RecordType;

constexpr std::size_t kDateBytes = 16;
// A longer URL is not of a page that anybody links to, and keys are held in memory.
constexpr std::size_t kUrlBytes = std::size_t{64} << 10;

void append_big_endian(std::string& out, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8)
    out += static_cast<char>(number >> static_cast<unsigned>(shift));
}

/// Sorts by site, then by the hash of the URL, then the newest first; of two with the same time, the one that
/// was read last.
std::string sort_key(const std::string& site, std::string_view url, Instant date, std::uint64_t number) {
  std::string key = site;
  key += '\0';
  const base::Digest digest = base::sha256(url);
  key.append(reinterpret_cast<const char*>(digest.data()), digest.size());
  append_big_endian(key, UINT64_MAX - static_cast<std::uint64_t>(std::max<std::int64_t>(date.seconds, 0)));
  append_big_endian(key, UINT64_MAX - number);
  return key;
}

}  // namespace

WarcPages::WarcPages(WarcPagesOptions options)
    : options_(std::move(options)), sort_(options_.memory, options_.temporary) {}

void WarcPages::report(const std::string& file, std::uint64_t offset, std::string_view message) {
  if (options_.on_fault) options_.on_fault(fmt::format("{}: at byte {}: {}", file, offset, message));
}

Result<void> WarcPages::add(base::ByteSource& file) {
  ++counts_.files;
  const std::string& name = file.name();
  warc::WarcReader reader(file, [&](const warc::WarcFault& fault) {
    ++counts_.faults;
    report(name, fault.offset, fault.message);
  });
  while (true) {
    SHEAF_TRY_ASSIGN(const warc::RecordHead* head, reader.next());
    if (head == nullptr) break;
    ++counts_.records;
    ++counts_.types[static_cast<std::size_t>(head->type)];
    SHEAF_TRY(take(reader, *head, name));
    if (options_.progress) options_.progress(counts_.bytes, counts_.records);
    if (options_.cancelled && options_.cancelled())
      return base::fail(base::Errc::refused, "cancelled before all files were read");
  }
  counts_.bytes += file.size().value_or(0);
  if (reader.records() > 0) return {};
  return base::fail(base::Errc::invalid_data, fmt::format("{} has no WARC record: is it a WARC file?", name));
}

Result<void> WarcPages::take(warc::WarcReader& reader, const warc::RecordHead& head,
                             const std::string& file) {
  if (head.type != RecordType::response && head.type != RecordType::resource) return {};
  const auto url = head.url.size() <= kUrlBytes ? base::Url::parse(head.url) : std::nullopt;
  if (!url || (options_.is_selected && !options_.is_selected(*url))) {
    ++counts_.not_selected;
    return {};
  }
  SHEAF_TRY_ASSIGN(const warc::RecordBlock block, reader.block());
  const bool is_partial = block.is_cut || block.is_too_large || head.is_segment || !head.truncated.empty();
  if (is_partial) {
    ++counts_.unreadable;
    return {};
  }
  const auto taken = take_page(*url, head, block.bytes);
  if (!taken && taken.error().code == base::Errc::invalid_data) {
    ++counts_.unreadable;
    if (options_.on_fault)
      options_.on_fault(fmt::format("{}: {}: {}", file, head.url, taken.error().message));
    return {};
  }
  return taken;
}

Result<void> WarcPages::take_page(const base::Url& url, const warc::RecordHead& head,
                                  std::string_view block) {
  SHEAF_TRY_ASSIGN(const warc::ArchivedResponse response, warc::parse_response(head, block));
  if (judge_status(response.head.status, false) != StatusMeaning::page) {
    ++counts_.other_status;
    return {};
  }
  const std::string_view type = response.head.header("content-type");
  if (!type.empty() && !is_html_response(type, {})) {
    ++counts_.other_type;
    return {};
  }
  SHEAF_TRY_ASSIGN(const std::string body, warc::decode_body(response, options_.page_bytes));
  if (body.empty() || !is_html_response(type, body)) {
    ++counts_.other_type;
    return {};
  }
  return keep(url, head, response.head, body);
}

Result<void> WarcPages::keep(const base::Url& url, const warc::RecordHead& head,
                             const http::fetch::FetchHead& response, std::string_view body) {
  const std::string address(url.without_fragment().href());
  const Instant date = std::min(head.date.value_or(options_.now), options_.now);
  const std::string site = site::site_key(url);
  ++counts_.pages;
  ++origins_[site][url.origin()];
  const http::fetch::Validators validators(response);
  base::RecordWriter record;
  record.text(site)
      .text(address)
      .time(date)
      .text(validators.etag())
      .text(validators.last_modified())
      .text(response.header("content-type"))
      .text(response.joined("x-robots-tag"))
      .text(body);
  return sort_.add(sort_key(site, address, date, counts_.records), record.bytes());
}

Result<std::optional<ArchivedPage>> WarcPages::next() {
  while (true) {
    SHEAF_TRY_ASSIGN(const auto entry, sort_.next());
    if (!entry) return std::nullopt;
    const std::string_view key = entry->key.substr(0, entry->key.size() - kDateBytes);
    if (key == last_key_) {
      ++counts_.repeated;
      continue;
    }
    last_key_ = key;
    base::RecordReader record(entry->text);
    ArchivedPage page;
    page.site = record.text();
    PageVisit& visit = page.visit;
    visit.request.url = visit.final_url = record.text();
    page.date = record.time();
    const std::string_view etag = record.text();
    const std::string_view last_modified = record.text();
    visit.validators = {etag, last_modified};
    visit.content_type = record.text();
    visit.robots_header = record.text();
    visit.body = record.text();
    visit.status = 200;
    visit.fate = PageFate::stored;
    if (const auto served = http::message::parse_http_date(last_modified, page.date.seconds))
      visit.last_modified = Instant{*served, 0};
    return page;
  }
}

std::string WarcPages::origin_of(const std::string& site) const {
  const auto found = origins_.find(site);
  if (found == origins_.end()) return {};
  // https sorts behind http, so of two with as many pages the last one is taken.
  const auto most = std::ranges::max_element(found->second, [](const auto& a, const auto& b) {
    return a.second < b.second || (a.second == b.second && a.first < b.first);
  });
  return most->first;
}

}  // namespace sheaf::crawl
