#include "sheaf/offers/pull_plan.h"

#include "sheaf/base/ascii.h"
#include "sheaf/format/deltas/delta_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace sheaf::offers {
namespace {

using model::CollectionType;
using site::AdvertisedCollection;

// Assumed size of a collection without a stated size: larger than any stated one, so that it is the last
// choice.
constexpr std::uint64_t kBytesPerPage = 4096;
constexpr std::uint64_t kUnknownDelta = std::uint64_t{16} << 20;
constexpr std::uint64_t kUnknownSnapshot = std::uint64_t{1} << 30;
// Stated sizes are capped, so that a sum of fewer than 2^24 sizes cannot overflow.
constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 40;
// Limits the notes for a sitemap with 100,000 faulty entries.
constexpr std::size_t kNotes = 10;
// A section without news for this many of its intervals is old; without a stated interval, after this time.
constexpr std::int64_t kIntervalsUntilOld = 30;
constexpr std::int64_t kOldSeconds = std::int64_t{365} * 86'400;

std::uint64_t weight_of(const AdvertisedCollection& offer) {
  if (offer.size) return std::min(*offer.size, kMaxSize);
  if (offer.pages) return std::min(*offer.pages, kMaxSize / kBytesPerPage) * kBytesPerPage;
  return offer.type == CollectionType::delta ? kUnknownDelta : kUnknownSnapshot;
}

/// Lower is better.
int codec_rank(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  if (url.ends_with(".zst")) return 0;
  if (url.ends_with(".gz")) return 1;
  return 2;
}

/// Sorts by time. The codecs of one collection are adjacent, the preferred one first.
bool comes_before(const AdvertisedCollection& a, const AdvertisedCollection& b) {
  const auto key = [](const AdvertisedCollection& offer) {
    return std::tuple(*offer.generated, offer.type, offer.since, codec_rank(offer.url));
  };
  return key(a) < key(b);
}

bool is_same_collection(const AdvertisedCollection* a, const AdvertisedCollection* b) {
  return a->generated == b->generated && a->type == b->type && a->since == b->since;
}

/// The cheapest known chain to an offer's `generated`.
struct Way {
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
  std::size_t files = 0;
  std::optional<std::size_t>
      before;  ///< the previous offer in the chain; nullopt: the chain begins with this one
  bool reached = false;

  [[nodiscard]] bool is_better_than(const Way& other) const {
    if (!other.reached) return reached;
    return reached && std::pair(bytes, files) < std::pair(other.bytes, other.files);
  }
};

/// The URL without the ending of its codec.
std::string_view without_codec(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  const bool has_codec = url.ends_with(".zst") || url.ends_with(".gz");
  return has_codec ? url.substr(0, url.rfind('.')) : url;
}

/// Whether a section may have something that `all` does not have yet.
bool is_newer(std::span<const AdvertisedCollection> section, std::span<const AdvertisedCollection> whole) {
  const auto is_undated = [](const AdvertisedCollection& offer) { return !offer.generated; };
  return std::ranges::any_of(section, is_undated) || std::ranges::any_of(whole, is_undated) ||
         newest_of(section) > newest_of(whole);
}

/// Whether `all` is offered and, by the numbers of pages, has what the others have.
bool stands_for_others(const SectionChoice& choice) {
  if (!choice.offers.contains(kWholeSite)) return false;
  const auto whole = stated_pages(choice.advertised, choice.offers, kWholeSite);
  if (!whole) return true;
  std::uint64_t others = 0;
  for (const auto& [section, offered] : choice.offers)
    if (section != kWholeSite)
      others += std::min(stated_pages(choice.advertised, choice.offers, section).value_or(0), kMaxSize);
  return others <= *whole;
}

class Planner {
 public:
  Planner(std::string_view section, const std::optional<Held>& held, const PlanRules& rules)
      : held_(rules.only_snapshots ? std::nullopt : held), rules_(rules) {
    plan_.section = section;
  }

  SectionPlan plan(std::span<const AdvertisedCollection> offers) {
    choose_usable(offers);
    if (held_ && is_snapshot_due(*held_, rules_)) begin_with_snapshot(offers);
    find_ways();
    const std::size_t first_of_chain = plan_.steps.size();
    for (std::optional<std::size_t> at = find_goal(); at; at = ways_[*at].before) add_step(*usable_[*at]);
    std::reverse(plan_.steps.begin() + static_cast<std::ptrdiff_t>(first_of_chain), plan_.steps.end());
    if (plan_.steps.empty() && usable_.empty()) use_undated(offers);
    plan_.kind = choose_kind();
    note_undated(offers);
    note_age();
    if (passed_over_ > kNotes)
      plan_.notes.push_back(fmt::format("{} more collections of section {} were skipped for similar reasons",
                                        passed_over_ - kNotes, plan_.section));
    return std::move(plan_);
  }

 private:
  void choose_usable(std::span<const AdvertisedCollection> offers) {
    for (const AdvertisedCollection& offer : offers) {
      ++plan_.work;
      if (offer.section != plan_.section || !offer.generated) continue;
      if (format::is_in_future(*offer.generated, rules_.now)) {
        pass_over(offer, "is dated in the future");
        plan_.future = std::max(plan_.future, offer.generated);
        continue;
      }
      plan_.newest = std::max(plan_.newest, offer.generated);
      if (offer.type == CollectionType::delta && !offer.since) {
        pass_over(offer, "is a delta without since");
      } else if (offer.type == CollectionType::delta && *offer.since >= *offer.generated) {
        pass_over(offer, "is a delta that ends before it begins");
      } else {
        usable_.push_back(&offer);
      }
    }
    std::ranges::stable_sort(usable_, [this](const AdvertisedCollection* a, const AdvertisedCollection* b) {
      ++plan_.work;
      return comes_before(*a, *b);
    });
    const auto repeated = std::ranges::unique(usable_, is_same_collection);
    usable_.erase(repeated.begin(), repeated.end());
  }

  /// Puts the newest snapshot first, unless it was applied already; the chain continues from it. A dated
  /// snapshot is preferred, because its entry can be compared with the file.
  void begin_with_snapshot(std::span<const AdvertisedCollection> offers) {
    const AdvertisedCollection* newest = nullptr;
    for (const AdvertisedCollection* offer : usable_) {
      if (offer->type == CollectionType::snapshot &&
          (newest == nullptr || offer->generated > newest->generated))
        newest = offer;
    }
    if (newest == nullptr) {
      use_undated(offers);
    } else if (!held_->snapshot || *newest->generated > *held_->snapshot) {
      add_step(*newest);
      held_->generated = std::max(held_->generated, *newest->generated);
    }
  }

  /// Finds the cheapest chain to each offer. Offers are sorted by `generated`, so every offer that a delta
  /// can follow comes before the delta.
  void find_ways() {
    ways_.resize(usable_.size());
    std::size_t known = 0;
    for (std::size_t i = 0; i < usable_.size(); ++i) {
      const AdvertisedCollection& offer = *usable_[i];
      if (held_ && *offer.generated <= held_->generated) continue;
      for (; *usable_[known]->generated < *offer.generated; ++known) keep_as_way_point(known);
      const std::uint64_t weight = weight_of(offer);
      if (offer.type == CollectionType::snapshot || (held_ && *offer.since <= held_->generated))
        ways_[i] = {weight, 1, std::nullopt, true};
      if (offer.type == CollectionType::snapshot) continue;
      if (const auto before = cheapest_way_point(*offer.since)) {
        const Way& to_it = ways_[*before];
        const Way way{to_it.bytes + weight, to_it.files + 1, before, true};
        if (way.is_better_than(ways_[i])) ways_[i] = way;
      }
    }
  }

  /// Way points are states that a delta may follow, sorted by `generated`, each cheaper than all after it. A
  /// way point that is neither later nor cheaper than another is never the best, so it is removed. Each is
  /// removed at most once, so the work stays O(n log n).
  void keep_as_way_point(std::size_t number) {
    if (!ways_[number].reached) return;
    while (!way_points_.empty() && !ways_[way_points_.back()].is_better_than(ways_[number])) {
      ++plan_.work;
      way_points_.pop_back();
    }
    way_points_.push_back(number);
  }

  /// The cheapest way point that is not older than `since`: the first one.
  std::optional<std::size_t> cheapest_way_point(Instant since) {
    const auto found = std::ranges::partition_point(way_points_, [&](std::size_t number) {
      ++plan_.work;
      return *usable_[number]->generated < since;
    });
    return found == way_points_.end() ? std::nullopt : std::optional(*found);
  }

  /// The newest reachable state, by its cheapest chain.
  [[nodiscard]] std::optional<std::size_t> find_goal() const {
    std::optional<std::size_t> goal;
    for (std::size_t i = usable_.size(); i-- > 0;) {
      if (goal && *usable_[i]->generated < *usable_[*goal]->generated) break;
      if (ways_[i].reached && (!goal || ways_[i].is_better_than(ways_[*goal]))) goal = i;
    }
    return goal;
  }

  /// Uses a snapshot without a date if there is nothing better: the metadata line of the file has the date.
  void use_undated(std::span<const AdvertisedCollection> offers) {
    const AdvertisedCollection* best = nullptr;
    for (const AdvertisedCollection& offer : offers) {
      if (offer.section != plan_.section || offer.generated || offer.type != CollectionType::snapshot)
        continue;
      if (best == nullptr || codec_rank(offer.url) < codec_rank(best->url)) best = &offer;
    }
    if (best == nullptr) return;
    if (usable_.empty())
      plan_.notes.push_back(
          fmt::format("{} does not say when it was generated; it is requested each time", best->url));
    add_step(*best);
  }

  /// A snapshot without a date is usable if it is the only one: then its file decides. Anything else without
  /// a date may be newer than what the plan reaches.
  void note_undated(std::span<const AdvertisedCollection> offers) {
    const bool by_file = plan_.steps.size() == 1 && !plan_.steps.front().generated;
    for (const AdvertisedCollection& offer : offers) {
      if (offer.section != plan_.section || offer.generated) continue;
      if (by_file && offer.type == CollectionType::snapshot &&
          without_codec(offer.url) == without_codec(plan_.steps.front().url))
        continue;
      if (plan_.undated.empty()) plan_.undated = offer.url;
    }
  }

  /// A section that is much older than its interval of updates: its publisher, or a clock, may have stopped.
  void note_age() {
    if (!plan_.newest) return;
    const std::int64_t age = rules_.now.seconds - plan_.newest->seconds;
    const std::int64_t usual =
        rules_.update_seconds ? *rules_.update_seconds * kIntervalsUntilOld : kOldSeconds;
    if (age > usual)
      plan_.notes.push_back(
          fmt::format("the newest collection of section {} is dated {}, {} days ago{}", plan_.section,
                      format_time(*plan_.newest), age / 86'400,
                      rules_.update_seconds ? ", although the sitemap promises updates more often" : ""));
  }

  [[nodiscard]] PlanKind choose_kind() const {
    if (!plan_.steps.empty())
      return plan_.steps.front().type == CollectionType::snapshot ? PlanKind::snapshot : PlanKind::deltas;
    const bool reached = held_ && !usable_.empty() && *usable_.back()->generated <= held_->generated;
    return reached ? PlanKind::current : PlanKind::nothing;
  }

  void add_step(const AdvertisedCollection& offer) {
    if (offer.expires && *offer.expires < rules_.now && plan_.notes.size() < 2 * kNotes)
      plan_.notes.push_back(fmt::format("{} expired at {}", offer.url, format_time(*offer.expires)));
    plan_.bytes += offer.size ? std::min(*offer.size, kMaxSize) : 0;
    plan_.bytes_known = plan_.bytes_known && offer.size.has_value();
    plan_.steps.push_back(offer);
  }

  void pass_over(const AdvertisedCollection& offer, std::string_view why) {
    if (++passed_over_ > kNotes) return;
    plan_.notes.push_back(fmt::format("{} (line {} of the sitemap) {}: skipped", offer.url, offer.line, why));
  }

  std::optional<Held> held_;
  PlanRules rules_;
  std::vector<const AdvertisedCollection*> usable_;
  std::vector<Way> ways_;  ///< to each offer
  std::vector<std::size_t> way_points_;
  std::size_t passed_over_ = 0;
  SectionPlan plan_;
};

}  // namespace

SectionPlan plan_section(std::string_view section, const std::optional<Held>& held,
                         std::span<const AdvertisedCollection> offers, const PlanRules& rules) {
  return Planner(section, held, rules).plan(offers);
}

bool is_snapshot_due(const Held& held, const PlanRules& rules) {
  if (held.proven) return false;
  if (!held.snapshot_checked) return true;
  // A check in the future was made by a wrong clock.
  return *held.snapshot_checked > rules.now ||
         rules.now.seconds - held.snapshot_checked->seconds >= rules.snapshot_every;
}

bool is_misdated(const Held& held, std::span<const AdvertisedCollection> offers, Instant now) {
  if (held.generated.seconds <= now.seconds + kClockSeconds) return false;
  bool has_snapshot = false;
  for (const AdvertisedCollection& offer : offers) {
    if (!offer.generated) continue;
    // Includes unusable offers from the future: while they are offered, the publisher's clock has not been
    // corrected.
    if (*offer.generated >= held.generated || format::is_in_future(*offer.generated, now)) return false;
    has_snapshot = has_snapshot || offer.type == CollectionType::snapshot;
  }
  return has_snapshot;
}

OffersBySection group_by_section(std::span<const AdvertisedCollection> offers) {
  OffersBySection groups;
  for (const AdvertisedCollection& offer : offers) groups[offer.section].push_back(offer);
  return groups;
}

std::optional<Instant> newest_of(std::span<const AdvertisedCollection> offers) {
  std::optional<Instant> newest;
  for (const AdvertisedCollection& offer : offers) newest = std::max(newest, offer.generated);
  return newest;
}

std::optional<std::uint64_t> stated_pages(const site::Advertised& advertised, const OffersBySection& offers,
                                          std::string_view section) {
  const site::AdvertisedSection* const stated = advertised.find_section(section);
  if (stated != nullptr && stated->pages && !stated->pages->estimate) return stated->pages->pages;
  const auto offered = offers.find(section);
  if (offered == offers.end()) return std::nullopt;
  const AdvertisedCollection* newest = nullptr;
  for (const AdvertisedCollection& offer : offered->second)
    if (offer.type == CollectionType::snapshot && offer.pages &&
        (newest == nullptr || offer.generated > newest->generated))
      newest = &offer;
  return newest == nullptr ? std::nullopt : newest->pages;
}

std::vector<std::string> choose_sections(const SectionChoice& choice) {
  std::vector<std::string> sections(choice.wanted.begin(), choice.wanted.end());
  if (sections.empty()) {
    const bool is_all = stands_for_others(choice);
    const auto whole = choice.offers.find(kWholeSite);
    for (const auto& [section, offered] : choice.offers)
      if (!is_all || section == kWholeSite || is_newer(offered, whole->second) ||
          std::ranges::find(choice.stored, section) != choice.stored.end())
        sections.push_back(section);
  }
  std::ranges::stable_sort(sections, std::less<>(), [&](const std::string& section) {
    const site::AdvertisedSection* const stated = choice.advertised.find_section(section);
    const auto interval = stated != nullptr && stated->update_freq ? site::seconds_of(*stated->update_freq)
                                                                   : std::numeric_limits<std::int64_t>::max();
    return std::pair(interval, stated_pages(choice.advertised, choice.offers, section)
                                   .value_or(std::numeric_limits<std::uint64_t>::max()));
  });
  return sections;
}

std::optional<WrongStatement> compare_statements(const site::AdvertisedCollection& offer,
                                                 const FileStatement& file) {
  if (offer.size && *offer.size != file.bytes)
    return WrongStatement{StatementKind::size, fmt::format("{} has {} bytes where the sitemap says {}",
                                                           offer.url, file.bytes, *offer.size)};
  if (offer.checksum && !file.checksum.empty() && base::lower_text(*offer.checksum) != file.checksum)
    return WrongStatement{StatementKind::checksum,
                          fmt::format("{} has the checksum {} where the sitemap says {}", offer.url,
                                      file.checksum, *offer.checksum)};
  if (offer.pages && file.pages && *offer.pages != *file.pages)
    return WrongStatement{StatementKind::pages, fmt::format("{} has {} pages where the sitemap says {}",
                                                            offer.url, *file.pages, *offer.pages)};
  return std::nullopt;
}

bool is_older_than_stated(const std::optional<Instant>& advertised, Instant generated) {
  return advertised && generated.seconds < advertised->seconds - kStaleSeconds;
}

bool may_be_collection(std::string_view prefix) {
  constexpr std::string_view kGzip = "\x1f\x8b";
  constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";
  constexpr std::string_view kZstdSkippable = "\x2a\x4d\x18";  // after a byte from 0x50 to 0x5f
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (prefix.starts_with(kGzip) || prefix.starts_with(kZstd)) return true;
  if (prefix.size() >= 4 && (prefix[0] & 0xF0) == 0x50 && prefix.substr(1, 3) == kZstdSkippable) return true;
  if (prefix.starts_with(kByteOrderMark)) prefix.remove_prefix(kByteOrderMark.size());
  prefix = base::trim_xml_space(prefix);
  return prefix.empty() || prefix.front() == '{';
}

}  // namespace sheaf::offers

namespace sheaf {

std::string_view to_string(PlanKind kind) {
  switch (kind) {
    case PlanKind::current: return "current";
    case PlanKind::deltas: return "deltas";
    case PlanKind::snapshot: return "snapshot";
    case PlanKind::nothing: return "nothing";
  }
  return "nothing";
}

}  // namespace sheaf
