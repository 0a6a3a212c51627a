#include "sheaf/store/apply_collection.h"

#include "sheaf/base/file.h"
#include "sheaf/format/collection_pass.h"
#include "sheaf/format/collection_reader.h"
#include "sheaf/format/external_sort.h"
#include "sheaf/store/apply_rules.h"
#include "sheaf/store/data_writer.h"
#include "sheaf/store/section_change.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <tuple>
#include <utility>

namespace sheaf::store {
namespace {

using base::Errc;
using base::fail;
using base::Result;
using format::CollectionReader;

// Notes and their texts: as much for the one as for the other, since a text is about as long as a note.
constexpr std::size_t kSortMemory = 16 * format::kMiB;
constexpr std::size_t kTextMemory = 16 * format::kMiB;
constexpr std::uint64_t kPagesBetweenReports = 256;

/// The first bytes as a number that sorts as they do.
std::uint64_t front_of(const UrlKey& url) {
  std::uint64_t front = 0;
  std::memcpy(&front, url.data(), sizeof front);
  return std::endian::native == std::endian::little ? std::byteswap(front) : front;
}

/// What pass 1 notes of a page or of an entry of `removed`. Its URL and `modified` wait in a spool, so that
/// this stays small enough to be sorted.
struct Offer {
  UrlKey url{};
  std::int64_t seconds = 0;  ///< `modified`
  std::uint32_t nanoseconds = 0;
  std::uint32_t text_bytes = 0;   ///< in the spool: URL, then `modified`
  std::uint32_t url_bytes = 0;    ///< of these
  std::uint32_t has_data = 0;     ///< it was written: it may replace what is there
  std::uint64_t number = 0;       ///< of the page in the collection, from 1; 0 for a removal
  std::uint64_t data_number = 0;  ///< of its data in the run
  std::uint64_t text_at = 0;
  std::uint64_t json_bytes = 0;

  [[nodiscard]] base::Instant modified() const { return {seconds, nanoseconds}; }
  [[nodiscard]] bool is_removal() const { return number == 0; }
  friend bool operator<(const Offer& a, const Offer& b) {
    // Half of a hash nearly always decides, and a number is compared much quicker than bytes are.
    const std::uint64_t front_a = front_of(a.url);
    const std::uint64_t front_b = front_of(b.url);
    return front_a != front_b ? front_a < front_b : std::tie(a.url, a.number) < std::tie(b.url, b.number);
  }
};

/// Texts on disk, read back at any place; the last stretch of them waits in memory.
class TextSpool {
 public:
  explicit TextSpool(std::filesystem::path folder) : folder_(std::move(folder)) {}

  Result<std::uint64_t> append(std::string_view a, std::string_view b) {
    const std::uint64_t at = written_ + tail_.size();
    // As in ExternalSort: what is reserved takes no memory until it is used, growing would hold it twice.
    if (tail_.size() > kSmall) tail_.reserve(kTextMemory + kSmall);
    tail_ += a;
    tail_ += b;
    if (tail_.size() > kTextMemory) SHEAF_TRY(flush());
    return at;
  }

  /// Until the next call.
  Result<std::string_view> read(std::uint64_t at, std::size_t size) {
    if (at >= written_) return std::string_view(tail_).substr(at - written_, size);
    text_.resize(size);
    SHEAF_TRY(file_->read_at(at, text_));
    return text_;
  }

 private:
  static constexpr std::size_t kSmall = 64 * format::kKiB;

  Result<void> flush() {
    if (!file_) {
      SHEAF_TRY_ASSIGN(auto file, base::SpoolFile::create(folder_));
      file_ = std::move(file);
    }
    SHEAF_TRY(file_->append(tail_));
    written_ += tail_.size();
    tail_.clear();
    return {};
  }

  std::filesystem::path folder_;
  std::optional<base::SpoolFile> file_;
  std::uint64_t written_ = 0;
  std::string tail_;
  std::string text_;
};

/// Everything that the collection says of one URL.
struct OfferGroup {
  UrlKey url{};
  bool removed = false;
  std::optional<Offer> best;  ///< the newest `modified`, the later line on a tie
  std::vector<Offer> beaten;  ///< those whose data was written for nothing
};

class Apply {
 public:
  Apply(StoreCore& core, std::string_view site, std::string_view section, const ApplyOptions& options,
        const DataFiles& files)
      : core_(core),
        site_(site),
        section_(section),
        options_(options),
        offers_(kSortMemory, core.folder()),
        texts_(core.folder()),
        data_(core, files) {}

  Result<ApplySummary> run(std::unique_ptr<base::ByteSource> collection) {
    name_ = collection->name();
    const format::ReaderOptions how{options_.limits, format::Detail::checks, options_.threads,
                                    format::HeadRule::required};
    auto reader = CollectionReader::open(std::move(collection), how, [this](const format::Finding& finding) {
      ++summary_.findings[static_cast<std::size_t>(finding.code)];
      if (options_.findings) options_.findings(finding);
    });
    if (!reader) return std::unexpected(to_error(name_, reader.error()));
    summary_.head = reader->head();
    SHEAF_TRY(check_head());
    SHEAF_TRY_ASSIGN(const auto before, core_.view().section(site_, section_));
    const Admission admission = admit(facts_of(before), facts_of(summary_.head));
    summary_.outcome = admission.outcome;
    if (admission.outcome != ApplyOutcome::applied) return std::move(summary_);
    mode_ = admission.mode;
    before_ = before;
    SHEAF_TRY(read_pages(*reader));
    SHEAF_TRY(commit());
    return std::move(summary_);
  }

 private:
  static std::optional<SectionFacts> facts_of(const std::optional<SectionRecord>& record) {
    if (!record) return std::nullopt;
    return SectionFacts{record->origin, record->generated, record->snapshot};
  }
  [[nodiscard]] CollectionFacts facts_of(const model::CollectionHead& head) const {
    return {head.type, head.generated_at, head.since_at, options_.resynchronise};
  }

  [[nodiscard]] Result<void> check_head() const {
    const model::CollectionHead& head = summary_.head;
    if (head.section != section_)
      return fail(Errc::invalid_data,
                  fmt::format("{} is a collection of section {}, not of {}", name_, head.section, section_));
    const base::Instant latest{options_.now.seconds + kFutureSeconds, options_.now.nanoseconds};
    if (head.generated_at > latest)
      return fail(Errc::invalid_data,
                  fmt::format("{} says that it was generated at {}, more than a day from now", name_,
                              head.generated));
    return {};
  }

  // Pass 1: nothing refers to what is written here until the whole file has been proven right.
  Result<void> read_pages(CollectionReader& reader) {
    const StoreView view = core_.view();
    if (mode_ == ApplyMode::delta) SHEAF_TRY(note_removals());
    while (true) {
      const auto more = reader.next();
      if (!more) return std::unexpected(to_error(name_, more.error()));
      if (!*more) break;
      SHEAF_TRY(note_page(view, reader.page(), reader.raw()));
      if (summary_.pages % kPagesBetweenReports == 0) SHEAF_TRY(report(reader));
    }
    SHEAF_TRY(data_.close());
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
      Offer offer;
      offer.url = hash_(url);
      SHEAF_TRY(offers_.add(offer));
      removals_ = true;
    }
    return {};
  }

  Result<void> note_page(const StoreView& view, const model::Page& page, std::string_view json) {
    while (!json.empty() && (json.back() == '\r' || json.back() == ' ' || json.back() == '\t'))
      json.remove_suffix(1);
    Offer offer;
    offer.number = ++summary_.pages;
    offer.url = hash_(page.url);
    offer.seconds = page.modified_at.seconds;
    offer.nanoseconds = page.modified_at.nanoseconds;
    offer.json_bytes = json.size();
    offer.url_bytes = static_cast<std::uint32_t>(page.url.size());
    offer.text_bytes = static_cast<std::uint32_t>(page.url.size() + page.modified.size());
    SHEAF_TRY_ASSIGN(const bool wanted, is_wanted(view, offer));
    if (wanted) {
      SHEAF_TRY_ASSIGN(offer.text_at, texts_.append(page.url, page.modified));
      SHEAF_TRY_ASSIGN(const Place place,
                       data_.add({page.url, page.modified, summary_.head.generated_at, json}));
      run_ = place.run;
      offer.data_number = place.number;
      offer.has_data = 1;
    }
    return offers_.add(offer);
  }

  /// A page that is there and no older need not be written at all. Nobody else changes the section meanwhile.
  Result<bool> is_wanted(const StoreView& view, const Offer& offer) {
    if (!before_ || before_->pages == 0 || mode_ == ApplyMode::replacement || removals_) return true;
    SHEAF_TRY_ASSIGN(const auto stored, view.entry(before_->id, offer.url));
    return !stored || offer.modified() > stored->modified_at;
  }

  // Pass 2: what becomes of each URL, in the order of their hashes.
  Result<void> commit() {
    SHEAF_TRY(offers_.sort());
    std::unique_lock lock(core_.commit_mutex());
    SectionChange change(core_, site_, section_, before_.value_or(SectionRecord{}));
    const StoreView view = core_.view();
    SHEAF_TRY(mode_ == ApplyMode::delta ? apply_delta(view, change) : apply_snapshot(view, change));
    if (options_.shrink == format::Shrink::refuse &&
        format::is_suspicious_shrink(change.pages_before(), summary_.removed)) {
      ApplySummary held;
      held.outcome = ApplyOutcome::shrink_held;
      held.head = std::move(summary_.head);
      held.pages = summary_.pages;
      held.removed = summary_.removed;
      held.findings = summary_.findings;
      summary_ = std::move(held);
      return {};
    }
    update(change.record());
    SHEAF_TRY(data_.hand_over(change));
    SHEAF_TRY(change.commit());
    data_.keep();
    const SectionRecord& record = change.record();
    if (record.stated) summary_.proven = *record.stated == record.state;
    lock.unlock();
    return change.delete_old_data();
  }

  void update(SectionRecord& record) const {
    const model::CollectionHead& head = summary_.head;
    const bool newest = !before_ || mode_ == ApplyMode::replacement || head.generated_at >= record.generated;
    if (newest) {
      record.generated = head.generated_at;
      record.stated = head.state ? format::StateDigest::parse(*head.state) : std::nullopt;
    }
    if (head.type == model::CollectionType::snapshot) record.snapshot = head.generated_at;
    record.origin = Origin::collections;
    record.changed_at = options_.now;
  }

  Result<void> apply_delta(const StoreView& view, SectionChange& change) {
    while (true) {
      SHEAF_TRY_ASSIGN(const auto group, next_group());
      if (!group) return {};
      SHEAF_TRY_ASSIGN(const auto stored, view.entry(change.record().id, group->url));
      SHEAF_TRY(decide(change, group->url, stored, &*group));
    }
  }

  /// Walks over the section and the collection side by side.
  Result<void> apply_snapshot(const StoreView& view, SectionChange& change) {
    auto cursor = view.view().scan(index_prefix(change.record().id));
    SHEAF_TRY_ASSIGN(auto group, next_group());
    while (cursor.valid() || group) {
      std::optional<UrlKey> here;
      if (cursor.valid()) {
        here = url_of_index_key(cursor.key());
        if (!here) return std::unexpected(view.damaged("a key of its index cannot be read"));
      }
      const bool take_stored = here && (!group || *here <= group->url);
      const bool take_group = group && (!here || group->url <= *here);
      std::optional<PageEntry> stored;
      if (take_stored) {
        stored = decode_entry(cursor.value());
        if (!stored) return std::unexpected(view.damaged("an entry of its index cannot be read"));
        cursor.next();
      }
      SHEAF_TRY(decide(change, take_group ? group->url : *here, stored, take_group ? &*group : nullptr));
      if (take_group) {
        SHEAF_TRY_ASSIGN(group, next_group());
      }
    }
    return cursor.check();
  }

  Result<std::optional<OfferGroup>> next_group() {
    if (!ahead_) {
      SHEAF_TRY_ASSIGN(ahead_, offers_.next());
    }
    if (!ahead_) return std::nullopt;
    OfferGroup group;
    group.url = ahead_->url;
    while (ahead_ && ahead_->url == group.url) {
      if (ahead_->is_removal()) {
        group.removed = true;
      } else if (!group.best) {
        group.best = ahead_;
      } else {
        ++summary_.duplicates;
        const bool wins = ahead_->modified() >= group.best->modified();
        const Offer& loser = wins ? *group.best : *ahead_;
        if (loser.has_data != 0) group.beaten.push_back(loser);
        if (wins) group.best = ahead_;
      }
      SHEAF_TRY_ASSIGN(ahead_, offers_.next());
    }
    return group;
  }

  Result<void> decide(SectionChange& change, const UrlKey& url, const std::optional<PageEntry>& stored,
                      const OfferGroup* group) {
    std::optional<StoredFacts> facts;
    if (stored) facts = StoredFacts{stored->modified_at, stored->learnt};
    OfferedFacts offered;
    if (group != nullptr) {
      offered.removed = group->removed;
      if (group->best) offered.modified = group->best->modified();
      for (const Offer& loser : group->beaten) SHEAF_TRY(change.add_old_data({run_, loser.data_number}));
    }
    switch (fate_of(mode_, summary_.head.generated_at, facts, offered)) {
      case Fate::inserted: ++summary_.added; return put(change, url, std::nullopt, *group->best);
      case Fate::replaced: return put(change, url, stored, *group->best);
      case Fate::removed: ++summary_.removed; return change.remove(url, *stored);
      case Fate::stays:
        if (offered.modified) ++summary_.unchanged;
        if (offered.modified && group->best->has_data != 0)
          return change.add_old_data({run_, group->best->data_number});
        return {};
      case Fate::nothing: return {};
    }
    return {};
  }

  Result<void> put(SectionChange& change, const UrlKey& url, const std::optional<PageEntry>& before,
                   const Offer& offer) {
    SHEAF_TRY_ASSIGN(const std::string_view text, texts_.read(offer.text_at, offer.text_bytes));
    PageEntry& entry = entry_;
    entry.url = text.substr(0, offer.url_bytes);
    entry.modified = text.substr(offer.url_bytes);
    entry.modified_at = offer.modified();
    entry.learnt = summary_.head.generated_at;
    entry.place = {run_, offer.data_number};
    entry.json_bytes = offer.json_bytes;
    auto feed = SectionChange::Feed::tell;
    if (before) {
      // A replacement writes every page anew; those that were right already are no news.
      const bool same = before->modified == entry.modified && before_->origin == Origin::collections;
      ++(same ? summary_.unchanged : summary_.changed);
      if (same) feed = SectionChange::Feed::keep_silent;
    }
    return change.put(url, before, entry, feed);
  }

  StoreCore& core_;
  std::string site_;
  std::string section_;
  const ApplyOptions& options_;
  std::string name_;
  ApplySummary summary_;
  ApplyMode mode_ = ApplyMode::delta;
  std::optional<SectionRecord> before_;
  UrlHasher hash_;
  format::ExternalSort<Offer> offers_;
  std::optional<Offer> ahead_;
  PageEntry entry_;  ///< the one that is put; its texts keep their memory
  TextSpool texts_;
  DataWriter data_;
  std::uint64_t run_ = 0;
  bool removals_ = false;
};

}  // namespace

Result<ApplySummary> apply_collection(StoreCore& core, std::string_view site, std::string_view section,
                                      std::unique_ptr<base::ByteSource> collection,
                                      const ApplyOptions& options) {
  SHEAF_TRY(core.check_writable(site, section));
  const auto lock = core.lock_section(site, section);
  const auto files = DataFiles::of_collection(collection->size());
  return Apply(core, site, section, options, files).run(std::move(collection));
}

}  // namespace sheaf::store
