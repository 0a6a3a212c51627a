#include "sheaf/base/counted_text.h"
#include "sheaf/base/external_sort.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/format/limits.h"
#include "sheaf/store/local/maintenance.h"
#include "sheaf/store/local/page_cursor.h"
#include "sheaf/store/stored_page_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::store::local {
namespace {

using base::Result;

constexpr std::size_t kFaults = 100;

struct ExpectedPage {
  Place place;
  UrlKey url{};
  std::uint32_t section = 0;  ///< index in the list of sections
  std::uint64_t json_bytes = 0;
  friend bool operator<(const ExpectedPage& a, const ExpectedPage& b) { return a.place < b.place; }
};

/// Reads everything. Unreadable data is reported as a fault, and reading continues after it.
class Verify {
 public:
  Verify(const StoreCore& core, const StoreProgressSink& progress)
      : journal_(core.journal()), view_(core.view()), progress_(progress), expected_(kSortMemory, {}) {}

  Result<VerifySummary> run() {
    SHEAF_TRY_ASSIGN(const Meta meta, view_.meta());
    check_sections();
    check_journal(meta);
    SHEAF_TRY(expected_.sort());
    SHEAF_TRY(check_data());
    check_feed(meta);
    return std::move(summary_);
  }

 private:
  void fault(std::string sentence) {
    if (summary_.faults.size() < kFaults) summary_.faults.push_back(std::move(sentence));
  }

  void check_sections() {
    auto cursor = view_.view().scan(kSections);
    for (; cursor.valid(); cursor.next()) {
      const auto [site, name] = split_section_key(cursor.key());
      const auto record = decode_section(cursor.value());
      if (!record) {
        fault(fmt::format("the record of section {} of {} cannot be read", name, site));
        continue;
      }
      ++summary_.sections;
      sections_.push_back({std::string(site), std::string(name), *record});
    }
    if (const auto result = cursor.check(); !result) fault(result.error().message);
    for (std::size_t i = 0; i < sections_.size(); ++i) check_index(static_cast<std::uint32_t>(i));
  }

  void check_index(std::uint32_t number) {
    const NamedSection& section = sections_[number];
    std::uint64_t pages = 0;
    std::uint64_t bytes = 0;
    format::StateDigest state;
    auto cursor = view_.view().scan(index_prefix(section.record.id));
    for (; cursor.valid(); cursor.next()) {
      const auto key = url_of_index_key(cursor.key());
      const auto entry = decode_entry(cursor.value());
      if (!key || !entry || hash_(entry->url) != *key) {
        fault(fmt::format("an entry of the index of section {} of {} cannot be read", section.name,
                          section.site));
        continue;
      }
      ++pages;
      bytes += entry->json_bytes;
      state.add(entry->url, entry->modified);
      const auto parsed = parse_time(entry->modified);
      // A `modified` in the future counts as the time of its collection (bounded_modified).
      if (!parsed || parsed->instant < entry->modified_at)
        fault(fmt::format("the entry of {} has a time that is not that of its `modified`", entry->url));
      if (const auto added = expected_.add({entry->place, *key, number, entry->json_bytes}); !added)
        fault(added.error().message);
    }
    if (const auto result = cursor.check(); !result)
      fault(fmt::format("the index of section {} of {}: {}", section.name, section.site,
                        result.error().message));
    check_totals(section, pages, bytes, state);
  }

  void check_totals(const NamedSection& section, std::uint64_t pages, std::uint64_t bytes,
                    const format::StateDigest& state) {
    const SectionRecord& record = section.record;
    if (pages != record.pages)
      fault(fmt::format("section {} of {} has {}, its record says {}", section.name, section.site,
                        base::counted(pages, "page", "pages"), record.pages));
    if (bytes != record.bytes)
      fault(fmt::format("section {} of {} has {} of JSON, its record says {}", section.name, section.site,
                        base::counted(bytes, "byte", "bytes"), record.bytes));
    format::StateDigest recorded;
    recorded.add(record.state);
    if (state.to_string() != recorded.to_string())
      fault(fmt::format("the pages of section {} of {} do not match its digest", section.name, section.site));
  }

  /// The journal may be behind the database, but never ahead of it.
  void check_journal(const Meta& meta) {
    const Meta& last = journal_.meta();
    if (last.commits > meta.commits)
      fault(
          fmt::format("the newest of {} commits are gone, {} are left: a log of the database was lost. What "
                      "is here is older than it was; pull the sites again",
                      last.commits, meta.commits));
    if (last.last_sequence > meta.last_sequence)
      fault(fmt::format("the newest change was {}, and the feed ends with {}", last.last_sequence,
                        meta.last_sequence));
    if (last.commits < meta.commits) return;
    for (const auto& [key, expected] : journal_.sections()) check_section(key, expected);
  }

  void check_section(std::string_view key, const CommitJournal::Section& expected) {
    const auto [site, name] = split_section_key(key);
    const auto found = std::ranges::find_if(
        sections_, [&](const NamedSection& each) { return each.site == site && each.name == name; });
    const std::uint64_t pages = found == sections_.end() ? 0 : found->record.pages;
    if (found != sections_.end() && CommitJournal::Section{pages, found->record.state} == expected) return;
    fault(
        fmt::format("section {} of {} had {} pages after its newest commit and has {} now, or others: "
                    "pull the site again with --repair",
                    name, site, expected.pages, pages));
  }

  Result<void> check_data() {
    PageCursor cursor(view_.view());
    while (true) {
      SHEAF_TRY_ASSIGN(const auto page, expected_.next());
      if (!page) return {};
      check_page(cursor, *page);
      ++summary_.pages;
      if (progress_ && summary_.pages % kPagesBetweenReports == 0)
        progress_({StoreProgress::Stage::check, summary_.pages, expected_.size()});
    }
  }

  void check_page(PageCursor& cursor, const ExpectedPage& page) {
    const auto data = cursor.read(page.place, page.json_bytes);
    if (!data) return page_fault(page, data.error().message);
    if (hash_(data->url) != page.url) return page_fault(page, "is not what its entry says");
    const auto decoded = cursor.decode(*data, decoder_);
    if (!decoded) return page_fault(page, fmt::format("is not a valid page: {}", decoded.error()));
    if ((*decoded)->url != data->url || (*decoded)->modified != data->modified)
      page_fault(page, "has another URL or `modified` than its entry");
  }

  /// The URL is in the index, which was read before.
  void page_fault(const ExpectedPage& page, std::string_view what) {
    const NamedSection& section = sections_[page.section];
    const auto entry = view_.entry(section.record.id, page.url);
    const std::string url = entry && *entry ? (*entry)->url : std::string("unknown URL");
    fault(fmt::format("the page {} of section {} of {} {}", url, section.name, section.site, what));
  }

  void check_feed(const Meta& meta) {
    std::uint64_t next = meta.first_sequence;
    auto cursor = view_.view().scan(kFeed);
    for (; cursor.valid(); cursor.next(), ++next) {
      const auto change = decode_change(cursor.key(), cursor.value());
      if (!change) {
        fault(fmt::format("change {} of the feed cannot be read", next));
        continue;
      }
      ++summary_.changes;
      if (change->sequence != next) {
        fault(fmt::format("the feed has change {} where {} should be", change->sequence, next));
        next = change->sequence;
      }
    }
    if (const auto result = cursor.check(); !result)
      fault(fmt::format("the change feed: {}", result.error().message));
    if (next != meta.last_sequence + 1)
      fault(fmt::format("the feed ends before change {}, and {} is the newest", next, meta.last_sequence));
  }

  const CommitJournal& journal_;
  StoreView view_;
  const StoreProgressSink& progress_;
  VerifySummary summary_;
  std::vector<NamedSection> sections_;
  UrlHasher hash_;
  base::ExternalSort<ExpectedPage> expected_;
  StoredPageDecoder decoder_{format::Detail::checks};
};

}  // namespace

Result<VerifySummary> verify_store(const StoreCore& core, const StoreProgressSink& progress) {
  return Verify(core, progress).run();
}

}  // namespace sheaf::store::local
