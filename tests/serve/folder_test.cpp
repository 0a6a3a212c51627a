#include "sheaf/serve/folder.h"

#include "sheaf/serve/file_kind.h"
#include "sheaf/serve/folder_sitemaps.h"
#include "sheaf/serve/start_report.h"
#include "support/collection_text.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace sheaf::serve {
namespace {

namespace fs = std::filesystem;

class FolderTest : public testing::Test {
 protected:
  FolderTest() {
    fs::create_directories(temp_ / "root/inner");
    temp_.write("root/a.txt", "a");
    temp_.write("root/inner/b.txt", "b");
    temp_.write("root/.hidden", "h");
    temp_.write("outside.txt", "o");
    fs::create_symlink("inner/b.txt", temp_ / "root/in.txt");
    fs::create_symlink("../outside.txt", temp_ / "root/up.txt");
    fs::create_symlink("../../outside.txt", temp_ / "root/inner/up.txt");
    fs::create_symlink("../a.txt", temp_ / "root/inner/side.txt");
    fs::create_symlink("/etc", temp_ / "root/etc");
    fs::create_directory_symlink("inner", temp_ / "root/also");
    mkfifo((temp_ / "root/pipe").c_str(), 0600);
  }
  Lookup find(std::string_view path) { return Folder::open(temp_ / "root").value().find(path).lookup; }

  test::TempDir temp_;
};

TEST_F(FolderTest, FindsWhatIsInside) {
  EXPECT_EQ(find("/a.txt"), Lookup::file);
  EXPECT_EQ(find("/inner/b.txt"), Lookup::file);
  EXPECT_EQ(find("/in.txt"), Lookup::file);
  EXPECT_EQ(find("/inner/side.txt"), Lookup::file);
  EXPECT_EQ(find("/also/b.txt"), Lookup::file);
  for (const char* folder : {"/", "/inner", "/inner/", "/also"})
    EXPECT_EQ(find(folder), Lookup::folder) << folder;
}

TEST_F(FolderTest, AndNothingElse) {
  for (const char* path : {"/up.txt", "/inner/up.txt", "/etc/hostname", "/etc", "/pipe", "/.hidden",
                           "/a.txt/", "/a.txt/x", "//a.txt", "/inner//b.txt", "/inner/b.txt//", "", "a.txt",
                           "/nothing", "/..", "/../outside.txt", "/inner/../a.txt", "/."})
    EXPECT_EQ(find(path), Lookup::missing) << path;
  EXPECT_EQ(find("/" + std::string(5'000, 'x')), Lookup::missing);
}

TEST_F(FolderTest, KeepsWhatItFoundWhenTheNameGoesToAnother) {
  const Found found = Folder::open(temp_ / "root").value().find("/a.txt");
  temp_.write("root/new.txt", "new");
  fs::rename(temp_ / "root/new.txt", temp_ / "root/a.txt");
  char byte = 0;
  EXPECT_EQ(pread(found.file.get(), &byte, 1, 0), 1);
  EXPECT_EQ(byte, 'a');
}

TEST_F(FolderTest, FollowsItsPathToAnotherFolder) {
  fs::create_directory_symlink("root", temp_ / "current");
  Folder linked = Folder::open(temp_ / "current").value();
  Folder direct = Folder::open(temp_ / "root").value();
  fs::remove_all(temp_ / "root");
  direct.follow_path();
  EXPECT_EQ(direct.find("/new.txt").lookup, Lookup::missing) << "nothing is there yet";
  fs::create_directories(temp_ / "root");
  fs::create_directories(temp_ / "next");
  temp_.write("root/new.txt", "n");
  temp_.write("next/next.txt", "n");
  direct.follow_path();
  EXPECT_EQ(direct.find("/new.txt").lookup, Lookup::file);
  EXPECT_EQ(direct.find("/a.txt").lookup, Lookup::missing);
  fs::remove(temp_ / "current");
  fs::create_directory_symlink("next", temp_ / "current");
  linked.follow_path();
  EXPECT_EQ(linked.find("/next.txt").lookup, Lookup::file);
}

TEST_F(FolderTest, IsServedBelowAPath) {
  for (const char* below : {"/docs/v1", "docs/v1", "/docs/v1/"}) {
    const Folder folder = Folder::open(temp_ / "root", below).value();
    EXPECT_EQ(folder.address_of("inner/b.txt"), "/docs/v1/inner/b.txt");
    EXPECT_EQ(folder.find("/docs/v1/inner/b.txt").lookup, Lookup::file);
    EXPECT_TRUE(folder.version_at("/docs/v1/a.txt"));
    for (const char* path : {"/docs/v1", "/docs/v1/", "/docs/v1/inner"})
      EXPECT_EQ(folder.find(path).lookup, Lookup::folder) << path;
    for (const char* path :
         {"/a.txt", "/docs/v1a.txt", "/docs/a.txt", "/docs", "/", "/docs/v1/../a.txt", "/docs/v1//a.txt"})
      EXPECT_EQ(folder.find(path).lookup, Lookup::missing) << path;
  }
  for (const char* below : {"/a//b", "/../up", "/.git"})
    EXPECT_FALSE(Folder::open(temp_ / "root", below)) << below;
}

TEST_F(FolderTest, SaysWhyItCannotBeServed) {
  EXPECT_EQ(Folder::open(temp_ / "nothing").error().message,
            "cannot serve folder " + (temp_ / "nothing").string() + ": No such file or directory");
  EXPECT_EQ(Folder::open(temp_ / "outside.txt").error().message,
            "cannot serve folder " + (temp_ / "outside.txt").string() + ": Not a directory");
}

TEST(FileKind, NamesThatAreServed) {
  for (const char* name : {"a", "a.tmp.txt", "tmp", ".well-known", "a.b", "~a"})
    EXPECT_TRUE(is_served_name(name)) << name;
  for (const char* name : {"", ".", "..", ".a", "a~", "a.tmp", "a.part", "a.swp", ".a.scp.tmp-1"})
    EXPECT_FALSE(is_served_name(name)) << name;
}

TEST(FileKind, Types) {
  for (const char* name : {"a.scp", "a.scp.gz", "a.scp.zst"}) EXPECT_TRUE(is_collection_name(name)) << name;
  for (const char* name : {"a.gz", "scp", ".scp", "a.scp.zip", "a.scp.GZ"})
    EXPECT_FALSE(is_collection_name(name)) << name;
  EXPECT_EQ(content_type_of("a.HTML"), "text/html; charset=utf-8");
  EXPECT_EQ(content_type_of("sitemap.xml"), "application/xml");
  EXPECT_EQ(content_type_of("a.b.zst"), "application/zstd");
  for (const char* name : {"", "a", "a.", "a.xyz", "html", "a.averylongextension"})
    EXPECT_EQ(content_type_of(name), "application/octet-stream") << name;
}

constexpr std::string_view kSitemapHead =
    "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
    "xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\">\n"
    "<scp:version>0.1</scp:version>\n";

std::string collection_element(const std::string& name, const std::string& attributes) {
  return "<scp:collection section=\"blog\" type=\"snapshot\" url=\"https://a.example/" + name +
         "\" generated=\"2026-01-15T00:00:00Z\" pages=\"1\" " + attributes + "/>\n";
}

TEST(StartReport, ReportsWhatIsServedAndWhatIsWrong) {
  const test::TempDir temp;
  fs::create_directories(temp / "root/.git");
  temp.write("root/.git/x", "hidden");
  const std::string good = test::with_checksum(test::collection_text({test::PageText{}.str()}));
  temp.write("root/good.scp", good);
  temp.write("root/wrong size.scp", good);
  temp.write("root/expired.scp", good);
  temp.write("root/extra.scp", test::collection_text({test::PageText{}.str()}));
  temp.write("root/broken.scp.zst", "\x28\xb5\x2f\xfd nothing");
  temp.write(
      "root/sitemap.xml",
      std::string(kSitemapHead) + "<scp:section name=\"blog\" updateFreq=\"daily\" pages=\"1\"/>\n" +
          collection_element(
              "good.scp", "expires=\"2036-01-01T00:00:00Z\" size=\"" + std::to_string(good.size()) + "\"") +
          collection_element("wrong%20size.scp", "expires=\"2036-01-01T00:00:00Z\" size=\"1\"") +
          collection_element("expired.scp", "expires=\"2026-01-16T00:00:00Z\" size=\"" +
                                                std::to_string(good.size()) + "\"") +
          collection_element("broken.scp.zst", "expires=\"2036-01-01T00:00:00Z\" size=\"12\"") +
          collection_element("missing.scp", "expires=\"2036-01-01T00:00:00Z\" size=\"1\"") + "</urlset>\n");
  const Folder folder = Folder::open(temp / "root").value();
  const StartReport report = report_on(folder, read_notices(folder), {.seconds = 1'780'000'000});
  EXPECT_EQ(report.files, 6U);
  EXPECT_EQ(report.collections, 5U);
  ASSERT_EQ(report.sections.size(), 1U);
  EXPECT_EQ(report.sections[0].name, "blog");
  EXPECT_EQ(report.sections[0].update_freq, site::UpdateFreq::daily);
  EXPECT_EQ(report.sections[0].snapshots, 4U);
  EXPECT_EQ(report.sections[0].bytes, 3 * good.size() + 12);
  std::vector<std::string> problems = report.problems;
  std::sort(problems.begin(), problems.end());
  ASSERT_EQ(problems.size(), 6U) << testing::PrintToString(problems);
  EXPECT_EQ(problems[0].find("broken.scp.zst: "), 0U) << problems[0];
  EXPECT_EQ(problems[1], "extra.scp is named by no sitemap");
  EXPECT_EQ(problems[2], "extra.scp states no checksum; `sheaf convert` writes one");
  EXPECT_EQ(problems[3], "sitemap.xml line 5: says that wrong size.scp has 1 bytes, and it has " +
                             std::to_string(good.size()));
  EXPECT_EQ(problems[4], "sitemap.xml line 6: https://a.example/expired.scp expired on 2026-01-16T00:00:00Z");
  EXPECT_EQ(problems[5],
            "sitemap.xml line 8: names https://a.example/missing.scp, and there is no file missing.scp here");
}

TEST(StartReport, FollowsAnIndexInTheFolder) {
  const test::TempDir temp;
  temp.write("sitemap.xml",
             "<sitemapindex "
             "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap><loc>https://a.example/one.xml</"
             "loc></sitemap>"
             "<sitemap><loc>https://a.example/two.xml</loc></sitemap></sitemapindex>");
  temp.write("one.xml", std::string(kSitemapHead) +
                            "<scp:section name=\"blog\" updateFreq=\"weekly\" pages=\"1\"/></urlset>");
  const FolderSitemaps notices = read_notices(Folder::open(temp.path()).value());
  EXPECT_EQ(notices.frequency_of("blog"), site::UpdateFreq::weekly);
  EXPECT_EQ(notices.frequency_of("docs"), std::nullopt);
  EXPECT_EQ(notices.problems, std::vector<std::string>{"two.xml cannot be read"});
}

// `sitemap_mode = "separate"`: robots.txt names the sitemap that has the collections.
TEST(StartReport, FollowsTheSitemapsOfRobotsTxt) {
  const test::TempDir temp;
  const std::string good = test::with_checksum(test::collection_text({test::PageText{}.str()}));
  temp.write("good.scp", good);
  temp.write("sitemap.xml", std::string(kSitemapHead) + "</urlset>");
  temp.write("robots.txt",
             "Sitemap: https://a.example/sitemap.xml\nSitemap: https://a.example/sitemap-scp.xml\n"
             "Sitemap: https://cdn.example/made-elsewhere.xml\n");
  const std::string ours =
      std::string(kSitemapHead) + "<scp:section name=\"blog\" updateFreq=\"weekly\" pages=\"1\"/>" +
      collection_element("good.scp",
                         "expires=\"2036-01-01T00:00:00Z\" size=\"" + std::to_string(good.size()) + "\"") +
      "</urlset>";
  temp.write("sitemap-scp.xml", ours);
  const Folder folder = Folder::open(temp.path()).value();
  const FolderSitemaps notices = read_notices(folder);
  const StartReport report = report_on(folder, notices, {.seconds = 1'780'000'000});
  EXPECT_EQ(report.problems, std::vector<std::string>{});
  EXPECT_EQ(notices.frequency_of("blog"), site::UpdateFreq::weekly);
  EXPECT_FALSE(is_outdated(notices, folder));
  temp.write("sitemap-scp.xml", ours + "\n");
  EXPECT_TRUE(is_outdated(notices, folder));
}

TEST(StartReport, AMissingSitemapIsNoticedWhenItAppears) {
  const test::TempDir temp;
  const Folder folder = Folder::open(temp.path()).value();
  const FolderSitemaps notices = read_notices(folder);
  EXPECT_FALSE(is_outdated(notices, folder));
  temp.write("sitemap.xml", std::string(kSitemapHead) + "</urlset>");
  EXPECT_TRUE(is_outdated(notices, folder));
}

TEST(StartReport, WithoutASitemap) {
  const test::TempDir temp;
  const Folder folder = Folder::open(temp.path()).value();
  const StartReport report = report_on(folder, read_notices(folder), {});
  EXPECT_EQ(report.files, 0U);
  ASSERT_EQ(report.problems.size(), 1U);
  EXPECT_EQ(report.problems[0].find("there is no sitemap.xml"), 0U);
}

}  // namespace
}  // namespace sheaf::serve
