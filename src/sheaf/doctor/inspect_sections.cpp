#include "sheaf/doctor/inspect_internal.h"
#include "sheaf/offers/pull_plan.h"

#include <algorithm>

namespace sheaf::doctor {
namespace {

using model::CollectionType;
using site::AdvertisedCollection;

constexpr std::int64_t kDaySeconds = 86'400;

bool is_same_offer(const AdvertisedCollection& a, const AdvertisedCollection& b) {
  return a.section == b.section && a.type == b.type && a.generated == b.generated && a.since == b.since;
}

/// Returns the index of a file with the collection of this step, in any codec; nullopt if none could be read.
std::optional<std::size_t> find_file(const Inspection& inspection, const AdvertisedCollection& step) {
  const auto& collections = inspection.facts.collections;
  for (std::size_t i = 0; i < collections.size(); ++i)
    if (inspection.files[i] && is_same_offer(collections[i].offer, step)) return i;
  return std::nullopt;
}

/// Applies the collections that a new client would pull, and records the state after each delta.
void follow_chain(Inspection& inspection, SectionFacts& section, SectionCopy& copy) {
  SiteFacts& facts = inspection.facts;
  const offers::SectionPlan plan =
      offers::plan_section(section.name, std::nullopt, section.offers, {.now = facts.now});
  section.complete = !plan.steps.empty();
  for (const AdvertisedCollection& step : plan.steps) {
    const auto index = find_file(inspection, step);
    const auto file = index ? inspection.files[*index] : nullptr;
    if (!file || !copy.apply(base::spool_source(file, step.url), inspection.options.limits)) {
      section.complete = false;
      return;
    }
    const auto& head = facts.collections[*index].validation->head;
    if (step.type == CollectionType::delta && head && head->state && head->type == CollectionType::delta)
      facts.collections[*index].proof = {*head->state, copy.state()};
  }
  section.pages = copy.size();
}

/// Returns what a client fetches that was up to date a day ago; nullopt if the site offers no state that old.
std::optional<offers::SectionPlan> plan_for_daily_client(const SectionFacts& section, Instant now) {
  const Instant yesterday{now.seconds - kDaySeconds, now.nanoseconds};
  offers::Held held;
  bool has_state = false;
  for (const AdvertisedCollection& offer : section.offers) {
    if (!offer.generated || *offer.generated > yesterday) continue;
    if (!has_state || *offer.generated > held.generated) held.generated = *offer.generated;
    has_state = true;
  }
  if (!has_state) return std::nullopt;
  held.snapshot = held.generated;
  held.snapshot_checked = now;
  held.proven = true;
  return offers::plan_section(section.name, held, section.offers, {.now = now});
}

std::uint64_t newest_snapshot_size(const SectionFacts& section) {
  const AdvertisedCollection* newest = nullptr;
  for (const AdvertisedCollection& offer : section.offers)
    if (offer.type == CollectionType::snapshot && (newest == nullptr || offer.generated > newest->generated))
      newest = &offer;
  return newest == nullptr ? 0 : newest->size.value_or(0);
}

}  // namespace

void inspect_sections(Inspection& inspection) {
  for (SectionFacts& section : inspection.facts.sections) {
    section.snapshot_size = newest_snapshot_size(section);
    section.yesterday = plan_for_daily_client(section, inspection.facts.now);
    SectionCopy& copy = inspection.copies.emplace_back(inspection.options.pages);
    follow_chain(inspection, section, copy);
  }
}

}  // namespace sheaf::doctor
