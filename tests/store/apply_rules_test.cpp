#include "sheaf/store/apply_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::store {
namespace {

using model::CollectionType;

constexpr base::Instant at(std::int64_t seconds) { return {seconds, 0}; }

struct AdmissionCase {
  std::string name;
  std::optional<SectionFacts> section;
  CollectionFacts collection;
  ApplyOutcome outcome;
  ApplyMode mode = ApplyMode::delta;
};

const SectionFacts kAt50{Origin::collections, at(50), at(40)};
const SectionFacts kNoSnapshotAt50{Origin::collections, at(50), std::nullopt};
const SectionFacts kHtml{Origin::html, at(50), std::nullopt};

CollectionFacts delta(std::int64_t since, std::int64_t generated, bool resynchronise = false) {
  return {CollectionType::delta, at(generated), at(since), resynchronise};
}
CollectionFacts snapshot(std::int64_t generated, bool resynchronise = false) {
  return {CollectionType::snapshot, at(generated), std::nullopt, resynchronise};
}

TEST(SpecApplyRules, WhichCollectionsAreApplied) {
  const std::vector<AdmissionCase> cases{
      {"a delta of nothing", std::nullopt, delta(10, 60), ApplyOutcome::gap},
      {"a delta that fits exactly", kAt50, delta(50, 60), ApplyOutcome::applied},
      {"a delta that reaches further back", kAt50, delta(10, 60), ApplyOutcome::applied},
      {"a delta behind a gap", kAt50, delta(51, 60), ApplyOutcome::gap},
      {"the same delta again", kAt50, delta(40, 50), ApplyOutcome::older},
      {"an older delta", kAt50, delta(30, 45), ApplyOutcome::older},
      {"a delta without since", kAt50, {CollectionType::delta, at(60), std::nullopt}, ApplyOutcome::gap},
      {"a delta for HTML pages", kHtml, delta(50, 60), ApplyOutcome::out_of_order},
      {"a delta cannot resynchronise", kAt50, delta(51, 60, true), ApplyOutcome::gap},
      {"the first snapshot", std::nullopt, snapshot(10), ApplyOutcome::applied, ApplyMode::replacement},
      {"a newer snapshot", kAt50, snapshot(60), ApplyOutcome::applied, ApplyMode::snapshot},
      {"a snapshot between the last and the newest delta", kAt50, snapshot(45), ApplyOutcome::applied,
       ApplyMode::snapshot},
      {"the same snapshot again", kAt50, snapshot(40), ApplyOutcome::older},
      {"an older snapshot", kAt50, snapshot(30), ApplyOutcome::older},
      {"an older snapshot to resynchronise", kAt50, snapshot(30, true), ApplyOutcome::applied,
       ApplyMode::replacement},
      {"any snapshot where there was none", kNoSnapshotAt50, snapshot(1), ApplyOutcome::applied,
       ApplyMode::snapshot},
      {"a snapshot takes over from HTML", kHtml, snapshot(10), ApplyOutcome::applied, ApplyMode::replacement},
  };
  for (const AdmissionCase& one : cases) {
    const Admission admission = admit(one.section, one.collection);
    EXPECT_EQ(to_string(admission.outcome), to_string(one.outcome)) << one.name;
    if (one.outcome == ApplyOutcome::applied) {
      EXPECT_EQ(admission.mode, one.mode) << one.name;
    }
  }
}

struct FateCase {
  std::string name;
  ApplyMode mode;
  std::optional<StoredFacts> stored;
  OfferedFacts offered;
  Fate fate;
};

TEST(SpecApplyRules, WhatBecomesOfAUrl) {
  const base::Instant generated = at(100);
  const StoredFacts early{at(10), at(90)};
  const StoredFacts now{at(10), at(100)};
  const StoredFacts late{at(10), at(101)};
  const OfferedFacts newer{false, at(11)};
  const OfferedFacts same{false, at(10)};
  const OfferedFacts older{false, at(9)};
  const OfferedFacts nothing{};
  const OfferedFacts removed{true, std::nullopt};
  const OfferedFacts removed_and_back{true, at(5)};
  const std::vector<FateCase> cases{
      {"new in a delta", ApplyMode::delta, std::nullopt, newer, Fate::inserted},
      {"new in a snapshot", ApplyMode::snapshot, std::nullopt, newer, Fate::inserted},
      {"new in a replacement", ApplyMode::replacement, std::nullopt, newer, Fate::inserted},
      {"newer in a delta", ApplyMode::delta, early, newer, Fate::replaced},
      {"equal in a delta", ApplyMode::delta, early, same, Fate::stays},
      {"older in a delta", ApplyMode::delta, early, older, Fate::stays},
      {"newer in a snapshot", ApplyMode::snapshot, early, newer, Fate::replaced},
      {"equal in a snapshot", ApplyMode::snapshot, early, same, Fate::stays},
      {"older in a snapshot", ApplyMode::snapshot, late, older, Fate::stays},
      {"older in a replacement", ApplyMode::replacement, late, older, Fate::replaced},
      {"removed by a delta", ApplyMode::delta, early, removed, Fate::removed},
      {"removed, not there", ApplyMode::delta, std::nullopt, removed, Fate::nothing},
      {"removed and back in one delta", ApplyMode::delta, early, removed_and_back, Fate::replaced},
      {"removed and back, not there", ApplyMode::delta, std::nullopt, removed_and_back, Fate::inserted},
      {"a snapshot's removed list means nothing", ApplyMode::snapshot, early, {true, at(10)}, Fate::stays},
      {"lacking in a snapshot", ApplyMode::snapshot, early, nothing, Fate::removed},
      {"lacking, learnt at its very time", ApplyMode::snapshot, now, nothing, Fate::removed},
      {"lacking, learnt later", ApplyMode::snapshot, late, nothing, Fate::stays},
      {"lacking in a replacement", ApplyMode::replacement, late, nothing, Fate::removed},
  };
  for (const FateCase& one : cases)
    EXPECT_EQ(fate_of(one.mode, generated, one.stored, one.offered), one.fate) << one.name;
}

}  // namespace
}  // namespace sheaf::store
