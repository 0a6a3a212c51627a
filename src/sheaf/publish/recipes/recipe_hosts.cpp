#include "sheaf/publish/recipes/recipe_internal.h"

#include <fmt/format.h>

// Recipes for hosts of static sites, which have no server of one's own.
namespace sheaf::publish {
namespace {

constexpr std::string_view kCache = "public, max-age=3600, must-revalidate";
// The sitemap names the newest collections, so caches must not keep it longer.
constexpr std::string_view kSitemapCache = "public, max-age=60";

std::string sitemap_path(const PublishConfig& config) {
  const auto url = base::Url::parse(config.sitemap_url);
  return url ? std::string(url->path()) : "/sitemap.xml";
}

std::string site_folder(const PublishConfig& config) { return absolute_path(config.sitemap.parent_path()); }

/// The steps of github_recipe() as steps of a job.
std::string indent(std::string_view text, std::string_view spaces) {
  std::string result;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n') + 1);
    result.append(line == "\n" ? "" : spaces).append(line);
    text.remove_prefix(line.size());
  }
  return result;
}

}  // namespace

std::string headers_file_recipe(const PublishConfig& config) {
  const std::string path = collections_path(config);
  const std::string folder = shell_word(site_folder(config));
  return fmt::format(
      "# Run it after each build and `sheaf publish`, before the upload. A rule `/* /index.html 200` of a\n"
      "# single-page application must come after the rule in _redirects.\n"
      "cat >> {0}/_headers <<'END'\n"
      "{1}*\n"
      "  Content-Type: application/scp\n"
      "  Cache-Control: {2}\n"
      "  Access-Control-Allow-Origin: *\n"
      "{3}\n"
      "  Cache-Control: {4}\n"
      "END\n"
      "touch {0}/_redirects\n"
      "{{ echo '{1}* /404.html 404'; cat {0}/_redirects; }} > {0}/_redirects.new\n"
      "mv {0}/_redirects.new {0}/_redirects\n",
      folder, path, kCache, sitemap_path(config), kSitemapCache);
}

std::string vercel_recipe(const PublishConfig& config) {
  return fmt::format(
      "{{\n"
      "  \"headers\": [\n"
      "    {{ \"source\": \"{}(.*)\", \"headers\": [\n"
      "      {{ \"key\": \"Content-Type\", \"value\": \"application/scp\" }},\n"
      "      {{ \"key\": \"Cache-Control\", \"value\": \"{}\" }},\n"
      "      {{ \"key\": \"Access-Control-Allow-Origin\", \"value\": \"*\" }} ] }},\n"
      "    {{ \"source\": \"{}\", \"headers\": [\n"
      "      {{ \"key\": \"Cache-Control\", \"value\": \"{}\" }} ] }}\n"
      "  ]\n"
      "}}\n",
      collections_path(config), kCache, sitemap_path(config), kSitemapCache);
}

std::string s3_recipe(const PublishConfig& config) {
  const std::string site = shell_word(site_folder(config));
  const std::string out = shell_word(absolute_path(config.out));
  const std::string path = collections_path(config).substr(1);
  std::string text = fmt::format(
      "# Run it after each build and `sheaf publish`, with BUCKET and, for CloudFront, DISTRIBUTION set. "
      "(With\n"
      "# [delivery] in sheaf.toml, `sheaf publish` uploads the collections and the sitemap itself.)\n"
      "set -e\n"
      "aws s3 sync {0} \"s3://$BUCKET/\" --delete --exclude '{1}*' --exclude sitemap.xml --exclude "
      "'*.sheaf/*' "
      "--exclude sheaf.toml --exclude '.*'\n",
      site, path);
  const auto add = [&](std::string_view ending, std::string_view encoding) {
    text += fmt::format(
        "aws s3 cp {} \"s3://$BUCKET/{}\" --recursive --exclude '*' --include '*{}' --content-type "
        "application/scp "
        "{}--cache-control '{}'\n",
        out, path, ending, encoding, kCache);
  };
  for (const format::Codec codec : config.codecs) {
    if (codec == format::Codec::gzip) add(".scp.gz", "--content-encoding gzip ");
    if (codec == format::Codec::zstd) add(".scp.zst", "--content-encoding zstd ");
    if (codec == format::Codec::plain) add(".scp", "");
  }
  text += fmt::format(
      "# The sitemap names the collections, so it comes after them; what it no longer names goes last.\n"
      "aws s3 cp {0} \"s3://$BUCKET{1}\" --content-type application/xml --cache-control '{2}'\n"
      "aws s3 sync {3} \"s3://$BUCKET/{4}\" --delete --size-only --exclude '.*'\n"
      "if [ -n \"$DISTRIBUTION\" ]; then\n"
      "  aws cloudfront create-invalidation --distribution-id \"$DISTRIBUTION\" --paths {1} /robots.txt\n"
      "fi\n",
      shell_word(absolute_path(config.sitemap)), sitemap_path(config), kSitemapCache, out, path);
  return text;
}

std::string github_pages_recipe(const PublishConfig& config, const RecipeFacts& facts) {
  const std::string site = absolute_path(config.sitemap.parent_path());
  return fmt::format(
             "# Save it as .github/workflows/pages.yml (Settings, Pages, Source: GitHub Actions), and build "
             "the\n"
             "# site where the comment says. GitHub Pages sends no Content-Encoding; clients do without.\n"
             "name: pages\n"
             "on:\n"
             "  push:\n"
             "    branches: [main]\n"
             "permissions:\n"
             "  contents: read\n"
             "  pages: write\n"
             "  id-token: write\n"
             "jobs:\n"
             "  pages:\n"
             "    runs-on: ubuntu-latest\n"
             "    container: debian:13\n"
             "    environment: github-pages\n"
             "    steps:\n"
             "      - uses: actions/checkout@v4\n"
             "      # Build the site here.\n") +
         indent(github_recipe(config, facts), "      ") +
         fmt::format(
             "      - uses: actions/upload-pages-artifact@v3\n"
             "        with:\n"
             "          path: {}\n"
             "      - uses: actions/deploy-pages@v4\n",
             std::filesystem::path(site).lexically_relative(facts.folder).string());
}

}  // namespace sheaf::publish
