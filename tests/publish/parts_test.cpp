// The small parts: URLs, globs, the configuration, sources.
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/sources/glob.h"
#include "sheaf/publish/sources/page_address.h"
#include "sheaf/publish/sources/source.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sheaf::publish {
namespace {

base::Url url(std::string_view text) { return *base::Url::parse(text); }

TEST(PublishAddress, ByPath) {
  struct Case {
    std::string_view path;
    Extension extension;
    std::string_view want;
  };
  constexpr Case kCases[] = {
      {"index.html", Extension::keep, "https://example.com/"},
      {"blog/index.html", Extension::drop, "https://example.com/blog/"},
      {"about.html", Extension::keep, "https://example.com/about.html"},
      {"about.html", Extension::drop, "https://example.com/about"},
      {"about.html", Extension::folder, "https://example.com/about/"},
      {"a b/50%.html", Extension::keep, "https://example.com/a%20b/50%25.html"},
      {"\u00FCber.htm", Extension::keep, "https://example.com/%C3%BCber.htm"},
      {"caf\xE9/\xFF.html", Extension::keep, "https://example.com/caf%E9/%FF.html"},  // not UTF-8
      {"what?#.html", Extension::keep, "https://example.com/what%3F%23.html"},
      {"guide/README.md", Extension::folder, "https://example.com/guide/"},
      {"indexes.html", Extension::drop, "https://example.com/indexes"},
  };
  for (const Case& each : kCases)
    EXPECT_EQ(url_of_page_file(url("https://example.com/"), each.path, each.extension), each.want)
        << each.path;
}

TEST(PageAddress, OfFilesInSeveralLanguages) {
  struct Case {
    std::string_view path;
    std::string_view place;
    std::string_view language;
  };
  constexpr Case kCases[] = {
      {"posts/a.md", "posts/a.md", "en"},
      {"posts/a.en.md", "posts/a.md", "en"},
      {"posts/a.de.md", "de/posts/a.md", "de"},
      {"b/index.pt-br.md", "pt-br/b/index.md", "pt-br"},
      {"a.fr.md", "a.fr.md", "en"},
      {"de.md", "de.md", "en"},
      {"posts/.de.md", "posts/.de.md", "en"},
      {"tide.md", "tide.md", "en"},
  };
  const std::vector<std::string> languages = {"en", "de", "pt-br"};
  for (const Case& each : kCases) {
    const TranslatedFile file = translate(each.path, languages);
    EXPECT_EQ(file.place, each.place) << each.path;
    EXPECT_EQ(file.language, each.language) << each.path;
  }
}

TEST(PublishGlob, Matches) {
  struct Case {
    std::string_view pattern;
    std::string_view path;
    bool want;
  };
  constexpr Case kCases[] = {
      {"blog/**", "blog/a.html", true},
      {"blog/**", "blog/x/y.html", true},
      {"blog/**", "blogs/a.html", false},
      {"blog/*", "blog/x/y.html", false},
      {"**/print.html", "print.html", true},
      {"**/print.html", "a/b/print.html", true},
      {"**/print.html", "a/sprint.html", false},
      {"*.tmp", "a/b/c.tmp", true},
      {"drafts", "a/drafts/c.html", true},
      {"drafts/", "drafts/c.html", true},
      {"drafts/", "a/drafts/c.html", false},
      {"/index.html", "index.html", true},
      {"a/?.html", "a/b.html", true},
      {"a/?.html", "a//.html", false},
      {"", "a", false},
      {"a/**/b", "a/x/y/b", true},
      {"a/**/b", "a/b", true},
  };
  for (const Case& each : kCases)
    EXPECT_EQ(matches_glob(each.pattern, each.path), each.want) << each.pattern << " on " << each.path;
}

TEST(PublishGlob, HostilePatternsAreFast) {
  const std::string pattern = "a/" + std::string(200, '*') + "b";
  EXPECT_FALSE(matches_glob(pattern, "a/" + std::string(5000, 'a')));
}

TEST(PublishConfig, Folder) {
  const test::TempDir dir;
  std::filesystem::create_directories(dir.path() / "public");
  const auto config =
      config_for_folder(dir.path() / "public/", "https://example.com/docs", dir.path() / "public/scp", "");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->base->href(), "https://example.com/docs/");
  EXPECT_EQ(config->collections_url, "https://example.com/docs/scp/");
  EXPECT_EQ(config->sitemap_url, "https://example.com/docs/sitemap.xml");
  EXPECT_EQ(config->state, dir.path() / "public.sheaf");
  ASSERT_EQ(config->sections.size(), 1U);
  EXPECT_EQ(config->sections[0].name, "all");
  EXPECT_EQ(config->sections[0].sources[0].exclude, std::vector<std::string>{"scp/"});
}

TEST(PublishConfig, Toml) {
  const auto config = parse_config(R"(
base = "https://example.com"
out = "public/scp"
compression = ["zstd"]
all = "weekly"

[retention]
delta_days = 10
snapshots = 3
merge_days = [7, 14]

[[section]]
name = "blog"
update = "hourly"
[[section.source]]
type = "html"
folder = "public"
include = ["blog/**"]
extension = "folder"

[[section]]
name = "shop"
[[section.source]]
type = "jsonl"
command = "print-pages"
)",
                                   "/site/sheaf.toml");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->out, "/site/public/scp");
  EXPECT_EQ(config->state, "/site/.sheaf");
  EXPECT_EQ(config->codecs, std::vector<format::Codec>{format::Codec::zstd});
  EXPECT_EQ(config->all, site::UpdateFreq::weekly);
  EXPECT_EQ(config->retention.delta_seconds, 864'000);
  EXPECT_EQ(config->retention.snapshots, 3U);
  EXPECT_EQ(config->retention.merge_days, (std::vector<std::uint32_t>{7, 14}));
  ASSERT_EQ(config->sections.size(), 2U);
  EXPECT_EQ(config->sections[0].update, site::UpdateFreq::hourly);
  EXPECT_EQ(config->sections[0].sources[0].extension, Extension::folder);
  EXPECT_EQ(config->sections[1].sources[0].command, "print-pages");
}

TEST(PublishConfig, WhatIsWrongHasItsLine) {
  struct Case {
    std::string_view text;
    std::string_view want;
  };
  constexpr Case kCases[] = {
      {"base = 'https://e.example'\nout = 'o'\nsizemap = 'x'\n", "s.toml:3: `sizemap` is not known here"},
      {"base = 1\n", "s.toml:1: `base` must be a text"},
      {"base = 'e.example'\nout = 'o'\n[[section]]\nname = "
       "'a'\n[[section.source]]\ntype='html'\nfolder='f'\n",
       "base e.example: give the http or https URL"},
      {"base = 'https://e.example'\nout = 'o'\n", "there is no section"},
      {"base = 'https://e.example'\nout = 'o'\n[[section]]\nname = 'a b'\n",
       "s.toml:3: a section needs a `name`"},
      {"base = 'https://e.example'\nout = 'o'\n[[section]]\nname = 'a'\nupdate = 'often'\n",
       "s.toml:5: `update` must be"},
      {"base = 'https://e.example'\nout = 'o'\n[[section]]\nname = 'a'\n", "section \"a\" has no source"},
      {"base = 'https://e.example'\nout = 'o'\n[[section]]\nname = 'a'\n[[section.source]]\ntype = "
       "'markdown'\nfolder = 'f'\nlanguages = ['en', 'a b']\n",
       "s.toml:8: `languages` has \"a b\""},
      {"base = 'https://e.example'\nout = 'o'\n[[section]]\nname = 'a'\n[[section.source]]\ntype = "
       "'html'\nfolder = 'f'\nlanguages = ['en']\n",
       "s.toml:8: `languages` is for markdown sources"},
      {"base = 'https://e.example'\nout = 'o'\n[[section]]\nname = 'a'\n[[section.source]]\ntype = 'xml'\n",
       "s.toml:5: source type \"xml\" is not known"},
      {"base = 'https://e.example'\nout = 'o'\n[[section]]\nname = 'a'\n[[section.source]]\ntype = 'jsonl'\n",
       "needs a `file` or a `command`"},
      {"base = 'https://e.example'\nout = 'o'\n[[section]]\nname = 'a'\n[[section.source]]\ntype = 'html'\n",
       "this source needs a `folder`"},
      {"base = 'https://e.example'\nout = 'o'\n[[section]]\nname = 'a'\n[[section.source]]\ntype = 'html'\n"
       "folder = 'f'\nselect = 'a['\n",
       "s.toml:8: `select` is not a CSS selector"},
      {"out = 'o'\n[[section]]\nname = 'a'\n[[section.source]]\ntype = 'html'\nfolder = 'f'\n",
       "there is no `base`"},
      {"base = 'https://e.example'\nout = 'o'\ncompression = ['brotli']\n",
       "s.toml:3: compression \"brotli\""},
      {"base = 'https://e.example'\nout = 'o'\n[retention]\nsnapshots = 0\n",
       "s.toml:4: `snapshots` must be a whole"},
      {"base = 'https://e.example'\nout = 'o'\n[retention]\nmerge_days = 7\n",
       "s.toml:4: `merge_days` must be a list"},
      {"base = 'https://e.example'\nout = 'o'\n[retention]\nmerge_days = [7, 30]\n",
       "s.toml:4: `merge_days` must be numbers from 1 to 90, each a multiple"},
      {"base = 'https://e.example'\nout = 'o'\n[retention]\nmerge_days = [7, 7]\n",
       "s.toml:4: `merge_days` must be numbers"},
      {"base = 'https://e.example'\nout = 'o'\n[retention]\nmerge_days = [0]\n",
       "s.toml:4: `merge_days` must be numbers"},
      {"base = 'https://e.example'\nout = 'o'\n[retention]\nmerge_days = [91]\n",
       "s.toml:4: `merge_days` must be numbers"},
      {"base = 'https://e.example'\nout = 'o'\n[retention]\nmerge_days = ['week']\n",
       "s.toml:4: `merge_days` must be numbers"},
      {"base = = 1\n", "s.toml:1: "},
  };
  for (const Case& each : kCases) {
    const auto config = parse_config(each.text, "s.toml");
    ASSERT_FALSE(config) << each.text;
    EXPECT_NE(config.error().message.find(each.want), std::string::npos) << config.error().message;
  }
}

std::vector<std::string> names_of(Source& source) {
  std::vector<std::string> names;
  const auto read = source.read([&](SourceItem item) {
    names.push_back(item.trouble.empty() ? item.name : item.name + ": " + item.trouble);
    return true;
  });
  if (!read) names.push_back("error: " + read.error().message);
  return names;
}

void write(const std::filesystem::path& file, std::string_view text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

TEST(PublishSource, FolderIsSortedAndFiltered) {
  const test::TempDir dir;
  for (const char* file :
       {"b.html", "a/z.HTML", "a.htm", "a/.hidden.html", ".git/x.html", "a/style.css", "skip/x.html"})
    write(dir.path() / "site" / file, "x");
  write(dir.path() / "secret.html", "x");
  std::filesystem::create_symlink(dir.path() / "secret.html", dir.path() / "site/out.html");
  std::filesystem::create_symlink(dir.path() / "site/b.html", dir.path() / "site/link.html");
  std::filesystem::create_symlink(dir.path() / "site", dir.path() / "site/a/loop");
  const auto source = folder_source({.folder = dir.path() / "site",
                                     .kind = ItemKind::html,
                                     .base = url("https://example.com/"),
                                     .extension = Extension::keep,
                                     .include = {},
                                     .exclude = {"skip/"}});
  EXPECT_EQ(names_of(*source), (std::vector<std::string>{"a/z.HTML", "a.htm", "b.html", "link.html"}));
}

TEST(PublishSource, MissingFolder) {
  const test::TempDir dir;
  const auto source = folder_source({.folder = dir.path() / "nothing",
                                     .kind = ItemKind::html,
                                     .base = url("https://example.com/"),
                                     .extension = Extension::keep,
                                     .include = {},
                                     .exclude = {}});
  const auto names = names_of(*source);
  ASSERT_EQ(names.size(), 1U);
  EXPECT_TRUE(names[0].starts_with("error: cannot read the folder")) << names[0];
}

TEST(PublishSource, LinesOfAFileAndOfACommand) {
  const test::TempDir dir;
  const std::string file = (dir.path() / "pages.jsonl").string();
  write(file, "{1}\n\n  \n" + std::string(100, 'x') + "\n{2}");
  EXPECT_EQ(names_of(*jsonl_source(file, 50)),
            (std::vector<std::string>{
                file + ":1", file + ":4: the line is over the limit of 50 bytes for a page", file + ":5"}));
  EXPECT_EQ(names_of(*command_source("printf 'a\\nb\\n'", 50)),
            (std::vector<std::string>{"command:1", "command:2"}));
  const auto failed = names_of(*command_source("echo a; exit 3", 50));
  EXPECT_EQ(failed.back(),
            "error: `echo a; exit 3` failed with status 3: nothing of what it printed is published");
}

}  // namespace
}  // namespace sheaf::publish
