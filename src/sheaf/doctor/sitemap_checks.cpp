#include "sheaf/base/ascii.h"
#include "sheaf/doctor/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

namespace sheaf::doctor {
namespace {

using sheaf::SitemapCode;
using site::WalkProblem;

/// Reports the first finding of these codes in each sitemap.
template <SitemapCode... Codes>
void in_sitemaps(const SiteFacts& facts, const OnProblem& problem) {
  std::string last;
  for (const site::WalkFinding& finding : facts.sitemaps.findings) {
    const bool concerned = finding.code && ((*finding.code == Codes) || ...);
    if (!concerned || finding.sitemap == last) continue;
    last = finding.sitemap;
    problem(finding.sitemap,
            finding.line > 0 ? fmt::format("line {}: {}", finding.line, finding.message) : finding.message);
  }
}

bool has_code(const SiteFacts& facts, const std::string& sitemap, std::initializer_list<SitemapCode> codes) {
  return std::ranges::any_of(facts.sitemaps.findings, [&](const site::WalkFinding& finding) {
    return finding.code && finding.sitemap == sitemap &&
           std::ranges::find(codes, *finding.code) != codes.end();
  });
}

/// Web pages and wrong encodings are ill-formed XML too, but have their own checks.
void ill_formed(const SiteFacts& facts, const OnProblem& problem) {
  in_sitemaps<SitemapCode::ill_formed, SitemapCode::ill_formed_end, SitemapCode::too_complex>(
      facts, [&](std::string_view url, std::string detail) {
        if (!has_code(facts, std::string(url), {SitemapCode::not_a_sitemap, SitemapCode::not_utf8}))
          problem(url, std::move(detail));
      });
}

/// Entities are declared in a document type, but have their own check.
void has_doctype(const SiteFacts& facts, const OnProblem& problem) {
  in_sitemaps<SitemapCode::doctype>(facts, [&](std::string_view url, std::string detail) {
    if (!has_code(facts, std::string(url), {SitemapCode::entity_declaration}))
      problem(url, std::move(detail));
  });
}

template <WalkProblem Kind>
void in_walk(const SiteFacts& facts, const OnProblem& problem) {
  for (const site::WalkFinding& finding : facts.sitemaps.findings)
    if (finding.problem == Kind) problem(finding.sitemap, finding.message);
}

/// Whether sitemaps could be requested at all.
bool was_walked(const SiteFacts& facts) {
  return facts.robots.access != site::RobotsAccess::nothing && facts.sitemaps.disallowed.empty();
}

bool has_problem(const SiteFacts& facts, std::initializer_list<WalkProblem> kinds) {
  return std::ranges::any_of(facts.sitemaps.findings, [&](const site::WalkFinding& finding) {
    return std::ranges::find(kinds, finding.problem) != kinds.end();
  });
}

Problem sitemap_missing(const SiteFacts& facts) {
  if (!was_walked(facts) || has_problem(facts, {WalkProblem::unreachable, WalkProblem::insecure}))
    return std::nullopt;
  if (std::ranges::any_of(facts.sitemaps.files, [](const ProbeExchange& file) { return file.is_ok(); }))
    return std::nullopt;
  return "neither the sitemaps that robots.txt names nor /sitemap.xml exist";
}

/// A named sitemap does not exist, although another one does.
void sitemap_named_missing(const SiteFacts& facts, const OnProblem& problem) {
  const bool has_any =
      std::ranges::any_of(facts.sitemaps.files, [](const ProbeExchange& file) { return file.is_ok(); });
  if (has_any) in_walk<WalkProblem::missing>(facts, problem);
}

Problem nothing_advertised(const SiteFacts& facts) {
  const bool read =
      std::ranges::any_of(facts.sitemaps.files, [](const ProbeExchange& file) { return file.is_ok(); });
  if (!read || !facts.sitemaps.advertised.collections.empty()) return std::nullopt;
  // Whatever kept the elements from being read has its own check.
  if (!facts.sitemaps.findings.empty()) return std::nullopt;
  return "the sitemap has no SCP elements";
}

void sitemap_type(const SiteFacts& facts, const OnProblem& problem) {
  for (const ProbeExchange& file : facts.sitemaps.files) {
    if (!file.is_ok()) continue;
    const std::string type = base::lower_text(file.head.header("content-type"));
    const bool known = type.contains("xml") || type.contains("gzip") || type.starts_with("text/plain") ||
                       type.contains("octet-stream");
    if (!known && !type.contains("html"))
      problem(file.url, type.empty() ? "there is no Content-Type" : fmt::format("Content-Type is {}", type));
  }
}

void sitemap_redirected(const SiteFacts& facts, const OnProblem& problem) {
  for (const ProbeExchange& file : facts.sitemaps.files)
    if (file.is_ok() && !file.redirects.empty())
      problem(file.url, fmt::format("leads to {}", file.redirects.back()));
}

/// Checks only sitemaps that offer collections. Other sitemaps are often generated for each request, as in
/// WordPress, and the publisher cannot change how they are sent.
void sitemap_unvalidated(const SiteFacts& facts, const OnProblem& problem) {
  for (const ProbeExchange& file : facts.sitemaps.files)
    if (file.is_ok() && file.head.header("etag").empty() && file.head.header("last-modified").empty() &&
        facts.sitemaps.offers_collections(file.url))
      problem(file.url, "there is neither an ETag nor a Last-Modified");
}

Problem lastmod_in_future(const SiteFacts& facts) {
  if (facts.sitemaps.future_lastmod.empty()) return std::nullopt;
  return fmt::format("the lastmod of {} is in the future", facts.sitemaps.future_lastmod);
}

Problem foreign_entry(const SiteFacts& facts) {
  if (facts.sitemaps.foreign_entry.empty()) return std::nullopt;
  return fmt::format("{} is of another site", facts.sitemaps.foreign_entry);
}

constexpr std::array kSitemapChecks = {
    Check{"sitemap-missing", Severity::error, "There is no sitemap",
          "Clients find collections through the sitemap only.", Remedy::serve_sitemap,
          on_site<sitemap_missing>},
    Check{"sitemap-named-missing", Severity::warning, "A sitemap that is named does not exist",
          "What it lists is lost to clients, and each of them asks for it every time.", Remedy::serve_sitemap,
          sitemap_named_missing},
    Check{"sitemap-unreachable", Severity::error, "A sitemap cannot be fetched",
          "Clients cannot tell what is offered and keep what they have.", Remedy::serve_sitemap,
          in_walk<WalkProblem::unreachable>},
    Check{"sitemap-insecure", Severity::error, "A sitemap of an https site is named over http",
          "Anyone on the network could change it, so clients do not read it.", Remedy::use_https,
          in_walk<WalkProblem::insecure>},
    Check{"sitemap-elsewhere", Severity::warning, "A sitemap index lists a sitemap of another host",
          "Only the robots.txt of that host can allow this; clients skip it.", Remedy::write_sitemap,
          in_walk<WalkProblem::elsewhere>},
    Check{"sitemap-type", Severity::warning, "The sitemap is not sent as XML",
          "Some clients ignore a sitemap of another type.", Remedy::serve_sitemap, sitemap_type},
    Check{"sitemap-redirected", Severity::advice, "The sitemap redirects",
          "Every client makes one request more, each time. Name the final URL.", Remedy::write_robots,
          sitemap_redirected},
    Check{"sitemap-no-validators", Severity::warning, "The sitemap has neither ETag nor Last-Modified",
          "Clients fetch it whole every time instead of asking whether it changed.", Remedy::validators,
          sitemap_unvalidated},
    Check{"sitemap-not-one", Severity::error, "The file served as sitemap is not a sitemap",
          "Clients find no collections.", Remedy::serve_sitemap, in_sitemaps<SitemapCode::not_a_sitemap>},
    Check{"sitemap-truncated", Severity::error, "The sitemap ends in the middle",
          "What came after it is lost, and clients do not trust the rest as complete.", Remedy::write_sitemap,
          in_sitemaps<SitemapCode::truncated>},
    Check{"sitemap-ill-formed", Severity::error, "The sitemap is not well-formed XML",
          "Strict clients read nothing of it.", Remedy::write_sitemap, ill_formed},
    Check{"sitemap-damaged-gzip", Severity::error, "The compressed sitemap is damaged",
          "Clients read at most a part of it.", Remedy::write_sitemap,
          in_sitemaps<SitemapCode::decompress_failed, SitemapCode::ratio_exceeded>},
    Check{"sitemap-entities", Severity::error, "The sitemap declares entities",
          "Clients refuse it: entities are a way to attack XML readers.", Remedy::write_sitemap,
          in_sitemaps<SitemapCode::entity_declaration>},
    Check{"sitemap-doctype", Severity::warning, "The sitemap has a document type",
          "Sitemaps have none; some readers refuse the file.", Remedy::write_sitemap, has_doctype},
    Check{"sitemap-namespace", Severity::error,
          "The namespace of the sitemap or of its SCP elements is wrong",
          "Clients that compare namespaces as XML demands see no collections.", Remedy::publish_sitemap,
          in_sitemaps<SitemapCode::wrong_namespace>},
    Check{"sitemap-undeclared-prefix", Severity::error, "The prefix of the SCP elements is not declared",
          "The file is not well-formed in the sense of XML namespaces; strict readers refuse it.",
          Remedy::publish_sitemap, in_sitemaps<SitemapCode::undeclared_prefix>},
    Check{"sitemap-unknown-namespace", Severity::error, "SCP elements have a namespace of an unknown version",
          "Clients of version 1.0 skip them.", Remedy::publish_sitemap,
          in_sitemaps<SitemapCode::unknown_scp_namespace>},
    Check{"sitemap-leading-space", Severity::warning, "There is something before the XML declaration",
          "XML forbids it, and strict readers refuse the file. Often a template or a plugin prints an empty "
          "line.",
          Remedy::write_sitemap, in_sitemaps<SitemapCode::leading_space>},
    Check{"sitemap-ampersand", Severity::warning, "An & in the sitemap is not escaped",
          "Strict readers refuse the file: write &amp;.", Remedy::write_sitemap,
          in_sitemaps<SitemapCode::bare_ampersand>},
    Check{"sitemap-encoding", Severity::warning, "The sitemap is not valid in its encoding",
          "URLs with these bytes are wrong or lost. Write it in UTF-8.", Remedy::write_sitemap,
          in_sitemaps<SitemapCode::not_utf8>},
    Check{"sitemap-missing-loc", Severity::warning, "An entry of the sitemap has no URL",
          "The entry is skipped.", Remedy::write_sitemap, in_sitemaps<SitemapCode::missing_loc>},
    Check{"sitemap-invalid-url", Severity::warning, "The sitemap has an invalid URL", "The entry is skipped.",
          Remedy::write_sitemap, in_sitemaps<SitemapCode::invalid_url, SitemapCode::text_too_long>},
    Check{"sitemap-repaired-url", Severity::warning, "A URL in the sitemap is not absolute",
          "sitemaps.org wants whole URLs; many clients skip anything else.", Remedy::write_sitemap,
          in_sitemaps<SitemapCode::repaired_url>},
    Check{"sitemap-lastmod", Severity::warning, "A lastmod in the sitemap is not a date",
          "Clients cannot tell whether the page changed and fetch it every time.", Remedy::write_sitemap,
          in_sitemaps<SitemapCode::invalid_lastmod>},
    Check{"sitemap-lastmod-future", Severity::warning, "A lastmod in the sitemap is in the future",
          "Clients do not believe it, or do not see later changes.", Remedy::write_sitemap,
          on_site<lastmod_in_future>},
    Check{"sitemap-foreign-entry", Severity::warning, "The sitemap lists pages of another site",
          "A sitemap speaks for its own host only; clients skip these.", Remedy::write_sitemap,
          on_site<foreign_entry>},
    Check{
        "sitemap-limit", Severity::warning, "The sitemap is larger than sitemaps.org allows",
        "50,000 entries and 50 MiB are the limit; many clients stop there. Split it and list the parts in an "
        "index.",
        Remedy::write_sitemap, in_sitemaps<SitemapCode::over_sitemap_limit>},
    Check{"sitemap-no-collections", Severity::error, "The sitemap offers no collections",
          "Clients crawl the site page by page instead.", Remedy::publish_sitemap,
          on_site<nothing_advertised>},
    Check{"sitemap-element", Severity::error, "A section or collection in the sitemap cannot be used",
          "Clients skip the element.", Remedy::publish_sitemap,
          in_sitemaps<SitemapCode::invalid_section, SitemapCode::invalid_collection>},
    Check{"sitemap-attribute", Severity::warning, "An attribute of an SCP element is invalid",
          "Clients ignore the attribute.", Remedy::publish_sitemap,
          in_sitemaps<SitemapCode::invalid_attribute>},
    Check{"sitemap-missing-attribute", Severity::warning, "An SCP element lacks an attribute",
          "The drafts require it; without it clients cannot plan what to fetch.", Remedy::publish_sitemap,
          in_sitemaps<SitemapCode::missing_attribute>},
    Check{"sitemap-misplaced", Severity::warning, "An SCP element is in the wrong place",
          "They belong directly below urlset; clients that look only there do not see it.",
          Remedy::publish_sitemap, in_sitemaps<SitemapCode::misplaced_element>},
};

}  // namespace

std::span<const Check> sitemap_checks() { return kSitemapChecks; }

}  // namespace sheaf::doctor
