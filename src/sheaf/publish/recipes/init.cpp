#include "sheaf/publish/recipes/init.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/publish/recipes/init_text_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string_view>
#include <system_error>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMinSectionPages = 10;  // folders with fewer pages do not become a section
constexpr std::size_t kMaxSections = 12;
constexpr std::uint64_t kMaxEntries = 2'000'000;  // maximum number of entries of the output folder to look at

/// Usual output folders of generators that sheaf does not know.
constexpr std::array<std::string_view, 7> kCommonOutputs = {"public", "_site", "site", "dist",
                                                            "build",  "out",   "html"};

/// Names that generators give to sitemaps; Astro writes only the second.
constexpr std::array<std::string_view, 3> kCommonSitemaps = {"sitemap.xml", "sitemap-index.xml",
                                                             "sitemap_index.xml"};

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_page(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".html" || extension == ".htm" || extension == ".xhtml";
}

/// Makes a section name of a folder's name: it may only have letters, digits, - and _.
std::string section_name(std::string_view folder) {
  std::string name;
  for (const char c : folder) name += base::is_alphanumeric(c) || c == '_' || c == '-' ? c : '-';
  return name;
}

/// Whether a folder may become a section; false for folders of lists and assets.
bool is_section(const std::string& folder) {
  constexpr std::array<std::string_view, 12> kNotSections = {"all",      "assets",     "static",   "tags",
                                                             "tag",      "categories", "category", "authors",
                                                             "archives", "page",       "search",   "scp"};
  return std::ranges::find(kNotSections, folder) == kNotSections.end() &&
         std::ranges::none_of(folder, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

/// Counts all pages, and those of each top folder.
void count_pages(const fs::path& output, ProjectFacts& facts) {
  std::map<std::string, std::uint64_t> folders;
  std::error_code error;
  fs::recursive_directory_iterator it(output, fs::directory_options::skip_permission_denied, error);
  std::uint64_t entries = 0;
  for (const fs::recursive_directory_iterator end; !error && it != end && ++entries < kMaxEntries;
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
    if (pages >= kMinSectionPages && is_section(folder))
      facts.sections.push_back({section_name(folder), folder, pages});
  std::ranges::stable_sort(facts.sections, std::greater(), &ProjectFacts::Section::pages);
  if (facts.sections.size() > kMaxSections) facts.sections.resize(kMaxSections);
  // Two folders can have the same section name: a'b and a"b are both a-b. The larger one keeps it.
  for (std::size_t i = 0; i < facts.sections.size(); ++i)
    std::erase_if(facts.sections, [&, first = facts.sections[i]](const auto& each) {
      return each.name == first.name && each.folder != first.folder;
    });
}

std::string header_text(const ProjectFacts& facts) {
  std::string text = "# The configuration of `sheaf publish`; see docs/publishing.md.\n";
  if (facts.generator) {
    text += comment_line(fmt::format("Found {} ({}), which writes its pages to {}.", facts.generator->name,
                                     facts.generator->evidence, facts.output));
    if (!facts.generator->problem.empty())
      text += comment_line(fmt::format("Not all settings were read: {}.", facts.generator->problem));
  }
  if (!facts.output_exists) text += "# That folder does not exist yet: build the site first.\n";
  return text;
}

std::string_view base_comment(const ProjectFacts& facts) {
  if (facts.base.empty())
    return "                          # set it to the site's URL, as \"https://example.com\"";
  if (facts.generator && facts.generator->is_program && facts.base == facts.generator->base)
    return "       # found in a program: check it";
  return "";
}

/// A sitemap that another program writes is not changed, because some validators reject elements they do not
/// know.
std::string sitemap_mode_text(const ProjectFacts& facts) {
  if (!facts.sitemap.empty())
    return fmt::format(
        "sitemap_mode = \"separate\"         # {} exists and stays as it is; sitemap-scp.xml has the\n"
        "                                  # collections, and robots.txt has to name it (--write-robots)\n",
        facts.sitemap);
  return "sitemap_mode = \"inline\"           # there is no sitemap.xml: it is made, with pages and "
         "collections\n";
}

std::string settings_text(const ProjectFacts& facts) {
  const auto in_output = [&](std::string_view name) {
    return toml_text(facts.output == "." ? std::string(name) : fmt::format("{}/{}", facts.output, name));
  };
  return fmt::format(
      "\nbase = {}{}\n"
      "out = {}               # folder of the collections; serve it with the site\n"
      "#collections_url = \"https://cdn.example.com/scp/\"   # its URL, if not below base\n"
      "{}sitemap = {}   # created, or merged into\n"
      "{}"
      "#compression = [\"zstd\", \"gzip\"]\n"
      "{}"
      "\n#[retention]\n#delta_days = 30\n#snapshots = 2\n"
      "\n#[delivery]                        # if the files are served from elsewhere\n"
      "#type = \"s3\"                       # keys: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or ~/.aws\n"
      "#bucket = \"my-site\"\n",
      toml_text(facts.base), base_comment(facts), in_output("scp"),
      facts.sitemap.empty() || facts.sitemap == kCommonSitemaps.front() ? "#" : "",
      in_output(facts.sitemap.empty() ? kCommonSitemaps.front() : facts.sitemap), sitemap_mode_text(facts),
      facts.sections.empty() ? ""
                             : "#all = \"daily\"                      # adds a section with all pages\n");
}

std::string section_text(std::string_view name, std::string_view comment, const std::string& output,
                         const std::string& patterns) {
  return fmt::format(
      "\n[[section]]{}\nname = {}\nupdate = \"daily\"                   # hourly, daily, weekly, monthly\n"
      "[[section.source]]\ntype = \"html\"\nfolder = {}\n{}",
      comment, toml_text(name), toml_text(output), patterns);
}

std::string sections_text(const ProjectFacts& facts) {
  // Sphinx writes a search form and indexes, which have no content of their own.
  const bool is_sphinx = facts.generator && facts.generator->name == "Sphinx";
  if (facts.sections.empty())
    return section_text(
        "all", "", facts.output,
        is_sphinx ? "exclude = [\"search.html\", \"genindex*.html\", \"*-modindex.html\"]\n" : "");
  constexpr std::string_view kBeforeComment = "                        ";
  std::string text;
  std::string excluded;
  for (const ProjectFacts::Section& section : facts.sections) {
    const std::string pattern = toml_text(section.folder + "/**");
    text += section_text(section.name,
                         fmt::format("{}# {}", kBeforeComment, base::counted(section.pages, "page", "pages")),
                         facts.output, fmt::format("include = [{}]\n", pattern));
    excluded += fmt::format("{}{}", excluded.empty() ? "" : ", ", pattern);
  }
  const bool is_taken =
      std::ranges::find(facts.sections, "pages", &ProjectFacts::Section::name) != facts.sections.end();
  return text + section_text(is_taken ? "rest" : "pages", fmt::format("{}# all other pages", kBeforeComment),
                             facts.output, fmt::format("exclude = [{}]\n", excluded));
}

/// The output folder of a project without a known generator.
std::string guess_output(const fs::path& folder) {
  if (is_file(folder / "index.html")) return ".";
  for (const std::string_view name : kCommonOutputs)
    if (is_folder(folder / name)) return std::string(name);
  return ".";
}

}  // namespace

std::string toml_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string comment_line(std::string_view text) {
  std::string line = "# ";
  for (const char c : text) line += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  return line + "\n";
}

base::Result<ProjectFacts> inspect_project(const fs::path& folder) {
  const bool is_settings = is_file(folder);
  if (!is_settings && !is_folder(folder))
    return base::fail(base::Errc::not_found, fmt::format("{} is not a folder", folder.string()));
  ProjectFacts facts;
  if (is_settings) {
    SHEAF_TRY_ASSIGN(facts.wordpress, read_wordpress(folder, "."));
  } else {
    SHEAF_TRY_ASSIGN(facts.wordpress, find_wordpress(folder));
  }
  if (facts.wordpress) {
    facts.base = facts.wordpress->base;
    facts.output = ".";
    facts.output_exists = true;
    facts.pages = facts.wordpress->posts + facts.wordpress->pages;
    return facts;
  }
  SHEAF_TRY_ASSIGN(facts.generator, find_generator(folder));
  facts.base = facts.generator ? facts.generator->base : std::string();
  facts.output = facts.generator ? facts.generator->output : guess_output(folder);
  const fs::path output = (folder / facts.output).lexically_normal();
  facts.output_exists = is_folder(output);
  facts.has_robots = is_file(output / "robots.txt");
  const auto sitemap =
      std::ranges::find_if(kCommonSitemaps, [&](std::string_view name) { return is_file(output / name); });
  if (sitemap != kCommonSitemaps.end()) facts.sitemap = *sitemap;
  if (facts.output_exists) count_pages(output, facts);
  return facts;
}

std::string draft_config(const ProjectFacts& facts) {
  if (facts.wordpress) {
    WordPressSite site = *facts.wordpress;
    site.base = facts.base;
    return draft_wordpress_config(site);
  }
  return header_text(facts) + settings_text(facts) + sections_text(facts);
}

}  // namespace sheaf::publish
