#include "sheaf/publish/recipes/site_generator.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/file.h"
#include "sheaf/base/url.h"
#include "sheaf/settings/settings.h"
#include "sheaf/text/text_compare.h"

#include <fmt/format.h>

#include <sheaf/arena.h>

#include <algorithm>
#include <array>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSettingsBytes = std::size_t{1} << 20U;

using Names = std::span<const std::string_view>;

struct GeneratorRules {
  std::string_view name;
  Names folders;  ///< folders of settings files; earlier ones take precedence
  Names stems;
  Names extensions;
  std::string_view base_key;
  std::string_view path_key;  ///< name of a setting with a path below the base; empty if there is none
  std::string_view output_key;
  std::string_view output;   ///< the default
  std::string_view statics;  ///< folder whose files are copied to the output
  /// A file with a common name counts only if it contains this text. Empty: if it sets the base URL.
  std::string_view mark = {};
};

constexpr std::array<std::string_view, 1> kTop = {""};
// In order of precedence; the default environment of `hugo` is production.
constexpr std::array<std::string_view, 3> kHugoFolders = {"config/production", "config/_default", ""};
constexpr std::string_view kGenericStem = "config";  // used by Hugo before 0.110, and by many other tools
constexpr std::array<std::string_view, 2> kHugoStems = {"hugo", kGenericStem};
constexpr std::array<std::string_view, 4> kHugoExtensions = {".toml", ".yaml", ".yml", ".json"};
constexpr std::array<std::string_view, 1> kMkDocsStems = {"mkdocs"};
constexpr std::array<std::string_view, 1> kJekyllStems = {"_config"};
constexpr std::array<std::string_view, 2> kYamlExtensions = {".yml", ".yaml"};
constexpr std::array<std::string_view, 1> kDocusaurusStems = {"docusaurus.config"};
constexpr std::array<std::string_view, 1> kAstroStems = {"astro.config"};
constexpr std::array<std::string_view, 1> kSphinxStems = {"conf"};
constexpr std::array<std::string_view, 1> kPythonExtensions = {".py"};
// sphinx-quickstart either separates source and build, or creates _build inside the source folder. The
// documentation of a program is usually in docs.
constexpr std::array<std::string_view, 1> kSource = {"source"};
constexpr std::array<std::string_view, 1> kDocs = {"docs"};
constexpr std::array<std::string_view, 1> kDocsSource = {"docs/source"};
constexpr std::array<std::string_view, 5> kProgramExtensions = {".js", ".ts", ".mjs", ".mts", ".cjs"};
constexpr std::array<std::string_view, 1> kConfigStems = {"config"};
constexpr std::array<std::string_view, 1> kVitePress = {".vitepress"};
constexpr std::array<std::string_view, 1> kDocsVitePress = {"docs/.vitepress"};
constexpr std::array<std::string_view, 1> kNextStems = {"next.config"};
constexpr std::array<std::string_view, 2> kEleventyStems = {"eleventy.config", ".eleventy"};
constexpr std::array<std::string_view, 1> kPackageStems = {"package"};
constexpr std::array<std::string_view, 1> kJsonExtensions = {".json"};

constexpr std::array<GeneratorRules, 14> kGenerators = {{
    {"Hugo", kHugoFolders, kHugoStems, kHugoExtensions, "baseURL", "", "publishDir", "public", "static"},
    {"MkDocs", kTop, kMkDocsStems, kYamlExtensions, "site_url", "", "site_dir", "site", "docs"},
    {"Jekyll", kTop, kJekyllStems, kYamlExtensions, "url", "baseurl", "destination", "_site", "."},
    {"Docusaurus", kTop, kDocusaurusStems, kProgramExtensions, "url", "baseUrl", "", "build", "static"},
    {"Astro", kTop, kAstroStems, kProgramExtensions, "site", "base", "outDir", "dist", "public"},
    {"VitePress", kVitePress, kConfigStems, kProgramExtensions, "hostname", "base", "", ".vitepress/dist",
     "public", "vitepress"},
    {"VitePress", kDocsVitePress, kConfigStems, kProgramExtensions, "hostname", "base", "",
     "docs/.vitepress/dist", "docs/public", "vitepress"},
    {"Next", kTop, kNextStems, kProgramExtensions, "siteUrl", "basePath", "distDir", "out", "public",
     "export"},
    {"Eleventy", kTop, kEleventyStems, kProgramExtensions, "url", "pathPrefix", "output", "_site", ""},
    {"Sphinx", kTop, kSphinxStems, kPythonExtensions, "html_baseurl", "", "", "_build/html", "",
     "html_theme"},
    {"Sphinx", kSource, kSphinxStems, kPythonExtensions, "html_baseurl", "", "", "build/html", "",
     "html_theme"},
    {"Sphinx", kDocs, kSphinxStems, kPythonExtensions, "html_baseurl", "", "", "docs/_build/html", "",
     "html_theme"},
    {"Sphinx", kDocsSource, kSphinxStems, kPythonExtensions, "html_baseurl", "", "", "docs/build/html", "",
     "html_theme"},
    {"an npm project", kTop, kPackageStems, kJsonExtensions, "homepage", "", "", "dist", "public"},
}};

std::optional<settings::Language> language_of(std::string_view extension) {
  if (extension == ".toml") return settings::Language::toml;
  if (extension == ".json") return settings::Language::json;
  if (extension == ".yml" || extension == ".yaml") return settings::Language::yaml;
  return std::nullopt;
}

/// A settings file of a project and its contents.
struct SettingsFile {
  std::string name;  ///< relative to the project
  bool is_generic;
  std::string text;
  std::optional<settings::Language> language;  ///< nullopt if it is a program
  settings::ParsedSettings parsed;

  [[nodiscard]] std::vector<std::string> values(std::string_view key) const {
    std::vector<std::string> found;
    if (!language) {
      found.push_back(find_in_program(text, key));
      return found;
    }
    // Hugo ignores case in names.
    for (const settings::Setting& setting : parsed.settings)
      if (text::equal_text(setting.name, key, text::TextCase::ignore)) found.emplace_back(setting.value);
    return found;
  }
};

using SettingsFiles = std::vector<SettingsFile>;

base::Result<void> read_settings_file(const fs::path& project, SettingsFile file, Arena& arena,
                                      SettingsFiles& out) {
  std::error_code error;
  if (!fs::is_regular_file(project / file.name, error)) return {};
  SHEAF_TRY_ASSIGN(file.text, base::read_regular_file((project / file.name).string(), kMaxSettingsBytes));
  if (file.language) file.parsed = settings::parse_settings(file.text, *file.language, arena);
  out.push_back(std::move(file));
  return {};
}

base::Result<SettingsFiles> read_settings_files(const fs::path& project, const GeneratorRules& rules,
                                                Arena& arena) {
  SettingsFiles files;
  for (const std::string_view folder : rules.folders)
    for (const std::string_view stem : rules.stems)
      for (const std::string_view extension : rules.extensions) {
        std::string name = (fs::path(folder) / fmt::format("{}{}", stem, extension)).string();
        SHEAF_TRY(read_settings_file(
            project, {std::move(name), stem == kGenericStem, {}, language_of(extension), {}}, arena, files));
      }
  return files;
}

/// The first value that is a URL; there may be several values, as in MkDocs: `!ENV [SITE_URL,
/// "https://example.com"]`.
std::optional<base::Url> base_url_in(const SettingsFile& file, std::string_view key) {
  for (const std::string& value : file.values(key))
    // The `homepage` of a package may be its readme: https://github.com/x/y#readme.
    if (auto url = base::Url::parse(value); url && !url->has_fragment()) return url;
  return std::nullopt;
}

std::string first_value(const SettingsFiles& files, std::string_view key) {
  if (key.empty()) return {};
  for (const SettingsFile& file : files)
    for (std::string& value : file.values(key))
      if (!value.empty()) return std::move(value);
  return {};
}

std::string find_base(const SettingsFiles& files, const GeneratorRules& rules) {
  std::optional<base::Url> url;
  for (const SettingsFile& file : files)
    if (!url) url = base_url_in(file, rules.base_key);
  if (!url) return {};
  const std::string path = first_value(files, rules.path_key);
  if (const auto below = base::Url::parse(path, &*url); !path.empty() && below) url = below;
  std::string base(url->href());
  while (base.ends_with('/')) base.pop_back();
  return base;
}

std::string find_output(const SettingsFiles& files, const GeneratorRules& rules) {
  std::string output = first_value(files, rules.output_key);
  while (output.ends_with('/')) output.pop_back();
  if (output.starts_with("./")) output.erase(0, 2);
  return output.empty() ? std::string(rules.output) : output;
}

std::string describe_problem(const SettingsFiles& files) {
  for (const SettingsFile& file : files) {
    const auto& problem = file.parsed.problem;
    if (!problem) continue;
    if (problem->kind != settings::Problem::Kind::invalid)
      return fmt::format("{}: {}", file.name, problem->what);
    return fmt::format("{}: line {} is not valid {}: {}", file.name, problem->line + 1,
                       settings::language_name(*file.language), problem->what);
  }
  return {};
}

/// Whether a file shows that the project uses this generator. A file with a name that other tools use too
/// counts only if it sets the base URL.
bool identifies(const SettingsFile& file, const GeneratorRules& rules) {
  if (!rules.mark.empty()) return file.text.contains(rules.mark);
  return !file.is_generic || !file.values(rules.base_key).empty();
}

bool is_name_character(char c) { return base::is_alphanumeric(c) || c == '_' || c == '-'; }

/// The text after a colon or equals sign, up to the closing quote or the end of the line.
std::string literal_at(std::string_view rest) {
  rest = text::trim_space(rest);
  if (rest.empty()) return {};
  const char quote = rest.front();
  if (quote == '"' || quote == '\'' || quote == '`') {
    const std::size_t end = rest.find(quote, 1);
    return end == std::string_view::npos ? std::string() : std::string(rest.substr(1, end - 1));
  }
  return std::string(text::trim_space(rest.substr(0, rest.find(','))));
}

}  // namespace

std::string find_in_program(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text::trim_space(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.starts_with("//") || line.starts_with('*') || line.starts_with('#')) continue;
    for (std::size_t at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1)) {
      const bool begins = at == 0 || !is_name_character(line[at - 1]);
      std::string_view rest = line.substr(at + key.size());
      if (rest.starts_with('"') || rest.starts_with('\'')) rest.remove_prefix(1);
      rest = text::trim_space(rest);
      if (begins && (rest.starts_with(':') || rest.starts_with('=')) && !rest.starts_with("=="))
        return literal_at(rest.substr(1));
    }
  }
  return {};
}

namespace {

/// The folders that tools of npm write to, of which the first that has pages counts.
std::string npm_output(const fs::path& project) {
  std::error_code error;
  for (const std::string_view name : {"dist", "build", "out", "_site", "public", "www"})
    if (fs::is_regular_file(project / name / "index.html", error)) return std::string(name);
  return "dist";
}

/// What a generator's settings say about the ends of URLs.
Extension find_extension(const SettingsFiles& files, const GeneratorRules& rules) {
  if (rules.name == "VitePress" && first_value(files, "cleanUrls") == "true") return Extension::drop;
  if (rules.name == "Next" && first_value(files, "trailingSlash") != "true") return Extension::drop;
  return Extension::keep;
}

}  // namespace

base::Result<std::optional<SiteGenerator>> find_generator(const fs::path& project) {
  for (const GeneratorRules& rules : kGenerators) {
    Arena arena;
    SHEAF_TRY_ASSIGN(const SettingsFiles files, read_settings_files(project, rules, arena));
    const auto evidence =
        std::ranges::find_if(files, [&](const SettingsFile& file) { return identifies(file, rules); });
    if (evidence == files.end()) continue;
    const bool is_npm = rules.name == "an npm project";
    const bool is_starlight = rules.name == "Astro" && evidence->text.contains("starlight");
    return SiteGenerator{.name = is_starlight ? "Starlight" : std::string(rules.name),
                         .evidence = evidence->name,
                         .base = find_base(files, rules),
                         .output = is_npm ? npm_output(project) : find_output(files, rules),
                         .statics = std::string(rules.statics),
                         .is_program = !evidence->language,
                         .extension = find_extension(files, rules),
                         .problem = describe_problem(files)};
  }
  return std::nullopt;
}

}  // namespace sheaf::publish
