#include "sheaf/format/deltas/collection_delta.h"

#include "support/collection_text.h"
#include "support/page_generator.h"
#include "support/reading.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace sheaf::format {
namespace {

using base::Errc;
using test::HeadText;
using test::PageText;
using test::read_file;
using test::read_text;
using test::Reading;
using test::TempDir;
using test::time_text;

SourceOpener opener(std::string text) {
  auto shared = std::make_shared<std::string>(std::move(text));
  return [shared] {
    return base::Result<std::unique_ptr<base::ByteSource>>(base::buffer_source(*shared, "input"));
  };
}

std::vector<std::string> listing(const TempDir& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

/// What a section holds: URL to page line. The page's `modified` is the number of seconds after a fixed time.
struct Version {
  std::int64_t modified;
  std::string line;
};
using Section = std::map<std::string, Version>;

std::string url(std::uint64_t number) { return "https://example.com/" + std::to_string(number); }

std::string line(const std::string& address, std::int64_t modified, const std::string& title = "T") {
  PageText text;
  text.url = address;
  text.title = title;
  text.modified = time_text(modified);
  return text.str();
}

Version version(const std::string& address, std::int64_t modified, const std::string& title = "T") {
  return {modified, line(address, modified, title)};
}

Section section_of(std::uint64_t from, std::uint64_t to, std::int64_t modified = 0) {
  Section section;
  for (std::uint64_t i = from; i < to; ++i) section[url(i)] = version(url(i), modified);
  return section;
}

std::string snapshot(const Section& section, std::int64_t generated) {
  HeadText head;
  head.generated = time_text(generated);
  std::string text = head.str() + "\n";
  for (const auto& [address, one] : section) text += one.line + "\n";
  return text;
}

std::string delta(const std::vector<std::string>& lines, std::int64_t since, std::int64_t generated,
                  const std::vector<std::string>& removed = {}) {
  HeadText head;
  head.type = "delta";
  head.since = time_text(since);
  head.generated = time_text(generated);
  if (!removed.empty()) {
    head.more = R"(,"removed":[)";
    for (std::size_t i = 0; i < removed.size(); ++i) head.more += (i > 0 ? ",\"" : "\"") + removed[i] + "\"";
    head.more += "]";
  }
  return head.str() + "\n" + test::join_lines(lines);
}

std::string state_of(const Section& section) {
  StateDigest state;
  for (const auto& [address, one] : section) state.add(address, time_text(one.modified));
  return state.to_string();
}

struct Output {
  base::Error error{};
  bool good = false;
  Reading reading;
  std::string bytes;
  DiffSummary diff;
  MergeSummary merge;
};

DeltaOptions options_with(std::size_t sort_memory) {
  DeltaOptions options;
  options.sort_memory = sort_memory;
  return options;
}

template <class Summary>
Output finish(const TempDir& folder, base::Result<Summary> summary) {
  Output output;
  output.good = summary.has_value();
  if (!summary) {
    output.error = summary.error();
    EXPECT_TRUE(listing(folder).empty()) << "left behind after: " << output.error.message;
    return output;
  }
  EXPECT_EQ(listing(folder), std::vector<std::string>{"out.scp"});
  output.bytes = read_file(folder / "out.scp");
  output.reading = read_text(output.bytes);
  EXPECT_EQ(output.reading.fatal, "");
  EXPECT_EQ(output.reading.checksum, ChecksumVerdict::verified);
  if constexpr (std::is_same_v<Summary, DiffSummary>) output.diff = *summary;
  if constexpr (std::is_same_v<Summary, MergeSummary>) output.merge = *summary;
  return output;
}

Output run_diff(const std::string& older, const std::string& newer, const DeltaOptions& options = {}) {
  const TempDir folder;
  return finish(folder, diff_collections(opener(older), opener(newer),
                                         {{folder / "out.scp", Codec::plain, {}}}, options));
}

Output run_merge(const std::string& first, const std::vector<std::string>& deltas,
                 const DeltaOptions& options = {}) {
  const TempDir folder;
  std::vector<SourceOpener> openers;
  for (const std::string& one : deltas) openers.push_back(opener(one));
  return finish(folder,
                merge_collections(opener(first), openers, {{folder / "out.scp", Codec::plain, {}}}, options));
}

/// The pages of a file as a set.
std::map<std::string, std::string> pages_of(const Reading& reading) {
  std::map<std::string, std::string> pages;
  for (std::size_t i = 0; i < reading.urls.size(); ++i)
    EXPECT_TRUE(pages.emplace(reading.urls[i], reading.encoded[i]).second) << reading.urls[i];
  return pages;
}

std::map<std::string, std::string> pages_of(const Section& section) {
  std::string text = HeadText().str() + "\n";
  for (const auto& [address, one] : section) text += one.line + "\n";
  return pages_of(read_text(text));
}

/// A random later state of a section.
Section evolve(const Section& before, std::mt19937_64& random, std::int64_t now,
               test::PageGenerator& generator) {
  Section after;
  for (const auto& [address, one] : before) {
    const std::uint64_t dice = random() % 10;
    if (dice == 0) continue;
    after[address] = dice < 4 ? Version{now, generator.page(address, time_text(now))} : one;
  }
  for (std::uint64_t i = random() % 8; i > 0; --i) {
    const std::string address = url(random() % 200);
    if (!after.contains(address)) after[address] = {now, generator.page(address, time_text(now))};
  }
  return after;
}

// merge(old, diff(old, new)) equals new as a set, and its state digest matches.
TEST(SpecDelta, MergeOfTheDiffIsTheNewSnapshot) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::mt19937_64 random(seed);
    test::PageGenerator generator(seed, test::PageGenerator::UnknownBlocks::none);
    const Section older = evolve(section_of(0, random() % 15), random, 10, generator);
    const Section newer = evolve(older, random, 20, generator);
    const std::string old_text = snapshot(older, 100);
    DeltaOptions options;
    options.shrink = Shrink::allow;
    const Output made = run_diff(old_text, snapshot(newer, 200), options);
    ASSERT_TRUE(made.good) << made.error.message;
    EXPECT_EQ(made.reading.head->type, model::CollectionType::delta);
    EXPECT_EQ(made.reading.head->since, time_text(100));
    EXPECT_EQ(made.reading.head->generated, time_text(200));
    EXPECT_EQ(made.reading.head->state, state_of(newer));
    EXPECT_TRUE(std::ranges::is_sorted(made.reading.head->removed));
    EXPECT_EQ(made.diff.added + made.diff.changed, made.reading.urls.size());
    EXPECT_EQ(made.diff.removed, made.reading.head->removed.size());
    EXPECT_EQ(made.diff.unchanged + made.diff.changed + made.diff.added, newer.size());
    const Output merged = run_merge(old_text, {made.bytes}, options);
    ASSERT_TRUE(merged.good) << merged.error.message;
    EXPECT_EQ(pages_of(merged.reading), pages_of(newer)) << seed;
    EXPECT_EQ(merged.reading.head->state, state_of(newer));
    EXPECT_EQ(merged.reading.head->type, model::CollectionType::snapshot);
    EXPECT_EQ(merged.reading.head->generated, time_text(200));
    EXPECT_EQ(merged.merge.pages, newer.size());
    EXPECT_EQ(merged.merge.removed, made.diff.removed);
    EXPECT_EQ(merged.merge.inserted, made.diff.added);
    EXPECT_EQ(merged.merge.replaced, made.diff.changed);
  }
}

/// States of a section at 0, 100, 200 and so on, and the deltas between them, in any order.
void make_chain(int count, std::uint64_t seed, std::mt19937_64& random, std::vector<Section>& states,
                std::vector<std::string>& deltas) {
  test::PageGenerator generator(seed, test::PageGenerator::UnknownBlocks::none);
  states = {evolve(section_of(0, 20), random, 5, generator)};
  for (int i = 1; i <= count; ++i) {
    states.push_back(evolve(states.back(), random, i * 10, generator));
    const Output made =
        run_diff(snapshot(states[states.size() - 2], (i - 1) * 100), snapshot(states.back(), i * 100));
    ASSERT_TRUE(made.good) << made.error.message;
    deltas.push_back(made.bytes);
  }
  std::shuffle(deltas.begin(), deltas.end(), random);
}

TEST(SpecDelta, ChainsOfDeltasInAnyOrder) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    std::mt19937_64 random(seed * 31);
    std::vector<Section> states;
    std::vector<std::string> deltas;
    make_chain(5, seed, random, states, deltas);
    ASSERT_EQ(deltas.size(), 5U);
    DeltaOptions options;
    options.shrink = Shrink::allow;
    const Output merged = run_merge(snapshot(states[0], 0), deltas, options);
    ASSERT_TRUE(merged.good) << merged.error.message;
    EXPECT_EQ(pages_of(merged.reading), pages_of(states.back())) << seed;
    EXPECT_EQ(merged.reading.head->state, state_of(states.back()));
  }
}

// A client with any of the states in between gets the newest one from the merged delta.
TEST(SheafOnlyDelta, DeltasAreMergedIntoOne) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed * 17);
    std::vector<Section> states;
    std::vector<std::string> deltas;
    make_chain(6, seed, random, states, deltas);
    ASSERT_EQ(deltas.size(), 6U);
    const Output merged = run_merge(deltas.front(), {deltas.begin() + 1, deltas.end()});
    ASSERT_TRUE(merged.good) << merged.error.message;
    const model::CollectionHead& head = *merged.reading.head;
    EXPECT_EQ(head.type, model::CollectionType::delta);
    EXPECT_EQ(head.since, time_text(0));
    EXPECT_EQ(head.generated, time_text(600));
    EXPECT_EQ(head.state, state_of(states.back()));
    EXPECT_EQ(head.id, merged_delta_id(head));
    EXPECT_EQ(merged.merge.removed, head.removed.size());
    for (const std::string& gone : head.removed) EXPECT_FALSE(states.back().contains(gone)) << gone;
    for (std::size_t i = 0; i < states.size() - 1; ++i) {
      DeltaOptions options;
      options.shrink = Shrink::allow;
      const Output copy =
          run_merge(snapshot(states[i], static_cast<std::int64_t>(i) * 100), {merged.bytes}, options);
      ASSERT_TRUE(copy.good) << copy.error.message << ", from state " << i << " of seed " << seed;
      EXPECT_EQ(pages_of(copy.reading), pages_of(states.back())) << "from state " << i << " of seed " << seed;
    }
  }
}

TEST(SheafOnlyDelta, AMergedDeltaRemovesWhatAPartOfItAdded) {
  const std::string added = delta({line(url(1), 10), line(url(2), 10)}, 0, 100, {url(7)});
  const std::string removed = delta({line(url(7), 110)}, 100, 200, {url(1)});
  const Output merged = run_merge(removed, {added});
  ASSERT_TRUE(merged.good) << merged.error.message;
  EXPECT_EQ(merged.reading.head->removed, std::vector<std::string>{url(1)}) << "url(7) came back";
  EXPECT_EQ(merged.reading.raw, (std::vector<std::string>{line(url(2), 10), line(url(7), 110)}));
  EXPECT_EQ(run_merge(added, {delta({}, 101, 200)}).error.code, Errc::invalid_data) << "a gap";
  EXPECT_EQ(run_merge(added, {snapshot({}, 200)}).error.code, Errc::invalid_data);
}

// Readings, table: within one collection the newest modified wins, the later line on a tie.
TEST(SpecDelta, DuplicatesAreResolved) {
  const std::string older = HeadText().str() + "\n" + line(url(1), 5, "old") + "\n" +
                            line(url(1), 9, "newest") + "\n" + line(url(1), 7, "middle") + "\n" +
                            line(url(2), 3, "first") + "\n" + line(url(2), 3, "last") + "\n";
  const Output resolved = run_merge(older, {});
  ASSERT_TRUE(resolved.good) << resolved.error.message;
  EXPECT_EQ(resolved.merge.duplicates, 3U);
  EXPECT_EQ(resolved.reading.raw,
            (std::vector<std::string>{line(url(1), 9, "newest"), line(url(2), 3, "last")}));
  // diff sees the winners on both sides, and the state counts each URL once.
  Section section;
  section[url(1)] = version(url(1), 9, "newest");
  section[url(2)] = version(url(2), 3, "last");
  section[url(3)] = version(url(3), 10);
  HeadText head;
  head.generated = time_text(500);
  const std::string newer = head.str() + "\n" + line(url(3), 1) + "\n" + line(url(1), 9, "newest") + "\n" +
                            line(url(3), 10) + "\n" + line(url(2), 1, "x") + "\n" + line(url(2), 3, "last") +
                            "\n";
  const Output made = run_diff(older, newer);
  ASSERT_TRUE(made.good) << made.error.message;
  EXPECT_EQ(made.reading.raw, std::vector<std::string>{line(url(3), 10)});
  EXPECT_EQ(made.diff.unchanged, 2U);
  EXPECT_EQ(made.reading.head->state, state_of(section));
  EXPECT_EQ(run_merge(older, {made.bytes}).reading.head->state, state_of(section));
}

// Readings, "Removals": a removed page that comes back later with a newer modified is inserted again.
TEST(SpecDelta, RemovedThenAddedAgain) {
  const std::string base = snapshot(section_of(0, 3), 0);
  const std::string gone = delta({}, 0, 100, {url(1), url(7), url(1)});
  const std::string back = delta({line(url(1), 150, "back")}, 100, 200);
  const Output removed = run_merge(base, {gone});
  EXPECT_EQ(removed.reading.urls, (std::vector<std::string>{url(0), url(2)}));
  EXPECT_EQ(removed.merge.removed, 1U);
  const Output returned = run_merge(base, {back, gone});
  ASSERT_TRUE(returned.good) << returned.error.message;
  EXPECT_EQ(pages_of(returned.reading).size(), 3U);
  EXPECT_EQ(returned.merge.replaced, 1U);
  EXPECT_EQ(returned.merge.removed, 0U);
}

// Readings, "Gap": a delta whose since is later than the generated of what was last applied is not applied.
TEST(SpecDelta, AGapIsRefused) {
  const std::string base = snapshot(section_of(0, 3), 100);
  EXPECT_TRUE(run_merge(base, {delta({line(url(9), 150)}, 100, 200)}).good);
  EXPECT_TRUE(run_merge(base, {delta({line(url(9), 150)}, 50, 200)}).good);
  const Output gap = run_merge(base, {delta({line(url(9), 150)}, 101, 200)});
  EXPECT_EQ(gap.error.code, Errc::invalid_data);
  EXPECT_NE(gap.error.message.find("gap"), std::string::npos) << gap.error.message;
  const Output later_gap = run_merge(base, {delta({}, 250, 300), delta({}, 100, 200)});
  EXPECT_EQ(later_gap.error.code, Errc::invalid_data);
  EXPECT_TRUE(run_merge(base, {delta({}, 250, 300), delta({}, 100, 200), delta({}, 200, 250)}).good);
}

// Readings, "Applying": deltas are applied in the order of generated; one no newer than the snapshot brings
// nothing.
TEST(SpecDelta, OldDeltasAreIgnored) {
  const std::string base = snapshot(section_of(0, 3), 100);
  const Output merged =
      run_merge(base, {delta({line(url(9), 500)}, 0, 100), delta({line(url(8), 500)}, 0, 50, {url(0)}),
                       delta({line(url(7), 120)}, 100, 150)});
  ASSERT_TRUE(merged.good) << merged.error.message;
  EXPECT_EQ(merged.merge.ignored_deltas, 2U);
  EXPECT_EQ(merged.reading.urls, (std::vector<std::string>{url(0), url(1), url(2), url(7)}));
}

TEST(SpecDelta, ADeltaPageReplacesOnlyAnOlderOne) {
  const std::string base = snapshot(section_of(0, 3, 50), 100);
  const Output merged = run_merge(
      base,
      {delta({line(url(0), 51, "later"), line(url(1), 50, "equal"), line(url(2), 49, "earlier")}, 100, 200)});
  ASSERT_TRUE(merged.good);
  EXPECT_EQ(merged.merge.replaced, 1U);
  const auto pages = pages_of(merged.reading);
  EXPECT_NE(pages.at(url(0)).find("later"), std::string::npos);
  EXPECT_EQ(pages.at(url(1)).find("equal"), std::string::npos);
  EXPECT_EQ(pages.at(url(2)).find("earlier"), std::string::npos);
}

// Deltas that end together lead to the same state: one is enough.
TEST(SpecDelta, OfDeltasThatEndTogetherTheOneThatFitsIsApplied) {
  const std::string base = snapshot(section_of(0, 3), 100);
  const std::string daily = delta({line(url(8), 180)}, 150, 200);
  const std::string weekly = delta({line(url(8), 180), line(url(9), 140)}, 100, 200);
  for (const auto& deltas : {std::vector{daily, weekly}, std::vector{weekly, daily}}) {
    const Output merged = run_merge(base, deltas);
    ASSERT_TRUE(merged.good) << merged.error.message;
    EXPECT_EQ(merged.merge.ignored_deltas, 1U);
    EXPECT_EQ(merged.reading.urls.size(), 5U);
  }
}

// Readings: a `modified` of more than 24 hours after the `generated` of its collection counts as that
// `generated` wherever versions are compared.
TEST(SpecDelta, AModifiedInTheFutureDoesNotOutliveLaterVersions) {
  constexpr std::int64_t kCentury = std::int64_t{100} * 365 * 86'400;
  Section older = section_of(0, 3, 50);
  older[url(1)] = version(url(1), kCentury, "from the future");
  Section newer = older;
  newer[url(1)] = version(url(1), 150, "dated right");
  const std::string base = snapshot(older, 100);
  const Output made = run_diff(base, snapshot(newer, 200));
  ASSERT_TRUE(made.good) << made.error.message;
  EXPECT_EQ(made.diff.changed, 1U);
  const Output merged = run_merge(base, {made.bytes});
  ASSERT_TRUE(merged.good) << merged.error.message;
  EXPECT_EQ(pages_of(merged.reading), pages_of(newer));
}

TEST(SheafOnlyDelta, StalePagesAreRefusedOrLeftOut) {
  Section older = section_of(0, 5, 10);
  Section newer = older;
  newer[url(1)] = version(url(1), 10, "changed, same time");
  newer[url(2)] = version(url(2), 9, "earlier");
  newer[url(3)] = version(url(3), 11, "good change");
  const Output refused = run_diff(snapshot(older, 100), snapshot(newer, 200));
  EXPECT_EQ(refused.error.code, Errc::refused);
  EXPECT_NE(refused.error.message.find("2 page(s)"), std::string::npos) << refused.error.message;
  EXPECT_NE(refused.error.message.find(url(1)), std::string::npos) << refused.error.message;
  EXPECT_NE(refused.error.message.find("--skip-stale"), std::string::npos);
  DeltaOptions options;
  options.stale = Stale::leave_out;
  const Output made = run_diff(snapshot(older, 100), snapshot(newer, 200), options);
  ASSERT_TRUE(made.good) << made.error.message;
  EXPECT_EQ(made.diff.stale, 2U);
  EXPECT_EQ(made.reading.urls, std::vector<std::string>{url(3)});
  // The state is what a reader has: the older pages stay.
  Section expected = older;
  expected[url(3)] = newer[url(3)];
  EXPECT_EQ(made.reading.head->state, state_of(expected));
  const Output merged = run_merge(snapshot(older, 100), {made.bytes});
  ASSERT_TRUE(merged.good) << merged.error.message;
  EXPECT_EQ(pages_of(merged.reading), pages_of(expected));
}

// Readings, "Shrink guard": all pages of a section, or more than half of five or more, are held back.
TEST(SpecDelta, ShrinkGuardBoundaries) {
  EXPECT_TRUE(is_suspicious_shrink(1, 1));
  EXPECT_FALSE(is_suspicious_shrink(4, 3));
  EXPECT_TRUE(is_suspicious_shrink(4, 4));
  EXPECT_FALSE(is_suspicious_shrink(5, 2));
  EXPECT_TRUE(is_suspicious_shrink(5, 3));
  EXPECT_FALSE(is_suspicious_shrink(22, 11));
  EXPECT_TRUE(is_suspicious_shrink(22, 12));
  EXPECT_FALSE(is_suspicious_shrink(0, 0));
  EXPECT_FALSE(is_suspicious_shrink(5, 0));
  struct Case {
    std::uint64_t before, kept;
    bool allowed;
  };
  for (const Case& c : {Case{4, 0, false}, Case{4, 1, true}, Case{5, 2, false}, Case{5, 3, true},
                        Case{22, 11, true}, Case{22, 10, false}, Case{21, 0, false}}) {
    const std::string older = snapshot(section_of(0, c.before), 100);
    const std::string newer = snapshot(section_of(0, c.kept), 200);
    const Output guarded = run_diff(older, newer);
    EXPECT_EQ(guarded.good, c.allowed) << c.before << " " << c.kept;
    DeltaOptions allow;
    allow.shrink = Shrink::allow;
    const Output made = run_diff(older, newer, allow);
    ASSERT_TRUE(made.good);
    const Output merged = run_merge(older, {made.bytes});
    EXPECT_EQ(merged.good, c.allowed) << c.before << " " << c.kept;
    if (!c.allowed) {
      EXPECT_EQ(guarded.error.code, Errc::refused);
      EXPECT_EQ(merged.error.code, Errc::refused);
      EXPECT_NE(merged.error.message.find("--allow-shrink"), std::string::npos);
    }
    EXPECT_EQ(run_merge(older, {made.bytes}, allow).reading.urls.size(), c.kept);
  }
}

// Readings, "State digest": if its own sum differs ...: an input that is not the one the delta was made for.
TEST(SpecDelta, StateMismatchIsRefused) {
  const std::string made = run_diff(snapshot(section_of(0, 5), 100), snapshot(section_of(0, 6), 200)).bytes;
  const std::string other = snapshot(section_of(0, 4), 100);
  const Output refused = run_merge(other, {made});
  EXPECT_EQ(refused.error.code, Errc::refused);
  EXPECT_NE(refused.error.message.find("--ignore-state"), std::string::npos);
  DeltaOptions options;
  options.state_mismatch = StateMismatch::allow;
  EXPECT_EQ(run_merge(other, {made}, options).reading.urls.size(), 5U);
}

TEST(SheafOnlyDelta, ADiffWithoutChangesIsAnEmptyDelta) {
  const Output made = run_diff(snapshot(section_of(0, 5), 100), snapshot(section_of(0, 5), 200));
  ASSERT_TRUE(made.good);
  EXPECT_TRUE(made.reading.urls.empty());
  EXPECT_EQ(made.diff.unchanged, 5U);
  EXPECT_EQ(made.reading.head->state, state_of(section_of(0, 5)));
  const Output from_nothing = run_diff(snapshot({}, 100), snapshot(section_of(0, 5), 200));
  EXPECT_EQ(from_nothing.diff.added, 5U);
}

TEST(SheafOnlyDelta, InputsThatDoNotFitAreRefused) {
  const std::string one = snapshot(section_of(0, 2), 100);
  const std::string two = snapshot(section_of(0, 2), 200);
  const std::string change = delta({}, 100, 200);
  HeadText other_head;
  other_head.section = "news";
  other_head.generated = time_text(300);
  const std::string other = other_head.str() + "\n";
  for (const Output& output :
       {run_diff(two, one), run_diff(one, one), run_diff(one, change), run_diff(change, two),
        run_diff(one, other), run_diff(one, "{}"), run_diff(one, two + "{"), run_merge(change, {two}),
        run_merge(one, {two}), run_merge("", {}), run_merge(one, {delta({"{"}, 100, 200)})}) {
    EXPECT_FALSE(output.good);
    EXPECT_EQ(output.error.code, Errc::invalid_data) << output.error.message;
  }
  HeadText news;
  news.section = "news";
  news.type = "delta";
  news.since = time_text(100);
  news.generated = time_text(200);
  EXPECT_EQ(run_merge(one, {news.str() + "\n"}).error.code, Errc::invalid_data);
  const std::string tampered = test::with_checksum(two) + " ";
  EXPECT_NE(run_diff(one, tampered).error.message.find("checksum-mismatch"), std::string::npos);
  const SourceOpener missing = [] {
    return base::Result<std::unique_ptr<base::ByteSource>>(base::fail(Errc::not_found, "no such file"));
  };
  const TempDir folder;
  EXPECT_EQ(diff_collections(missing, opener(two), {{folder / "out.scp", Codec::plain, {}}}, {}).error().code,
            Errc::not_found);
  EXPECT_EQ(diff_collections(opener(one), opener(two), {}, {}).error().code, Errc::invalid_argument);
  EXPECT_EQ(merge_collections(opener(one), {}, {}, {}).error().code, Errc::invalid_argument);
}

// Only a delta's `removed` means anything; a snapshot that carries one is read as if it did not.
TEST(SpecDelta, RemovedInASnapshotMeansNothing) {
  const auto with_removed = [](const Section& section, std::int64_t generated, const std::string& removed) {
    std::string text = snapshot(section, generated);
    return text.insert(text.find("}}"), R"(,"removed":[")" + removed + "\"]");
  };
  Section newer = section_of(0, 4);
  newer[url(2)] = version(url(2), 50, "changed");
  const std::string older_text = with_removed(section_of(0, 3), 100, url(0));
  for (const std::string& removed : {url(1), url(99)}) {
    const Output made = run_diff(older_text, with_removed(newer, 200, removed));
    ASSERT_TRUE(made.good) << made.error.message;
    EXPECT_EQ(made.reading.urls, (std::vector<std::string>{url(2), url(3)}));
    EXPECT_EQ(made.reading.head->removed, std::vector<std::string>());
    const Output merged = run_merge(older_text, {made.bytes});
    ASSERT_TRUE(merged.good) << merged.error.message;
    EXPECT_EQ(pages_of(merged.reading), pages_of(newer));
    EXPECT_TRUE(merged.reading.head->removed.empty());
  }
}

TEST(SheafOnlyDelta, SpillingToDiskGivesTheSameBytes) {
  std::mt19937_64 random(4);
  Section older;
  Section newer;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    if (random() % 5 != 0) older[url(i)] = version(url(i), 1);
    if (random() % 5 != 0)
      newer[url(i)] =
          random() % 3 == 0 || !older.contains(url(i)) ? version(url(i), 50, "new") : older[url(i)];
  }
  const std::string old_text = snapshot(older, 100);
  const std::string new_text = snapshot(newer, 200);
  const Output in_memory = run_diff(old_text, new_text, options_with(1 << 30));
  const Output spilled = run_diff(old_text, new_text, options_with(1));
  ASSERT_TRUE(in_memory.good && spilled.good) << spilled.error.message;
  EXPECT_EQ(in_memory.bytes, spilled.bytes);
  EXPECT_EQ(in_memory.reading.head->state, state_of(newer));
  const Output merged = run_merge(old_text, {in_memory.bytes}, options_with(1 << 30));
  const Output merged_spilled = run_merge(old_text, {spilled.bytes}, options_with(1));
  ASSERT_TRUE(merged.good && merged_spilled.good);
  EXPECT_EQ(merged.bytes, merged_spilled.bytes);
  EXPECT_EQ(pages_of(merged.reading), pages_of(newer));
  DeltaOptions threads = options_with(1);
  threads.threads = 3;
  EXPECT_EQ(run_diff(old_text, new_text, threads).bytes, in_memory.bytes);
}

/// Gives `first` when opened the first `times` times, then `second`.
SourceOpener changing(std::string first, std::string second, int times) {
  auto state =
      std::make_shared<std::tuple<std::string, std::string, int>>(std::move(first), std::move(second), times);
  return [state] {
    auto& [before, after, left] = *state;
    return base::Result<std::unique_ptr<base::ByteSource>>(
        base::buffer_source(left-- > 0 ? before : after, "changing"));
  };
}

// An input is read twice and must give the same bytes both times.
TEST(SheafOnlyDelta, AnInputThatChangesBetweenPassesIsAnError) {
  const Section section = section_of(0, 30, 10);
  const std::string newer = snapshot(section, 200);
  Section more = section;
  more[url(99)] = version(url(99), 10);
  Section same_size = section;
  same_size.erase(url(29));
  same_size[url(31)] = version(url(31), 10);
  const std::string older = snapshot(section_of(0, 5, 10), 100);
  for (const std::string& after : {snapshot(more, 200), snapshot(section, 201), snapshot(same_size, 200)}) {
    const TempDir folder;
    const auto result = diff_collections(opener(older), changing(newer, after, 2),
                                         {{folder / "out.scp", Codec::plain, {}}}, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Errc::io) << result.error().message;
    EXPECT_NE(result.error().message.find("changed while it was worked on"), std::string::npos);
    EXPECT_TRUE(listing(folder).empty());
    const auto merged =
        merge_collections(changing(newer, after, 2), {}, {{folder / "out.scp", Codec::plain, {}}}, {});
    ASSERT_FALSE(merged);
    EXPECT_TRUE(listing(folder).empty());
  }
}

TEST(SheafOnlyDelta, IdsAreMadeFromSectionTypeAndTime) {
  model::CollectionHead head;
  head.section = "blog";
  head.set_generated(parse_time("2026-01-15T01:02:03.5Z")->instant);
  EXPECT_EQ(default_collection_id(head), "blog-snapshot-20260115T010203Z");
  head.type = model::CollectionType::delta;
  EXPECT_EQ(default_collection_id(head), "blog-delta-20260115T010203Z");
  DeltaOptions options;
  options.id = "mine";
  EXPECT_EQ(run_diff(snapshot({}, 100), snapshot({}, 200), options).reading.head->id, "mine");
}

TEST(SheafOnlyDelta, FindingsOfTheInputsAreReportedOnce) {
  const std::string older = snapshot(section_of(0, 2), 100);
  HeadText head;
  head.generated = time_text(200);
  const std::string newer =
      head.str() + "\n" + test::page_with_block(R"(5,{"type":"text","text":"a"})") + "\n";
  test::Findings findings;
  DeltaOptions options;
  options.shrink = Shrink::allow;
  options.findings = findings.sink();
  ASSERT_TRUE(run_diff(older, newer, options).good);
  EXPECT_EQ(findings.codes(), (std::vector<std::string>{"malformed-block"}));
}

TEST(SheafOnlyConvert, WritesTheCanonicalForm) {
  const TempDir folder;
  test::PageGenerator generator(8, test::PageGenerator::UnknownBlocks::none);
  std::vector<std::string> lines;
  for (int i = 0; i < 50; ++i) lines.push_back(generator.page());
  HeadText head;
  head.more = R"(,"x":[ 1 ])";
  const std::string text = head.str() + "\n\n" + test::join_lines(lines) +
                           test::page_with(R"("author":5,"url":"https://example.com/last")") + "\n" +
                           test::page_with(R"("url":"nowhere")") + "\n";
  const auto summary = convert_collection(opener(text), {{folder / "a.scp", Codec::plain, {}}}, {});
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->skipped, 1U);
  EXPECT_EQ(summary->duplicates, 0U);
  const Reading reading = read_text(read_file(folder / "a.scp"));
  EXPECT_EQ(reading.raw, reading.encoded);
  EXPECT_EQ(reading.encoded.size(), 51U);
  EXPECT_EQ(reading.encoded, read_text(text).encoded);
  EXPECT_EQ(reading.head->id, "c1");
  ASSERT_EQ(reading.head->extra.size(), 1U);
  EXPECT_EQ(reading.head->extra[0].second, "[ 1 ]");
  EXPECT_EQ(reading.checksum, ChecksumVerdict::verified);
  // Converting what was converted gives the same bytes.
  ASSERT_TRUE(
      convert_collection(opener(read_file(folder / "a.scp")), {{folder / "b.scp", Codec::plain, {}}}, {}));
  EXPECT_EQ(read_file(folder / "b.scp"), read_file(folder / "a.scp"));
}

TEST(SheafOnlyConvert, ResolvesDuplicatesAndKeepsDeltas) {
  const TempDir folder;
  const std::string text =
      delta({line(url(1), 5, "old"), line(url(2), 5), line(url(1), 6, "new")}, 0, 100, {url(9)});
  const auto summary = convert_collection(opener(text), {{folder / "a.scp", Codec::plain, {}}}, {});
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->duplicates, 1U);
  const Reading reading = read_text(read_file(folder / "a.scp"));
  EXPECT_EQ(reading.raw, (std::vector<std::string>{line(url(2), 5), line(url(1), 6, "new")}));
  EXPECT_EQ(reading.head->type, model::CollectionType::delta);
  EXPECT_EQ(reading.head->removed, std::vector<std::string>{url(9)});
  EXPECT_FALSE(convert_collection(opener(text + "{"), {{folder / "b.scp", Codec::plain, {}}}, {}));
  EXPECT_EQ(listing(folder), std::vector<std::string>{"a.scp"});
}

TEST(SheafOnlyDelta, ReopenableSourceOpensAFileAgain) {
  const TempDir folder;
  const auto path = folder.write("a.scp", "bytes");
  const auto open = reopenable_source(path, folder.path()).value();
  for (int i = 0; i < 2; ++i) EXPECT_EQ(open().value()->size(), 5U);
  EXPECT_FALSE(reopenable_source(folder / "missing", folder.path()).value()());
}

}  // namespace
}  // namespace sheaf::format
