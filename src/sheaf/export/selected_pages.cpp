#include "sheaf/export/selected_pages.h"

#include "sheaf/base/external_sort.h"
#include "sheaf/base/hash.h"
#include "sheaf/export/exporter.h"
#include "sheaf/format/limits.h"
#include "sheaf/format/pages/stored_page_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <set>
#include <string>
#include <utility>

namespace sheaf::exporting {
namespace {

using base::Result;
using store::PageStore;
using store::StoredPage;

constexpr std::uint64_t kPagesBetweenReports = 256;

/// Walks over the selected pages.
class PageWalk {
 public:
  PageWalk(const PageStore& store, const ExportOptions& options) : store_(store), options_(options) {}

  Result<ExportSummary> run(std::optional<format::Detail> detail, const PageUse& use) {
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
    const ExportFilter& filter = options_.filter;
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
  const ExportOptions& options_;
  std::set<std::string> several_;  ///< sites with several sections
  std::uint64_t seen_ = 0;
  std::uint64_t expected_ = 0;  ///< 0 if unknown
  ExportSummary summary_;
};

}  // namespace

Result<ExportSummary> walk_pages(const PageStore& store, const ExportOptions& options,
                                 std::optional<format::Detail> detail, const PageUse& use) {
  return PageWalk(store, options).run(detail, use);
}

// The feed has an entry for each change, so a page that changed a hundred times has a hundred entries. Only
// the last one counts, and it is known only at the end of the feed. So the feed is read twice: the first pass
// finds the last change of each page, sorting on disk if necessary; the second pass outputs these changes in
// feed order. Memory use does not depend on the length of the feed.

namespace {

using store::FeedCursor;
using store::StoreChange;

constexpr std::size_t kSortMemory = 16 * format::kMiB;

/// The position of a change in the feed, in the order in which the feed is walked.
struct FeedPlace {
  std::uint64_t part = 0;
  std::uint64_t sequence = 0;

  friend auto operator<=>(const FeedPlace&, const FeedPlace&) = default;
};

struct ChangedPage {
  std::uint64_t first = 0;  ///< 128-bit hash of the page's site and URL
  std::uint64_t second = 0;
  FeedPlace place;

  friend auto operator<=>(const ChangedPage&, const ChangedPage&) = default;
  [[nodiscard]] bool is_same_page(const ChangedPage& other) const {
    return first == other.first && second == other.second;
  }
};

class ChangeExport {
 public:
  ChangeExport(const PageStore& store, const ExportOptions& options, const FeedCursor& after,
               const ChangedPageUse& use)
      : store_(store), options_(options), after_(after), use_(use), numbers_(kSortMemory, {}) {
    summary_.cursor = after;
  }

  Result<ExportSummary> run() {
    SHEAF_TRY_ASSIGN(last_, store_.newest_change());
    SHEAF_TRY(find_last_changes());
    SHEAF_TRY_ASSIGN(next_, numbers_.next());
    if (options_.limit > 0)
      SHEAF_TRY(each_change([this](const StoreChange& change) { return take(change); }));
    if (summary_.pages + summary_.removed < options_.limit) summary_.cursor = last_;
    return summary_;
  }

 private:
  /// Calls `use` for each change up to the newest one when the export began, until `use` returns false or
  /// fails.
  template <class Use>
  Result<void> each_change(const Use& use) {
    Result<bool> more = true;
    SHEAF_TRY(store_.changes(after_, [&](const StoreChange& change) {
      if (change.sequence > last_.of(change.part)) return true;  // newer than the start of this export
      more = use(change);
      return more && *more;
    }));
    if (!more) return std::unexpected(more.error());
    return {};
  }

  [[nodiscard]] bool is_chosen(const StoreChange& change) const {
    const ExportFilter& filter = options_.filter;
    return (filter.site.empty() || filter.site == change.site) &&
           (filter.section.empty() || filter.section == change.section) && matches_url(filter, change.url);
  }

  Result<void> find_last_changes() {
    base::ExternalSort<ChangedPage> changes(kSortMemory, {});
    const auto note = [&](const StoreChange& change) -> Result<bool> {
      if (!is_chosen(change)) return true;
      const std::string name = change.site + '\n' + change.url;
      SHEAF_TRY(changes.add({base::keyed_hash(keys_.first, name),
                             base::keyed_hash(keys_.second, name),
                             {change.part, change.sequence}}));
      return true;
    };
    SHEAF_TRY(each_change(note));
    SHEAF_TRY(changes.sort());
    SHEAF_TRY_ASSIGN(auto current, changes.next());
    while (current) {
      SHEAF_TRY_ASSIGN(const auto following, changes.next());
      if (!following || !following->is_same_page(*current)) SHEAF_TRY(numbers_.add(current->place));
      current = following;
    }
    return numbers_.sort();
  }

  Result<bool> take(const StoreChange& change) {
    if (!next_) return false;
    if (FeedPlace{change.part, change.sequence} != *next_) return true;
    SHEAF_TRY_ASSIGN(next_, numbers_.next());
    SHEAF_TRY(give(change));
    summary_.cursor.advance(change.part, change.sequence, change.parts);
    if (options_.progress)
      options_.progress(summary_.bytes, summary_.cursor.total() - after_.total(),
                        last_.total() - after_.total());
    return summary_.pages + summary_.removed < options_.limit;
  }

  Result<void> give(const StoreChange& change) {
    SHEAF_TRY_ASSIGN(const auto page, current_page(change));
    SHEAF_TRY(use_(change, page ? &*page : nullptr));
    if (page) {
      ++summary_.pages;
      summary_.bytes += page->json.size();
    } else {
      ++summary_.removed;
    }
    return {};
  }

  /// Returns nullopt also if the page no longer passes the filter: a consumer that has it must remove it.
  Result<std::optional<StoredPage>> current_page(const StoreChange& change) {
    const ExportFilter& filter = options_.filter;
    SHEAF_TRY_ASSIGN(auto page, filter.section.empty() ? store_.get(change.url, change.site)
                                                       : store_.get(change.site, change.section, change.url));
    if (!page || page->site != change.site) return std::nullopt;
    if (!filter.since && !filter.until && filter.language.empty()) return page;
    const auto decoded = decoder_(page->json);
    if (!decoded)
      return base::fail(base::Errc::invalid_data,
                        fmt::format("the store's page {} cannot be read: {}; `sheaf verify` gives details",
                                    page->url, decoded.error()));
    const Instant modified = (*decoded)->modified_at;
    const bool matches = (!filter.since || modified >= *filter.since) &&
                         (!filter.until || modified < *filter.until) &&
                         matches_language((*decoded)->language, filter.language);
    return matches ? page : std::nullopt;
  }

  const PageStore& store_;
  const ExportOptions& options_;
  const FeedCursor after_;
  const ChangedPageUse& use_;
  const std::pair<base::HashKey, base::HashKey> keys_{base::HashKey::random(), base::HashKey::random()};
  FeedCursor last_;
  base::ExternalSort<FeedPlace> numbers_;  ///< the last change of each page
  std::optional<FeedPlace> next_;          ///< the first of them that the walk has not reached
  format::StoredPageDecoder decoder_{format::Detail::checks};
  ExportSummary summary_;
};

}  // namespace

Result<ExportSummary> walk_changed_pages(const PageStore& store, const ExportOptions& options,
                                         const FeedCursor& after, const ChangedPageUse& use) {
  return ChangeExport(store, options, after, use).run();
}

Result<ExportSummary> export_changes(const PageStore& store, const ExportOptions& options,
                                     const FeedCursor& after, const ExportSink& sink) {
  std::string line;
  return walk_changed_pages(store, options, after, [&](const StoreChange& change, const StoredPage* page) {
    line.clear();
    if (page != nullptr) {
      append_page_line(line, *page, change.sequence);
    } else {
      append_removal_line(line, change);
    }
    line += '\n';
    return sink(line);
  });
}

}  // namespace sheaf::exporting
