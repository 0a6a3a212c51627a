#include "sheaf/cli/sites/publish_init.h"

#include "sheaf/base/file.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/publish/recipes/init.h"
#include "sheaf/publish/recipes/recipe.h"

#include <fmt/format.h>

#include <filesystem>

namespace sheaf::cli {
namespace {

base::Result<void> write_new(const std::filesystem::path& file, std::string_view text) {
  SHEAF_TRY_ASSIGN(base::AtomicFile out, base::AtomicFile::create(file));
  SHEAF_TRY(out.write(text));
  const auto written = out.commit_new();
  if (!written && written.error().code == base::Errc::already_exists)
    return base::fail(
        base::Errc::already_exists,
        fmt::format("{} already exists and was not changed; delete it to get a new one", file.string()));
  return written;
}

void print_wordpress(const publish::WordPressSite& site) {
  print_text("found WordPress ({})\n", site.config);
  if (!site.problem.empty()) {
    print_text("its database was not read: {}\n", printable(site.problem, Lines::join));
    return;
  }
  print_text("{} and {}\n", counted(site.posts, "post", "posts"), counted(site.pages, "page", "pages"));
  for (const auto& category : site.categories)
    print_text("  category {}: {}\n", printable(category.slug, Lines::join),
               counted(category.posts, "post", "posts"));
  if (site.is_hidden)
    print_text(
        "careful: the site asks search engines to stay away (Settings, Reading); do not publish it "
        "unless that has changed\n");
}

void print_found(const publish::ProjectFacts& facts) {
  if (facts.wordpress) return print_wordpress(*facts.wordpress);
  if (facts.generator) {
    print_text("found {} ({})\n", facts.generator->name, printable(facts.generator->evidence, Lines::join));
    if (!facts.generator->problem.empty())
      print_text("not all settings were read: {}\n", printable(facts.generator->problem, Lines::join));
  }
  if (!facts.output_exists) {
    print_text("its output folder {} does not exist yet\n", printable(facts.output, Lines::join));
    return;
  }
  print_text("{} in {}\n", counted(facts.pages, "page", "pages"),
             facts.output == "." ? "this folder" : printable(facts.output, Lines::join));
  for (const auto& section : facts.sections)
    print_text("  section {}: {} in {}/\n", printable(section.name, Lines::join),
               counted(section.pages, "page", "pages"), printable(section.folder, Lines::join));
}

/// The next build would delete a robots.txt in the output folder, so it belongs to the sources.
void print_robots_step(const publish::ProjectFacts& facts) {
  if (!facts.generator || facts.has_robots || facts.base.empty()) return;
  std::string base = facts.base;  // as given with --base
  while (base.ends_with('/')) base.pop_back();
  const std::string sitemap =
      fmt::format("Sitemap: {}/{}", base, facts.sitemap.empty() ? "sitemap.xml" : "sitemap-scp.xml");
  if (facts.generator->name == "Sphinx")
    print_text("next: write a robots.txt with this line, and name it in html_extra_path of conf.py: {}\n",
               printable(sitemap, Lines::join));
  else if (!facts.generator->statics.empty())
    print_text(
        "next: add this line to {}, which every build copies to the site: {}\n",
        printable(
            (std::filesystem::path(facts.generator->statics) / "robots.txt").lexically_normal().string(),
            Lines::join),
        printable(sitemap, Lines::join));
}

void print_steps(const publish::ProjectFacts& facts, const std::filesystem::path& file) {
  if (facts.base.empty()) print_text("next: set `base` in it to the site's URL\n");
  if (!facts.output_exists) print_text("next: build the site\n");
  print_robots_step(facts);
  if (facts.wordpress && !facts.wordpress->is_served)
    print_text(
        "next: let the web server send scp/, sitemap.xml and robots.txt of this folder at the site's root "
        "(docs/publish-cms.md, WordPress)\n");
  print_text("next: sheaf publish{} --dry-run\n",
             file == "sheaf.toml" ? "" : " --config " + publish::shell_word(file.string()));
}

}  // namespace

ExitStatus write_first_config(const std::string& folder, const std::string& base) {
  auto facts = publish::inspect_project(folder);
  if (!facts) return report_failure(facts.error());
  if (!base.empty()) facts->base = base;
  const bool is_settings = facts->wordpress && !facts->wordpress->is_served;
  const std::filesystem::path file =
      (std::filesystem::path(is_settings ? "." : folder) / "sheaf.toml").lexically_normal();
  if (const auto done = write_new(file, publish::draft_config(*facts)); !done)
    return report_failure(done.error());
  print_found(*facts);
  print_text("wrote {}\n", printable(file.string(), Lines::join));
  print_steps(*facts, file);
  return ExitStatus::yes;
}

}  // namespace sheaf::cli
