#include "sheaf/search/index_record.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/hash.h"
#include "sheaf/base/record.h"
#include "sheaf/base/url.h"
#include "sheaf/search/search_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace sheaf::search {
namespace {

// How a position is encoded: absent, as a number, or, if it has several parts, as text.
constexpr std::uint64_t kAbsent = 0;
constexpr std::uint64_t kNumber = 1;
constexpr std::uint64_t kText = 2;

void write_optional(base::RecordWriter& out, const std::optional<store::FeedCursor>& cursor) {
  if (!cursor) {
    out.number(kAbsent).number(0);
  } else if (cursor->parts() == 1) {
    out.number(kNumber).number(cursor->total());
  } else {
    out.number(kText).text(cursor->text());
  }
}

std::optional<store::FeedCursor> read_optional(base::RecordReader& in) {
  const std::uint64_t kind = in.number();
  if (kind == kText) {
    auto cursor = store::FeedCursor::parse(in.text());
    return cursor ? std::optional(std::move(*cursor)) : std::nullopt;
  }
  const std::uint64_t number = in.number();
  return kind == kNumber ? std::optional(store::FeedCursor(number)) : std::nullopt;
}

}  // namespace

std::string encode(const IndexPosition& position) {
  base::RecordWriter out;
  out.number(position.version);
  write_optional(out, position.sequence);
  write_optional(out, position.rebuilding);
  return out.bytes();
}

IndexPosition decode_index_position(std::string_view bytes) {
  base::RecordReader in(bytes);
  IndexPosition position;
  position.version = in.number();
  position.sequence = read_optional(in);
  position.rebuilding = read_optional(in);
  return in.good() ? position : IndexPosition{};
}

namespace {

constexpr std::uint64_t kMaxSections = 10'000;
constexpr std::size_t kMaxDomains = 8;

// The keys are fixed, because terms outlive the process. A site can only make its own pages collide, because
// the site is part of the hashed text.
constexpr std::array<base::HashKey, 2> kPageKeys{
    {{0x7368656166207365U, 0x617263682070616bU}, {0x652064657220736bU, 0x65696e206b6e6f77U}}};

/// The part of an origin after "https://", without a port.
std::string_view host_of(std::string_view origin) {
  const std::size_t scheme = origin.find("://");
  if (scheme != std::string_view::npos) origin.remove_prefix(scheme + 3);
  if (origin.starts_with('[')) return origin.substr(0, origin.find(']') + 1);
  return origin.substr(0, origin.find(':'));
}

bool is_name(std::string_view host) {
  return !host.starts_with('[') && std::ranges::any_of(host, [](char c) { return base::is_letter(c); });
}

}  // namespace

std::string encode(const IndexRecord& record) {
  base::RecordWriter out;
  out.text(record.site).text(record.url).text(record.modified).time(record.as_of);
  out.number(record.sections.size());
  for (const std::string& section : record.sections) out.text(section);
  return out.bytes();
}

std::optional<IndexRecord> decode_index_record(std::string_view bytes) {
  base::RecordReader in(bytes);
  IndexRecord record;
  record.site = in.text();
  record.url = in.text();
  record.modified = in.text();
  record.as_of = in.time();
  const std::uint64_t sections = in.number();
  if (sections > kMaxSections) return std::nullopt;
  for (std::uint64_t i = 0; i < sections && in.good_so_far(); ++i) record.sections.emplace_back(in.text());
  if (!in.good()) return std::nullopt;
  return record;
}

std::string page_term(std::string_view site, std::string_view url) {
  const std::string name = fmt::format("{}\n{}", site, url);
  std::string term(kPagePrefix);
  for (const base::HashKey& key : kPageKeys) {
    std::uint64_t hash = base::keyed_hash(key, name);
    // Letters and digits only: Xapian needs two bytes for a zero.
    constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
    for (int i = 0; i < 11; ++i, hash >>= 6U) term += kDigits[hash & 63U];
  }
  return term;
}

std::vector<std::string> site_terms(std::string_view site) {
  std::vector<std::string> terms{site_term(site)};
  const std::size_t scheme = site.find("://");
  const std::string_view authority = scheme == std::string_view::npos ? site : site.substr(scheme + 3);
  std::string_view host = host_of(site);
  if (authority != host) terms.push_back(site_term(authority));
  terms.push_back(site_term(host));
  for (std::size_t i = 0; is_name(host) && i < kMaxDomains; ++i) {
    const std::size_t dot = host.find('.');
    if (dot == std::string_view::npos) break;
    host.remove_prefix(dot + 1);
    terms.push_back(site_term(host));
  }
  return terms;
}

std::vector<std::string> language_terms(std::string_view tag) {
  std::vector<std::string> terms;
  for (std::size_t at = tag.find('-'); at != std::string_view::npos && terms.size() < 4;
       at = tag.find('-', at + 1))
    terms.push_back(language_term(tag.substr(0, at)));
  if (!tag.empty()) terms.push_back(language_term(tag));
  return terms;
}

}  // namespace sheaf::search
