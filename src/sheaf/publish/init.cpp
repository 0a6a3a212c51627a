#include "sheaf/publish/init.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/base/regular_file.h"
#include "sheaf/base/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <system_error>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSettingsBytes = std::size_t{1} << 20U;
constexpr std::uint64_t kEnoughPages = 10;  // a section of fewer is not worth a file of its own
constexpr std::size_t kMostSections = 12;
constexpr std::uint64_t kMostEntries = 2'000'000;  // that many files tell enough

struct Generator {
  std::string_view name;
  std::span<const std::string_view> files;  ///< one of these in the project's folder
  std::string_view must_mention;            ///< in the file, where its name alone says too little
  std::string_view base_key;                ///< of the site's address
  std::string_view path_key;                ///< of a path below it; empty if there is none
  std::string_view output_key;
  std::string_view output;  ///< unless the file says otherwise
};

constexpr std::array<std::string_view, 4> kHugo = {"hugo.toml", "hugo.yaml", "hugo.json",
                                                   "config/_default/hugo.toml"};
constexpr std::array<std::string_view, 3> kOldHugo = {"config.toml", "config.yaml",
                                                      "config/_default/config.toml"};
constexpr std::array<std::string_view, 2> kJekyll = {"_config.yml", "_config.yaml"};
constexpr std::array<std::string_view, 2> kMkDocs = {"mkdocs.yml", "mkdocs.yaml"};
constexpr std::array<std::string_view, 3> kDocusaurus = {"docusaurus.config.js", "docusaurus.config.ts",
                                                         "docusaurus.config.mjs"};
constexpr std::array<std::string_view, 4> kAstro = {"astro.config.mjs", "astro.config.ts", "astro.config.js",
                                                    "astro.config.mts"};
constexpr std::array<Generator, 6> kGenerators = {{
    {"Hugo", kHugo, "", "baseURL", "", "publishDir", "public"},
    {"Hugo", kOldHugo, "baseURL", "baseURL", "", "publishDir", "public"},
    {"MkDocs", kMkDocs, "", "site_url", "", "site_dir", "site"},
    {"Jekyll", kJekyll, "", "url", "baseurl", "destination", "_site"},
    {"Docusaurus", kDocusaurus, "", "url", "baseUrl", "", "build"},
    {"Astro", kAstro, "", "site", "base", "outDir", "dist"},
}};

/// Output folders of those that are not in the list.
constexpr std::array<std::string_view, 7> kUsualOutputs = {"public", "_site", "site", "dist",
                                                           "build",  "out",   "html"};

base::Result<std::string> read_text(const fs::path& file) {
  SHEAF_TRY_ASSIGN(const auto source, base::open_regular_file(file.string()));
  return base::read_up_to(*source, kSettingsBytes);
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_name_character(char c) { return base::is_alphanumeric(c) || c == '_' || c == '-'; }

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

/// What follows a colon or equals sign, to the end of its quotes or of the line.
std::string value_of(std::string_view rest) {
  rest = trim(rest);
  if (rest.empty()) return {};
  const char quote = rest.front();
  if (quote == '"' || quote == '\'' || quote == '`') {
    const std::size_t end = rest.find(quote, 1);
    return end == std::string_view::npos ? std::string() : std::string(rest.substr(1, end - 1));
  }
  std::size_t end = rest.find(" #");
  end = std::min(end, rest.find(','));
  return std::string(trim(rest.substr(0, end)));
}

bool is_page(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".html" || extension == ".htm" || extension == ".xhtml";
}

/// Names of sections have letters, digits, - and _.
std::string section_name(std::string_view folder) {
  std::string name;
  for (const char c : folder) name += is_name_character(c) ? c : '-';
  return name;
}

/// Lists of pages, and what is there for other pages, make no section that anyone would ask for.
bool is_section(const std::string& folder) {
  constexpr std::array<std::string_view, 12> kNone = {"all",      "assets",     "static",   "tags",
                                                      "tag",      "categories", "category", "authors",
                                                      "archives", "page",       "search",   "scp"};
  return std::ranges::find(kNone, folder) == kNone.end() &&
         std::ranges::none_of(folder, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

/// Pages in all and in each folder at the top.
void count_pages(const fs::path& output, ProjectFacts& facts) {
  std::map<std::string, std::uint64_t> folders;
  std::error_code error;
  fs::recursive_directory_iterator it(output, fs::directory_options::skip_permission_denied, error);
  std::uint64_t entries = 0;
  for (const fs::recursive_directory_iterator end; !error && it != end && ++entries < kMostEntries;
       it.increment(error)) {
    if (it->path().filename().string().starts_with('.')) {
      it.disable_recursion_pending();
      continue;
    }
    if (!is_page(it->path())) continue;
    ++facts.pages;
    const fs::path relative = it->path().lexically_relative(output);
    if (it.depth() > 0) ++folders[relative.begin()->string()];
  }
  for (const auto& [folder, pages] : folders)
    if (pages >= kEnoughPages && is_section(folder))
      facts.sections.push_back({section_name(folder), folder, pages});
  std::ranges::stable_sort(facts.sections, std::greater(), &ProjectFacts::Section::pages);
  if (facts.sections.size() > kMostSections) facts.sections.resize(kMostSections);
  // Two folders whose names differ in what a section's name cannot have.
  for (std::size_t i = 0; i < facts.sections.size(); ++i)
    std::erase_if(facts.sections, [&, first = facts.sections[i]](const auto& each) {
      return each.name == first.name && each.folder != first.folder;
    });
}

SettingPlace place_in(std::string_view file) {
  return file.ends_with("ml") ? SettingPlace::top_level : SettingPlace::anywhere;  // .yml, .yaml, .toml
}

std::string base_of(const Generator& generator, const std::string& text, SettingPlace place) {
  const auto url = base::Url::parse(find_setting(text, generator.base_key, place));
  if (!url) return {};
  std::string address(url->href());
  if (!generator.path_key.empty()) {
    const std::string path = find_setting(text, generator.path_key, place);
    if (const auto below = base::Url::parse(path, &*url); !path.empty() && below) address = below->href();
  }
  while (address.ends_with('/') && address.size() > 1) address.pop_back();
  return address;
}

base::Result<bool> take_generator(const fs::path& folder, ProjectFacts& facts) {
  for (const Generator& generator : kGenerators)
    for (const std::string_view name : generator.files) {
      if (!is_file(folder / name)) continue;
      SHEAF_TRY_ASSIGN(const std::string text, read_text(folder / name));
      if (text.find(generator.must_mention) == std::string::npos) continue;
      facts.generator = generator.name;
      facts.evidence = name;
      facts.base = base_of(generator, text, place_in(name));
      facts.output = generator.output_key.empty() ? std::string()
                                                  : find_setting(text, generator.output_key, place_in(name));
      while (facts.output.ends_with('/')) facts.output.pop_back();
      if (facts.output.starts_with("./")) facts.output.erase(0, 2);
      if (facts.output.empty()) facts.output = generator.output;
      return true;
    }
  return false;
}

std::string toml_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string section_text(std::string_view name, std::string_view comment, const std::string& output,
                         const std::string& patterns) {
  return fmt::format(
      "\n[[section]]{}\nname = {}\nupdate = \"daily\"                   # hourly, daily, weekly, monthly\n"
      "[[section.source]]\ntype = \"html\"\nfolder = {}\n{}",
      comment, toml_text(name), toml_text(output), patterns);
}

}  // namespace

std::string find_setting(std::string_view text, std::string_view key, SettingPlace place) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view whole = text.substr(0, end);
    const std::string_view line = trim(whole);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.starts_with('#') || line.starts_with("//")) continue;
    if (place == SettingPlace::top_level) {
      if (line.starts_with('[')) return {};  // a table of TOML: the top is over
      if (!whole.starts_with(key)) continue;
    }
    for (std::size_t at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1)) {
      const bool begins = at == 0 || !is_name_character(line[at - 1]);
      std::string_view rest = line.substr(at + key.size());
      if (rest.starts_with('"') || rest.starts_with('\'')) rest.remove_prefix(1);
      rest = trim(rest);
      if (begins && (rest.starts_with(':') || rest.starts_with('=')) && !rest.starts_with("=="))
        return value_of(rest.substr(1));
    }
  }
  return {};
}

base::Result<ProjectFacts> look_at_project(const fs::path& folder) {
  ProjectFacts facts;
  if (!is_folder(folder))
    return base::fail(base::Errc::not_found, fmt::format("there is no folder {}", folder.string()));
  SHEAF_TRY_ASSIGN(const bool known, take_generator(folder, facts));
  if (!known) {
    for (const std::string_view name : kUsualOutputs)
      if (facts.output.empty() && is_folder(folder / name)) facts.output = name;
    if (facts.output.empty() || is_file(folder / "index.html")) facts.output.assign(1, '.');
  }
  const fs::path output = (folder / facts.output).lexically_normal();
  facts.output_is_there = is_folder(output);
  if (facts.output_is_there) count_pages(output, facts);
  return facts;
}

std::string draft_config(const ProjectFacts& facts) {
  std::string text = "# What `sheaf publish` publishes. docs/publishing.md has the whole story.\n";
  if (!facts.generator.empty())
    text += fmt::format("# Found: {} ({}), which writes its pages to {}.\n", facts.generator, facts.evidence,
                        facts.output);
  if (!facts.output_is_there) text += "# That folder is not there yet: build the site first.\n";
  text += fmt::format(
      "\nbase = {}{}\n"
      "out = {}               # the folder of the collections, which is served with the site\n"
      "#collections_url = \"https://cdn.example.com/scp/\"   # its address, where it is another than it "
      "seems\n"
      "#sitemap = {}   # merged into, or made\n"
      "#compression = [\"zstd\", \"gzip\"]\n"
      "{}"
      "\n#[retention]\n#delta_days = 30\n#snapshots = 2\n"
      "\n#[delivery]                        # where the files go, unless the folder is what is served\n"
      "#type = \"s3\"                       # keys: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or ~/.aws\n"
      "#bucket = \"my-site\"\n",
      toml_text(facts.base.empty() ? "https://example.com" : facts.base),
      facts.base.empty() ? "       # CHANGE THIS to the address of the site" : "",
      toml_text(facts.output == "." ? "scp" : facts.output + "/scp"),
      toml_text(facts.output == "." ? "sitemap.xml" : facts.output + "/sitemap.xml"),
      facts.sections.empty()
          ? ""
          : "#all = \"daily\"                      # a further section with the pages of all others\n");
  std::string others;
  for (const ProjectFacts::Section& section : facts.sections) {
    text += section_text(
        section.name,
        fmt::format("                        # {}", base::counted(section.pages, "page", "pages")),
        facts.output, fmt::format("include = [{}]\n", toml_text(section.folder + "/**")));
    others += fmt::format("{}{}", others.empty() ? "" : ", ", toml_text(section.folder + "/**"));
  }
  const bool taken =
      std::ranges::find(facts.sections, "pages", &ProjectFacts::Section::name) != facts.sections.end();
  text += section_text(facts.sections.empty() ? "all"
                       : taken                ? "rest"
                                              : "pages",
                       facts.sections.empty() ? "" : "                        # all that is left",
                       facts.output, others.empty() ? "" : fmt::format("exclude = [{}]\n", others));
  return text;
}

}  // namespace sheaf::publish
