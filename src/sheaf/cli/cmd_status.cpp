#include "sheaf/cli/commands.h"
#include "sheaf/cli/json_output.h"
#include "sheaf/cli/output_files.h"
#include "sheaf/cli/store_options.h"
#include "sheaf/cli/terminal.h"
#include "sheaf/format/state_digest.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

namespace sheaf::cli {
namespace {

using base::Result;
using store::SectionState;

struct Options {
  std::string store;
  std::string site;
  bool json = false;
};

struct Status {
  std::vector<SectionState> sections;
  std::uint64_t last_sequence = 0;
  std::uint64_t disk_bytes = 0;
};

Result<Status> read_status(const Options& options) {
  SHEAF_TRY_ASSIGN(const std::string site, parse_site(options.site));
  SHEAF_TRY_ASSIGN(const auto store, open_store(options.store, store::Access::read));
  Status status;
  SHEAF_TRY_ASSIGN(status.sections, store.sections(site));
  SHEAF_TRY_ASSIGN(status.last_sequence, store.last_sequence());
  SHEAF_TRY_ASSIGN(status.disk_bytes, store.disk_bytes());
  return status;
}

std::string_view proof(const SectionState& section) {
  if (!section.proven) return "not stated";
  return *section.proven ? "proven" : "differs from what is stated";
}

void print(const Status& status) {
  std::string site;
  std::uint64_t pages = 0;
  for (const SectionState& section : status.sections) {
    if (section.site != site)
      fmt::print("{}\n", coloured(Colour::bold, printable(section.site, Lines::join)));
    site = section.site;
    pages += section.pages;
    fmt::print("  {:<16} {}, {}, from {}, as of {}, state {}\n", printable(section.section, Lines::join),
               counted(section.pages, "page", "pages"), human_size(section.bytes), to_string(section.origin),
               base::format_time(section.generated), proof(section));
  }
  fmt::print("{} in {}; {} on disk; newest change {}\n", counted(pages, "page", "pages"),
             counted(status.sections.size(), "section", "sections"), human_size(status.disk_bytes),
             status.last_sequence);
}

void write_section(JsonOutput& out, const SectionState& section) {
  format::StateDigest state;
  state.add(section.state);
  out.begin_object()
      .string("site", section.site)
      .string("section", section.section)
      .string("origin", to_string(section.origin))
      .string("generated", base::format_time(section.generated));
  if (section.snapshot) {
    out.string("snapshot", base::format_time(*section.snapshot));
  } else {
    out.null("snapshot");
  }
  out.number("pages", section.pages).number("bytes", section.bytes).string("state", state.to_string());
  if (section.proven) {
    out.boolean("proven", *section.proven);
  } else {
    out.null("proven");
  }
  out.string("changedAt", base::format_time(section.changed_at)).end_object();
}

void print_json(const Status& status) {
  JsonOutput out;
  out.begin_object().begin_array("sections");
  for (const SectionState& section : status.sections) write_section(out, section);
  out.end_array()
      .number("lastSequence", status.last_sequence)
      .number("diskBytes", status.disk_bytes)
      .end_object();
  fmt::print("{}\n", out.text());
}

ExitStatus run(const Options& options) {
  const auto status = read_status(options);
  if (!status) return report_failure(status.error());
  options.json ? print_json(*status) : print(*status);
  return ExitStatus::yes;
}

}  // namespace

void add_status(CLI::App& app, Job& job) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("status", "Show the sites and sections of a store");
  add_store_option(*command, options->store);
  command->add_option("--site", options->site, "only this site")->option_text("SITE");
  command->add_flag("--json", options->json, "as JSON");
  command->footer(
      "Example: sheaf status --store crawl\n"
      "Exit status: 0 shown, 1 the store is damaged, 2 it could not be read.");
  command->callback([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
