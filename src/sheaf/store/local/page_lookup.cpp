#include "sheaf/store/local/page_lookup.h"

#include "sheaf/base/free_memory.h"
#include "sheaf/base/threads.h"
#include "sheaf/base/url.h"
#include "sheaf/base/wildcard.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <span>
#include <thread>
#include <utility>

namespace sheaf::store::local {

using base::Errc;
using base::fail;
using base::Result;

bool SectionIndex::is_wanted(const PageEntry& entry) const {
  if (filter_.modified_since && entry.modified_at < *filter_.modified_since) return false;
  if (filter_.modified_before && entry.modified_at >= *filter_.modified_before) return false;
  return filter_.url.empty() || base::matches_wildcard(filter_.url, entry.url);
}

Result<bool> SectionIndex::scan(const EntryUse& use) const {
  return scan_keys(index_prefix(section_.record.id), use);
}

Result<bool> SectionIndex::scan_part(std::uint8_t first_byte, const EntryUse& use) const {
  return scan_keys(index_prefix(section_.record.id) + static_cast<char>(first_byte), use);
}

Result<bool> SectionIndex::scan_keys(const std::string& prefix, const EntryUse& use) const {
  auto cursor = view_.view().scan(prefix);
  for (; cursor.valid(); cursor.next()) {
    const auto url = url_of_index_key(cursor.key());
    auto entry = decode_entry(cursor.value());
    if (!url || !entry) {
      SHEAF_TRY(pass_over(fmt::format("an entry of the index of section {} of {} cannot be read",
                                      section_.name, section_.site)));
      continue;
    }
    if (!is_wanted(*entry)) continue;
    SHEAF_TRY_ASSIGN(const bool more, use(*url, *entry));
    if (!more) return false;
  }
  if (const auto read = cursor.check(); !read) {
    if (!filter_.on_damage) return std::unexpected(read.error());
    SHEAF_TRY(pass_over(fmt::format("the rest of the index of section {} of {} cannot be read: {}",
                                    section_.name, section_.site, read.error().message)));
  }
  return true;
}

std::string SectionIndex::describe(const UrlKey& url, std::string_view what) const {
  const auto entry = view_.entry(section_.record.id, url);
  return fmt::format("the page {} of section {} of {} {}", entry && *entry ? (*entry)->url : "of unknown URL",
                     section_.name, section_.site, what);
}

Result<void> SectionIndex::pass_over(const std::string& sentence) const {
  if (!filter_.on_damage) return std::unexpected(view_.damaged(sentence));
  filter_.on_damage(sentence);
  return {};
}

StoredPage SectionIndex::page_of_section() const {
  StoredPage page;
  page.site = section_.site;
  page.section = section_.name;
  return page;
}

const StoredPage& fill(StoredPage& page, PageEntry entry) {
  page.url = std::move(entry.url);
  page.modified = std::move(entry.modified);
  page.as_of = entry.as_of;
  return page;
}

const StoredPage& fill(StoredPage& page, const PageData& data) {
  page.url = data.url;
  page.modified = data.modified;
  page.as_of = data.as_of;
  page.json = data.json;
  page.fetched = data.fetched;
  return page;
}

namespace {

// The size comes from disk and may be wrong. For larger pages, memory is therefore allocated as their parts
// are read.
constexpr std::uint64_t kTrusted = std::uint64_t{1} << 30;

}  // namespace

/// Nearby pages are reached by stepping, others by a seek.
Result<PageData> PageCursor::read_record(const Place& place) {
  constexpr int kSteps = 8;
  const std::string key = data_key(place);
  for (int i = 0; i < kSteps && cursor_.valid() && cursor_.key() < key; ++i) cursor_.next();
  if (!cursor_.valid() || cursor_.key() != key) cursor_.seek(key);
  if (!cursor_.valid()) {  // a cursor that points to an entry has no error
    const auto result = cursor_.check();
    if (!result) return fail(result.error().code, fmt::format("cannot be read: {}", result.error().message));
  }
  if (!cursor_.valid() || cursor_.key() != key) return fail(Errc::invalid_data, "is missing");
  const auto data = decode_data(cursor_.value());
  if (!data) return fail(Errc::invalid_data, "cannot be read");
  return *data;
}

Result<PageData> PageCursor::read(const Place& place, std::uint64_t json_bytes) {
  SHEAF_TRY_ASSIGN(PageData page, read_record(place));
  const std::uint64_t parts = part_count(json_bytes);
  if (parts > 1) {
    url_ = page.url;
    modified_ = page.modified;
    json_ = page.json;
    if (json_bytes < kTrusted) json_.reserve(json_bytes + format::kLinePadding);
    for (std::uint64_t part = 1; part < parts; ++part) {
      SHEAF_TRY_ASSIGN(const PageData more, read_record({place.run, place.number + part}));
      if (!more.url.empty()) return fail(Errc::invalid_data, "does not match its entry");
      json_ += more.json;
    }
    page.url = url_;
    page.modified = modified_;
    json_.append(format::kLinePadding, '\0');
    page.json = std::string_view(json_).substr(0, json_.size() - format::kLinePadding);
  }
  if (page.json.size() != json_bytes) return fail(Errc::invalid_data, "does not match its entry");
  if (parts == 1 && json_.capacity() > 2 * kPartBytes) base::free_storage(json_);
  return page;
}

std::expected<const Page*, std::string> PageCursor::decode(const PageData& page,
                                                           format::StoredPageDecoder& decoder) const {
  return page.json.data() == json_.data() ? decoder.decode(page.json) : decoder(page.json);
}

namespace {

/// Bytes of JSON that are read before pages are passed to the caller. In a larger group, more pages share a
/// block of 128 KiB, whose decompression takes most of the time of reading a page.
constexpr std::uint64_t kGroupBytes = 128 * format::kMiB;
/// Fewer pages are not worth a thread.
constexpr std::size_t kPagesPerThread = 64;

using Sections = std::span<const NamedSection>;

void keep_newest(std::optional<FoundPage>& found, const NamedSection& section,
                 std::optional<PageEntry> entry) {
  if (entry && (!found || format::replaces(modified_of(*entry), modified_of(found->entry))))
    found = FoundPage{&section, std::move(*entry)};
}

/// Updates `found` with the newest version of the page in these sections.
Result<void> find_newest(const StoreView& view, Sections sections, const UrlKey& url,
                         std::optional<FoundPage>& found) {
  for (const NamedSection& section : sections) {
    SHEAF_TRY_ASSIGN(auto entry, view.entry(section.record.id, url));
    keep_newest(found, section, std::move(entry));
  }
  return {};
}

/// The sections of `site`, or of the site of the URL's origin. They are sorted by site, and there may be
/// thousands.
Sections sections_of(Sections sections, std::string_view url, std::string_view site) {
  std::string name(site);
  if (name.empty())
    if (const auto parsed = base::Url::parse(url)) name = parsed->origin();
  const auto own = std::ranges::equal_range(sections, name, {}, &NamedSection::site);
  return {own.begin(), own.end()};
}

/// The newest version in the sections of other sites.
Result<std::optional<FoundPage>> find_elsewhere(const StoreView& view, Sections sections, Sections own,
                                                const UrlKey& key) {
  std::optional<FoundPage> found;
  const auto before = static_cast<std::size_t>(own.data() - sections.data());
  SHEAF_TRY(find_newest(view, sections.first(before), key, found));
  SHEAF_TRY(find_newest(view, sections.subspan(before + own.size()), key, found));
  return found;
}

/// Runs `work(begin, end)` for parts of [0, count) on several threads. Returns the first error in the order
/// of the parts.
Result<void> run_in_parts(std::size_t count, unsigned threads,
                          const std::function<Result<void>(std::size_t begin, std::size_t end)>& work) {
  const std::size_t parts = std::clamp<std::size_t>(count / kPagesPerThread, 1, std::max(threads, 1U));
  std::vector<Result<void>> results(parts);
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    for (std::size_t part = next++; part < parts; part = next++)
      results[part] = work(count * part / parts, count * (part + 1) / parts);
  };
  {
    std::vector<std::jthread> others;
    base::start_threads(others, parts - 1, 0, run);
    run();
  }
  for (const auto& result : results) SHEAF_TRY(result);
  return {};
}

/// An index entry that may answer a request.
struct Candidate {
  const NamedSection* section;
  std::size_t request;
  std::string key;  ///< its key in the index
  std::optional<PageEntry> entry;
};

/// Looks up many pages: first in the index in the order of its keys, then the pages in the order of their
/// places, so that pages in the same block are decompressed together.
class ManyPages {
 public:
  ManyPages(const StoreView& view, std::vector<NamedSection> sections, const PageRequests& requests)
      : view_(view), sections_(std::move(sections)), requests_(requests) {}

  Result<void> run(const FoundPageUse& use) {
    SHEAF_TRY(find_entries());
    for (std::size_t begin = 0; begin < found_.size();) {
      std::size_t end = begin;
      for (std::uint64_t bytes = 0; end < found_.size() && (end == begin || bytes < kGroupBytes); ++end)
        bytes += found_[end] ? found_[end]->entry.json_bytes : 0;
      SHEAF_TRY(read_pages(begin, end));
      for (std::size_t i = begin; i < end; ++i) {
        SHEAF_TRY(use(i, pages_[i - begin]));
        pages_[i - begin].reset();
      }
      begin = end;
    }
    return {};
  }

 private:
  Result<void> find_entries() {
    const std::size_t count = requests_.urls.size();
    found_.resize(count);
    std::vector<Candidate> candidates;
    std::vector<UrlKey> keys(count);
    std::vector<Sections> own(count);
    UrlHasher hash;
    for (std::size_t i = 0; i < count; ++i) {
      keys[i] = hash(requests_.urls[i]);
      own[i] = sections_of(sections_, requests_.urls[i], requests_.site);
      for (const NamedSection& section : own[i])
        candidates.push_back({&section, i, index_key(section.record.id, keys[i]), std::nullopt});
    }
    SHEAF_TRY(read_entries(candidates));
    for (Candidate& candidate : candidates)
      keep_newest(found_[candidate.request], *candidate.section, std::move(candidate.entry));
    if (!requests_.site.empty()) return {};
    return run_in_parts(count, requests_.threads, [&](std::size_t begin, std::size_t end) -> Result<void> {
      for (std::size_t i = begin; i < end; ++i) {
        if (found_[i]) continue;
        SHEAF_TRY_ASSIGN(found_[i], find_elsewhere(view_, sections_, own[i], keys[i]));
      }
      return {};
    });
  }

  /// A cursor finds the next entry faster than a separate lookup, which consults the filter and the cache
  /// each time.
  Result<void> read_entries(std::vector<Candidate>& candidates) {
    std::vector<Candidate*> order;
    for (Candidate& candidate : candidates) order.push_back(&candidate);
    std::ranges::sort(order, {},
                      [](const Candidate* candidate) -> const std::string& { return candidate->key; });
    return run_in_parts(order.size(), requests_.threads,
                        [&](std::size_t begin, std::size_t end) -> Result<void> {
                          auto cursor = view_.view().scan(kIndex);
                          for (std::size_t i = begin; i < end; ++i) {
                            Candidate& candidate = *order[i];
                            cursor.seek(candidate.key);
                            if (!cursor.valid()) SHEAF_TRY(cursor.check());
                            if (!cursor.valid() || cursor.key() != candidate.key) continue;
                            candidate.entry = decode_entry(cursor.value());
                            if (!candidate.entry)
                              return std::unexpected(view_.damaged("an entry of its index cannot be read"));
                          }
                          return {};
                        });
  }

  Result<void> read_pages(std::size_t first, std::size_t last) {
    pages_.resize(last - first);
    std::vector<std::size_t> order;
    for (std::size_t i = first; i < last; ++i)
      if (found_[i]) order.push_back(i);
    std::ranges::sort(order, {}, [&](std::size_t i) { return found_[i]->entry.place; });
    return run_in_parts(order.size(), requests_.threads,
                        [&](std::size_t begin, std::size_t end) -> Result<void> {
                          PageCursor cursor(view_.view());
                          for (std::size_t i = begin; i < end; ++i)
                            SHEAF_TRY(read_page(cursor, *found_[order[i]], pages_[order[i] - first]));
                          return {};
                        });
  }

  Result<void> read_page(PageCursor& cursor, const FoundPage& found, std::optional<StoredPage>& out) const {
    const auto data = cursor.read(found.entry.place, found.entry.json_bytes);
    if (!data || data->url != found.entry.url || data->modified != found.entry.modified)
      return std::unexpected(view_.damaged(fmt::format(
          "the page {} {}", found.entry.url, data ? "does not match its entry" : data.error().message)));
    StoredPage& page = out.emplace();
    page.site = found.section->site;
    page.section = found.section->name;
    fill(page, *data);
    return {};
  }

  const StoreView& view_;
  std::vector<NamedSection> sections_;
  const PageRequests& requests_;
  std::vector<std::optional<FoundPage>> found_;   ///< by request
  std::vector<std::optional<StoredPage>> pages_;  ///< of the current group
};

}  // namespace

Result<std::optional<FoundPage>> find_page(const StoreView& view, const std::vector<NamedSection>& sections,
                                           std::string_view url, std::string_view site) {
  const UrlKey key = UrlHasher()(url);
  const Sections own = sections_of(sections, url, site);
  std::optional<FoundPage> found;
  SHEAF_TRY(find_newest(view, own, key, found));
  if (found || !site.empty()) return found;
  return find_elsewhere(view, sections, own, key);
}

Result<void> get_many(const StoreCore& core, const PageRequests& requests, const FoundPageUse& use) {
  const StoreView view = core.view();
  SHEAF_TRY_ASSIGN(auto sections, view.sections(requests.site));
  if (!requests.section.empty())
    std::erase_if(sections, [&](const NamedSection& section) { return section.name != requests.section; });
  return ManyPages(view, std::move(sections), requests).run(use);
}

}  // namespace sheaf::store::local
