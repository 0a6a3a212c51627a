#include "sheaf/pull/plan.h"

#include "sheaf/store/apply_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace sheaf::pull {
namespace {

using model::CollectionType;
using site::AdvertisedCollection;

// What a collection weighs that does not say its size: more than one that does, so that it is the last
// choice.
constexpr std::uint64_t kBytesPerPage = 4096;
constexpr std::uint64_t kUnknownDelta = std::uint64_t{16} << 20;
constexpr std::uint64_t kUnknownSnapshot = std::uint64_t{1} << 30;
// Sums of sizes that strangers state must not overflow.
constexpr std::uint64_t kLargestSize = std::uint64_t{1} << 48;

std::uint64_t weight_of(const AdvertisedCollection& offer) {
  if (offer.size) return std::min(*offer.size, kLargestSize);
  if (offer.pages) return std::min(*offer.pages, kLargestSize / kBytesPerPage) * kBytesPerPage;
  return offer.type == CollectionType::delta ? kUnknownDelta : kUnknownSnapshot;
}

/// Lower is better.
int codec_rank(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  if (url.ends_with(".zst")) return 0;
  if (url.ends_with(".gz")) return 1;
  return 2;
}

/// One after the other, codecs of one collection side by side with the preferred one first.
bool comes_before(const AdvertisedCollection& a, const AdvertisedCollection& b) {
  const auto key = [](const AdvertisedCollection& offer) {
    return std::tuple(*offer.generated, offer.type, offer.since, codec_rank(offer.url));
  };
  return key(a) < key(b);
}

bool is_same_collection(const AdvertisedCollection& a, const AdvertisedCollection& b) {
  return a.generated == b.generated && a.type == b.type && a.since == b.since;
}

/// The best known way to an offer's `generated`.
struct Way {
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
  std::size_t files = 0;
  std::optional<std::size_t> before;  ///< the offer it comes from; none: from what is held, or a snapshot
  bool reached = false;

  [[nodiscard]] bool is_better_than(const Way& other) const {
    if (!other.reached) return reached;
    return reached && std::pair(bytes, files) < std::pair(other.bytes, other.files);
  }
};

class Planner {
 public:
  Planner(std::string_view section, const std::optional<Held>& held, const PlanRules& rules)
      : held_(rules.only_snapshots ? std::nullopt : held), rules_(rules) {
    plan_.section = section;
  }

  SectionPlan plan(std::span<const AdvertisedCollection> offers) {
    choose_usable(offers);
    find_ways();
    const std::optional<std::size_t> last = find_goal();
    if (!last) {
      plan_.kind = held_ && newest_offered() <= held_->generated ? PlanKind::current : PlanKind::nothing;
      if (usable_.empty()) use_undated(offers);
      return std::move(plan_);
    }
    for (std::optional<std::size_t> at = last; at; at = ways_[*at].before) add_step(usable_[*at]);
    std::ranges::reverse(plan_.steps);
    plan_.kind = plan_.steps.front().type == CollectionType::snapshot ? PlanKind::snapshot : PlanKind::deltas;
    return std::move(plan_);
  }

 private:
  void choose_usable(std::span<const AdvertisedCollection> offers) {
    for (const AdvertisedCollection& offer : offers) {
      if (offer.section != plan_.section || !offer.generated) continue;
      if (offer.type == CollectionType::delta && !offer.since) {
        pass_over(offer, "is a delta that does not say since when");
      } else if (offer.type == CollectionType::delta && *offer.since >= *offer.generated) {
        pass_over(offer, "is a delta that ends before it begins");
      } else if (offer.generated->seconds > rules_.now.seconds + store::kFutureSeconds) {
        pass_over(offer, "says that it was made in the future");
      } else {
        usable_.push_back(offer);
      }
    }
    std::ranges::stable_sort(usable_, comes_before);
    const auto repeated = std::ranges::unique(usable_, is_same_collection);
    usable_.erase(repeated.begin(), repeated.end());
  }

  /// Offers are in the order of `generated`, so whatever a delta can follow comes before it.
  void find_ways() {
    ways_.resize(usable_.size());
    for (std::size_t i = 0; i < usable_.size(); ++i) {
      const AdvertisedCollection& offer = usable_[i];
      const std::uint64_t weight = weight_of(offer);
      if (held_ && *offer.generated <= held_->generated) continue;
      if (offer.type == CollectionType::snapshot || (held_ && *offer.since <= held_->generated))
        ways_[i] = {weight, 1, std::nullopt, true};
      if (offer.type == CollectionType::snapshot) continue;
      for (std::size_t j = i; j-- > 0 && *usable_[j].generated >= *offer.since;) {
        const Way way{ways_[j].bytes + weight, ways_[j].files + 1, j, ways_[j].reached};
        if (*usable_[j].generated < *offer.generated && way.is_better_than(ways_[i])) ways_[i] = way;
      }
    }
  }

  /// The newest state that can be reached, by its cheapest way.
  [[nodiscard]] std::optional<std::size_t> find_goal() const {
    std::optional<std::size_t> goal;
    for (std::size_t i = usable_.size(); i-- > 0;) {
      if (goal && *usable_[i].generated < *usable_[*goal].generated) break;
      if (ways_[i].reached && (!goal || ways_[i].is_better_than(ways_[*goal]))) goal = i;
    }
    return goal;
  }

  [[nodiscard]] base::Instant newest_offered() const {
    return usable_.empty() ? base::Instant{std::numeric_limits<std::int64_t>::max(), 0}
                           : *usable_.back().generated;
  }

  /// A snapshot that does not say when it was made is taken where there is nothing better: its own first line
  /// will tell.
  void use_undated(std::span<const AdvertisedCollection> offers) {
    const AdvertisedCollection* best = nullptr;
    for (const AdvertisedCollection& offer : offers) {
      if (offer.section != plan_.section || offer.generated || offer.type != CollectionType::snapshot)
        continue;
      if (best == nullptr || codec_rank(offer.url) < codec_rank(best->url)) best = &offer;
    }
    if (best == nullptr) return;
    plan_.kind = PlanKind::snapshot;
    plan_.notes.push_back(
        fmt::format("{} does not say when it was made; it is asked for each time", best->url));
    add_step(*best);
  }

  void add_step(const AdvertisedCollection& offer) {
    if (offer.expires && *offer.expires < rules_.now)
      plan_.notes.push_back(fmt::format("{} expired at {}", offer.url, base::format_time(*offer.expires)));
    plan_.bytes += offer.size ? std::min(*offer.size, kLargestSize) : 0;
    plan_.bytes_known = plan_.bytes_known && offer.size.has_value();
    plan_.steps.push_back(offer);
  }

  void pass_over(const AdvertisedCollection& offer, std::string_view why) {
    plan_.notes.push_back(
        fmt::format("{} (line {} of the sitemap) {}: passed over", offer.url, offer.line, why));
  }

  std::optional<Held> held_;
  PlanRules rules_;
  std::vector<AdvertisedCollection> usable_;
  std::vector<Way> ways_;  ///< to each of them
  SectionPlan plan_;
};

}  // namespace

std::string_view to_string(PlanKind kind) {
  switch (kind) {
    case PlanKind::current: return "current";
    case PlanKind::deltas: return "deltas";
    case PlanKind::snapshot: return "snapshot";
    case PlanKind::nothing: return "nothing";
  }
  return "nothing";
}

SectionPlan plan_section(std::string_view section, const std::optional<Held>& held,
                         std::span<const AdvertisedCollection> offers, const PlanRules& rules) {
  return Planner(section, held, rules).plan(offers);
}

std::vector<std::string> choose_sections(const site::Advertised& advertised,
                                         std::span<const std::string> wanted) {
  constexpr std::string_view kWholeSite = "all";
  std::vector<std::string> sections(wanted.begin(), wanted.end());
  if (!sections.empty()) return sections;
  for (const AdvertisedCollection& offer : advertised.collections) {
    if (offer.section == kWholeSite) return {std::string(kWholeSite)};
    if (std::ranges::find(sections, offer.section) == sections.end()) sections.push_back(offer.section);
  }
  std::ranges::sort(sections);
  return sections;
}

}  // namespace sheaf::pull
