#include "sheaf/store/page_store.h"

#include "sheaf/base/record.h"

#include <optional>
#include <utility>
#include <vector>

namespace sheaf::store {

void SectionEdit::put_page(std::string_view url, std::string_view modified, std::string_view json,
                           Instant as_of) {
  bytes_ += url.size() + modified.size() + json.size();
  pages_.insert_or_assign(std::string(url), Page{std::string(modified), std::string(json), as_of});
}

void SectionEdit::remove_page(std::string_view url) {
  bytes_ += url.size();
  pages_.insert_or_assign(std::string(url), std::nullopt);
}

void SectionEdit::put_note(std::string_view name, std::string_view value) {
  bytes_ += name.size() + value.size();
  notes_.push_back({std::string(name), std::string(value), false});
}

void SectionEdit::remove_note(std::string_view name) {
  bytes_ += name.size();
  notes_.push_back({std::string(name), std::nullopt, false});
}

void SectionEdit::remove_notes(std::string_view prefix) {
  bytes_ += prefix.size();
  notes_.push_back({std::string(prefix), std::nullopt, true});
}

void SectionEdit::clear() {
  pages_.clear();
  notes_.clear();
  bytes_ = 0;
}

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

namespace {

using base::Result;

class SectionRange final : public PageRange {
 public:
  SectionRange(const PageStore& store, PageFilter filter) : store_(store), filter_(std::move(filter)) {}

  Result<void> read(const std::function<Result<void>(const StoredPage&)>& use,
                    const std::function<void(const std::string&)>& on_damage) const override {
    PageFilter filter = filter_;
    filter.on_damage = on_damage;
    return store_.each_page(filter, [&](const StoredPage& page) -> Result<bool> {
      SHEAF_TRY(use(page));
      return true;
    });
  }

 private:
  const PageStore& store_;
  PageFilter filter_;
};

class SectionRanges final : public PageRanges {
 public:
  SectionRanges(const PageStore& store, PageFilter filter) : store_(store), filter_(std::move(filter)) {}

  Result<std::unique_ptr<PageRange>> next() override {
    if (!sections_) {
      SHEAF_TRY_ASSIGN(sections_, store_.sections(filter_.site));
    }
    while (next_ < sections_->size()) {
      const SectionState& section = (*sections_)[next_++];
      if (!filter_.section.empty() && filter_.section != section.section) continue;
      PageFilter filter = filter_;
      filter.site = section.site;
      filter.section = section.section;
      return std::make_unique<SectionRange>(store_, std::move(filter));
    }
    return nullptr;
  }

 private:
  const PageStore& store_;
  PageFilter filter_;
  std::optional<std::vector<SectionState>> sections_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<PageRanges> section_ranges(const PageStore& store, const PageFilter& filter) {
  return std::make_unique<SectionRanges>(store, filter);
}

}  // namespace sheaf::store
