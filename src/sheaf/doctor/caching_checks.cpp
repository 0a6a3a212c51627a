#include "sheaf/base/ascii.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/doctor/checks.h"
#include "sheaf/http/message/entity_tag.h"
#include "sheaf/http/message/http_date.h"
#include "sheaf/http/message/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

// Validators, conditional requests, ranges and Cache-Control of collections.
namespace sheaf::doctor {
namespace {

std::string_view tag_of(const CollectionFacts& collection) { return collection.get.head.header("etag"); }

Problem no_etag(const CollectionFacts& collection, const CollectionProbes& /*probes*/) {
  if (!tag_of(collection).empty()) return std::nullopt;
  return "there is no ETag";
}

Problem invalid_etag(const CollectionFacts& collection, const CollectionProbes& /*probes*/) {
  const std::string_view tag = tag_of(collection);
  if (tag.empty() || http::message::parse_entity_tag(tag)) return std::nullopt;
  return fmt::format("ETag is {}", tag);
}

Problem weak_etag(const CollectionFacts& collection, const CollectionProbes& /*probes*/) {
  const auto tag = http::message::parse_entity_tag(tag_of(collection));
  if (!tag || !tag->weak) return std::nullopt;
  return fmt::format("ETag is {}", tag_of(collection));
}

/// Compares the ETags of GET and HEAD. Neither request sends Accept-Encoding: a weak ETag for re-encoded
/// bytes would be in order.
Problem changing_etag(const CollectionFacts& collection, const CollectionProbes& probes) {
  const std::string_view other = probes.head.head.header("etag");
  if (probes.head.status() != 200 || other.empty() || tag_of(collection).empty()) return std::nullopt;
  if (other == tag_of(collection)) return std::nullopt;
  return fmt::format("first {}, then {}", tag_of(collection), other);
}

Problem etag_ignored(const CollectionFacts& collection, const CollectionProbes& probes) {
  if (!probes.if_none_match.was_made() || probes.if_none_match.error) return std::nullopt;
  const bool usable = http::message::parse_entity_tag(tag_of(collection)).has_value();
  if (!usable || probes.if_none_match.status() == 304 || changing_etag(collection, probes))
    return std::nullopt;
  return fmt::format("If-None-Match with its own ETag is answered {}", probes.if_none_match.status());
}

Problem no_last_modified(const CollectionFacts& collection, const CollectionProbes& /*probes*/) {
  if (!collection.get.head.header("last-modified").empty()) return std::nullopt;
  return "there is no Last-Modified";
}

/// Returns what is wrong with a Last-Modified, or nullopt if it is usable.
Problem judge_last_modified(std::string_view text, Instant now) {
  constexpr std::int64_t kClock = 300;  // allowance for clocks that differ
  const auto time = http::message::parse_http_date(text, now.seconds);
  if (!time) return fmt::format("Last-Modified is {}, which is not an HTTP date", text);
  if (*time <= now.seconds + kClock) return std::nullopt;
  return fmt::format("Last-Modified is {}, which is in the future", text);
}

Problem last_modified_wrong(const CollectionFacts& collection, const SiteFacts& facts) {
  const std::string_view text = collection.get.head.header("last-modified");
  return collection.probes && !text.empty() ? judge_last_modified(text, facts.now) : std::nullopt;
}

Problem last_modified_ignored(const CollectionFacts& collection, const SiteFacts& facts) {
  if (!collection.probes || last_modified_wrong(collection, facts)) return std::nullopt;
  const ProbeExchange& exchange = collection.probes->if_modified_since;
  if (!exchange.was_made() || exchange.error || exchange.status() == 304) return std::nullopt;
  return fmt::format("If-Modified-Since with its own Last-Modified is answered {}", exchange.status());
}

Problem no_ranges(const CollectionFacts& /*collection*/, const CollectionProbes& probes) {
  if (!probes.range.was_made() || probes.range.error || probes.range.status() == 206) return std::nullopt;
  return fmt::format("a Range request is answered {}", probes.range.status());
}

Problem wrong_range(const CollectionFacts& collection, const CollectionProbes& probes) {
  const ProbeExchange& range = probes.range;
  if (range.status() != 206) return std::nullopt;
  if (!range.error && range.start == collection.range_bytes) return std::nullopt;
  return fmt::format("bytes {}-{} were requested; Content-Range is \"{}\" and the bytes are wrong",
                     kRangeFirst, kRangeLast, range.head.header("content-range"));
}

Problem if_range_ignored(const CollectionFacts& collection, const CollectionProbes& probes) {
  if (probes.if_range.status() != 206 || wrong_range(collection, probes)) return std::nullopt;
  return "If-Range with the tag of another version is answered 206";
}

/// Returns the directives of Cache-Control in lower case and without blanks, each between two commas.
std::string directives_of(const CollectionFacts& collection) {
  std::string text = base::lower_text(collection.get.head.joined("cache-control"));
  std::erase_if(text, base::is_blank);
  return "," + text + ",";
}

std::optional<std::int64_t> number_after(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  std::int64_t value = 0;
  const char* first = text.data() + at + name.size();
  const auto read = std::from_chars(first, text.data() + text.size(), value);
  return read.ptr == first ? std::nullopt : std::optional(value);
}

Problem no_cache_control(const CollectionFacts& collection, const CollectionProbes& /*probes*/) {
  const auto& head = collection.get.head;
  if (!head.header("cache-control").empty() || !head.header("expires").empty()) return std::nullopt;
  return "there is neither Cache-Control nor Expires";
}

Problem not_cacheable(const CollectionFacts& collection, const CollectionProbes& /*probes*/) {
  const std::string directives = directives_of(collection);
  for (const std::string_view word : {",no-store,", ",private,"})
    if (directives.contains(word))
      return fmt::format("Cache-Control is {}", collection.get.head.joined("cache-control"));
  return std::nullopt;
}

/// A lifetime longer than the section's update interval: caches then hide new files of the same name.
void cached_too_long(const SiteFacts& facts, const OnProblem& problem) {
  for (const CollectionFacts& collection : facts.collections) {
    const auto section = std::ranges::find(facts.sections, collection.offer.section, &SectionFacts::name);
    if (!collection.probes || section == facts.sections.end() || !section->update) continue;
    const std::string directives = directives_of(collection);
    const auto shared = number_after(directives, ",s-maxage=");
    const auto age = shared ? shared : number_after(directives, ",max-age=");
    if (age && *age > site::seconds_of(*section->update) && !directives.contains(",immutable,"))
      problem(collection.offer.url,
              fmt::format("caches may keep it for {} seconds, yet the section is updated {}", *age,
                          to_string(*section->update)));
  }
}

Problem sets_cookie(const CollectionFacts& collection, const CollectionProbes& /*probes*/) {
  if (collection.get.head.header("set-cookie").empty()) return std::nullopt;
  return "there is a Set-Cookie";
}

Problem varies(const CollectionFacts& collection, const CollectionProbes& /*probes*/) {
  const std::string vary = base::lower_text(collection.get.head.joined("vary"));
  for (const std::string_view word : {"*", "cookie", "user-agent", "referer"})
    if (vary.contains(word)) return fmt::format("Vary is {}", vary);
  return std::nullopt;
}

constexpr std::array kCachingChecks = {
    Check{"collection-no-etag", Severity::warning, "A collection has no ETag",
          "Clients cannot resume a download safely, nor ask for exactly this version.", Remedy::validators,
          on_probes<no_etag>},
    Check{"collection-etag-invalid", Severity::warning, "The ETag of a collection is malformed",
          "It needs quotes (RFC 9110, 8.8.3); clients drop it.", Remedy::validators, on_probes<invalid_etag>},
    Check{"collection-etag-weak", Severity::warning, "The ETag of a collection is weak",
          "If-Range takes strong tags only, so an interrupted download starts again. Proxies that compress "
          "weaken tags.",
          Remedy::validators, on_probes<weak_etag>},
    Check{"collection-etag-changes", Severity::warning, "The ETag of a collection changes between requests",
          "Clients fetch the unchanged file again. Servers behind a load balancer often disagree.",
          Remedy::validators, on_probes<changing_etag>},
    Check{"collection-etag-ignored", Severity::warning, "If-None-Match is not answered with 304",
          "Every check for news costs the whole file.", Remedy::validators, on_probes<etag_ignored>},
    Check{"collection-no-last-modified", Severity::advice, "A collection has no Last-Modified",
          "Clients that know only dates fetch the file again every time.", Remedy::validators,
          on_probes<no_last_modified>},
    Check{"collection-last-modified", Severity::warning, "The Last-Modified of a collection is wrong",
          "Clients ignore it, or believe for a long time that nothing changed.", Remedy::validators,
          on_collections_of<last_modified_wrong>},
    Check{"collection-since-ignored", Severity::warning, "If-Modified-Since is not answered with 304",
          "Clients that know only dates fetch the file again every time.", Remedy::validators,
          on_collections_of<last_modified_ignored>},
    Check{"collection-no-ranges", Severity::warning, "A collection cannot be fetched in parts",
          "An interrupted download of a large file starts again from its first byte.", Remedy::ranges,
          on_probes<no_ranges>},
    Check{"collection-wrong-range", Severity::error, "A Range request gets the wrong bytes",
          "A resumed download is a damaged file.", Remedy::ranges, on_probes<wrong_range>},
    Check{"collection-if-range", Severity::error, "If-Range is ignored",
          "If the file is replaced while it is fetched, clients join two versions.", Remedy::ranges,
          on_probes<if_range_ignored>},
    Check{"collection-no-cache-control", Severity::advice, "A collection has no Cache-Control",
          "Caches guess how long they may keep it.", Remedy::cache_control, on_probes<no_cache_control>},
    Check{"collection-no-store", Severity::warning, "Shared caches may not keep a collection",
          "Every client fetches the file from your server.", Remedy::cache_control, on_probes<not_cacheable>},
    Check{"collection-cached-long", Severity::warning,
          "Caches may keep a collection longer than it is current",
          "Until then clients do not see a file that is replaced under the same name.", Remedy::cache_control,
          cached_too_long},
    Check{"collection-cookie", Severity::warning, "A collection sets a cookie",
          "Shared caches do not keep such responses.", Remedy::no_cookies, on_probes<sets_cookie>},
    Check{"collection-vary", Severity::warning, "A collection varies by client",
          "Caches keep one copy for each client, or none.", Remedy::no_cookies, on_probes<varies>},
};

}  // namespace

std::span<const Check> caching_checks() { return kCachingChecks; }

}  // namespace sheaf::doctor
