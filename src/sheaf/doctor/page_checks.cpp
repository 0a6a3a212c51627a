#include "sheaf/doctor/checks.h"

#include <fmt/format.h>

#include <array>

// A sample of pages, compared with the live site.
namespace sheaf::doctor {
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

constexpr std::array kPageChecks = {
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
