#include "sheaf/publish/recipes/init.h"

#include "sheaf/publish/recipes/init_text_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

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

/// Counts the pages.
void count_pages(const fs::path& output, ProjectFacts& facts) {
  std::error_code error;
  fs::recursive_directory_iterator it(output, fs::directory_options::skip_permission_denied, error);
  std::uint64_t entries = 0;
  for (const fs::recursive_directory_iterator end; !error && it != end && ++entries < kMaxEntries;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with('.') || name == "node_modules") {
      it.disable_recursion_pending();
    } else if (is_page(it->path())) {
      ++facts.pages;
    }
  }
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
    return toml_text(fmt::format("{}/{}", facts.output, name));
  };
  return fmt::format(
      "\nbase = {}{}\n"
      "out = {}               # folder of the collections; serve it with the site\n"
      "#collections_url = \"https://cdn.example.com/scp/\"   # its URL, if not below base\n"
      "{}sitemap = {}   # created, or merged into\n"
      "{}"
      "#compression = [\"zstd\", \"gzip\"]\n"
      "\n#[retention]\n#delta_days = 30\n#snapshots = 2\n"
      "\n#[delivery]                        # if the files are served from elsewhere\n"
      "#type = \"s3\"                       # keys: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or ~/.aws\n"
      "#bucket = \"my-site\"\n",
      toml_text(facts.base), base_comment(facts), in_output("scp"),
      facts.sitemap.empty() || facts.sitemap == kCommonSitemaps.front() ? "#" : "",
      in_output(facts.sitemap.empty() ? kCommonSitemaps.front() : facts.sitemap), sitemap_mode_text(facts));
}

/// One section. More are for parts of a site that are updated at other intervals, and whose names last.
std::string sections_text(const ProjectFacts& facts) {
  // Sphinx writes a search form and indexes, which have no content of their own.
  const bool is_sphinx = facts.generator && facts.generator->name == "Sphinx";
  const bool drops = facts.generator && facts.generator->extension == Extension::drop;
  return fmt::format(
      "\n[[section]]                       # one; more for parts with another `update`: include = "
      "[\"news/**\"]\n"
      "name = \"all\"\n"
      "update = \"daily\"                   # hourly, daily, weekly, monthly\n"
      "[[section.source]]\ntype = \"html\"\nfolder = {}\n{}{}",
      toml_text(facts.output),
      drops ? "extension = \"drop\"                # the site's links have no .html\n" : "",
      is_sphinx ? "exclude = [\"search.html\", \"genindex*.html\", \"*-modindex.html\"]\n" : "");
}

/// The output folder of a project without a known generator; empty if the folder itself has the pages.
std::string guess_output(const fs::path& folder) {
  for (const std::string_view name : kCommonOutputs)
    if (is_folder(folder / name) &&
        (is_file(folder / name / "index.html") || !is_file(folder / "index.html")))
      return std::string(name);
  return {};
}

/// The folder of pages that is also the project: sheaf.toml goes beside it, because it is served.
void place_beside(const fs::path& folder, ProjectFacts& facts) {
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  facts.output = real.filename().string();
  facts.place = folder.parent_path();
  if (folder == "." || folder.filename().empty() || folder.filename() == "..")
    facts.place = real.parent_path();
  if (facts.place.empty()) facts.place = ".";
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
  if (!is_folder(folder))
    return base::fail(base::Errc::not_found, fmt::format("{} is not a folder", folder.string()));
  if (is_file(folder / "wp-config.php") || is_file(folder / "wp-load.php"))
    return base::fail(
        base::Errc::refused,
        fmt::format("{} is a folder of WordPress: install the plugin wordpress/sheaf, which writes the "
                    "configuration (docs/publish-cms.md, WordPress)",
                    folder.string()));
  ProjectFacts facts;
  facts.place = folder;
  SHEAF_TRY_ASSIGN(facts.generator, find_generator(folder));
  facts.base = facts.generator ? facts.generator->base : std::string();
  facts.output = facts.generator ? facts.generator->output : guess_output(folder);
  if (facts.output.empty()) place_beside(folder, facts);
  const fs::path output = (facts.place / facts.output).lexically_normal();
  facts.output_exists = is_folder(output);
  facts.has_robots = is_file(output / "robots.txt");
  const auto sitemap =
      std::ranges::find_if(kCommonSitemaps, [&](std::string_view name) { return is_file(output / name); });
  if (sitemap != kCommonSitemaps.end()) facts.sitemap = *sitemap;
  if (facts.output_exists) count_pages(output, facts);
  return facts;
}

std::string draft_config(const ProjectFacts& facts) {
  return header_text(facts) + settings_text(facts) + sections_text(facts);
}

}  // namespace sheaf::publish
