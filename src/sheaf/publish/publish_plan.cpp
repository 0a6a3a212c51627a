#include "sheaf/publish/publish_plan.h"

#include "sheaf/format/deltas/delta_rules.h"

#include <algorithm>

namespace sheaf::publish {
namespace {

// Clocks set by hand are wrong by days or a month; clocks that lost power are wrong by years.
constexpr std::int64_t kWaitingSeconds = std::int64_t{31} * 86'400;

}  // namespace

PageVerdict judge_page(const std::optional<KnownPage>& known, const Fingerprint& fingerprint,
                       std::optional<Instant> source_time, Instant now) {
  if (source_time && *source_time > now) source_time.reset();
  if (!known) return {PageChange::added, source_time.value_or(now)};
  if (!known->removed && known->fingerprint == fingerprint) return {PageChange::none, known->modified};
  Instant modified = source_time && *source_time > known->modified ? *source_time : now;
  // The clock was set back after the page was published.
  if (modified <= known->modified) modified = {known->modified.seconds + 1, 0};
  return {known->removed ? PageChange::added : PageChange::changed, modified};
}

Instant follow_clock(Instant modified, const std::optional<KnownPage>& own, const KnownPage& newest,
                     const Fingerprint& fingerprint, Instant now) {
  const bool is_same = !newest.removed && newest.fingerprint == fingerprint;
  const bool is_later =
      !own || newest.modified > own->modified || (own->removed && newest.modified == own->modified);
  if (is_same && is_later) return newest.modified;
  if (modified > newest.modified) return modified;
  return now > newest.modified ? now : Instant{newest.modified.seconds + 1, 0};
}

bool is_misdated(Instant time, Instant now) { return format::is_in_future(time, now); }

bool is_too_far_in_future(Instant modified, Instant now) {
  return modified.seconds - now.seconds > kWaitingSeconds;
}

Instant next_generated(std::optional<Instant> last, Instant now) {
  const Instant whole{now.seconds, 0};
  if (last && whole <= *last) return {last->seconds + 1, 0};
  return whole;
}

bool is_snapshot_due(std::optional<Instant> last_snapshot, site::UpdateFreq update, Instant now) {
  if (!last_snapshot) return true;
  const std::int64_t period = site::seconds_of(update);
  return now.seconds - last_snapshot->seconds >= period - period / 10;
}

std::vector<CollectionName> choose_kept(std::span<const CollectionName> files, const Retention& retention,
                                        Instant now) {
  std::vector<Instant> snapshots;
  for (const CollectionName& file : files)
    if (file.type == model::CollectionType::snapshot && !is_misdated(file.generated, now))
      snapshots.push_back(file.generated);
  std::ranges::sort(snapshots, std::ranges::greater());
  snapshots.erase(std::ranges::unique(snapshots).begin(), snapshots.end());
  if (snapshots.size() > retention.snapshots) snapshots.resize(std::max(retention.snapshots, 1U));
  std::vector<CollectionName> kept;
  for (const CollectionName& file : files) {
    if (is_misdated(file.generated, now)) continue;
    const bool keep = file.type == model::CollectionType::snapshot
                          ? std::ranges::find(snapshots, file.generated) != snapshots.end()
                          : file.generated.seconds + retention.delta_seconds > now.seconds ||
                                (!snapshots.empty() && file.generated > snapshots.front());
    if (keep) kept.push_back(file);
  }
  return kept;
}

Instant expiry_of(const CollectionName& name, site::UpdateFreq update, const Retention& retention,
                  Instant now) {
  const Instant until_replaced{std::max(name.generated.seconds, now.seconds) + 2 * site::seconds_of(update),
                               0};
  if (name.type == model::CollectionType::snapshot) return until_replaced;
  const Instant by_age{name.generated.seconds + retention.delta_seconds, 0};
  return by_age > now ? by_age : until_replaced;
}

}  // namespace sheaf::publish
