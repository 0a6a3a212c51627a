#include "sheaf/store/apply_collection.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/external_sort.h"
#include "sheaf/base/record.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/deltas/collection_pass.h"
#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/store/collection_offer.h"
#include "sheaf/store/site_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace sheaf::store {
namespace {

using base::Errc;
using base::fail;
using base::Result;
using format::ApplyMode;
using format::bounded_modified;
using format::CollectionReader;
using format::UrlOutcome;
using Feed = SectionWriter::Feed;

/// Memory for sorting; larger amounts are sorted on disk.
constexpr std::size_t kApplySortMemory = 8 * format::kMiB;
/// Pages between two progress reports.
constexpr std::uint64_t kPagesBetweenApplyReports = 256;
/// URLs of a delta that are looked up together.
constexpr std::size_t kGroupsAtOnce = 256;
/// Unreadable pages of a collection that are remembered one by one. A file with more is a broken file.
constexpr std::uint64_t kMaxUnreadable = 10'000;

/// Whether the finding means that the collection has this page, but that it cannot be read.
bool is_unreadable_page(format::Code code) {
  return format::level_of(code) == format::Level::page && code != format::Code::noindex &&
         code != format::Code::invalid_url && code != format::Code::foreign_page;
}

// Pass 1 reads the collection and writes its pages to the store, where nothing refers to them yet. Pass 2
// goes over the URLs in the order of their hashes, decides about each by format/deltas/delta_rules.h, and
// commits all changes at once. A single pass would need every URL of the collection in memory to find
// duplicates and deletions.
class Apply {
 public:
  Apply(SectionWriter& writer, std::string_view site, std::string_view section, const ApplyOptions& options,
        const std::filesystem::path& folder)
      : writer_(writer),
        site_(site),
        section_(section),
        options_(options),
        hosts_(site, options.vouch),
        offers_(kApplySortMemory, folder),
        texts_(folder) {}

  Result<ApplySummary> run(std::unique_ptr<base::ByteSource> collection) {
    name_ = collection->name();
    const format::ReaderOptions how{options_.limits, format::Detail::checks, options_.threads,
                                    format::HeadRule::required};
    auto reader = CollectionReader::open(std::move(collection), how,
                                         [this](const format::Finding& finding) { note_finding(finding); });
    if (!reader) return std::unexpected(format::to_error(name_, reader.error()));
    summary_.head = reader->head();
    SHEAF_TRY(check_head());
    SHEAF_TRY_ASSIGN(const auto before, writer_.read_section());
    const auto mode = admit(before);
    if (!mode) {
      summary_.outcome = mode.error();
      return std::move(summary_);
    }
    mode_ = *mode;
    before_ = before;
    SHEAF_TRY(read_pages(*reader));
    if (!is_expected(reader->digest())) {
      summary_.outcome = ApplyOutcome::other_checksum;
      return std::move(summary_);
    }
    SHEAF_TRY(commit());
    return std::move(summary_);
  }

 private:
  /// How the collection is applied, or why it is not. A delta cannot follow pages that were fetched one by
  /// one; a snapshot replaces them.
  [[nodiscard]] std::expected<ApplyMode, ApplyOutcome> admit(
      const std::optional<SectionRecord>& section) const {
    const bool is_html = section && section->origin == Origin::html;
    if (is_html && is_delta()) return std::unexpected(ApplyOutcome::out_of_order);
    if (keeps_losses() && is_delta()) return ApplyMode::delta;
    if (keeps_losses())
      return section ? format::snapshot_mode(*times_of(section), summary_.head.generated_at)
                     : ApplyMode::snapshot;
    const auto intent = options_.reset           ? format::ApplyIntent::reset
                        : options_.resynchronise ? format::ApplyIntent::resynchronise
                                                 : format::ApplyIntent::update;
    const auto mode =
        format::admit(is_html ? std::nullopt : times_of(section), format::offered_by(summary_.head), intent);
    if (mode) return *mode;
    return std::unexpected(mode.error() == format::NotApplied::gap ? ApplyOutcome::gap : ApplyOutcome::older);
  }
  static std::optional<format::SectionTimes> times_of(const std::optional<SectionRecord>& record) {
    if (!record) return std::nullopt;
    return format::SectionTimes{record->generated, record->snapshot};
  }
  [[nodiscard]] bool keeps_losses() const { return options_.losses == Losses::keep; }
  [[nodiscard]] bool is_delta() const { return summary_.head.type == model::CollectionType::delta; }

  void note_finding(const format::Finding& finding) {
    ++summary_.findings[static_cast<std::size_t>(finding.code)];
    if (is_unreadable_page(finding.code)) {
      ++summary_.unreadable;
      skipped_.push_back({finding.url, false});
    } else if (finding.code == format::Code::noindex) {
      skipped_.push_back({finding.url, true});
    }
    options_.findings(finding);
  }

  /// Whether the file has the checksum that the sitemap states. `digest` is computed over the file.
  [[nodiscard]] bool is_expected(std::string_view digest) const {
    return options_.checksum.empty() ||
           base::lower_text(options_.checksum) == fmt::format("sha256:{}", digest);
  }

  [[nodiscard]] Result<void> check_head() const {
    const model::CollectionHead& head = summary_.head;
    if (head.section != section_)
      return fail(Errc::invalid_data,
                  fmt::format("{} is a collection of section {}, not of {}", name_, head.section, section_));
    if (format::is_in_future(head.generated_at, options_.now))
      return fail(Errc::invalid_data,
                  fmt::format("{} says that it was generated at {}, more than a day from now", name_,
                              head.generated));
    return {};
  }

  // Pass 1: nothing refers to the written pages until the whole file has been verified.
  Result<void> read_pages(CollectionReader& reader) {
    if (is_delta()) SHEAF_TRY(note_removals());
    while (true) {
      const auto more = reader.next();
      if (!more) return std::unexpected(format::to_error(name_, more.error()));
      SHEAF_TRY(note_skipped());
      if (!*more) break;
      if (is_foreign(reader)) continue;
      SHEAF_TRY(note_page(reader.page(), reader.raw()));
      if (summary_.pages % kPagesBetweenApplyReports == 0) SHEAF_TRY(report(reader));
    }
    SHEAF_TRY(store_pending());
    SHEAF_TRY(writer_.close());
    return report(reader);
  }

  Result<void> report(const CollectionReader& reader) const {
    if (options_.progress) options_.progress(reader.statistics().compressed_bytes, summary_.pages);
    if (options_.cancelled && options_.cancelled())
      return fail(Errc::refused, fmt::format("{} was not applied: cancelled", name_));
    return {};
  }

  Result<void> note_removals() {
    for (const std::string& url : summary_.head.removed) {
      if (!hosts_.contain(url)) {
        foreign_changed_ = true;
        continue;
      }
      SHEAF_TRY(note_removal(url));
    }
    return {};
  }

  /// The collection has a page, or says that it is gone, that an earlier one could not supply.
  void note_readable(std::string_view url) {
    if (mode_ == ApplyMode::delta && options_.unreadable.contains(url)) readable_.emplace(url);
  }

  Result<void> note_removal(std::string_view url) {
    note_readable(url);
    CollectionOffer offer;
    offer.url = hash_(url);
    removals_ = true;
    return offers_.add(offer);
  }

  /// Pages that the reader skipped since the last call. noindex removes a page. An unreadable one was not
  /// deleted by the site: its stored version stays, and the caller fetches it in another way.
  Result<void> note_skipped() {
    for (const SkippedPage& page : std::exchange(skipped_, {})) {
      state_unknown_ = true;
      if (page.url.empty()) {
        nameless_ = true;
      } else if (!hosts_.contain(page.url)) {
        foreign_changed_ = true;
      } else if (page.is_noindex) {
        if (is_delta()) SHEAF_TRY(note_removal(page.url));
      } else {
        SHEAF_TRY(note_unreadable(page.url));
      }
    }
    return {};
  }

  Result<void> note_unreadable(std::string_view url) {
    if (unreadable_.size() >= kMaxUnreadable)
      return fail(Errc::invalid_data, fmt::format("{} has more than {} pages that break a rule of the format",
                                                  name_, kMaxUnreadable));
    unreadable_.emplace_back(url);
    CollectionOffer offer;
    offer.url = hash_(url);
    offer.number = CollectionOffer::kUnreadable;
    return offers_.add(offer);
  }

  /// The notes about the pages of this collection that cannot be read.
  [[nodiscard]] std::vector<SectionEdit::NoteChange> unreadable_notes() const {
    std::vector<SectionEdit::NoteChange> notes;
    const std::string prefix = unreadable_prefix(section_);
    for (const auto& [url, noted] : options_.unreadable) {
      const bool is_outdated =
          !is_delta() && (mode_ == ApplyMode::replacement || noted <= summary_.head.generated_at);
      if (is_outdated || readable_.contains(url)) notes.push_back({prefix + url, std::nullopt});
    }
    base::RecordWriter generated;
    generated.time(summary_.head.generated_at);
    for (const std::string& url : unreadable_) notes.push_back({prefix + url, generated.bytes()});
    if (nameless_) notes.push_back({prefix, generated.bytes()});
    return notes;
  }

  /// Whether the page is on a host that does not belong to the site. Such a page is counted and skipped.
  bool is_foreign(const CollectionReader& reader) {
    const Page& page = reader.page();
    if (hosts_.contain(page.url)) return false;
    foreign_changed_ = true;
    foreign_.add(page.url, page.modified);
    note_finding({format::Code::foreign_page, reader.line_number(), reader.line_offset(),
                  std::string(page.url),
                  fmt::format("{} is not a page of {}; it was skipped", page.url, site_)});
    return true;
  }

  Result<void> note_page(const Page& page, std::string_view json) {
    while (!json.empty() && (json.back() == '\r' || json.back() == ' ' || json.back() == '\t'))
      json.remove_suffix(1);
    note_readable(page.url);
    CollectionOffer offer;
    offer.number = ++summary_.pages;
    offer.url = hash_(page.url);
    const Instant modified = bounded_modified(page.modified_at, summary_.head.generated_at);
    offer.seconds = modified.seconds;
    offer.nanoseconds = modified.nanoseconds;
    offer.is_bounded = modified == page.modified_at ? 0 : 1;
    offer.json_bytes = json.size();
    offer.url_bytes = static_cast<std::uint32_t>(page.url.size());
    offer.text_bytes = static_cast<std::uint32_t>(page.url.size() + page.modified.size());
    if (is_everything_wanted()) return store_page(offer, page.url, page.modified, json);
    pending_.add(offer, page.url, page.modified, json);
    return pending_.is_full() ? store_pending() : Result<void>();
  }

  Result<void> store_page(CollectionOffer offer, std::string_view url, std::string_view modified,
                          std::string_view json) {
    SHEAF_TRY_ASSIGN(offer.text_at, texts_.append(url, modified));
    SHEAF_TRY_ASSIGN(const Place place, writer_.add({url, modified, summary_.head.generated_at, json,
                                                     Instant{options_.now.seconds, 0}}));
    offer.data_run = place.run;
    offer.data_number = place.number;
    offer.has_data = 1;
    return offers_.add(offer);
  }

  [[nodiscard]] bool is_everything_wanted() const {
    return !before_ || before_->pages == 0 || mode_ == ApplyMode::replacement || removals_;
  }

  /// Writes the pages that are new or newer than the stored ones. The section is locked, so the stored
  /// versions cannot change before the commit.
  Result<void> store_pending() {
    SHEAF_TRY_ASSIGN(const auto stored, writer_.find(pending_.keys()));
    std::size_t number = 0;
    for (const PendingPages::Item& item : pending_.items()) {
      const std::optional<PageEntry>& entry = stored[number++];
      const bool wanted = entry ? format::replaces(item.offer.modified(), modified_of(*entry))
                                : mode_ != ApplyMode::old_snapshot;
      SHEAF_TRY(wanted ? store_page(item.offer, item.url, item.modified, item.json)
                       : offers_.add(item.offer));
    }
    pending_.clear();
    return {};
  }

  // Pass 2: decides about each URL, in the order of their hashes.
  Result<void> commit() {
    SHEAF_TRY(offers_.sort());
    SHEAF_TRY(writer_.begin(before_.value_or(SectionRecord{})));
    SHEAF_TRY(is_delta() ? apply_delta() : apply_snapshot());
    SHEAF_TRY(count_lost());
    const bool is_shrink = options_.shrink == format::Shrink::refuse &&
                           format::is_held_back(writer_.record().guard, before_ ? before_->pages : 0, lost_);
    if (is_shrink || (options_.losses == Losses::hold && lost_ > 0)) {
      ApplySummary held;
      held.outcome = is_shrink ? ApplyOutcome::shrink_held : ApplyOutcome::losses_held;
      held.head = std::move(summary_.head);
      held.pages = summary_.pages;
      held.removed = summary_.removed;
      held.findings = summary_.findings;
      held.unreadable = summary_.unreadable;
      summary_ = std::move(held);
      return {};
    }
    update(writer_.record());
    SHEAF_TRY(writer_.commit(SectionWriter::Fate::kept, unreadable_notes()));
    const SectionRecord& record = writer_.record();
    if (record.stated) summary_.proven = *record.stated == record.state;
    if (keeps_losses()) summary_.outcome = ApplyOutcome::losses_held;
    return {};
  }

  void update(SectionRecord& record) const {
    record.changed_at = options_.now;
    if (keeps_losses()) {
      record.stated.reset();  // it has more pages than either state
      return;
    }
    const model::CollectionHead& head = summary_.head;
    const auto times = format::advance(times_of(before_), format::offered_by(head), mode_);
    record.generated = times.generated;
    record.snapshot = times.snapshot;
    if (times.generated == head.generated_at) update_stated(record);
    if (!before_ || options_.shrink == format::Shrink::allow) {
      record.guard = {record.pages, 0};
    } else {
      record.guard.removed += lost_;
    }
    record.origin = Origin::collections;
  }

  /// The site's digest includes the pages that were skipped here. Those of other hosts are subtracted from
  /// it. Of those that cannot be read, the version is unknown, so nothing can be proven.
  void update_stated(SectionRecord& record) const {
    const base::Digest skipped = foreign_.sum();
    if (!is_delta() && !state_unknown_) {
      record.foreign = skipped;
    } else if (foreign_changed_ || state_unknown_) {
      record.foreign.reset();
    }
    record.stated.reset();
    const auto& state = summary_.head.state;
    const auto stated = state ? format::StateDigest::parse(*state) : std::nullopt;
    if (!stated || !record.foreign) return;
    format::StateDigest ours;
    ours.add(*stated);
    ours.subtract(*record.foreign);
    record.stated = ours.sum();
  }

  Result<void> apply_delta() {
    std::vector<OfferGroup> groups;
    std::vector<UrlKey> urls;
    while (true) {
      groups.clear();
      urls.clear();
      while (groups.size() < kGroupsAtOnce) {
        SHEAF_TRY_ASSIGN(auto group, next_group());
        if (!group) break;
        urls.push_back(group->url);
        groups.push_back(std::move(*group));
      }
      if (groups.empty()) return {};
      SHEAF_TRY_ASSIGN(const auto stored, writer_.find(urls));
      for (std::size_t i = 0; i < groups.size(); ++i) SHEAF_TRY(decide(urls[i], stored[i], &groups[i]));
    }
  }

  /// Merges the index of the section with the records of the collection, both sorted by URL hash.
  Result<void> apply_snapshot() {
    SHEAF_TRY_ASSIGN(const auto entries, writer_.scan(SectionWriter::Damage::refuse));
    SHEAF_TRY_ASSIGN(const EntryScan::Item* here, entries->next());
    SHEAF_TRY_ASSIGN(auto group, next_group());
    while (here != nullptr || group) {
      const bool take_stored = here != nullptr && (!group || here->url <= group->url);
      const bool take_group = group && (here == nullptr || group->url <= here->url);
      std::optional<PageEntry> stored;
      if (take_stored) stored = here->entry;
      const UrlKey url = take_group ? group->url : here->url;
      SHEAF_TRY(decide(url, stored, take_group ? &*group : nullptr));
      if (take_stored) {
        SHEAF_TRY_ASSIGN(here, entries->next());
      }
      if (take_group) {
        SHEAF_TRY_ASSIGN(group, next_group());
      }
    }
    return {};
  }

  Result<std::optional<OfferGroup>> next_group() {
    if (!ahead_) {
      SHEAF_TRY_ASSIGN(ahead_, offers_.next());
    }
    if (!ahead_) return std::nullopt;
    OfferGroup group;
    group.url = ahead_->url;
    while (ahead_ && ahead_->url == group.url) {
      if (const auto loser = group.offer.add(*ahead_)) {
        ++summary_.duplicates;
        if (loser->has_data != 0) group.losers.push_back(*loser);
      }
      SHEAF_TRY_ASSIGN(ahead_, offers_.next());
    }
    return group;
  }

  Result<void> decide(const UrlKey& url, const std::optional<PageEntry>& stored, const OfferGroup* group) {
    std::optional<format::StoredVersion> version;
    if (stored) version = format::StoredVersion{modified_of(*stored), stored->as_of};
    const auto offered = group != nullptr ? group->offer.version() : format::OfferedVersion{};
    const CollectionOffer* page = offered.modified ? &*group->offer.page() : nullptr;
    if (group != nullptr)
      for (const CollectionOffer& loser : group->losers)
        SHEAF_TRY(writer_.drop_data(loser.place(), loser.json_bytes));
    switch (format::url_outcome(mode_, summary_.head.generated_at, version, offered)) {
      case UrlOutcome::inserted: ++summary_.added; return put(url, std::nullopt, *page);
      case UrlOutcome::replaced: return put(url, stored, *page);
      case UrlOutcome::removed: return remove(url, *stored);
      case UrlOutcome::stays:
        if (page == nullptr) return {};
        ++summary_.unchanged;
        if (page->has_data == 0) return {};
        return writer_.drop_data(page->place(), page->json_bytes);
      case UrlOutcome::absent:
        if (page == nullptr || page->has_data == 0) return {};
        return writer_.drop_data(page->place(), page->json_bytes);
    }
    return {};
  }

  Result<void> remove(const UrlKey& url, const PageEntry& stored) {
    // The line of an unnamed unreadable page may be that of this page.
    if ((nameless_ && !is_delta()) || keeps_losses()) return {};
    ++summary_.removed;
    leaving_.push_back(url);
    if (leaving_.size() >= kGroupsAtOnce) SHEAF_TRY(count_lost());
    return writer_.remove(url, stored, Feed::report);
  }

  /// Counts the removed pages that no other section has. Only these are lost to users of the copy, so only
  /// these count for the shrink guard: a page may move to another section.
  Result<void> count_lost() {
    if (leaving_.empty()) return {};
    SHEAF_TRY_ASSIGN(const auto elsewhere, writer_.find_elsewhere(leaving_));
    lost_ += static_cast<std::uint64_t>(std::ranges::count(elsewhere, false));
    leaving_.clear();
    return {};
  }

  Result<void> put(const UrlKey& url, const std::optional<PageEntry>& before, const CollectionOffer& offer) {
    SHEAF_TRY_ASSIGN(const std::string_view text, texts_.read(offer.text_at, offer.text_bytes));
    PageEntry& entry = entry_;
    entry.url = text.substr(0, offer.url_bytes);
    entry.modified = text.substr(offer.url_bytes);
    entry.modified_at = offer.modified();
    if (offer.is_bounded != 0)
      if (const auto stated = parse_time(entry.modified)) entry.modified_at = stated->instant;
    entry.as_of = summary_.head.generated_at;
    entry.place = offer.place();
    entry.json_bytes = offer.json_bytes;
    auto feed = Feed::report;
    if (before) {
      // A replacement rewrites every page; unchanged ones are not reported in the feed. A `modified` in the
      // future does not tell whether the page changed.
      const bool same = before->modified == entry.modified && before_->origin == Origin::collections &&
                        offer.is_bounded == 0;
      ++(same ? summary_.unchanged : summary_.changed);
      if (same) feed = Feed::omit;
    }
    return writer_.put(url, before, entry, feed);
  }

  SectionWriter& writer_;
  std::string site_;
  std::string section_;
  const ApplyOptions& options_;
  SiteHosts hosts_;
  format::StateDigest foreign_;   ///< digest of the skipped pages
  bool foreign_changed_ = false;  ///< the collection has or removes pages of other hosts
  std::string name_;
  ApplySummary summary_;
  ApplyMode mode_ = ApplyMode::delta;
  std::optional<SectionRecord> before_;
  UrlHasher hash_;
  base::ExternalSort<CollectionOffer> offers_;
  std::optional<CollectionOffer> ahead_;
  PageEntry entry_;  ///< reused for each page, so that its strings keep their memory
  TextSpool texts_;
  PendingPages pending_;
  bool removals_ = false;
  struct SkippedPage {
    std::string url;
    bool is_noindex = false;
  };
  std::vector<SkippedPage> skipped_;     ///< since the last page
  std::vector<std::string> unreadable_;  ///< URLs of listed pages that break a rule
  std::set<std::string> readable_;       ///< URLs of options_.unreadable about which the collection has news
  bool state_unknown_ = false;           ///< the collection has pages whose version is unknown
  bool nameless_ = false;                ///< it has a page whose URL could not be read
  std::vector<UrlKey> leaving_;          ///< removed pages that are not counted yet
  std::uint64_t lost_ = 0;               ///< removed pages that no other section has
};

}  // namespace

Result<ApplySummary> apply_collection(SectionWriter& writer, std::string_view site, std::string_view section,
                                      std::unique_ptr<base::ByteSource> collection,
                                      const ApplyOptions& options, const std::filesystem::path& folder) {
  return Apply(writer, site, section, options, folder).run(std::move(collection));
}

Result<void> settle_section(SectionWriter& writer) {
  SHEAF_TRY_ASSIGN(const auto record, writer.read_section());
  if (!record || record->origin != Origin::collections) return {};
  if (record->stated && *record->stated != record->state) return {};
  const format::ShrinkGuard settled =
      format::settle(record->guard, record->pages, record->stated.has_value());
  if (settled == record->guard) return {};
  SHEAF_TRY(writer.begin(*record));
  writer.record().guard = settled;
  return writer.commit(SectionWriter::Fate::kept, {});
}

}  // namespace sheaf::store
