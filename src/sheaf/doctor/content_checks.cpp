#include "sheaf/base/ascii.h"
#include "sheaf/doctor/checks.h"
#include "sheaf/format/finding.h"
#include "sheaf/offers/pull_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

// Checks of what collection files contain.
namespace sheaf::doctor {
namespace {

using format::ValidationReport;
using offers::StatementKind;
using Code = sheaf::FindingCode;

/// Reports a file that was refused with one of these codes.
Problem refused_for(const CollectionFacts& collection, std::initializer_list<Code> codes) {
  const auto& report = collection.validation;
  if (!report || !report->fatal || std::ranges::find(codes, report->fatal->code) == codes.end())
    return std::nullopt;
  return fmt::format("{}: {}", to_string(report->fatal->code), report->fatal->message);
}

Problem damaged(const CollectionFacts& collection) {
  return refused_for(collection, {Code::decompress_failed, Code::empty_file});
}

Problem checksum_wrong(const CollectionFacts& collection) {
  return refused_for(collection, {Code::checksum_mismatch});
}

Problem too_large(const CollectionFacts& collection) {
  return refused_for(collection, {Code::ratio_exceeded, Code::size_exceeded});
}

Problem invalid(const CollectionFacts& collection) {
  return refused_for(collection, {Code::not_utf8, Code::invalid_json, Code::not_an_object,
                                  Code::missing_collection, Code::invalid_collection,
                                  Code::unsupported_version, Code::missing_field, Code::wrong_type});
}

Problem no_checksum(const CollectionFacts& collection) {
  if (!collection.is_valid() || collection.validation->checksum != format::ChecksumVerdict::absent)
    return std::nullopt;
  return "the metadata line states none";
}

Problem no_state(const CollectionFacts& collection) {
  if (!collection.is_valid() || !collection.validation->head || collection.validation->head->state)
    return std::nullopt;
  return "the metadata line states none";
}

/// Reports how many findings have a wanted code, with the first one as an example.
Problem found(const CollectionFacts& collection, bool (*wanted)(Code)) {
  if (!collection.is_valid()) return std::nullopt;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < format::kCodeCount; ++i)
    if (wanted(static_cast<Code>(i))) count += collection.validation->counts[i];
  if (count == 0) return std::nullopt;
  for (const format::Finding& finding : collection.validation->findings)
    if (wanted(finding.code))
      return fmt::format("{} in all, such as {}, line {}: {}", count, to_string(finding.code), finding.line,
                         finding.message);
  return fmt::format("{} in all", count);
}

Problem state_wrong(const CollectionFacts& collection) {
  return found(collection, [](Code code) { return code == Code::state_mismatch; });
}

Problem pages_skipped(const CollectionFacts& collection) {
  return found(collection,
               [](Code code) { return level_of(code) == FindingLevel::page && code != Code::noindex; });
}

/// Pages with noindex are skipped without a finding, so only their number is known.
Problem has_noindex(const CollectionFacts& collection) {
  if (!collection.is_valid()) return std::nullopt;
  const std::uint64_t count = collection.validation->counts[static_cast<std::size_t>(Code::noindex)];
  if (count == 0) return std::nullopt;
  return fmt::format("{} in all", count);
}

Problem blocks_dropped(const CollectionFacts& collection) {
  return found(collection, [](Code code) { return level_of(code) == FindingLevel::block; });
}

Problem duplicates(const CollectionFacts& collection) {
  return found(collection, [](Code code) { return code == Code::duplicate_url; });
}

Problem empty_pages(const CollectionFacts& collection) {
  return found(collection, [](Code code) { return code == Code::empty_content; });
}

Problem oddities(const CollectionFacts& collection) {
  return found(collection, [](Code code) {
    return level_of(code) == FindingLevel::warning && code != Code::state_mismatch &&
           code != Code::duplicate_url && code != Code::empty_content;
  });
}

Problem delta_state(const CollectionFacts& collection) {
  const StateProof& proof = collection.proof;
  if (proof.stated.empty() || base::lower_text(proof.stated) == proof.computed) return std::nullopt;
  return fmt::format("it states {}, and the chain of collections gives {}", proof.stated, proof.computed);
}

Problem foreign_pages(const CollectionFacts& collection) {
  if (collection.foreign_pages == 0) return std::nullopt;
  return fmt::format("{} in all, such as {}", collection.foreign_pages, collection.foreign_example);
}

Problem no_pages(const CollectionFacts& collection) {
  const bool is_snapshot = collection.offer.type == model::CollectionType::snapshot;
  if (!is_snapshot || !collection.is_valid() || collection.validation->statistics.pages > 0)
    return std::nullopt;
  if (collection.validation->statistics.skipped > 0) return std::nullopt;
  return "the snapshot has no pages";
}

/// Returns the metadata line of a valid file, or null.
const model::CollectionHead* head_of(const CollectionFacts& collection) {
  return collection.is_valid() && collection.validation->head ? &*collection.validation->head : nullptr;
}

Problem other_section(const CollectionFacts& collection) {
  const auto* head = head_of(collection);
  if (head == nullptr || head->section == collection.offer.section) return std::nullopt;
  return fmt::format("the sitemap says {}, the file {}", collection.offer.section, head->section);
}

Problem other_kind(const CollectionFacts& collection) {
  const auto* head = head_of(collection);
  if (head == nullptr || head->type == collection.offer.type) return std::nullopt;
  return fmt::format("the sitemap says {}, the file {}", to_string(collection.offer.type),
                     to_string(head->type));
}

Problem other_since(const CollectionFacts& collection) {
  const auto* head = head_of(collection);
  const auto& stated = collection.offer.since;
  if (head == nullptr || !head->since_at || !stated || head->type != collection.offer.type)
    return std::nullopt;
  // A file that begins earlier than stated can still be applied.
  if (*head->since_at <= *stated) return std::nullopt;
  return fmt::format("the sitemap says {}, the file {}", format_time(*stated), format_time(*head->since_at));
}

Problem stale(const CollectionFacts& collection) {
  const auto* head = head_of(collection);
  if (head == nullptr || !offers::is_older_than_stated(collection.offer.generated, head->generated_at))
    return std::nullopt;
  return fmt::format("it was generated at {}, the sitemap says {}", format_time(head->generated_at),
                     format_time(*collection.offer.generated));
}

Problem wrong_statement(const CollectionFacts& collection, StatementKind kind) {
  if (!collection.is_valid() || stale(collection)) return std::nullopt;
  const ValidationReport& report = *collection.validation;
  const std::string checksum =
      report.head && report.head->checksum ? base::lower_text(*report.head->checksum) : std::string();
  const std::uint64_t lines = report.statistics.pages + report.statistics.skipped;
  auto wrong = offers::compare_statements(
      collection.offer, {.bytes = collection.get.bytes, .checksum = checksum, .pages = lines});
  return wrong && wrong->kind == kind ? Problem(std::move(wrong->message)) : std::nullopt;
}

Problem size_wrong(const CollectionFacts& collection) {
  return wrong_statement(collection, StatementKind::size);
}
Problem stated_checksum_wrong(const CollectionFacts& collection) {
  return wrong_statement(collection, StatementKind::checksum);
}
Problem pages_wrong(const CollectionFacts& collection) {
  return wrong_statement(collection, StatementKind::pages);
}

/// One collection has the same checksum in every codec.
Problem codecs_differ(const CollectionFacts& collection, const SiteFacts& facts) {
  const auto* head = head_of(collection);
  if (head == nullptr || !head->checksum || stale(collection)) return std::nullopt;
  for (const CollectionFacts& other : facts.collections) {
    if (&other == &collection) break;
    const auto* its = head_of(other);
    const bool same = its != nullptr && other.offer.section == collection.offer.section &&
                      other.offer.type == collection.offer.type &&
                      other.offer.since == collection.offer.since &&
                      other.offer.generated == collection.offer.generated && !stale(other);
    if (same && its->checksum && *its->checksum != *head->checksum)
      return fmt::format("{} is said to be the same collection and has other pages", other.offer.url);
  }
  return std::nullopt;
}

constexpr std::array kContentChecks = {
    Check{"collection-damaged", Severity::error, "A collection cannot be decompressed", "Clients discard it.",
          Remedy::publish_again, on_collections<damaged>},
    Check{"collection-checksum", Severity::error, "The checksum of a collection does not match",
          "The file was changed after it was written; clients discard it.", Remedy::publish_again,
          on_collections<checksum_wrong>},
    Check{"collection-invalid", Severity::error, "A collection breaks the format",
          "Clients discard the whole file.", Remedy::publish_again, on_collections<invalid>},
    Check{"collection-too-large", Severity::error, "A collection is over the limits of the drafts",
          "Clients refuse it as a decompression bomb. Split the section or compress less.",
          Remedy::publish_again, on_collections<too_large>},
    Check{"collection-no-checksum", Severity::warning, "A collection states no checksum",
          "Clients cannot tell a damaged file from a whole one.", Remedy::publish_again,
          on_collections<no_checksum>},
    Check{"collection-no-state", Severity::advice, "A collection states no digest of its section",
          "Clients cannot prove that their copy is right and fetch a snapshot every week. An extension that "
          "sheaf "
          "publish writes.",
          Remedy::publish_again, on_collections<no_state>},
    Check{"collection-state", Severity::error, "The state digest of a snapshot does not match its pages",
          "Clients find their copy wrong after every pull and fetch the snapshot again.",
          Remedy::publish_again, on_collections<state_wrong>},
    Check{"delta-state", Severity::error, "Deltas do not lead to the state that they state",
          "Clients find their copy wrong and fetch the snapshot again.", Remedy::publish_again,
          on_collections<delta_state>},
    Check{"collection-pages-skipped", Severity::error, "Pages of a collection break a rule",
          "Clients skip these pages.", Remedy::publish_again, on_collections<pages_skipped>},
    Check{"collection-noindex", Severity::warning, "A collection has pages that say noindex",
          "Clients skip them. A page that is not to be indexed does not belong in a collection.",
          Remedy::publish_again, on_collections<has_noindex>},
    Check{"collection-blocks-dropped", Severity::warning, "Blocks of pages break a rule",
          "Clients drop these blocks.", Remedy::publish_again, on_collections<blocks_dropped>},
    Check{"collection-duplicates", Severity::warning, "A collection has two pages with one URL",
          "Clients keep the newer of the two.", Remedy::publish_again, on_collections<duplicates>},
    Check{"collection-empty-pages", Severity::warning, "Pages of a collection have no content",
          "Clients get the title only. Pages that a script fills have no text to extract.",
          Remedy::publish_again, on_collections<empty_pages>},
    Check{"collection-oddities", Severity::warning, "A collection has values that clients correct",
          "Other clients may read them differently.", Remedy::publish_again, on_collections<oddities>},
    Check{"collection-foreign-pages", Severity::error, "A collection has pages of another site",
          "Clients skip them: a site cannot speak for another one.", Remedy::publish_again,
          on_collections<foreign_pages>},
    Check{"collection-empty", Severity::warning, "A snapshot has no pages",
          "Clients refuse to delete everything they have.", Remedy::publish_again, on_collections<no_pages>},
    Check{"collection-section", Severity::error, "A collection is of another section than the sitemap says",
          "Clients do not apply it.", Remedy::publish_sitemap, on_collections<other_section>},
    Check{"collection-kind", Severity::error, "A delta is listed as a snapshot, or the other way round",
          "Clients do not apply it.", Remedy::publish_sitemap, on_collections<other_kind>},
    Check{"delta-since", Severity::error, "A delta begins later than the sitemap says",
          "Clients fetch it in vain: it leaves a gap.", Remedy::publish_sitemap, on_collections<other_since>},
    Check{"collection-stale", Severity::error, "An old file is served under a new entry",
          "Clients see the promise of news and get what they have, at every pull.", Remedy::purge_caches,
          on_collections<stale>},
    Check{"collection-size", Severity::warning, "A collection has another size than stated",
          "Clients plan wrongly, and report the offer as inconsistent.", Remedy::purge_caches,
          on_collections<size_wrong>},
    Check{"collection-stated-checksum", Severity::error, "A collection has another checksum than stated",
          "The file is not the one that the sitemap means.", Remedy::purge_caches,
          on_collections<stated_checksum_wrong>},
    Check{"collection-page-count", Severity::warning, "A collection has another number of pages than stated",
          "Clients report the offer as inconsistent.", Remedy::publish_sitemap, on_collections<pages_wrong>},
    Check{"collection-codecs-differ", Severity::error, "The codecs of one collection have different pages",
          "Clients get different copies, depending on the codec they prefer.", Remedy::publish_again,
          on_collections_of<codecs_differ>},
};

}  // namespace

std::span<const Check> content_checks() { return kContentChecks; }

// A sample of pages, compared with the live site.

namespace {

using crawl::PageOutcome;

/// If the live page has less than this share of the words in the collection, it is a different page. The
/// share is low because extraction and templates differ between programs.
constexpr double kSharedWords = 0.5;

Problem page_gone(const PageFacts& page) {
  if (!page.in_collection || page.fate != PageOutcome::missing) return std::nullopt;
  return fmt::format("the live page answers {}", page.status);
}

Problem page_failing(const PageFacts& page) {
  if (page.fate != PageOutcome::failed) return std::nullopt;
  return page.status == 0 ? std::string("the live page cannot be fetched")
                          : fmt::format("the live page answers {}", page.status);
}

Problem page_noindex(const PageFacts& page) {
  if (!page.in_collection || page.fate != PageOutcome::noindex) return std::nullopt;
  return "the live page says noindex";
}

Problem page_moved(const PageFacts& page) {
  if (!page.in_collection) return std::nullopt;
  if (page.fate == PageOutcome::elsewhere || page.fate == PageOutcome::duplicate)
    return fmt::format("the live page is a copy of, or leads to, {}", page.final_url);
  if (page.fate == PageOutcome::stored && !page.final_url.empty() && page.final_url != page.url)
    return fmt::format("the live page leads to {}", page.final_url);
  return std::nullopt;
}

Problem page_stale(const PageFacts& page) {
  if (!page.in_collection || page.fate != PageOutcome::stored || page.shared >= kSharedWords)
    return std::nullopt;
  return fmt::format("the live page has {:.0f} % of the words that the collection has", page.shared * 100);
}

Problem page_no_html(const PageFacts& page) {
  if (!page.in_collection || page.fate != PageOutcome::no_page) return std::nullopt;
  return "the live URL is not an HTML page with content";
}

Problem page_unpublished(const PageFacts& page) {
  if (page.in_collection || page.fate != PageOutcome::stored) return std::nullopt;
  return "it is in the sitemap and in no collection";
}

/// A server that answers every URL with a page shows nothing of a state folder.
Problem state_exposed(const ProbeExchange& probe) {
  const bool is_state = probe.url.ends_with("/CURRENT") && probe.start.starts_with("MANIFEST-");
  const bool is_config = probe.url.ends_with("/sheaf.toml") &&
                         (probe.start.contains("[[section") || probe.start.contains("base = "));
  if (!probe.is_ok() || !(is_state || is_config)) return std::nullopt;
  return is_state ? "this file of `sheaf publish` names pages that are not published"
                  : "the configuration of `sheaf publish` is served";
}

void judge_private_files(const SiteFacts& facts, const OnProblem& problem) {
  for (const ProbeExchange& probe : facts.private_files)
    if (Problem found = state_exposed(probe)) problem(probe.url, std::move(*found));
}

constexpr std::array kPageChecks = {
    Check{"state-exposed", Severity::error, "The state of `sheaf publish` can be read by everybody",
          "It names pages that are drafts, private or noindex.", Remedy::hide_state, judge_private_files},
    Check{"page-gone", Severity::warning, "A collection has a page that no longer exists",
          "Readers of the collection get what the site has removed.", Remedy::publish_again,
          on_pages<page_gone>},
    Check{"page-failing", Severity::warning, "A page of the site cannot be fetched",
          "It cannot be compared, and crawlers miss it.", Remedy::page_headers, on_pages<page_failing>},
    Check{"page-noindex", Severity::error, "A collection has a page whose live version says noindex",
          "The page is published against the will of its author.", Remedy::page_headers,
          on_pages<page_noindex>},
    Check{"page-moved", Severity::warning, "A page of a collection has moved",
          "Clients keep it under a URL that the site no longer uses.", Remedy::page_headers,
          on_pages<page_moved>},
    Check{"page-not-html", Severity::warning, "A URL of a collection is not a page",
          "What the collection says about it cannot be found on the site.", Remedy::page_headers,
          on_pages<page_no_html>},
    Check{"page-stale", Severity::warning, "A page of a collection is not what the site shows",
          "The collection is older than the site, or its URLs and texts are mixed up.", Remedy::publish_often,
          on_pages<page_stale>},
    Check{"page-unpublished", Severity::warning, "A page of the sitemap is in no collection",
          "Clients of collections do not know it.", Remedy::publish_often, on_pages<page_unpublished>},
};

}  // namespace

std::span<const Check> page_checks() { return kPageChecks; }

}  // namespace sheaf::doctor
