#include "sheaf/base/ascii.h"
#include "sheaf/export/exporter.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace sheaf::exporting {
namespace {

const std::string kSite = "https://example.com";

std::string name_of(const std::string& url, const std::string& site = kSite) {
  return page_file_name(site, url, ".md").string();
}

TEST(PageFileName, APlainUrlIsSpeltOut) {
  EXPECT_EQ(name_of("https://example.com/"), "example.com/index.md");
  EXPECT_EQ(name_of("https://example.com/docs/start"), "example.com/docs/start.md");
  EXPECT_EQ(name_of("https://example.com/docs/a_b-c.html"), "example.com/docs/a_b-c.html.md");
  EXPECT_EQ(name_of("https://example.md/a.md", "https://example.md"), "example.md/a.md.md");
  EXPECT_EQ(name_of("https://example.com:8080/a.html", "https://example.com:8080"),
            "example.com~8080/a.html.md");
  EXPECT_EQ(page_file_name(kSite, "https://example.com/docs/", ".txt"), "example.com/docs/index.txt");
}

TEST(PageFileName, EveryOtherKeepsWhatCanBeRead) {
  const auto begins = [](const std::string& url, const std::string& begin) {
    const std::string name = name_of(url);
    EXPECT_TRUE(name.starts_with(begin + "~")) << name;
    EXPECT_EQ(name.size(), begin.size() + 1 + 32 + 3) << name;
  };
  begins("https://example.com/wiki/Berlin", "example.com/wiki/Berlin");
  begins("https://example.com/search?q=1", "example.com/search");
  begins("http://example.com/", "example.com/index");
  begins("https://example.com/a.md/b", "example.com/a.md~/b");
  begins("https://example.com/~user/b", "example.com/_user~/b");
  begins("https://example.com//b", "example.com/~/b");
  begins("https://example.com/nul", "example.com/nul");
  EXPECT_TRUE(name_of("https://a_b.example/x", "https://a_b.example").starts_with("a_b.example~"));
}

/// What a file system that does not tell case apart makes of a name.
std::string folded(const std::string& text) { return base::lower_text(text); }

/// Pages of several sites into one folder, as an export does it: no file twice, no file where a folder is.
class Folder {
 public:
  void add(const std::string& site, const std::string& url) {
    const std::filesystem::path path = page_file_name(site, url, ".md");
    const std::string name = folded(path.string());
    ASSERT_TRUE(files_.insert(name).second) << site << " " << url << " " << name;
    ASSERT_FALSE(folders_.contains(name)) << site << " " << url << " " << name;
    ASSERT_TRUE(path.is_relative());
    ASSERT_LE(name.size(), 900U) << url;
    for (std::filesystem::path folder = path.parent_path(); !folder.empty(); folder = folder.parent_path()) {
      folders_.insert(folded(folder.string()));
      ASSERT_FALSE(files_.contains(folded(folder.string()))) << site << " " << url << " " << folder;
    }
    for (const auto& part : path) check_part(part.string(), url);
  }

 private:
  static void check_part(const std::string& part, const std::string& url) {
    ASSERT_FALSE(part.empty()) << url;
    ASSERT_LE(part.size(), 250U) << url;
    ASSERT_NE(part, ".") << url;
    ASSERT_NE(part, "..") << url;
    ASSERT_FALSE(part.ends_with('.') || part.ends_with(' ')) << "Windows cuts these off: " << url;
    for (const char c : part)
      ASSERT_TRUE(c > ' ' && c < 0x7f && std::string_view("<>:\"/\\|?*").find(c) == std::string_view::npos)
          << url << " " << part;
  }

  std::set<std::string> files_;
  std::set<std::string> folders_;
};

TEST(PageFileName, NoTwoPagesHaveTheSameFile) {
  const std::vector<std::string> urls{
      "https://example.com",
      "https://example.com/",
      "https://example.com/index",
      "https://example.com/index.md",
      "https://example.com/Index",
      "http://example.com/",
      "https://user@example.com/",
      "https://user:password@example.com/",
      "https://other@example.com/",
      "https://example.com:8080/",
      "https://example.com_8080/",
      "https://example.com~8080/",
      "https://example.com:443/",
      "https://example.com./",
      "https://www.example.com/",
      "https://example.com/?a",
      "https://example.com/?b",
      "https://example.com/a/../",
      "https://EXAMPLE.com/",
      "https://example.com/a:b",
      "https://example.com/a*b",
      "https://example.com/a_b",
      "https://example.com/A_b",
      "https://example.com/a%5Fb",
      "https://example.com/%c3%bc",
      "https://example.com/%C3%BC",
      "https://example.com/u%CC%88",
      "https://example.com/a",
      "https://example.com/a.md",
      "https://example.com/a.md/b",
      "https://example.com/a.MD/b",
      "https://example.com/a.md~/b",
      "https://example.com/a/b",
      "https://example.com/A/b",
      "https://example.com/a/B",
      "https://example.com/con",
      "https://example.com/con/a",
      "https://example.com/com1.txt",
      "https://example.com/.git/config",
      "https://example.com/a./b",
      "https://example.com/a/b.",
      "https://example.com/%2e%2e/%2e%2e/etc/passwd",
      "https://example.com/..%2f..%2fetc",
      "https://example.com/index?",
      "https://example.com/#x",
      "https://example.com/" + std::string(179, 'x'),
      "https://example.com/" + std::string(300, 'x'),
      "https://example.com/" + std::string(301, 'x'),
      "https://example.com/" + std::string(300, 'x') + "/a",
      "https://example.com/" + std::string(301, 'x') + "/a",
      "http://a<b/",
      "https://[::1]/",
      "https://[::1]:8080/",
      "https://127.0.0.1/",
      "https://_other/",
      "https://" + std::string(60, 'a') + "." + std::string(60, 'b') + "." + std::string(60, 'c') +
          ".example/",
      "https://example.com//",
      "https://example.com///",
      "https://example.com/index/",
  };
  Folder folder;
  for (const std::string& site :
       {kSite, std::string("http://example.com"), std::string("https://www.example.com"),
        std::string("https://example.com:8080"), std::string("https://other.example")})
    for (const std::string& url : urls) folder.add(site, url);
  std::string deep = "https://example.com";
  for (int i = 0; i < 3000; ++i) deep += "/a";
  folder.add(kSite, deep);
  folder.add(kSite, deep + "/");
  folder.add(kSite, deep + "/index");
}

/// URLs out of pieces that are easily mixed up.
TEST(PageFileName, NoTwoPagesHaveTheSameFileWhateverTheyAreMadeOf) {
  const std::vector<std::string> pieces{
      "a", "A", "b", "/",     "//",    ".md", ".MD", "~",        "_", ".",           "..", "%41", "%2f", "?",
      "#", ":", "@", "index", "Index", "con", "%",   "\xc3\xbc", "-", "example.com", "~0", " ",   "*"};
  std::mt19937 random(20);  // NOLINT(cert-msc51-cpp): the same URLs each time
  std::set<std::string> urls;
  while (urls.size() < 20'000) {
    std::string url = random() % 4 == 0 ? "http://" : "https://";
    for (auto i = random() % 3; i > 0; --i) url += pieces[random() % pieces.size()];
    url += "example.com";
    for (auto i = random() % 8; i > 0; --i) url += pieces[random() % pieces.size()];
    urls.insert(url);
  }
  Folder folder;
  for (const std::string& url : urls) folder.add(kSite, url);
}

}  // namespace
}  // namespace sheaf::exporting
