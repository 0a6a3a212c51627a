#include "sheaf/base/counted_text.h"
#include "sheaf/base/external_sort.h"
#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/format/limits.h"
#include "sheaf/format/pages/stored_page_decoder.h"
#include "sheaf/store/local/maintenance.h"
#include "sheaf/store/local/page_lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

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

// Units of work for a thread: each takes some milliseconds.
constexpr std::size_t kIndexPartBytes = 256 * format::kKiB;
constexpr std::uint64_t kPagePartBytes = 2 * format::kMiB;
/// Larger pages are read one at a time, so that memory does not grow with the number of threads.
constexpr std::uint64_t kLargePage = kPagePartBytes;

/// Consecutive entries of the index of a section.
struct IndexPart {
  std::uint32_t section = 0;
  EntryList entries;
  bool is_last = false;  ///< last part of its section
  std::string failure;   ///< error that ended the reading of the section
};

/// The totals and faults of a part's entries.
struct CheckedIndex {
  std::uint32_t section = 0;
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;
  format::StateDigest state;
  std::vector<ExpectedPage> expected;
  std::vector<std::string> faults;
  bool is_last = false;
};

CheckedIndex check_index(const IndexPart& part, const NamedSection& section, UrlHasher& hash) {
  CheckedIndex checked;
  checked.section = part.section;
  checked.is_last = part.is_last;
  const auto check = [&](const EntryList::Entry& record) -> Result<void> {
    const auto key = url_of_index_key(record.key);
    const auto entry = decode_entry(*record.value);
    if (!key || !entry || hash(entry->url) != *key) {
      checked.faults.push_back(fmt::format("an entry of the index of section {} of {} cannot be read",
                                           section.name, section.site));
      return {};
    }
    ++checked.pages;
    checked.bytes += entry->json_bytes;
    checked.state.add(entry->url, entry->modified);
    const auto parsed = parse_time(entry->modified);
    // A `modified` in the future counts as the time of its collection (bounded_modified).
    if (!parsed || parsed->instant < entry->modified_at)
      checked.faults.push_back(
          fmt::format("the entry of {} has a time that does not match its `modified`", entry->url));
    checked.expected.push_back({entry->place, *key, part.section, entry->json_bytes});
    return {};
  };
  (void)part.entries.each(check);
  if (!part.failure.empty())
    checked.faults.push_back(
        fmt::format("the index of section {} of {}: {}", section.name, section.site, part.failure));
  return checked;
}

/// Checks pages in the order of their places.
class PageChecker {
 public:
  explicit PageChecker(const Database::View& view) : cursor_(view) {}

  /// Returns what is wrong with the page; nullopt if it is good.
  std::optional<std::string> check(const ExpectedPage& page) {
    const auto data = cursor_.read(page.place, page.json_bytes);
    if (!data) return data.error().message;
    if (hash_(data->url) != page.url) return "does not match its entry";
    const auto decoded = cursor_.decode(*data, decoder_);
    if (!decoded) return fmt::format("is not a valid page: {}", decoded.error());
    if ((*decoded)->url != data->url || (*decoded)->modified != data->modified)
      return "has another URL or `modified` than its entry";
    return std::nullopt;
  }

 private:
  PageCursor cursor_;
  UrlHasher hash_;
  format::StoredPageDecoder decoder_{format::Detail::checks};
};

struct WrongPage {
  ExpectedPage page;
  std::string what;
};

struct CheckedPages {
  std::uint64_t pages = 0;
  std::vector<WrongPage> wrong;
};

/// Reads everything. Unreadable data is reported as a fault, and reading continues after it. Threads check
/// parts of the index, then parts of the pages; their results are reported in the order of the store.
class Verify {
 public:
  Verify(const StoreCore& core, unsigned threads, const StoreProgressSink& progress)
      : recorded_(core.recorded_commits()),
        view_(core.view()),
        threads_(threads),
        progress_(progress),
        expected_(kSortMemory, {}) {}

  Result<VerifySummary> run() {
    SHEAF_TRY_ASSIGN(const Meta meta, view_.meta());
    read_sections();
    SHEAF_TRY(check_indexes());
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

  void read_sections() {
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
  }

  /// The next part of the index of a section; nullopt after the last section.
  std::optional<IndexPart> next_index_part() {
    if (next_section_ == sections_.size()) return std::nullopt;
    if (!index_) index_.emplace(view_.view().scan(index_prefix(sections_[next_section_].record.id)));
    IndexPart part{static_cast<std::uint32_t>(next_section_), EntryList(kIndexPartBytes), false, {}};
    for (; index_->valid() && part.entries.bytes() < kIndexPartBytes; index_->next())
      part.entries.put(index_->key(), index_->value());
    part.is_last = !index_->valid();
    if (!part.is_last) return part;
    if (const auto result = index_->check(); !result) part.failure = result.error().message;
    index_.reset();
    ++next_section_;
    return part;
  }

  Result<void> check_indexes() {
    base::OrderedPipeline<IndexPart, CheckedIndex> pipeline(threads_, [this] {
      return [this, hash = UrlHasher()](const IndexPart& part) mutable {
        return check_index(part, sections_[part.section], hash);
      };
    });
    Result<void> result;
    CheckedIndex total;
    base::run_pipeline(
        pipeline, [this] { return next_index_part(); },
        [&](CheckedIndex part) {
          for (std::string& sentence : part.faults) fault(std::move(sentence));
          for (const ExpectedPage& page : part.expected)
            if (result) result = expected_.add(page);
          total.pages += part.pages;
          total.bytes += part.bytes;
          total.state.add(part.state.sum());
          if (part.is_last) check_totals(sections_[part.section], std::exchange(total, {}));
        });
    return result;
  }

  void check_totals(const NamedSection& section, const CheckedIndex& total) {
    const SectionRecord& record = section.record;
    if (total.pages != record.pages)
      fault(fmt::format("section {} of {} has {}, its record says {}", section.name, section.site,
                        base::counted(total.pages, "page", "pages"), record.pages));
    if (total.bytes != record.bytes)
      fault(fmt::format("section {} of {} has {} of JSON, its record says {}", section.name, section.site,
                        base::counted(total.bytes, "byte", "bytes"), record.bytes));
    if (total.state.sum() != record.state)
      fault(fmt::format("the pages of section {} of {} do not match its digest", section.name, section.site));
  }

  /// The journal may be behind the database, but never ahead of it.
  void check_journal(const Meta& meta) {
    const Meta& last = recorded_.meta;
    if (recorded_.is_damaged)
      fault(
          "the file commits of the store is damaged, so it is unknown whether commits are missing; the next "
          "pull writes it again");
    if (last.commits > meta.commits)
      fault(fmt::format(
          "the newest of {} commits are missing, {} are left: a log of the database was lost. The "
          "store is in an older state; pull the sites again",
          last.commits, meta.commits));
    if (last.last_sequence > meta.last_sequence)
      fault(fmt::format("the newest change was {}, and the feed ends with {}", last.last_sequence,
                        meta.last_sequence));
    if (last.commits < meta.commits) return;
    for (const auto& [key, expected] : recorded_.sections) check_section(key, expected);
  }

  void check_section(std::string_view key, const CommitJournal::Section& expected) {
    using SectionName = std::pair<std::string_view, std::string_view>;
    const SectionName section = split_section_key(key);
    const auto name_of = [](const NamedSection& each) { return SectionName{each.site, each.name}; };
    const auto found =
        std::ranges::lower_bound(sections_, section, {}, name_of);  // in the order of their keys
    const bool is_found = found != sections_.end() && name_of(*found) == section;
    const std::uint64_t pages = is_found ? found->record.pages : 0;
    if (is_found && CommitJournal::Section{pages, found->record.state} == expected) return;
    fault(fmt::format(
        "section {} of {} had {} pages after its newest commit and has {} now, or different ones: "
        "pull the site again with --repair",
        section.second, section.first, expected.pages, pages));
  }

  /// Pages that are stored next to each other; empty at the end.
  Result<std::vector<ExpectedPage>> next_pages() {
    std::vector<ExpectedPage> pages;
    for (std::uint64_t bytes = 0; bytes < kPagePartBytes;) {
      SHEAF_TRY_ASSIGN(const auto page, expected_.next());
      if (!page) break;
      pages.push_back(*page);
      bytes += page->json_bytes;
    }
    return pages;
  }

  Result<void> check_data() {
    using Pages = std::vector<ExpectedPage>;
    base::OrderedPipeline<Pages, CheckedPages> pipeline(threads_, [this] {
      return [this, checker = std::make_shared<PageChecker>(view_.view())](const Pages& pages) {
        return check_pages(*checker, pages);
      };
    });
    Result<void> result;
    base::run_pipeline(
        pipeline,
        [&]() -> std::optional<Pages> {
          auto pages = next_pages();
          if (!pages) result = std::unexpected(pages.error());
          if (!pages || pages->empty()) return std::nullopt;
          return std::move(*pages);
        },
        [this](const CheckedPages& checked) {
          for (const WrongPage& wrong : checked.wrong) page_fault(wrong.page, wrong.what);
          summary_.pages += checked.pages;
          if (progress_) progress_({StoreProgress::Stage::check, summary_.pages, expected_.size()});
        });
    return result;
  }

  /// Runs on several threads.
  CheckedPages check_pages(PageChecker& checker, const std::vector<ExpectedPage>& pages) {
    CheckedPages checked{pages.size(), {}};
    for (const ExpectedPage& page : pages) {
      auto what = page.json_bytes > kLargePage ? check_large(page) : checker.check(page);
      if (what) checked.wrong.push_back({page, std::move(*what)});
    }
    return checked;
  }

  std::optional<std::string> check_large(const ExpectedPage& page) {
    const std::lock_guard lock(large_page_);
    return PageChecker(view_.view()).check(page);
  }

  /// An ExpectedPage has only the hash of its URL, so the URL is looked up in the index.
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

  const CommitJournal::Records recorded_;
  StoreView view_;
  unsigned threads_;
  const StoreProgressSink& progress_;
  VerifySummary summary_;
  std::vector<NamedSection> sections_;
  std::size_t next_section_ = 0;           ///< the section to be checked
  std::optional<Database::Cursor> index_;  ///< position in the index of that section
  base::ExternalSort<ExpectedPage> expected_;
  std::mutex large_page_;
};

}  // namespace

Result<VerifySummary> verify_store(const StoreCore& core, unsigned threads,
                                   const StoreProgressSink& progress) {
  return Verify(core, threads, progress).run();
}

}  // namespace sheaf::store::local
