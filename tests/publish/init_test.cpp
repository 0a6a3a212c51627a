#include "sheaf/publish/init.h"

#include "sheaf/publish/config.h"
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
  /// What is found; and a configuration drafted from it is one that reads.
  ProjectFacts look() {
    auto facts = look_at_project(dir_.path());
    EXPECT_TRUE(facts);
    const auto config = parse_config(draft_config(*facts), dir_ / "sheaf.toml");
    EXPECT_TRUE(config) << config.error().message << "\n" << draft_config(*facts);
    if (config) sections_ = config->sections;
    return *facts;
  }
  [[nodiscard]] std::vector<std::string> sections() const {
    std::vector<std::string> names;
    for (const SectionConfig& section : sections_) names.push_back(section.name);
    return names;
  }

 private:
  test::TempDir dir_;
  std::vector<SectionConfig> sections_;
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
  EXPECT_EQ(facts.generator, "Hugo");
  EXPECT_EQ(facts.output, "public");
  EXPECT_EQ(facts.base, "https://hugo.example");
  EXPECT_EQ(facts.pages, 43);
  EXPECT_EQ(project.sections(), (std::vector<std::string>{"posts", "pages"}));
}

TEST(Init, HugoWithoutAnAddress) {
  Project project;
  project.write("hugo.toml", "title = 'x'\n");
  project.pages("layouts", 2);
  const ProjectFacts facts = project.look();
  EXPECT_EQ(facts.generator, "Hugo");
  EXPECT_EQ(facts.output, "public");
  EXPECT_FALSE(facts.output_is_there);
}

TEST(Init, HugoWithSettingsInAFolderAndAnotherOutput) {
  Project project;
  project.write("config/_default/config.toml",
                "baseURL = \"https://hugo.example/sub\"\npublishDir = \"www/\"\n");
  const ProjectFacts facts = project.look();
  EXPECT_EQ(facts.generator, "Hugo");
  EXPECT_EQ(facts.output, "www");
  EXPECT_FALSE(facts.output_is_there);
  EXPECT_EQ(facts.base, "https://hugo.example/sub");
  EXPECT_EQ(project.sections(), (std::vector<std::string>{"all"}));
}

TEST(Init, Jekyll) {
  Project project;
  project.write(
      "_config.yml",
      "title: x\nplugin:\n  url: https://no.example\nurl: \"https://jekyll.example\" # y\nbaseurl: /blog\n");
  EXPECT_EQ(project.look().generator, "Jekyll");
  EXPECT_EQ(project.look().base, "https://jekyll.example/blog");
  EXPECT_EQ(project.look().output, "_site");
}

TEST(Init, MkDocs) {
  Project project;
  project.write("mkdocs.yml", "site_name: Docs\nsite_url: https://mkdocs.example/docs/\nsite_dir: built\n");
  EXPECT_EQ(project.look().generator, "MkDocs");
  EXPECT_EQ(project.look().base, "https://mkdocs.example/docs");
  EXPECT_EQ(project.look().output, "built");
}

TEST(Init, Docusaurus) {
  Project project;
  project.write("docusaurus.config.js",
                "const config = {\n  title: 'x',\n  // url: 'https://no.example',\n  url: "
                "'https://docu.example',\n  baseUrl: "
                "'/guide/',\n};\n");
  EXPECT_EQ(project.look().generator, "Docusaurus");
  EXPECT_EQ(project.look().base, "https://docu.example/guide");
  EXPECT_EQ(project.look().output, "build");
}

TEST(Init, Astro) {
  Project project;
  project.write(
      "astro.config.mjs",
      "export default defineConfig({ site: \"https://astro.example\", base: 'x', outDir: './www' });\n");
  EXPECT_EQ(project.look().generator, "Astro");
  EXPECT_EQ(project.look().base, "https://astro.example/x");
  EXPECT_EQ(project.look().output, "www");
}

TEST(Init, SettingsThatAreComputedAreNotGuessed) {
  Project project;
  project.write("astro.config.mjs", "export default { site: process.env.SITE }\n");
  EXPECT_EQ(project.look().base, "");
}

TEST(Init, FoldersWithoutAGenerator) {
  Project plain;
  plain.write("index.html", "<p>x");
  plain.pages("docs", 10);
  EXPECT_EQ(plain.look().output, ".");
  EXPECT_EQ(plain.sections(), (std::vector<std::string>{"docs", "pages"}));
  Project built;
  built.pages("dist/a b", 11);
  built.pages("dist/pages", 20);
  EXPECT_EQ(built.look().output, "dist");
  EXPECT_EQ(built.sections(), (std::vector<std::string>{"pages", "a-b", "rest"}));
  Project empty;
  EXPECT_EQ(empty.look().pages, 0);
  EXPECT_FALSE(look_at_project("/nowhere/at/all"));
}

TEST(Init, NamesThatTomlMustQuote) {
  Project project;
  project.pages("public/a\"b\\c", 10);
  project.pages("public/a'b'c", 10);
  EXPECT_EQ(project.look().sections.size(), 1);  // both would be called a-b-c
}

TEST(Init, Settings) {
  using enum SettingPlace;
  EXPECT_EQ(find_setting("\"key\": \"value\",", "key", anywhere), "value");
  EXPECT_EQ(find_setting("my-key: 1\nkey: 2 # two\n", "key", top_level), "2");
  EXPECT_EQ(find_setting("if (key == 1) x", "key", anywhere), "");
  EXPECT_EQ(find_setting("key: \"open", "key", anywhere), "");
  EXPECT_EQ(find_setting("[a]\nkey = 1", "key", top_level), "");
  EXPECT_EQ(find_setting("key:", "key", top_level), "");
}

}  // namespace
}  // namespace sheaf::publish
