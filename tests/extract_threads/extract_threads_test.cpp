// Apart from the other tests of extraction, so that ThreadSanitizer's build need not wait for those.
#include "sheaf/extract/extract.h"
#include "sheaf/format/pages/page_encoder.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace sheaf::extract {
namespace {

/// Pages that exercise different code: other charsets, structured data, a manual, an empty page.
std::vector<std::string> various_pages() {
  std::vector<std::string> pages = {
      "",
      "<!doctype html><html lang=en><title>One</title><p>A single line.",
      "<meta charset=windows-1251><title>\xCC\xE8\xF0</title><p>\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0.</p>",
      "<meta charset=shift_jis><p>\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x95\xB6\x8F\xCD\x81\x42</p>",
      R"(<script type="application/ld+json">{"@type":"Article","headline":"H","author":{"name":"Ann Other"},
         "datePublished":"2024-05-01"}</script><article><h1>H</h1><p>Some text, and more of it, until it is long enough.)",
      "<meta name=generator content=Sphinx><div "
      "class=body><h1>f</h1><pre>f(x)</pre><table><tr><td>a<td>b</table></div>",
  };
  std::string long_page = "<title>Long</title><article>";
  for (int i = 0; i < 1500; ++i)
    long_page += "<p>Paragraph " + std::to_string(i) + " of a page with many, many of them.</p>";
  pages.push_back(long_page);
  return pages;
}

constexpr std::string_view kMarkdown =
    "---\ntitle: T\ndate: 2024-05-01\n---\n# T\n\n| a | b |\n|---|---|\n| 1 | ~~2~~ |\n\nText[^1] "
    "www.example.com\n\n[^1]: Note\n";

std::vector<std::string> lines_of(const std::vector<std::string>& pages, int rounds) {
  Extractor extractor;
  const ExtractOptions options{.url = "https://e.org/page"};
  std::vector<std::string> lines;
  for (int round = 0; round < rounds; ++round) {
    for (const std::string& page : pages)
      format::encode_page(extractor.extract(page, options).page, lines.emplace_back());
    format::encode_page(extractor.extract_markdown(kMarkdown, options).page, lines.emplace_back());
  }
  return lines;
}

TEST(SheafOnlyExtractThreads, TwoExtractorsAtOnce) {
  constexpr int kRounds = 5;
  const std::vector<std::string> pages = various_pages();
  std::vector<std::string> lines[2];
  {
    std::vector<std::jthread> threads;
    for (auto& mine : lines) threads.emplace_back([&mine, &pages] { mine = lines_of(pages, kRounds); });
  }
  const std::vector<std::string> alone = lines_of(pages, kRounds);
  ASSERT_EQ(alone.size(), kRounds * (pages.size() + 1));
  EXPECT_EQ(lines[0], alone);
  EXPECT_EQ(lines[1], alone);
}

}  // namespace
}  // namespace sheaf::extract
