#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/store_options.h"
#include "sheaf/pull/drop_pages.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

namespace sheaf::cli {
namespace {

using base::Errc;
using base::fail;
using base::Result;
using pull::DropPlan;

struct DropOptions {
  std::string store;
  std::string site;
  std::optional<std::string> section;
  bool dry_run = false;
  bool json = false;
};

Result<DropPlan> drop(const DropOptions& options) {
  // An empty value, as of a variable that is not set, must not select more than was meant.
  if (options.site.empty())
    return fail(Errc::invalid_argument, "--site: give the URL of a site, as https://example.com");
  if (options.section && options.section->empty())
    return fail(Errc::invalid_argument,
                "--section: give the name of a section, or leave the option out to drop the site");
  SHEAF_TRY_ASSIGN(const std::string site, parse_site(options.site));
  const auto access = options.dry_run ? StoreAccess::read : StoreAccess::write;
  SHEAF_TRY_ASSIGN(const auto store, open_existing_store(options.store, access));
  SHEAF_TRY_ASSIGN(DropPlan plan, pull::plan_drop(*store, site, options.section));
  if (!options.dry_run) SHEAF_TRY(pull::drop_pages(*store, plan, now()));
  return plan;
}

void print(const DropPlan& plan, bool dry_run) {
  const std::string_view verb = dry_run ? "would drop" : "dropped";
  const std::string site = printable(plan.site, Lines::join);
  for (const store::SectionState& section : plan.sections)
    print_text("{} section {} of {}: {}\n", verb, printable(section.section, Lines::join), site,
               counted(section.pages, "page", "pages"));
  if (plan.section) return;
  print_text("{} {}: {} in {}, and what pull remembers about the site\n", verb, site,
             counted(plan.pages(), "page", "pages"), counted(plan.sections.size(), "section", "sections"));
  if (plan.forgets_key)
    print_text(
        "{} its pinned key: the next pull trusts the key that the site states then, unless --key gives one\n",
        dry_run ? "would forget" : "forgot");
}

void print_json(const DropPlan& plan, bool dry_run) {
  JsonOutput out;
  out.begin_report()
      .string("site", plan.site)
      .boolean("dryRun", dry_run)
      .boolean("wholeSite", !plan.section)
      .boolean("forgetsKey", plan.forgets_key)
      .number("pages", plan.pages())
      .begin_array("sections");
  for (const store::SectionState& section : plan.sections)
    out.begin_object().string("section", section.section).number("pages", section.pages).end_object();
  out.end_array().end_object();
  print_json_line(out.text());
}

ExitStatus run(const DropOptions& options) {
  const auto plan = drop(options);
  if (!plan) return report_failure(plan.error());
  options.json ? print_json(*plan, options.dry_run) : print(*plan, options.dry_run);
  return ExitStatus::yes;
}

}  // namespace

void add_drop(const Command& program, Job& job) {
  auto options = std::make_shared<DropOptions>();
  const Command command = program.subcommand("drop", "Remove a site, or a section of it, from a store");
  add_store_option(command, options->store);
  command.option("--site", options->site, "the site, e.g. example.com or http://localhost:8080")
      .required()
      .value_name("SITE");
  command.option("--section", options->section, "remove only this section").value_name("NAME");
  command.flag("--dry-run", options->dry_run, "only say what would be removed");
  command.flag("--json", options->json, "print JSON");
  command.footer(
      "Example: sheaf drop --store crawl --site example.com --section blog --dry-run\n"
      "Exit status: 0 removed, 1 the store is damaged, 2 the store does not have it or could not be used, or "
      "another process writes to it.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
