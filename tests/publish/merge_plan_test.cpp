#include "sheaf/publish/merge_plan.h"

#include "published_site.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

// Deltas that are offered as one: the plan, and what publish makes of it.
namespace sheaf::publish {
namespace {

using model::CollectionType;

constexpr std::uint32_t kDays[] = {1, 7, 28};
constexpr std::int64_t kWindow = 28 * kDay;

/// A time in the tenth window of 28 days.
Instant at(std::int64_t day, std::int64_t hour = 0) { return {10 * kWindow + day * kDay + hour * kHour, 0}; }

PublishedFile delta_file(Instant since, Instant generated, std::uint64_t bytes = 100, bool merged = false,
                         format::Codec codec = format::Codec::zstd) {
  PublishedFile file;
  file.name = {"site", CollectionType::delta, generated, codec};
  if (merged) file.name.since = since;
  file.since = since;
  file.bytes = bytes;
  return file;
}

PublishedFile snapshot_file(Instant generated, std::uint64_t bytes) {
  PublishedFile file;
  file.name = {"site", CollectionType::snapshot, generated, format::Codec::zstd};
  file.bytes = bytes;
  return file;
}

/// Published at noon from day `from` to day `to`.
CatalogSection daily(std::int64_t from, std::int64_t to) {
  CatalogSection section;
  for (std::int64_t day = from; day <= to; ++day)
    section.files.push_back(delta_file(at(day - 1, 12), at(day, 12)));
  section.generated = at(to, 12);
  return section;
}

TEST(MergePlan, TheFirstRunAfterAWindowMergesIt) {
  // In the middle of a week there is nothing to do: the window of a day has one delta.
  EXPECT_EQ(plan_merges(daily(0, 5), kDays, at(6, 12)), std::vector<DeltaSpan>{});
  EXPECT_EQ(plan_merges(daily(0, 6), kDays, at(7, 12)), (std::vector<DeltaSpan>{{at(-1, 12), at(6, 12)}}));
  EXPECT_EQ(plan_merges(daily(0, 7), kDays, at(8, 12)), std::vector<DeltaSpan>{}) << "once";
  EXPECT_EQ(plan_merges(daily(0, 27), kDays, at(28, 12)),
            (std::vector<DeltaSpan>{{at(20, 12), at(27, 12)}, {at(-1, 12), at(27, 12)}}))
      << "the week first, since four weeks are made of weeks";
  EXPECT_EQ(plan_merges(daily(22, 27), kDays, at(40, 12)), (std::vector<DeltaSpan>{{at(21, 12), at(27, 12)}}))
      << "what the week covers is all that four weeks would";
  EXPECT_EQ(plan_merges(daily(0, 27), {}, at(28, 12)), std::vector<DeltaSpan>{}) << "turned off";
}

TEST(MergePlan, RunsOfADayAreMerged) {
  CatalogSection section;
  for (std::int64_t hour = 1; hour < 24; ++hour)
    section.files.push_back(delta_file(at(3, hour - 1), at(3, hour)));
  section.generated = at(3, 23);
  EXPECT_EQ(plan_merges(section, kDays, at(4, 0)), (std::vector<DeltaSpan>{{at(3, 0), at(3, 23)}}));
}

TEST(MergePlan, AGapEndsTheSpan) {
  CatalogSection section = daily(0, 6);
  section.files.erase(section.files.begin() + 3);  // lost
  EXPECT_EQ(plan_merges(section, kDays, at(7, 12)), (std::vector<DeltaSpan>{{at(3, 12), at(6, 12)}}));
  section.files.erase(section.files.end() - 2);
  EXPECT_EQ(plan_merges(section, kDays, at(7, 12)), std::vector<DeltaSpan>{}) << "only one is left";
}

TEST(MergePlan, AChainHasTheLongestDeltas) {
  CatalogSection section = daily(0, 13);
  section.files.push_back(delta_file(at(-1, 12), at(6, 12), 300, true));
  section.files.push_back(delta_file(at(-1, 12), at(6, 12), 400, true, format::Codec::gzip));
  const DeltaSpan span{at(-1, 12), at(13, 12)};
  const std::vector<PublishedFile> chain = find_chain(section, span, format::Codec::zstd);
  ASSERT_EQ(chain.size(), 8U) << "a week and seven days";
  EXPECT_TRUE(chain.front().name.since);
  EXPECT_EQ(chain.back().name.generated, at(13, 12));
  EXPECT_TRUE(find_chain(section, span, format::Codec::gzip).empty()) << "the days have no gzip";
  EXPECT_TRUE(find_chain(section, {at(-2, 12), at(13, 12)}, format::Codec::zstd).empty());
}

TEST(MergePlan, ClientsThatWereAwayForLongHaveAChainThatIsSmallerThanTheSnapshot) {
  CatalogSection section = daily(56, 60);
  section.files.push_back(delta_file(at(-1, 12), at(27, 12), 400, true));
  section.files.push_back(delta_file(at(27, 12), at(55, 12), 400, true));
  section.files.push_back(delta_file(at(48, 12), at(55, 12), 200, true));
  section.files.push_back(snapshot_file(at(60, 12), 1300));
  section.snapshot = at(60, 12);
  const auto spans = [&](Instant now) {
    std::vector<Instant> ends;
    for (const CollectionName& name : choose_chain(section, now)) ends.push_back(name.generated);
    return ends;
  };
  const std::vector<Instant> days = {at(60, 12), at(59, 12), at(58, 12), at(57, 12), at(56, 12)};
  std::vector<Instant> want = days;
  want.insert(want.end(), {at(55, 12), at(27, 12)});
  EXPECT_EQ(spans(at(61)), want) << "the last week of the window is not part of it";
  section.files.back().bytes = 1299;
  want.pop_back();
  EXPECT_EQ(spans(at(61)), want) << "a client at the start fetches the snapshot";
  section.files.back().bytes = 5000;
  EXPECT_EQ(spans({at(55, 12).seconds + 366 * kDay, 0}), days) << "at most a year";
  section.snapshot.reset();
  EXPECT_EQ(spans(at(61)), std::vector<Instant>{});
}

std::vector<std::string> merged_files(const PublishedSite& site) {
  std::vector<std::string> names;
  for (const std::string& name : site.files())
    if (const auto parsed = parse_collection_name(name); parsed && parsed->since) names.push_back(name);
  return names;
}

/// Publishes on so many days; a page changes every day.
void publish_days(PublishedSite& site, int days) {
  for (int i = 0; i < days; ++i) {
    site.pass(kDay - kHour);
    site.write("hot.html", "Day " + std::to_string(i));
    site.write("new-" + std::to_string(i) + ".html", "New on day " + std::to_string(i));
    if (i >= 3) site.remove("new-" + std::to_string(i - 3) + ".html");
    site.run();
  }
}

/// A site whose snapshot is much larger than its changes, published once.
class LargeSite : public PublishedSite {
 public:
  LargeSite() {
    std::mt19937 random(28);
    for (int page = 0; page < 40; ++page) {
      std::string text;
      for (int i = 0; i < 100; ++i) text += "word" + std::to_string(random()) + " ";
      write("page-" + std::to_string(page) + ".html", text);
    }
    write("hot.html", "Day 0");
    run();
  }
};

/// Changes bytes in the middle; the size stays.
void damage(const std::filesystem::path& file) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(static_cast<std::streamoff>(std::filesystem::file_size(file) / 2));
  stream << "XXXXXXXX";
}

void expect_same_site(const PublishedSite& site, test::SiteReader& reader) {
  auto fresh = site.reader();
  fresh.update();
  reader.update();
  EXPECT_EQ(reader.faults(), std::vector<std::string>{});
  EXPECT_EQ(urls(reader), urls(fresh));
}

TEST(MergedDeltas, AreOfferedNextToTheOthers) {
  LargeSite site;
  auto reader = site.reader();
  reader.update();
  publish_days(site, 16);
  const std::vector<std::string> merged = merged_files(site);
  ASSERT_EQ(merged.size(), 4U) << "two weeks that are over, in two codecs";
  for (const std::string& name : merged) EXPECT_NE(site.sitemap().find(name), std::string::npos);
  EXPECT_NE(site.sitemap().find("period=\"20"), std::string::npos);
  expect_same_site(site, reader);
  // A run without changes leaves everything as it is.
  const std::string before = site.sitemap();
  site.run();
  EXPECT_EQ(site.sitemap(), before);
}

TEST(MergedDeltas, CanBeTurnedOff) {
  LargeSite site;
  site.on_config([](PublishConfig& config) { config.retention.merge_days.clear(); });
  publish_days(site, 16);
  EXPECT_TRUE(merged_files(site).empty());
}

TEST(MergedDeltas, ALostCatalogIsRebuiltWithThem) {
  LargeSite site;
  auto reader = site.reader();
  reader.update();
  publish_days(site, 16);
  const std::string sitemap = site.sitemap();
  site.forget();
  EXPECT_FALSE(site.run().has_changes());
  EXPECT_EQ(merged_files(site).size(), 4U);
  EXPECT_EQ(site.sitemap(), sitemap);
  publish_days(site, 3);
  expect_same_site(site, reader);
}

TEST(MergedDeltas, AnUnreadableDeltaIsReportedAndTheRunGoesOn) {
  LargeSite site;
  publish_days(site, 16);
  for (const std::string& name : site.files())
    if (const auto parsed = parse_collection_name(name); parsed->type == CollectionType::delta)
      damage(site.collections() / name);
  std::vector<std::string> notes;
  for (int i = 0; i < 8; ++i) {
    site.pass(kDay - kHour);
    site.write("hot.html", "Later " + std::to_string(i));
    const auto report = site.publish();
    ASSERT_TRUE(report) << report.error().message;
    for (const std::string& note : report->notes)
      if (note.find("were not merged") != std::string::npos) notes.push_back(note);
  }
  EXPECT_FALSE(notes.empty());
  EXPECT_EQ(merged_files(site).size(), 4U) << "no more than before";
}

TEST(MergedDeltas, ADryRunMergesNothing) {
  LargeSite site;
  publish_days(site, 13);
  const std::vector<std::string> before = site.files();
  site.pass(8 * kDay);
  site.write("hot.html", "Much later");
  PublishOptions options;
  options.dry_run = true;
  site.run(options);
  EXPECT_EQ(site.files(), before);
  site.run();
  EXPECT_GT(merged_files(site).size(), 0U) << "but a run does";
}

TEST(MergedDeltas, AreKeptLongerThanTheOthers) {
  LargeSite site;
  auto reader = site.reader();
  reader.update();
  publish_days(site, 95);
  Instant newest;
  Instant oldest_run = {INT64_MAX, 0};
  Instant oldest_merged = oldest_run;
  for (const std::string& name : site.files()) {
    const auto parsed = parse_collection_name(name);
    newest = std::max(newest, parsed->generated);
    if (parsed->since) oldest_merged = std::min(oldest_merged, *parsed->since);
    if (parsed->type == CollectionType::delta && !parsed->since)
      oldest_run = std::min(oldest_run, parsed->generated);
  }
  EXPECT_EQ(newest.seconds - oldest_run.seconds, 29 * kDay) << "by delta_days";
  EXPECT_EQ(newest.seconds - oldest_merged.seconds, 95 * kDay) << "back to the first run";
  expect_same_site(site, reader);
  EXPECT_FALSE(reader.used_snapshot());
}

}  // namespace
}  // namespace sheaf::publish
