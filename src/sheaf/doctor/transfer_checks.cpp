#include "sheaf/base/ascii.h"
#include "sheaf/doctor/checks.h"
#include "sheaf/http/message/message.h"
#include "sheaf/offers/offer_statements.h"
#include "sheaf/trust/file_signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

}  // namespace sheaf::doctor
