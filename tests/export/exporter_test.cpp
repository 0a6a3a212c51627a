#include "sheaf/export/exporter.h"

#include "store/store_fixture.h"
#include "support/reading.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>

namespace sheaf::exporting {
namespace {

using store::apply;
using store::digest_of;
using store::kSite;
using store::TestCollection;

std::string lines_of(const store::PageStore& store, const ExportFilter& filter) {
  std::string out;
  const auto summary = export_lines(store, {filter, {}}, [&](std::string_view bytes) -> base::Result<void> {
    out += bytes;
    return {};
  });
  EXPECT_TRUE(summary) << summary.error().message;
  return out;
}

TEST(Export, Languages) {
  EXPECT_TRUE(matches_language("en", ""));
  EXPECT_TRUE(matches_language("en", "en"));
  EXPECT_TRUE(matches_language("en-GB", "EN"));
  EXPECT_TRUE(matches_language("en-gb", "en-GB"));
  EXPECT_FALSE(matches_language("en", "en-GB"));
  EXPECT_FALSE(matches_language("eng", "en"));
  EXPECT_FALSE(matches_language("de", "en"));
}

TEST(Export, LinesAreThePagesAsTheyCameAndWhereFrom) {
  const test::TempDir dir;
  const auto store_owner = store::must_open(dir / "store");
  store::PageStore& store = *store_owner;
  const std::string collection = TestCollection{"snapshot", 100, 0, {{"a", 1}, {"b", 2}}, {}, {}}.str();
  store::ApplyOptions options = store::apply_options();
  options.now = {2'000'000'000, 5};
  ASSERT_TRUE(store.apply(kSite, "blog", base::buffer_source(collection), options));
  const std::string from =
      R"(,"sheaf":{"site":"https://example.com","section":"blog","fetched":"2033-05-18T03:33:20Z"}})";
  std::string expected = collection.substr(collection.find('\n') + 1);
  for (std::size_t end = expected.find("}\n"); end != std::string::npos;
       end = expected.find("}\n", end + from.size()))
    expected.replace(end, 1, from);
  EXPECT_EQ(lines_of(store, {}), expected);
  ExportFilter since;
  since.since = parse_time(test::time_text(2))->instant;
  const std::string later = lines_of(store, since);
  EXPECT_EQ(later.find("example.com/a\""), std::string::npos);
  EXPECT_NE(later.find("example.com/b\""), std::string::npos);
  ExportFilter german;
  german.language = "de";
  EXPECT_EQ(lines_of(store, german), "");
}

TEST(Export, APageOfTwoSectionsIsGivenOutOnce) {
  const test::TempDir dir;
  const auto store_owner = store::must_open(dir / "store");
  store::PageStore& store = *store_owner;
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, {{"a", 1}, {"b", 9}}, {}, {}}));
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, {{"a", 2}, {"b", 8}}, {}, {}, "all"}));
  const std::string lines = lines_of(store, {});
  EXPECT_EQ(std::ranges::count(lines, '\n'), 2);
  EXPECT_NE(lines.find(test::time_text(2)), std::string::npos);
  EXPECT_NE(lines.find(test::time_text(9)), std::string::npos);
  ExportFilter one;
  one.section = "all";
  EXPECT_NE(lines_of(store, one).find(test::time_text(8)), std::string::npos);
}

TEST(Export, ACollectionIsASnapshotOfTheSection) {
  const test::TempDir dir;
  const auto store_owner = store::must_open(dir / "store");
  store::PageStore& store = *store_owner;
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, {{"a", 1}, {"b", 2}, {"c", 3}}, {}, {}}));
  ASSERT_TRUE(apply(store, {"delta", 200, 100, {{"b", 150}}, {"a"}, {}}));
  const auto path = dir / "out.scp.zst";
  const auto written = export_collection(store, {}, {{path, format::Codec::zstd, {}}});
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(written->pages, 2U);
  const auto reading = test::read_all(*base::open_source(path.string()));
  EXPECT_EQ(reading.fatal, "");
  EXPECT_TRUE(reading.findings.empty());
  EXPECT_EQ(reading.checksum, format::ChecksumVerdict::verified);
  EXPECT_EQ(reading.head->section, "blog");
  EXPECT_EQ(reading.head->generated, test::time_text(200));
  EXPECT_EQ(reading.head->state, digest_of({{"b", 150}, {"c", 3}}));
  // Into another store, where it proves that both are the same.
  const auto other_owner = store::must_open(dir / "other");
  store::PageStore& other = *other_owner;
  const auto applied = other.apply(kSite, "blog", *base::open_source(path.string()), store::apply_options());
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(applied->proven, true);
  EXPECT_EQ(store::pages_of(other), store::pages_of(store));
}

TEST(Export, ACollectionNeedsOneSection) {
  const test::TempDir dir;
  const auto store_owner = store::must_open(dir / "store");
  store::PageStore& store = *store_owner;
  const auto path = dir / "out.scp";
  const auto none = export_collection(store, {}, {{path, format::Codec::plain, {}}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, base::Errc::not_found);
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, {{"a", 1}}, {}, {}}));
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, {{"a", 2}}, {}, {}, "all"}));
  const auto two = export_collection(store, {}, {{path, format::Codec::plain, {}}});
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error().code, base::Errc::invalid_argument);
  EXPECT_NE(two.error().message.find("all of https://example.com, blog of"), std::string::npos)
      << two.error().message;
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Export, FilesLieAsOnTheSite) {
  const test::TempDir dir;
  const auto store_owner = store::must_open(dir / "store");
  store::PageStore& store = *store_owner;
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, {{"", 1}, {"docs/a", 2}}, {}, {}}));
  const auto summary = export_files(
      store, {}, [](const Page& page) { return "body of " + std::string(page.url) + "\n"; }, dir / "out",
      ".md");
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->pages, 2U);
  const std::string text = test::read_file(dir / "out/example.com/docs/a.md");
  EXPECT_TRUE(text.starts_with("---\ntitle: \"A page\"\n")) << text;
  EXPECT_NE(text.find("\nurl: \"https://example.com/docs/a\"\n"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("---\n\nbody of https://example.com/docs/a\n")) << text;
  EXPECT_TRUE(std::filesystem::exists(dir / "out/example.com/index.md"));
  test::TempDir blocked;
  blocked.write("file", "x");
  const auto failed =
      export_files(store, {}, [](const Page&) { return std::string(); }, blocked / "file", ".md");
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("cannot create the folder"), std::string::npos)
      << failed.error().message;
}

/// Limits the size of files during its lifetime, like a disk that is full.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
};

TEST(Export, AFileIsReplacedCompletelyOrNotAtAll) {
  const test::TempDir dir;
  const auto store_owner = store::must_open(dir / "store");
  store::PageStore& store = *store_owner;
  ASSERT_TRUE(apply(store, {"snapshot", 100, 0, {{"a", 1}}, {}, {}}));
  ASSERT_TRUE(export_files(store, {}, [](const Page&) { return "good\n"; }, dir / "out", ".md"));
  const std::string before = test::read_file(dir / "out/example.com/a.md");
  {
    const FileSizeLimit limit(100'000);
    const auto failed =
        export_files(store, {}, [](const Page&) { return std::string(300'000, 'x'); }, dir / "out", ".md");
    ASSERT_FALSE(failed);
    EXPECT_NE(failed.error().message.find("cannot write"), std::string::npos) << failed.error().message;
  }
  EXPECT_EQ(test::read_file(dir / "out/example.com/a.md"), before);
  const std::filesystem::directory_iterator files(dir / "out/example.com");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "no temporary file is left";
}

}  // namespace
}  // namespace sheaf::exporting
