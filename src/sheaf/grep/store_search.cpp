#include "sheaf/grep/page_search.h"
#include "sheaf/grep/search_worker_internal.h"
#include "sheaf/store/page_ranges.h"

#include <fmt/format.h>

#include <memory>
#include <mutex>
#include <set>
#include <utility>

namespace sheaf::grep {
namespace {

using base::Result;
using store::StoredPage;
using RangePipeline = base::OrderedPipeline<std::unique_ptr<store::PageRange>, PartResult>;

/// Pages in a store may be larger than a reader's limits.
format::Limits store_limits() {
  format::Limits limits;
  limits.page_bytes = UINT64_MAX;
  limits.blocks = UINT32_MAX;
  limits.values = UINT32_MAX;
  return limits;
}

/// Sites with several sections, which may have the same pages.
Result<std::set<std::string>> sites_with_sections(const store::PageStore& store,
                                                  const exporting::Filter& filter) {
  std::set<std::string> sites;
  if (!filter.section.empty()) return sites;
  SHEAF_TRY_ASSIGN(const auto sections, store.sections(filter.site));
  for (std::size_t i = 1; i < sections.size(); ++i)
    if (sections[i].site == sections[i - 1].site) sites.insert(sections[i].site);
  return sites;
}

/// Searches ranges of a store on one thread.
class RangeWorker {
 public:
  RangeWorker(const store::PageStore& store, const SearchOptions& options,
              const std::set<std::string>& several)
      : store_(store), several_(several), worker_(options, store_limits()) {}

  PartResult search(const store::PageRange& range) {
    PartResult result;
    result.status = range.read([&](const StoredPage& page) { return add(page, result); },
                               [&](const std::string& sentence) { result.damage.push_back(sentence); });
    return result;
  }

 private:
  Result<void> add(const StoredPage& stored, PartResult& result) {
    ++result.pages;
    result.bytes += stored.json.size();
    if (!worker_.raw_filter().passes(stored.json)) return {};
    padded_.assign(stored.json);
    padded_.append(format::kLinePadding, '\0');
    auto found = worker_.search(std::string_view(padded_).substr(0, stored.json.size()));
    if (!found) {
      result.damage.push_back(fmt::format("the page {} of section {} of {} is not a valid page: {}",
                                          stored.url, stored.section, stored.site, found.error()));
      return {};
    }
    if (!*found) return {};
    SHEAF_TRY_ASSIGN(const bool newest, is_newest(stored));
    if (!newest) return {};
    (*found)->site = stored.site;
    (*found)->section = stored.section;
    result.matches.push_back(std::move(**found));
    return {};
  }

  Result<bool> is_newest(const StoredPage& stored) {
    if (!several_.contains(stored.site)) return true;
    SHEAF_TRY_ASSIGN(const auto newest, store_.find(stored.url, stored.site));
    return !newest || newest->section == stored.section;
  }

  const store::PageStore& store_;
  const std::set<std::string>& several_;
  SearchWorker worker_;
  std::string padded_;
};

store::PageFilter index_filter(const exporting::Filter& wanted) {
  store::PageFilter filter;
  filter.site = wanted.site;
  filter.section = wanted.section;
  filter.modified_since = wanted.since;
  filter.modified_before = wanted.until;
  filter.url = wanted.url;
  return filter;
}

}  // namespace

Result<void> search_store(const store::PageStore& store, const SearchOptions& options, const MatchUse& use) {
  SHEAF_TRY(LinePattern::compile(options.pattern));
  SHEAF_TRY_ASSIGN(const auto several, sites_with_sections(store, options.filter));
  // The index is read on the producing thread, pages on others.
  std::mutex mutex;
  std::vector<std::string> index_damage;
  store::PageFilter filter = index_filter(options.filter);
  filter.on_damage = [&](const std::string& sentence) {
    const std::lock_guard lock(mutex);
    index_damage.push_back(sentence);
  };
  const auto ranges = store.page_ranges(filter, options.threads);
  const auto produce = [&](RangePipeline& pipeline) -> Result<void> {
    while (true) {
      SHEAF_TRY_ASSIGN(auto range, ranges->next());
      if (!range || !pipeline.push(std::move(range))) return {};
    }
  };
  const auto make_worker = [&] {
    return [worker = std::make_shared<RangeWorker>(store, options, several)](
               std::unique_ptr<store::PageRange> range) { return worker->search(*range); };
  };
  const auto searched =
      search_in_parts<std::unique_ptr<store::PageRange>>(options, use, produce, make_worker);
  if (options.on_damage)
    for (const std::string& sentence : index_damage) options.on_damage(sentence);
  return searched;
}

}  // namespace sheaf::grep
