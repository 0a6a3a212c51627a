#include "sheaf/publish/recipes/wordpress_site.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/base/url.h"
#include "sheaf/publish/config/wordpress_settings.h"
#include "sheaf/publish/recipes/init_text_internal.h"
#include "sheaf/publish/sources/sql_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWordPressConfig = "wp-config.php";
constexpr std::uint64_t kMinCategoryPosts = 10;
constexpr std::size_t kMaxCategories = 12;
constexpr std::size_t kMaxSlug = 60;

using NameAndCount = std::pair<std::string, std::string>;

/// Runs a query and returns the first two columns of all rows.
base::Result<std::vector<NameAndCount>> ask(const WordPressSettings& settings, const std::string& query) {
  SHEAF_TRY_ASSIGN(const auto* const databases, sql_databases());
  SHEAF_TRY_ASSIGN(const auto rows, databases->mariadb(settings.address, settings.password, query));
  std::vector<NameAndCount> answer;
  while (true) {
    SHEAF_TRY_ASSIGN(const bool more, rows->next());
    if (!more) return answer;
    answer.emplace_back(rows->value(0).value_or(""), rows->value(1).value_or(""));
  }
}

std::uint64_t number_of(const std::string& text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Whether a slug can be the name of a section.
bool is_section_name(const std::string& slug) {
  return !slug.empty() && slug.size() <= kMaxSlug && slug != "all" && slug != "posts" && slug != "pages" &&
         std::ranges::all_of(slug, [](char c) { return base::is_alphanumeric(c) || c == '-' || c == '_'; });
}

base::Result<void> ask_database(const WordPressSettings& settings, WordPressSite& site) {
  const std::string& prefix = settings.prefix;
  SHEAF_TRY_ASSIGN(const auto options,
                   ask(settings, fmt::format("SELECT option_name, option_value FROM {}options WHERE "
                                             "option_name IN ('home', 'blog_public')",
                                             prefix)));
  for (const auto& [name, value] : options) {
    if (name == "home" && site.base.empty()) site.base = value;
    if (name == "blog_public") site.is_hidden = value == "0";
  }
  SHEAF_TRY_ASSIGN(const auto types,
                   ask(settings, fmt::format("SELECT post_type, COUNT(*) FROM {}posts WHERE post_status = "
                                             "'publish' AND post_password = '' GROUP BY post_type",
                                             prefix)));
  for (const auto& [type, count] : types) {
    if (type == "post") site.posts = number_of(count);
    if (type == "page") site.pages = number_of(count);
  }
  SHEAF_TRY_ASSIGN(
      const auto categories,
      ask(settings, fmt::format("SELECT t.slug, x.count FROM {0}terms t JOIN {0}term_taxonomy x ON x.term_id "
                                "= t.term_id WHERE x.taxonomy = 'category' AND x.count >= {1} ORDER BY "
                                "x.count DESC, t.slug LIMIT {2}",
                                prefix, kMinCategoryPosts, kMaxCategories)));
  for (const auto& [slug, count] : categories)
    if (is_section_name(slug)) site.categories.push_back({slug, number_of(count)});
  return {};
}

std::string section_of(const WordPressSite& site, std::string_view name, std::string_view selection) {
  return fmt::format(
      "\n[[section]]\nname = {}\nupdate = \"daily\"                   # hourly, daily, weekly, monthly\n"
      "[[section.source]]\ntype = \"wordpress\"\nconfig = {}\n{}\n",
      toml_text(name), toml_text(site.config), selection);
}

std::string categories_text(const WordPressSite& site) {
  if (site.categories.empty()) return {};
  std::string text =
      "\n# A category as a section of its own: remove the # before it, and exclude it from posts with\n"
      "# without_categories = [\"...\"].\n";
  for (const WordPressSite::Category& category : site.categories)
    text += fmt::format(
        "#[[section]]                       # {}\n#name = {}\n#update = \"daily\"\n#[[section.source]]\n"
        "#type = \"wordpress\"\n#config = {}\n#types = [\"post\"]\n#categories = [{}]\n",
        base::counted(category.posts, "post", "posts"), toml_text(category.slug), toml_text(site.config),
        toml_text(category.slug));
  return text;
}

}  // namespace

base::Result<std::optional<WordPressSite>> find_wordpress(const fs::path& folder) {
  std::error_code error;
  const fs::path file = folder / kWordPressConfig;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  SHEAF_TRY_ASSIGN(WordPressSite site, read_wordpress(file, folder));
  site.config = kWordPressConfig;
  site.is_served = true;
  return site;
}

base::Result<WordPressSite> read_wordpress(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  WordPressSite site;
  site.config = fs::absolute(file, error).lexically_normal().string();
  site.is_served = false;
  const fs::path full = fs::weakly_canonical(fs::absolute(folder, error), error);
  site.folder = full.has_filename() ? full.filename().string() : full.parent_path().filename().string();
  SHEAF_TRY_ASSIGN(const WordPressSettings settings, read_wordpress_settings(file));
  site.base = settings.home;
  const auto asked = ask_database(settings, site);
  if (!asked) site.problem = asked.error().message;
  if (!base::Url::parse(site.base)) site.base.clear();
  while (site.base.ends_with('/')) site.base.pop_back();
  return site;
}

std::string draft_wordpress_config(const WordPressSite& site) {
  std::string text = "# The configuration of `sheaf publish`; see docs/publishing.md.\n";
  text +=
      comment_line(fmt::format("Found WordPress: {} says where its database is, in every run.", site.config));
  if (!site.problem.empty()) text += comment_line(fmt::format("It was not read: {}.", site.problem));
  text += fmt::format(
      "\nbase = {}{}\n"
      "out = \"scp\"                        # folder of the collections; serve it with the site\n"
      "collections_url = {}{}\n"
      "state = {}   # what sheaf remembers; outside of what is served\n"
      "sitemap = \"sitemap.xml\"            # made, with pages and collections; wp-sitemap.xml stays\n"
      "#all = \"daily\"                      # adds a section with all pages\n"
      "\n#[retention]\n#delta_days = 30\n#snapshots = 2\n",
      toml_text(site.base),
      site.base.empty() ? "                          # set it to the site's URL, as \"https://example.com\""
                        : "",
      toml_text(site.base.empty() ? "" : site.base + "/scp/"),
      site.base.empty() ? "               # URL of `out`, as \"https://example.com/scp/\"" : "",
      toml_text("../" + site.folder + ".sheaf"));
  text += section_of(site, "posts", "types = [\"post\"]");
  text += section_of(site, "pages", "types = [\"page\"]");
  return text + categories_text(site);
}

}  // namespace sheaf::publish
