#include "sheaf/pull/site_quality.h"

#include "sheaf/format/pages/page_decoder.h"
#include "sheaf/pull/crawl.h"
#include "sheaf/pull/crawl_state.h"
#include "sheaf/quality/page_quality.h"

#include <optional>
#include <utility>

namespace sheaf::pull {
namespace {

using base::Result;
using crawl::PageOutcome;

/// Measures the pages of one site.
class StoredPages {
 public:
  StoredPages(const store::PageStore& store, const std::string& site, const format::Limits& limits,
              std::optional<std::string> crawled, quality::QualityReport& report)
      : store_(store),
        site_(site),
        state_(store, site),
        crawled_(std::move(crawled)),
        decoder_(limits, format::Detail::everything),
        report_(report) {}

  Result<void> add_pages() {
    Result<void> noted;
    store::PageFilter filter;
    filter.site = site_;
    filter.on_damage = [&](const std::string& sentence) {
      if (noted) noted = report_.skip({.item = sentence, .reason = "damaged"});
    };
    SHEAF_TRY(store_.each_page(filter, [this](const store::StoredPage& stored) -> Result<bool> {
      const Result<void> added = add(stored);
      if (!added) return std::unexpected(added.error());
      return true;
    }));
    return noted;
  }

  /// Adds the URLs that a crawl knows and that are not pages.
  Result<void> add_skipped() {
    if (!crawled_) return {};
    SHEAF_TRY_ASSIGN(const auto pass, state_.pass());
    Result<void> noted;
    SHEAF_TRY(state_.each_url([&](const CrawledUrl& url) {
      // URLs that robots.txt disallows are reported when they are listed, so here only if they are no longer
      // listed.
      const bool is_listed = pass && url.listed == pass->number;
      const PageOutcome fate = url.record.fate;
      if (fate == PageOutcome::stored || (fate == PageOutcome::disallowed && is_listed)) return true;
      noted = report_.skip(
          {.section = *crawled_, .item = url.record.url, .reason = skip_reason(fate), .detail = {}});
      return noted.has_value();
    }));
    return noted;
  }

 private:
  Result<void> add(const store::StoredPage& stored) {
    line_.assign(stored.json);
    line_.append(format::kLinePadding, '\0');
    const auto outcome = decoder_.decode({std::string_view(line_).substr(0, stored.json.size())}, {});
    if (!outcome || *outcome == format::PageDecoder::Outcome::skipped)
      return report_.skip({.section = stored.section, .item = stored.url, .reason = "damaged"});
    quality::PageQuality quality = quality::measure_page(decoder_.page());
    if (stored.section == crawled_) {
      SHEAF_TRY_ASSIGN(const CrawledUrl known, state_.url(stored.url));
      quality.shown_chars = known.shown_chars;
      quality.has_own_title = known.has_own_title;
    }
    return report_.add_page(stored.section, stored.url, decoder_.page().title, quality);
  }

  const store::PageStore& store_;
  const std::string& site_;
  CrawlState state_;
  std::optional<std::string> crawled_;  ///< the section with crawled pages
  format::PageDecoder decoder_;
  quality::QualityReport& report_;
  std::string line_;
};

}  // namespace

std::string_view skip_reason(PageOutcome fate) {
  switch (fate) {
    case PageOutcome::unknown: return "not-fetched";
    case PageOutcome::stored: return "stored";
    case PageOutcome::noindex: return "noindex";
    case PageOutcome::missing: return "missing";
    case PageOutcome::no_page: return "no-page";
    case PageOutcome::elsewhere: return "elsewhere";
    case PageOutcome::duplicate: return "duplicate";
    case PageOutcome::disallowed: return "robots";
    case PageOutcome::failed: return "failed";
  }
  return "unknown";
}

Result<void> report_stored_pages(const store::PageStore& store, const std::string& site,
                                 const format::Limits& limits, quality::QualityReport& report) {
  SHEAF_TRY_ASSIGN(auto crawled, find_crawled_section(store, site));
  StoredPages pages(store, site, limits, std::move(crawled), report);
  SHEAF_TRY(pages.add_pages());
  return pages.add_skipped();
}

}  // namespace sheaf::pull
