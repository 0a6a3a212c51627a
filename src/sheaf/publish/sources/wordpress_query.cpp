#include "sheaf/publish/sources/wordpress_query.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace sheaf::publish {
namespace {

/// An SQL expression for a text, written as hexadecimal digits, so that the server's quoting rules do not
/// matter.
std::string sql_text(std::string_view text) {
  if (text.empty()) return "''";
  std::string hex;
  for (const char c : text) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return "CONVERT(0x" + hex + " USING utf8mb4)";
}

/// A text expression with a fixed collation: tables, literals and the connection may have different
/// collations, which the server refuses to mix.
std::string as_text(std::string_view expression) {
  return fmt::format("CONVERT({} USING utf8mb4) COLLATE utf8mb4_bin", expression);
}

/// A table of the options that determine URLs.
std::string options_table(const std::string& prefix) {
  std::string columns;
  std::string names;
  for (const std::string_view name : {"home", "permalink_structure", "WPLANG", "show_on_front",
                                      "page_on_front", "page_for_posts", "default_category"}) {
    columns += fmt::format("{}COALESCE(MAX(CASE WHEN option_name = '{}' THEN option_value END), '') AS {}",
                           columns.empty() ? "" : ", ", name, name);
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
  }
  return fmt::format("site AS (SELECT {} FROM {}options WHERE option_name IN ({}))", columns, prefix, names);
}

/// Tables of the paths of pages (the slugs of a page and of the pages above it) and of categories.
std::string path_tables(const std::string& prefix) {
  return fmt::format(
      "page_paths AS (SELECT ID, CAST({1} AS CHAR(4000)) COLLATE utf8mb4_bin AS path, 1 AS depth FROM "
      "{0}posts "
      "WHERE post_type = 'page' AND post_parent = 0 "
      "UNION ALL SELECT child.ID, CONCAT(above.path, '/', {2}), above.depth + 1 FROM {0}posts child "
      "JOIN page_paths above ON child.post_parent = above.ID WHERE child.post_type = 'page' AND above.depth "
      "< 20), "
      "category_paths AS (SELECT t.term_id, CAST({3} AS CHAR(4000)) COLLATE utf8mb4_bin AS path, 1 AS depth "
      "FROM {0}terms t JOIN {0}term_taxonomy x ON x.term_id = t.term_id WHERE x.taxonomy = 'category' AND "
      "x.parent = 0 "
      "UNION ALL SELECT t.term_id, CONCAT(above.path, '/', {3}), above.depth + 1 FROM {0}terms t "
      "JOIN {0}term_taxonomy x ON x.term_id = t.term_id JOIN category_paths above ON x.parent = "
      "above.term_id "
      "WHERE x.taxonomy = 'category' AND above.depth < 20), "
      "first_categories AS (SELECT r.object_id, MIN(x.term_id) AS term_id FROM {0}term_relationships r "
      "JOIN {0}term_taxonomy x ON x.term_taxonomy_id = r.term_taxonomy_id WHERE x.taxonomy = 'category' "
      "GROUP BY r.object_id)",
      prefix, as_text("post_name"), as_text("child.post_name"), as_text("t.slug"));
}

/// The path of a post: the permalink structure with each tag replaced.
std::string post_path() {
  std::string path = as_text("site.permalink_structure");
  const auto replace = [&](std::string_view tag, std::string_view value) {
    path = fmt::format("REPLACE({}, '%{}%', {})", path, tag, value);
  };
  replace("year", "DATE_FORMAT(p.post_date, '%Y')");
  replace("monthnum", "DATE_FORMAT(p.post_date, '%m')");
  replace("day", "DATE_FORMAT(p.post_date, '%d')");
  replace("hour", "DATE_FORMAT(p.post_date, '%H')");
  replace("minute", "DATE_FORMAT(p.post_date, '%i')");
  replace("second", "DATE_FORMAT(p.post_date, '%s')");
  replace("post_id", "p.ID");
  replace("postname", "p.post_name");
  replace("author", "COALESCE(u.user_nicename, '')");
  replace("category", "COALESCE(c.path, '')");
  return path;
}

std::string url_column(const WordPressSettings& settings) {
  const std::string home = settings.home.empty() ? "site.home" : sql_text(settings.home);
  return fmt::format(
      "CONCAT(TRIM(TRAILING '/' FROM {}), CASE "
      "WHEN p.post_type = 'page' AND site.show_on_front = 'page' AND p.ID = site.page_on_front THEN '/' "
      "WHEN site.permalink_structure = '' THEN CONCAT(IF(p.post_type = 'page', '/?page_id=', '/?p='), p.ID) "
      "WHEN p.post_type = 'page' THEN CONCAT(IF(site.permalink_structure LIKE '/index.php/%', '/index.php/', "
      "'/'), "
      "w.path, IF(site.permalink_structure LIKE '%/', '/', '')) "
      "ELSE {} END) AS url",
      home, post_path());
}

std::string in_categories(const std::string& prefix, const std::vector<std::string>& slugs) {
  std::string list;
  for (const std::string& slug : slugs) list += (list.empty() ? "" : ", ") + sql_text(slug);
  return fmt::format(
      "EXISTS (SELECT 1 FROM {0}term_relationships r JOIN {0}term_taxonomy x ON x.term_taxonomy_id = "
      "r.term_taxonomy_id JOIN {0}terms t ON t.term_id = x.term_id WHERE r.object_id = p.ID AND "
      "x.taxonomy = 'category' AND {2} IN ({1}))",
      prefix, list, as_text("t.slug"));
}

std::string conditions(const std::string& prefix, const WordPressSelection& selection) {
  std::string types;
  if (selection.posts) types = "'post'";
  if (selection.pages) types += types.empty() ? "'page'" : ", 'page'";
  // SEO plugins store noindex of posts, each in a different way.
  std::string text = fmt::format(
      "p.post_status = 'publish' AND p.post_password = '' AND p.post_type IN ({1}) "
      "AND NOT (p.post_type = 'page' AND site.show_on_front = 'page' AND p.ID = site.page_for_posts) "
      "AND NOT EXISTS (SELECT 1 FROM {0}postmeta m WHERE m.post_id = p.ID AND "
      "((m.meta_key IN ('_yoast_wpseo_meta-robots-noindex', '_aioseop_noindex', '_genesis_noindex') "
      "AND m.meta_value IN ('1', 'on')) OR (m.meta_key = 'rank_math_robots' AND m.meta_value LIKE "
      "'%noindex%')))",
      prefix, types);
  if (!selection.categories.empty()) text += " AND " + in_categories(prefix, selection.categories);
  if (!selection.without_categories.empty())
    text += " AND NOT " + in_categories(prefix, selection.without_categories);
  return text;
}

}  // namespace

std::string wordpress_query(const WordPressSettings& settings, const WordPressSelection& selection) {
  const std::string& prefix = settings.prefix;
  // Zeros mean that WordPress does not know the date.
  const auto time = [](std::string_view column) {
    return fmt::format("CASE WHEN p.{0} > '1000-01-01' THEN p.{0} END", column);
  };
  return fmt::format(
      "WITH RECURSIVE {1}, {2} SELECT {3}, p.post_title AS title, p.post_excerpt AS description, "
      "u.display_name AS author, {4} AS published, {5} AS modified, "
      "COALESCE(NULLIF(REPLACE(site.WPLANG, '_', '-'), ''), 'en-US') AS language, p.post_content AS "
      "wordpress "
      "FROM {0}posts p CROSS JOIN site LEFT JOIN {0}users u ON u.ID = p.post_author "
      "LEFT JOIN page_paths w ON w.ID = p.ID LEFT JOIN first_categories f ON f.object_id = p.ID "
      "LEFT JOIN category_paths c ON c.term_id = COALESCE(f.term_id, site.default_category) "
      "WHERE {6} ORDER BY p.ID",
      prefix, options_table(prefix), path_tables(prefix), url_column(settings), time("post_date_gmt"),
      time("post_modified_gmt"), conditions(prefix, selection));
}

}  // namespace sheaf::publish
