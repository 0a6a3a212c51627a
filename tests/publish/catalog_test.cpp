#include "sheaf/publish/catalog.h"

#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace sheaf::publish {
namespace {

// More than fit into a batch: they are ingested as files.
constexpr int kMany = 25'000;

std::string url_of(int number) { return "https://example.com/" + std::to_string(number); }

CatalogEntry page(int number, std::string modified) {
  CatalogEntry record;
  record.url = url_of(number);
  record.fingerprint[0] = static_cast<std::uint8_t>(number);
  record.modified = std::move(modified);
  return record;
}

std::set<std::string> urls(const Catalog& catalog) {
  std::set<std::string> found;
  EXPECT_TRUE(catalog.each_page("docs", [&](const CatalogEntry& record) -> base::Result<void> {
    found.insert(record.url);
    return {};
  }));
  return found;
}

bool has_incoming_files(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".incoming") return true;
  return false;
}

TEST(Catalog, ManyChangesAreMadeAsFewAre) {
  const test::TempDir dir;
  {
    auto catalog = Catalog::open(dir / "state").value();
    for (int i = 0; i < kMany; ++i) ASSERT_TRUE(catalog.stage("docs", page(i, "2026-01-01T00:00:00Z")));
    ASSERT_TRUE(catalog.prepare());
    EXPECT_TRUE(urls(catalog).empty()) << "staged is not committed";
    ASSERT_TRUE(catalog.commit());
    EXPECT_FALSE(catalog.is_prepared());
    EXPECT_EQ(urls(catalog).size(), kMany);
    EXPECT_FALSE(has_incoming_files(dir / "state"));
    // Every second page changes, every fifth is forgotten.
    for (int i = 0; i < kMany; i += 2) ASSERT_TRUE(catalog.stage("docs", page(i, "2026-01-02T00:00:00Z")));
    for (int i = 0; i < kMany; i += 5) ASSERT_TRUE(catalog.stage_forget("docs", url_of(i)));
    for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(catalog.stage("docs", "item " + std::to_string(i), {}));
    ASSERT_TRUE(catalog.prepare());
    ASSERT_TRUE(catalog.commit());
  }
  const auto catalog = Catalog::open(dir / "state").value();
  EXPECT_EQ(urls(catalog).size(), kMany - kMany / 5);
  EXPECT_FALSE(catalog.page("docs", url_of(10)).value());
  EXPECT_EQ(catalog.page("docs", url_of(12)).value().value().modified, "2026-01-02T00:00:00Z");
  EXPECT_EQ(catalog.page("docs", url_of(13)).value().value().modified, "2026-01-01T00:00:00Z");
  EXPECT_TRUE(catalog.item("docs", "item 9999").value());
  EXPECT_FALSE(catalog.is_prepared());
}

// A run killed during its commit leaves a partial file; the next one writes it again.
TEST(Catalog, ManyChangesAreMadeAfterAnEndInTheMiddle) {
  const test::TempDir dir;
  {
    auto catalog = Catalog::open(dir / "state").value();
    for (int i = 0; i < kMany; ++i) ASSERT_TRUE(catalog.stage("docs", page(i, "2026-01-01T00:00:00Z")));
    ASSERT_TRUE(catalog.prepare());
    std::ofstream(dir / "state" / "commit-0.incoming") << "half of a file";
  }
  auto catalog = Catalog::open(dir / "state").value();
  ASSERT_TRUE(catalog.is_prepared());
  ASSERT_TRUE(catalog.commit());
  EXPECT_EQ(urls(catalog).size(), kMany);
  EXPECT_FALSE(has_incoming_files(dir / "state"));
}

}  // namespace
}  // namespace sheaf::publish
