#include "sheaf/store/page_store.h"

#include "sheaf/base/record.h"
#include "sheaf/store/page_ranges.h"

#include <utility>

namespace sheaf::store {

std::string unreadable_prefix(std::string_view section) { return "unreadable/" + std::string(section) + "/"; }

base::Result<UnreadablePages> read_unreadable(const PageStore& store, std::string_view site,
                                              std::string_view section) {
  UnreadablePages pages;
  const std::string prefix = unreadable_prefix(section);
  SHEAF_TRY(store.each_note(site, prefix, [&](std::string_view name, std::string_view value) {
    const std::string_view url = name.substr(prefix.size());
    base::RecordReader record(value);
    const Instant generated = record.time();
    // A section whose name goes on with a slash has notes with the same prefix.
    if (record.good() && (url.empty() || url.starts_with("http"))) pages.emplace(url, generated);
    return true;
  }));
  return pages;
}

std::string_view to_string(Origin origin) { return origin == Origin::html ? "html" : "collections"; }

base::Result<std::vector<std::optional<std::string>>> PageStore::notes(std::span<const std::string> sites,
                                                                       std::string_view name) const {
  std::vector<std::optional<std::string>> values;
  values.reserve(sites.size());
  for (const std::string& site : sites) {
    SHEAF_TRY_ASSIGN(auto value, note(site, name));
    values.push_back(std::move(value));
  }
  return values;
}

std::unique_ptr<PageRanges> PageStore::page_ranges(const PageFilter& filter, unsigned /*threads*/) const {
  return section_ranges(*this, filter);
}

std::string_view to_string(ApplyOutcome outcome) {
  switch (outcome) {
    case ApplyOutcome::applied: return "applied";
    case ApplyOutcome::older: return "older";
    case ApplyOutcome::gap: return "gap";
    case ApplyOutcome::losses_held: return "losses-held";
    case ApplyOutcome::shrink_held: return "shrink-held";
    case ApplyOutcome::out_of_order: return "out-of-order";
    case ApplyOutcome::other_checksum: return "other-checksum";
  }
  return "";
}

}  // namespace sheaf::store
