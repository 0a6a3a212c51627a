#include "sheaf/base/ascii.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/doctor/checks.h"
#include "sheaf/http/message/conditional.h"
#include "sheaf/http/message/message.h"
#include "sheaf/offers/pull_plan.h"
#include "sheaf/trust/signing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

// Checks of how collection files are transferred.
namespace sheaf::doctor {
namespace {

using http::fetch::FetchTrouble;

bool is_web_page(const ProbeExchange& get) {
  if (http::message::is_html_type(get.head.header("content-type")))
    return !offers::may_be_collection(get.start);
  return base::trim_xml_space(get.start).starts_with('<');
}

Problem file_missing(const CollectionFacts& collection) {
  const int status = collection.get.status();
  if (status != 404 && status != 410) return std::nullopt;
  return fmt::format("answered {}", status);
}

Problem file_forbidden(const CollectionFacts& collection) {
  const int status = collection.get.status();
  if (status != 401 && status != 403) return std::nullopt;
  return fmt::format("answered {}", status);
}

Problem file_unavailable(const CollectionFacts& collection) {
  const ProbeExchange& get = collection.get;
  if (!get.was_made()) return std::nullopt;
  const int status = get.status();
  if (status >= 500 || status == 429 || status == 408) return fmt::format("answered {}", status);
  const bool no_answer = get.error && status == 0 &&
                         (get.trouble == FetchTrouble::unreachable || get.trouble == FetchTrouble::too_slow ||
                          get.trouble == FetchTrouble::unresolvable_host);
  return no_answer ? Problem(get.error->message) : std::nullopt;
}

/// Reports statuses that no other check covers.
Problem odd_status(const CollectionFacts& collection) {
  const int status = collection.get.status();
  const bool other_success = status > 200 && status < 300;
  const bool other_refusal = status >= 400 && status < 500 && status != 401 && status != 403 &&
                             status != 404 && status != 408 && status != 410 && status != 429;
  if (!other_success && !other_refusal) return std::nullopt;
  return fmt::format("answered {}", status);
}

Problem transfer_cut(const CollectionFacts& collection) {
  const ProbeExchange& get = collection.get;
  if (get.status() != 200 || !get.error || get.trouble == FetchTrouble::too_large) return std::nullopt;
  return fmt::format("{} after {} bytes", get.error->message, get.bytes);
}

Problem page_instead(const CollectionFacts& collection) {
  if (!collection.get.is_ok() || !is_web_page(collection.get)) return std::nullopt;
  return fmt::format("the server sent a web page ({})", collection.get.head.header("content-type"));
}

Problem not_a_collection(const CollectionFacts& collection) {
  const ProbeExchange& get = collection.get;
  if (!get.is_ok() || is_web_page(get) || offers::may_be_collection(get.start)) return std::nullopt;
  return "its first bytes are neither gzip nor zstd nor JSON";
}

Problem redirected(const CollectionFacts& collection) {
  const ProbeExchange& get = collection.get;
  if (!get.is_ok() || get.redirects.empty()) return std::nullopt;
  return fmt::format("leads to {}", get.redirects.back());
}

Problem redirect_failed(const CollectionFacts& collection) {
  const ProbeExchange& get = collection.get;
  if (get.trouble == FetchTrouble::insecure_redirect) return std::nullopt;
  const bool unfollowed = get.status() >= 300 && get.status() < 400;
  const bool loop = get.error && get.error->code == base::Errc::invalid_data && !get.redirects.empty();
  if (!unfollowed && !loop) return std::nullopt;
  return get.error ? get.error->message : fmt::format("answered {} without a target", get.status());
}

Problem redirect_insecure(const CollectionFacts& collection) {
  if (collection.get.trouble != FetchTrouble::insecure_redirect) return std::nullopt;
  return collection.get.error->message;
}

Problem media_type(const CollectionFacts& collection) {
  if (!collection.is_valid()) return std::nullopt;
  const std::string type = base::lower_text(collection.get.head.header("content-type"));
  constexpr std::array<std::string_view, 8> kTypes = {
      "application/scp",  "application/x-scp",  "application/octet-stream", "application/zstd",
      "application/gzip", "application/x-gzip", "application/x-ndjson",     "application/jsonl"};
  if (std::ranges::any_of(kTypes, [&](std::string_view known) { return type.starts_with(known); }))
    return std::nullopt;
  return type.empty() ? std::string("there is no Content-Type") : fmt::format("Content-Type is {}", type);
}

/// Returns the codec of the body, as Content-Encoding would name it.
std::string_view coding_of(const ProbeExchange& exchange) {
  if (exchange.start.starts_with("\x1f\x8b")) return "gzip";
  if (exchange.start.starts_with("\x28\xb5\x2f\xfd")) return "zstd";
  return "identity";
}

/// SCP 0.1 "HTTP": servers MUST set Content-Encoding. Clients that know the format look at the bytes instead.
Problem coding_missing(const CollectionFacts& collection) {
  if (!collection.is_valid() || coding_of(collection.get) == "identity") return std::nullopt;
  const std::string_view coding = collection.get.head.header("content-encoding");
  if (!coding.empty() && coding != "identity") return std::nullopt;
  return fmt::format("there is no Content-Encoding, yet the bytes are {}", coding_of(collection.get));
}

/// Content-Encoding must be absent or name the codec of the file itself.
Problem coding_wrong(const CollectionFacts& collection) {
  if (!collection.is_valid()) return std::nullopt;
  const std::string coding = base::lower_text(collection.get.head.joined("content-encoding"));
  if (coding.empty() || coding == "identity" || coding == coding_of(collection.get)) return std::nullopt;
  return fmt::format("Content-Encoding is {}, yet the bytes are {}", coding, coding_of(collection.get));
}

/// Two requests for one file return the same bytes, unless a proxy compresses them again.
Problem recompressed(const CollectionFacts& collection, const CollectionProbes& probes) {
  if (!probes.coded.is_ok()) return std::nullopt;
  const std::string plain = base::lower_text(collection.get.head.joined("content-encoding"));
  const std::string coded = base::lower_text(probes.coded.head.joined("content-encoding"));
  if (plain == coded && collection.get.start == probes.coded.start) return std::nullopt;
  return fmt::format("with Accept-Encoding the Content-Encoding is {} instead of {}",
                     coded.empty() ? "none" : coded, plain.empty() ? "none" : plain);
}

Problem cross_origin_refused(const CollectionFacts& /*collection*/, const CollectionProbes& probes) {
  if (!probes.cross_origin.was_made()) return std::nullopt;
  if (probes.cross_origin.status() != 200)
    return fmt::format("a request with an Origin header was answered {}", probes.cross_origin.status());
  const std::string_view allowed = probes.cross_origin.head.header("access-control-allow-origin");
  if (allowed.empty() || allowed == "*" || allowed == kForeignOrigin) return std::nullopt;
  return fmt::format("Access-Control-Allow-Origin is {}", allowed);
}

Problem head_differs(const CollectionFacts& collection, const CollectionProbes& probes) {
  if (!probes.head.was_made() || probes.head.error) return std::nullopt;
  if (probes.head.status() != 200) return fmt::format("HEAD is answered {}", probes.head.status());
  const auto length = probes.head.head.length();
  const auto whole = collection.get.head.length();
  if (!length || !whole || *length == *whole) return std::nullopt;
  return fmt::format("HEAD states {} bytes, GET {}", *length, *whole);
}

Problem no_length(const CollectionFacts& collection) {
  if (!collection.is_valid() || collection.get.head.length()) return std::nullopt;
  return "there is no Content-Length";
}

Problem missing_as_page(const SiteFacts& facts) {
  if (!facts.missing || facts.missing->status() != 200) return std::nullopt;
  return fmt::format("{} does not exist and was answered 200", facts.missing->url);
}

Problem signature_malformed(const CollectionFacts& /*collection*/, const CollectionProbes& probes) {
  if (!probes.signature.is_ok() || http::message::is_html_type(probes.signature.head.header("content-type")))
    return std::nullopt;
  const auto parsed = trust::parse_signature(probes.signature.start);
  return parsed ? std::nullopt : Problem(parsed.error().message);
}

constexpr std::array kTransferChecks = {
    Check{"collection-missing", Severity::error, "A collection that the sitemap lists does not exist",
          "Clients cannot update and go back to crawling pages.", Remedy::serve_collections,
          on_collections<file_missing>},
    Check{"collection-forbidden", Severity::error, "A collection is refused to clients",
          "Clients cannot log in; they go back to crawling pages.", Remedy::serve_collections,
          on_collections<file_forbidden>},
    Check{"collection-unavailable", Severity::error, "A collection cannot be fetched",
          "Clients try again later, and keep what they have.", Remedy::serve_collections,
          on_collections<file_unavailable>},
    Check{"collection-status", Severity::error, "A collection is answered with an unexpected status",
          "Clients take only 200 for the file.", Remedy::serve_collections, on_collections<odd_status>},
    Check{"collection-cut", Severity::error, "The transfer of a collection ends early",
          "Clients discard the part or resume again and again. Timeouts and size limits of proxies do this.",
          Remedy::serve_collections, on_collections<transfer_cut>},
    Check{"collection-html", Severity::error, "A web page is sent instead of a collection",
          "Clients take it for a damaged file. Login pages, challenges and error pages with status 200 do "
          "this.",
          Remedy::not_found_status, on_collections<page_instead>},
    Check{"collection-not-one", Severity::error, "A file that is offered is not a collection",
          "Clients discard it.", Remedy::publish_again, on_collections<not_a_collection>},
    Check{"collection-redirected", Severity::advice, "A collection redirects",
          "Every client makes one request more, each time. List the final URL.", Remedy::publish_sitemap,
          on_collections<redirected>},
    Check{"collection-redirect-loop", Severity::error, "The redirect of a collection leads nowhere",
          "Clients give up.", Remedy::serve_collections, on_collections<redirect_failed>},
    Check{"collection-redirect-insecure", Severity::error, "A collection redirects from https to http",
          "Anyone on the network could change it, so clients do not follow.", Remedy::use_https,
          on_collections<redirect_insecure>},
    Check{"collection-type", Severity::warning, "A collection has an unexpected Content-Type",
          "Proxies compress, scan or change text and HTML; some clients refuse it.", Remedy::media_types,
          on_collections<media_type>},
    Check{"collection-encoding", Severity::error, "The Content-Encoding of a collection is wrong",
          "HTTP libraries undo a compression that is not there, and fail.", Remedy::media_types,
          on_collections<coding_wrong>},
    Check{"collection-no-encoding", Severity::warning, "A compressed collection has no Content-Encoding",
          "The drafts demand it; clients that rely on it do not decompress the file.", Remedy::media_types,
          on_collections<coding_missing>},
    Check{"collection-recompressed", Severity::warning, "A collection is compressed again on its way",
          "It costs time on both ends, and sizes, ranges and tags no longer fit the file.",
          Remedy::no_recompression, on_probes<recompressed>},
    Check{"collection-cors", Severity::warning, "Browsers of other sites may not read collections",
          "Tools that run in a browser cannot use the public files.", Remedy::cors,
          on_probes<cross_origin_refused>},
    Check{"collection-head", Severity::warning, "HEAD and GET of a collection differ",
          "Clients that ask for the size first give up or plan wrongly.", Remedy::serve_collections,
          on_probes<head_differs>},
    Check{"collection-no-length", Severity::warning, "A collection has no Content-Length",
          "Clients cannot tell whether it arrived whole before they have read it, nor show progress.",
          Remedy::no_recompression, on_collections<no_length>},
    Check{"missing-as-page", Severity::warning, "Missing files are answered with status 200",
          "A deleted collection or page looks as if it were there.", Remedy::not_found_status,
          on_site<missing_as_page>},
    Check{"signature-malformed", Severity::error, "A signature file is not in the format of minisign",
          "Clients that verify signatures refuse the collection.", Remedy::publish_again,
          on_probes<signature_malformed>},
};

}  // namespace

std::span<const Check> transfer_checks() { return kTransferChecks; }

// Validators, conditional requests, ranges and Cache-Control of collections.

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
