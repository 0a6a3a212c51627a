#include "simulation/history.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace sheaf::simulation {
namespace {

constexpr std::array<std::pair<std::string_view, std::uint32_t>, 33> kActs = {{
    // Names for people, and how often an act occurs.
    {"edit", 14},
    {"backdate", 2},
    {"add", 8},
    {"remove", 8},
    {"remove-many", 2},
    {"restore", 3},
    {"move", 5},
    {"change-url", 3},
    {"break-rule", 4},
    {"mend", 2},
    {"hide", 3},
    {"show", 2},
    {"rename-section", 2},
    {"withdraw-section", 2},
    {"split-section", 1},
    {"add-whole", 1},
    {"drop-whole", 1},
    {"begin-collections", 3},
    {"end-collections", 1},
    {"add-foreign", 1},
    {"hide-times", 1},
    {"lie", 1},
    {"skew", 2},
    {"close", 1},
    {"publish", 26},
    {"move-to-https", 1},
    {"move-to-www", 1},
    {"move-domain", 1},
    {"outage", 3},
    {"clock", 2},
    {"drop", 1},
    {"wait", 10},
    {"pull", 34},
}};
constexpr std::array<std::string_view, 4> kTargets = {"robots.txt", "sitemap", "collection", "page"};
constexpr std::array<std::string_view, 6> kPulls = {"",      "plan-only", "one-section",
                                                    "reset", "no-pages",  "allow-shrink"};
constexpr std::array<std::string_view, 20> kFaults = {
    "unreachable", "cut",       "truncated", "login-page", "empty", "403",
    "404",         "410",       "429",       "500",        "503",   "503-retry-later",
    "slow",        "stale",     "304",       "other-part", "203",   "gzip-on-the-fly",
    "altered",     "redirected"};

Act choose_act(Random& random) {
  std::uint32_t total = 0;
  for (const auto& [name, weight] : kActs) total += weight;
  std::uint32_t at = random.below(total);
  for (std::size_t i = 0; i < kActs.size(); ++i) {
    if (at < kActs[i].second) return static_cast<Act>(i);
    at -= kActs[i].second;
  }
  return Act::pull;
}

Fault make_fault(Random& random) {
  Fault fault;
  fault.target = static_cast<Target>(random.below(kTargets.size()));
  fault.number = random.below(fault.target == Target::page ? 6 : 3);
  fault.kind = static_cast<FaultKind>(random.below(kFaults.size()));
  // A few faults matter only to collections, and there only to some sites.
  constexpr std::array kOfCollections = {FaultKind::other_part, FaultKind::coded, FaultKind::altered};
  if (fault.target == Target::collection && random.chance(40))
    fault.kind = kOfCollections[random.below(kOfCollections.size())];
  fault.lasts = random.chance(70);
  return fault;
}

Traits make_traits(Random& random) {
  Traits traits;
  traits.pages = random.chance(20) ? 22 + random.below(20) : 2 + random.below(10);
  traits.sections = 1 + random.below(3);
  traits.whole = random.chance(35);
  traits.collections = random.chance(75);
  traits.deltas = random.chance(80);
  traits.removed = random.chance(60);
  traits.state = random.chance(50);
  traits.checksum = random.chance(70);
  traits.sitemap_checksum = random.chance(40);
  traits.counts = random.chance(70);
  traits.fixed_names = random.chance(30);
  traits.validators = random.chance(80);
  traits.lastmods = random.chance(60);
  traits.both = random.chance(30);
  traits.html_dates = random.chance(60);
  traits.lists_noindex = random.chance(40);
  traits.other_host = random.chance(15);
  traits.codec = random.below(3);
  traits.layout = static_cast<SitemapLayout>(random.below(3));
  if (!traits.collections && random.chance(15)) traits.layout = SitemapLayout::links;
  traits.cumulative = random.chance(25);
  traits.two_codecs = random.chance(15);
  traits.gzip_sitemaps = random.chance(15);
  traits.odd_times = random.chance(15);
  traits.repeats = random.chance(10);
  traits.old_offers = random.chance(10);
  traits.own = random.chance(10);
  if (traits.own) {
    traits.removed = traits.state = traits.checksum = true;
    traits.lists_noindex = traits.other_host = false;
  }
  return traits;
}

}  // namespace

std::uint64_t Random::next() {
  std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

History make_history(std::uint64_t seed) {
  Random random(seed);
  History history{.seed = seed, .traits = make_traits(random), .events = {}};
  const bool calm = random.chance(30);  // without faults, so that the site's own histories go further
  const std::uint32_t count = 4 + random.below(20);
  for (std::uint32_t i = 0; i < count; ++i) {
    Event event{.act = choose_act(random), .a = random.below(1U << 30U), .b = random.below(1U << 30U)};
    if (event.act == Act::outage) event.faults.push_back(make_fault(random));
    if (event.act == Act::pull && random.chance(15))
      event.kind = static_cast<PullKind>(random.below(kPulls.size()));
    if (event.act == Act::pull && !calm) {
      while (random.chance(35)) event.faults.push_back(make_fault(random));
      if (random.chance(8)) event.kill = 1 + random.below(random.chance(60) ? 8 : 60);
      if (random.chance(5)) event.kill_request = 1 + random.below(random.chance(60) ? 12 : 60);
    }
    history.events.push_back(std::move(event));
  }
  return history;
}

std::string describe(const Traits& traits) {
  std::string text = fmt::format("{} pages, {} sections", traits.pages, traits.sections);
  const auto add = [&text](bool holds, std::string_view words) {
    if (holds) text += fmt::format(", {}", words);
  };
  add(traits.whole, "all");
  add(!traits.collections, "no collections at first");
  add(traits.deltas, "deltas");
  add(traits.deltas && traits.both, "snapshots beside deltas");
  add(traits.removed, "removed");
  add(traits.state, "state");
  add(traits.checksum, "checksum");
  add(traits.checksum && traits.sitemap_checksum, "checksum in the sitemap");
  add(traits.counts, "sizes");
  add(traits.fixed_names, "fixed names");
  add(traits.validators, "validators");
  add(traits.lastmods, "lastmod");
  add(traits.html_dates, "dates in HTML");
  add(traits.lists_noindex, "lists noindex");
  add(traits.other_host, "collections on another host");
  add(traits.cumulative, "cumulative deltas");
  add(traits.two_codecs, "two codecs");
  add(traits.gzip_sitemaps, "sitemaps in gzip");
  add(traits.odd_times, "odd times");
  add(traits.repeats, "repeated pages");
  add(traits.old_offers, "old offers");
  add(traits.own, "published by sheaf");
  add(traits.codec == 1, "gzip");
  add(traits.codec == 2, "zstd");
  add(traits.layout == SitemapLayout::index, "sitemap index");
  add(traits.layout == SitemapLayout::lines, "two sitemaps");
  add(traits.layout == SitemapLayout::links, "no sitemap");
  return text;
}

std::string describe(const Event& event) {
  std::string text = fmt::format("{} {} {}", kActs[static_cast<std::size_t>(event.act)].first, event.a % 1000,
                                 event.b % 1000);
  if (event.kind != PullKind::normal)
    text += fmt::format(" {}", kPulls[static_cast<std::size_t>(event.kind)]);
  for (const Fault& fault : event.faults)
    text += fmt::format("; {} {}{} answers {}", kTargets[static_cast<std::size_t>(fault.target)],
                        fault.number + 1, fault.lasts ? "" : " once",
                        kFaults[static_cast<std::size_t>(fault.kind)]);
  if (event.kill_request > 0) text += fmt::format("; killed at request {}", event.kill_request);
  if (event.kill > 0) text += fmt::format("; killed at write {}", event.kill);
  return text;
}

}  // namespace sheaf::simulation
