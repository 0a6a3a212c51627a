#include "sheaf/export/selected_pages.h"

#include "sheaf/format/pages/stored_page_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace sheaf::exporting {
namespace {

using base::Result;
using store::PageStore;
using store::StoredPage;

constexpr std::uint64_t kPagesBetweenReports = 256;

/// Walks over the selected pages.
class PageWalk {
 public:
  PageWalk(const PageStore& store, const Options& options) : store_(store), options_(options) {}

  Result<Summary> run(std::optional<format::Detail> detail, const PageUse& use) {
    SHEAF_TRY(look_at_sections());
    if (!detail && !options_.filter.language.empty()) detail = format::Detail::checks;
    std::optional<format::StoredPageDecoder> decoder;
    if (detail) decoder.emplace(*detail);
    store::PageFilter filter;
    filter.site = options_.filter.site;
    filter.section = options_.filter.section;
    filter.modified_since = options_.filter.since;
    filter.modified_before = options_.filter.until;
    filter.url = options_.filter.url;
    filter.with_json = decoder || use;
    filter.on_damage = [this](const std::string& sentence) { note_damage(sentence); };
    if (options_.limit == 0) return summary_;
    const auto walked = store_.each_page(filter, [&](const StoredPage& stored) -> Result<bool> {
      report_progress();
      const Page* page = nullptr;
      if (decoder) {
        const auto decoded = (*decoder)(stored.json);
        if (!decoded) {
          note_damage(fmt::format("the page {} of section {} of {} is not a valid page: {}", stored.url,
                                  stored.section, stored.site, decoded.error()));
          return true;
        }
        page = *decoded;
        if (!matches_language(page->language, options_.filter.language)) return true;
      }
      SHEAF_TRY_ASSIGN(const bool newest, is_newest(stored));
      if (newest) SHEAF_TRY(give(stored, page, use));
      return summary_.pages < options_.limit;
    });
    if (!walked) return std::unexpected(walked.error());
    return summary_;
  }

 private:
  Result<void> give(const StoredPage& stored, const Page* page, const PageUse& use) {
    if (use) SHEAF_TRY(use(stored, page));
    ++summary_.pages;
    summary_.bytes += stored.json.size();
    return {};
  }

  /// Counts pages read, not pages written, because filtered pages take time too.
  void report_progress() {
    if (options_.progress && ++seen_ % kPagesBetweenReports == 0)
      options_.progress(summary_.bytes, seen_, expected_);
  }

  void note_damage(const std::string& sentence) {
    ++summary_.damaged;
    if (options_.on_damage) options_.on_damage(sentence);
  }

  Result<void> look_at_sections() {
    SHEAF_TRY_ASSIGN(const auto sections, store_.sections(options_.filter.site));
    for (const auto& section : sections)
      if (options_.filter.section.empty() || options_.filter.section == section.section)
        expected_ += section.pages;
    // The number of pages that pass an index filter is not known in advance.
    const Filter& filter = options_.filter;
    if (filter.since || filter.until || !filter.url.empty()) expected_ = 0;
    expected_ = std::min(expected_, options_.limit);
    if (!filter.section.empty()) return {};
    for (std::size_t i = 1; i < sections.size(); ++i)
      if (sections[i].site == sections[i - 1].site) several_.insert(sections[i].site);
    return {};
  }

  Result<bool> is_newest(const StoredPage& stored) {
    if (!several_.contains(stored.site)) return true;
    SHEAF_TRY_ASSIGN(const auto newest, store_.find(stored.url, stored.site));
    if (!newest || newest->section == stored.section) return true;
    ++summary_.duplicates;
    return false;
  }

  const PageStore& store_;
  const Options& options_;
  std::set<std::string> several_;  ///< sites with several sections
  std::uint64_t seen_ = 0;
  std::uint64_t expected_ = 0;  ///< 0 if unknown
  Summary summary_;
};

}  // namespace

Result<Summary> walk_pages(const PageStore& store, const Options& options,
                           std::optional<format::Detail> detail, const PageUse& use) {
  return PageWalk(store, options).run(detail, use);
}

}  // namespace sheaf::exporting
