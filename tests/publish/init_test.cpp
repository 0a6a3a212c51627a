#include "sheaf/publish/recipes/init.h"

#include "sheaf/publish/config/config.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

/// A project with a file of settings and pages in its output.
class Project {
 public:
  void write(const std::string& name, std::string_view text) {
    fs::create_directories((dir_ / name).parent_path());
    dir_.write(name, text);
  }
  void pages(const std::string& folder, int count) {
    for (int i = 0; i < count; ++i) write(folder + "/" + std::to_string(i) + "/index.html", "<p>x");
  }
  /// The result of the inspection; the configuration drafted from it must be readable.
  ProjectFacts look() {
    auto facts = inspect_project(dir_.path());
    EXPECT_TRUE(facts);
    ProjectFacts with_base = *facts;
    if (facts->base.empty()) {
      const auto refused = parse_config(draft_config(*facts), dir_ / "sheaf.toml");
      EXPECT_TRUE(!refused && refused.error().message.contains("`base` is empty"));
      with_base.base = "https://example.com";
    }
    const auto config = parse_config(draft_config(with_base), dir_ / "sheaf.toml");
    EXPECT_TRUE(config) << config.error().message << "\n" << draft_config(*facts);
    if (config) {
      sections_ = config->sections;
      sitemap_ = config->sitemap.filename().string();
      mode_ = config->sitemap_mode;
    }
    return *facts;
  }
  /// The generator found; a failure if none was.
  SiteGenerator generator() {
    const ProjectFacts facts = look();
    EXPECT_TRUE(facts.generator);
    return facts.generator.value_or(SiteGenerator());
  }
  [[nodiscard]] std::vector<std::string> sections() const {
    std::vector<std::string> names;
    for (const SectionConfig& section : sections_) names.push_back(section.name);
    return names;
  }

  [[nodiscard]] const std::string& sitemap() const { return sitemap_; }
  [[nodiscard]] SitemapMode mode() const { return mode_; }

 private:
  test::TempDir dir_;
  std::vector<SectionConfig> sections_;
  std::string sitemap_;
  SitemapMode mode_ = SitemapMode::inline_elements;
};

TEST(Init, Hugo) {
  Project project;
  project.write(
      "hugo.toml",
      "# baseURL = 'https://no.example'\nbaseURL = 'https://hugo.example/' # ours\n[params]\nx = 1\n");
  project.pages("public/posts", 12);
  project.pages("public/tags", 30);
  project.pages("public/about", 1);
  const ProjectFacts facts = project.look();
  ASSERT_TRUE(facts.generator);
  EXPECT_EQ(facts.generator->name, "Hugo");
  EXPECT_EQ(facts.output, "public");
  EXPECT_EQ(facts.base, "https://hugo.example");
  EXPECT_EQ(facts.pages, 43);
  EXPECT_EQ(project.sections(), std::vector<std::string>{"all"});
}

TEST(Init, HugoWithoutABaseUrl) {
  Project project;
  project.write("hugo.toml", "title = 'x'\n");
  project.pages("layouts", 2);
  const ProjectFacts facts = project.look();
  EXPECT_EQ(facts.base, "");
  EXPECT_EQ(facts.output, "public");
  EXPECT_FALSE(facts.output_exists);
}

TEST(Init, HugoInEachLanguage) {
  constexpr std::pair<std::string_view, std::string_view> kFiles[] = {
      {"hugo.toml",
       "title = 'x'\nbaseURL = \"https://hugo.example/sub/\"\npublishDir = 'www/'\n[menu]\n[[menu.main]]\n"
       "url = 'https://no.example'\n"},
      {"hugo.yaml",
       "---\nbaseURL: https://hugo.example/sub/\nlanguages:\n  de:\n    baseURL: https://no.example\n"
       "publishDir: ./www\n"},
      {"hugo.yml", "baseurl: >-\n  https://hugo.example/sub/\npublishdir: www\n"},
      {"hugo.json",
       "{\"params\": {\"baseURL\": \"https://no.example\"},\n\"baseURL\": \"https://hugo.example/sub\","
       "\"publishDir\": \"www\"}"},
      {"config.toml", "\"baseURL\" = 'https://hugo.example/sub'\npublishDir = \"\"\"www\"\"\"\n"},
      {"config/_default/config.yaml", "baseURL: 'https://hugo.example/sub' # comment\npublishDir: \"www\"\n"},
  };
  for (const auto& [file, text] : kFiles) {
    SCOPED_TRACE(file);
    Project project;
    project.write(std::string(file), text);
    const SiteGenerator generator = project.generator();
    EXPECT_EQ(generator.name, "Hugo");
    EXPECT_EQ(generator.evidence, file);
    EXPECT_EQ(generator.output, "www");
    EXPECT_EQ(generator.base, "https://hugo.example/sub");
    EXPECT_EQ(generator.problem, "");
  }
}

TEST(Init, HugoMergesItsFolders) {
  Project project;
  project.write("config/_default/hugo.toml", "baseURL = 'http://localhost:1313'\npublishDir = 'www'\n");
  project.write("config/production/hugo.toml", "baseURL = 'https://hugo.example'\n");
  EXPECT_EQ(project.generator().base, "https://hugo.example");
  EXPECT_EQ(project.generator().output, "www");
}

TEST(Init, AFileOfAnotherToolDoesNotMakeItHugo) {
  Project project;
  project.write("config.toml", "base_url = 'https://zola.example'\n");
  project.pages("public/posts", 1);
  EXPECT_FALSE(project.look().generator);
  EXPECT_EQ(project.look().output, "public");
}

TEST(Init, Jekyll) {
  Project project;
  project.write("_config.yml",
                "title: x\ndescription: >- # a folded text\n  url: not a setting\n  baseurl: neither\n"
                "plugin:\n  url: https://no.example\nurl: \"https://jekyll.example\" # y\nbaseurl: /blog\n"
                "defaults:\n  -\n    scope:\n      path: \"\"\n    values: {layout: post}\n");
  EXPECT_EQ(project.generator().name, "Jekyll");
  EXPECT_EQ(project.generator().base, "https://jekyll.example/blog");
  EXPECT_EQ(project.generator().output, "_site");
}

// As `jekyll new` writes it.
TEST(Init, JekyllWithoutAUrl) {
  Project project;
  project.write("_config.yml", "baseurl: \"\" # the subpath of your site, e.g. /blog\nurl: \"\"\n");
  EXPECT_EQ(project.generator().base, "");
}

TEST(Init, MkDocs) {
  Project project;
  project.write("mkdocs.yml",
                "site_name: Docs\nsite_url: https://mkdocs.example/docs/\nsite_dir: built\n"
                "extra:\n  site_url: https://no.example\n"
                "nav:\n  - Home: index.md\n  - Guide:\n      - guide/index.md\n"
                "markdown_extensions:\n  - pymdownx.emoji:\n"
                "      emoji_index: !!python/name:materialx.emoji.twemoji\n"
                "      emoji_generator: !!python/name:materialx.emoji.to_svg\n"
                "  - pymdownx.superfences:\n      custom_fences:\n        - name: mermaid\n"
                "          format: !!python/name:pymdownx.superfences.fence_code_format\n");
  EXPECT_EQ(project.generator().name, "MkDocs");
  EXPECT_EQ(project.generator().base, "https://mkdocs.example/docs");
  EXPECT_EQ(project.generator().output, "built");
  EXPECT_EQ(project.generator().problem, "");
}

TEST(Init, MkDocsWithEnvironmentVariables) {
  Project project;
  project.write("mkdocs.yml", "site_url: !ENV [SITE_URL, 'https://mkdocs.example/']\n");
  EXPECT_EQ(project.generator().base, "https://mkdocs.example");
  Project unknown;
  unknown.write("mkdocs.yml", "site_url: !ENV SITE_URL\n");
  EXPECT_EQ(unknown.generator().base, "");
}

TEST(Init, SettingsThatCannotBeReadAreReported) {
  Project project;
  project.write("mkdocs.yml", "site_url: https://mkdocs.example\nsite_name: a: b\nsite_dir: built\n");
  const SiteGenerator generator = project.generator();
  EXPECT_EQ(generator.base, "https://mkdocs.example");  // before the error
  EXPECT_EQ(generator.output, "site");
  EXPECT_EQ(generator.problem,
            "mkdocs.yml: line 2 is not valid YAML: mapping values are not allowed in this context");
  EXPECT_NE(draft_config(project.look()).find("# Not all settings were read: mkdocs.yml: line 2"),
            std::string::npos);
}

TEST(Init, Docusaurus) {
  Project project;
  project.write(
      "docusaurus.config.js",
      "/**\n * url: 'https://no.example'\n */\nconst config = {\n  title: 'x',\n"
      "  // url: 'https://no.example',\n  url: 'https://docu.example',\n  baseUrl: '/guide/',\n};\n");
  EXPECT_EQ(project.generator().name, "Docusaurus");
  EXPECT_EQ(project.generator().base, "https://docu.example/guide");
  EXPECT_EQ(project.generator().output, "build");
  EXPECT_TRUE(project.generator().is_program);
  EXPECT_NE(draft_config(project.look()).find("# found in a program: check it"), std::string::npos);
}

TEST(Init, Sphinx) {
  for (const auto& [config, output] :
       std::vector<std::pair<std::string, std::string>>{{"conf.py", "_build/html"},
                                                        {"source/conf.py", "build/html"},
                                                        {"docs/conf.py", "docs/_build/html"}}) {
    const test::TempDir dir;
    std::filesystem::create_directories((dir / config).parent_path());
    dir.write(config,
              "# html_baseurl = 'https://wrong.example'\nhtml_theme = 'alabaster'\nhtml_baseurl = "
              "'https://right.example/docs/'\n");
    const auto facts = inspect_project(dir.path());
    ASSERT_TRUE(facts && facts->generator) << config;
    EXPECT_EQ(facts->generator->name, "Sphinx");
    EXPECT_EQ(facts->output, output);
    EXPECT_EQ(facts->base, "https://right.example/docs");
    EXPECT_TRUE(draft_config(*facts).contains("\"search.html\"")) << draft_config(*facts);
    dir.write(config, "some = 'other program'\n");
    EXPECT_FALSE(inspect_project(dir.path())->generator) << config;
  }
}

TEST(Init, Astro) {
  Project project;
  project.write(
      "astro.config.mjs",
      "export default defineConfig({ site: \"https://astro.example\", base: 'x', outDir: './www' });\n");
  EXPECT_EQ(project.generator().name, "Astro");
  EXPECT_EQ(project.generator().base, "https://astro.example/x");
  EXPECT_EQ(project.generator().output, "www");
}

// Astro writes an index under another name, and no sitemap.xml.
TEST(Init, TheSitemapOfAGeneratorIsFoundByItsName) {
  for (const std::string name : {"sitemap.xml", "sitemap-index.xml"}) {
    Project project;
    project.write("astro.config.mjs", "export default defineConfig({ site: 'https://astro.example' });\n");
    project.pages("dist", 2);
    project.write("dist/" + name, "<sitemapindex/>");
    EXPECT_EQ(project.look().sitemap, name);
    EXPECT_EQ(project.sitemap(), name);
    EXPECT_EQ(project.mode(), SitemapMode::separate);
  }
  Project project;
  project.pages("public", 2);
  EXPECT_EQ(project.look().sitemap, "");
  EXPECT_EQ(project.sitemap(), "sitemap.xml");
  EXPECT_EQ(project.mode(), SitemapMode::inline_elements);
}

TEST(Init, SettingsThatAreComputedAreNotGuessed) {
  Project project;
  project.write("astro.config.mjs", "export default { site: process.env.SITE }\n");
  EXPECT_EQ(project.look().base, "");
}

TEST(Init, ControlCharactersDoNotBreakTheDraft) {
  Project project;
  project.write("hugo.toml", "baseURL = 'https://hugo.example'\npublishDir = \"a\\nbase = 1\"\n");
  EXPECT_EQ(project.look().output, "a\nbase = 1");
}

TEST(Init, GeneratorsOfJavaScript) {
  struct Case {
    std::string file;
    std::string text;
    std::string name;
    std::string output;
    std::string base;
    Extension extension = Extension::keep;
  };
  const Case cases[] = {
      {"eleventy.config.js", "module.exports = { dir: { input: 'src', output: 'www' } }\n", "Eleventy", "www",
       ""},
      {".vitepress/config.mts",
       "import { defineConfig } from 'vitepress'\nexport default defineConfig({\n  base: '/docs/',\n  "
       "sitemap: {\n"
       "    hostname: 'https://vite.example'\n  }\n})\n",
       "VitePress", ".vitepress/dist", "https://vite.example/docs"},
      {"docs/.vitepress/config.js", "// vitepress\nexport default {\n  cleanUrls: true,\n}\n", "VitePress",
       "docs/.vitepress/dist", "", Extension::drop},
      {"next.config.js", "module.exports = { output: 'export' }\n", "Next", "out", "", Extension::drop},
      {"next.config.mjs", "export default {\n  output: 'export',\n  trailingSlash: true,\n}\n", "Next", "out",
       ""},
      {".eleventy.js", "module.exports = function (config) {}\n", "Eleventy", "_site", ""},
      {"astro.config.mjs",
       "import starlight from '@astrojs/starlight'\nexport default { site: 'https://s.example' }\n",
       "Starlight", "dist", "https://s.example"},
      {"package.json", R"({"name": "x", "homepage": "https://npm.example"})", "an npm project", "dist",
       "https://npm.example"},
      {"package.json", R"({"homepage": "https://github.com/x/y#readme"})", "an npm project", "dist", ""},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.file + each.text);
    Project project;
    project.write(each.file, each.text);
    const SiteGenerator found = project.generator();
    EXPECT_EQ(found.name, each.name);
    EXPECT_EQ(found.output, each.output);
    EXPECT_EQ(found.base, each.base);
    EXPECT_EQ(found.extension, each.extension);
    EXPECT_EQ(draft_config(project.look()).contains("extension = \"drop\""),
              each.extension == Extension::drop);
  }
}

TEST(Init, PackagesAreNotPages) {
  Project project;
  project.write("package.json", "{}");
  project.pages("build", 2);
  project.write("build/index.html", "<p>x");
  project.pages("build/node_modules/x", 5);
  EXPECT_EQ(project.look().output, "build");
  EXPECT_EQ(project.look().pages, 3);
}

// What is served must not hold sheaf.toml and the state.
TEST(Init, AFolderOfPagesHasItsConfigurationBesideIt) {
  const test::TempDir dir;
  fs::create_directories(dir / "site/docs");
  dir.write("site/index.html", "<p>x");
  const auto facts = inspect_project(dir / "site");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->output, "site");
  EXPECT_EQ(facts->place, dir.path());
  ProjectFacts with_base = *facts;
  with_base.base = "https://example.com";
  const auto config = parse_config(draft_config(with_base), facts->place / "sheaf.toml");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->state, dir / ".sheaf");
  EXPECT_TRUE(config->served_state.empty());
  EXPECT_EQ(config->sitemap, dir / "site/sitemap.xml");
  EXPECT_EQ(inspect_project((dir / "site").string() + "/")->place, fs::canonical(dir.path()));
}

TEST(Init, FoldersWithoutAGenerator) {
  Project built;
  built.pages("dist/a b", 11);
  EXPECT_EQ(built.look().output, "dist");
  EXPECT_EQ(built.sections(), std::vector<std::string>{"all"});
  Project empty;
  EXPECT_EQ(empty.look().pages, 0);
  EXPECT_FALSE(inspect_project("/nowhere/at/all"));
}

TEST(Init, WordPressHasAPlugin) {
  const test::TempDir dir;
  dir.write("wp-config.php", "<?php");
  const auto facts = inspect_project(dir.path());
  ASSERT_FALSE(facts);
  EXPECT_TRUE(facts.error().message.contains("install the plugin")) << facts.error().message;
}

TEST(Init, LiteralsInAProgram) {
  EXPECT_EQ(find_in_program("\"key\": \"value\",", "key"), "value");
  EXPECT_EQ(find_in_program("my-key: 1\nkey: 2,\n", "key"), "2");
  EXPECT_EQ(find_in_program("if (key == 1) x", "key"), "");
  EXPECT_EQ(find_in_program("key: \"open", "key"), "");
  EXPECT_EQ(find_in_program("key:", "key"), "");
}

}  // namespace
}  // namespace sheaf::publish
