#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/pull_metrics.h"
#include "sheaf/cli/sites/pull_report.h"
#include "sheaf/cli/sites/site_list_file.h"
#include "sheaf/cli/sites/store_options.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/pull/schedule.h"
#include "sheaf/pull/site_pin.h"
#include "sheaf/pull/site_usage.h"
#include "sheaf/store/open/open_store.h"
#include "sheaf/store/shared_stores.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace sheaf::cli {
namespace {

using base::Result;
using store::SectionState;

struct StatusOptions {
  std::string store;
  std::string site;
  std::string list;
  bool json = false;
};

/// The stored schedule of a site.
struct PulledSite {
  std::string site;
  std::optional<pull::SiteSchedule> schedule;
};

struct Status {
  std::optional<std::vector<PulledSite>> sites;  ///< the sites of --list, if it is given
  std::vector<SectionState> sections;
  std::map<std::string, std::optional<pull::SitePin>> pins;       ///< by site, for all sites with sections
  std::map<std::string, pull::SiteUsage> terms;                   ///< by site, for sites that state terms
  std::optional<std::vector<store::shared::WorkerInfo>> workers;  ///< only for a shared store
  store::FeedCursor newest;
  std::uint64_t disk_bytes = 0;
};

Result<void> read_terms(const store::PageStore& store, const std::string& site, Status& status) {
  if (status.terms.contains(site)) return {};
  SHEAF_TRY_ASSIGN(auto terms, pull::read_usage_note(store, site));
  if (!terms.empty()) status.terms[site] = std::move(terms);
  return {};
}

Result<Status> read_status(const StatusOptions& options) {
  SHEAF_TRY_ASSIGN(const std::string site, parse_site(options.site));
  SHEAF_TRY_ASSIGN(const auto opened, open_existing_store(options.store, StoreAccess::read));
  const store::PageStore& store = *opened;
  Status status;
  SHEAF_TRY_ASSIGN(status.sections, store.sections(site));
  for (const SectionState& section : status.sections)
    if (!status.pins.contains(section.site)) {
      SHEAF_TRY_ASSIGN(status.pins[section.site], pull::read_site_pin(store, section.site));
      SHEAF_TRY(read_terms(store, section.site, status));
    }
  if (!site.empty()) SHEAF_TRY(read_terms(store, site, status));
  SHEAF_TRY_ASSIGN(status.newest, store.newest_change());
  SHEAF_TRY_ASSIGN(status.disk_bytes, store.disk_bytes());
  if (store::is_shared_location(options.store)) {
    SHEAF_TRY_ASSIGN(const auto* const stores, store::shared::shared_stores());
    SHEAF_TRY_ASSIGN(status.workers, stores->workers(options.store));
  }
  if (options.list.empty()) return status;
  SHEAF_TRY_ASSIGN(const auto sites, read_site_list(options.list));
  status.sites.emplace();
  for (const base::Url& url : sites) {
    SHEAF_TRY_ASSIGN(auto schedule, store::read_schedule(store, url.origin()));
    status.sites->push_back({url.origin(), std::move(schedule)});
    SHEAF_TRY(read_terms(store, url.origin(), status));
  }
  return status;
}

/// Names the sites with problems and counts the others.
void print_sites(const std::vector<PulledSite>& sites) {
  std::uint64_t failing = 0;
  std::uint64_t never = 0;
  for (const PulledSite& site : sites) {
    if (!site.schedule) ++never;
    if (!site.schedule || site.schedule->failures == 0) continue;
    ++failing;
    const std::string& code = site.schedule->failure_code;
    print_text("{}\n  failed {}, last at {}, due again at {}: {}{}\n",
               coloured(Colour::bold, printable(site.site, Lines::join)),
               counted(site.schedule->failures, "time", "times"), format_time(site.schedule->last),
               format_time(site.schedule->next), printable(site.schedule->trouble, Lines::join),
               code.empty() ? "" : fmt::format(" ({})", printable(code, Lines::join)));
  }
  print_text("{}: {} pulled, {} failing, {} not pulled yet\n", counted(sites.size(), "site", "sites"),
             human_count(sites.size() - failing - never), human_count(failing), human_count(never));
}

std::string_view proof(const SectionState& section) {
  if (!section.proven) return "not stated";
  return *section.proven ? "proven" : "differs from what is stated";
}

/// Returns ", signed with key ..., pinned since ..." or the like.
std::string describe_signing(const std::optional<pull::SitePin>& pin) {
  if (!pin) return ", unsigned";
  const std::string key = trust::to_string(pin->key.number);
  if (pin->revoked) return fmt::format(", key {} was revoked at {}", key, format_time(*pin->revoked));
  return fmt::format(", signed with key {}, pinned since {} ({})", key, format_time(pin->since),
                     pull::to_string(pin->source));
}

void print_terms(const Status& status) {
  if (status.sites) return;
  for (const auto& [site, terms] : status.terms) {
    print_text("{} states what its pages may be used for:\n",
               coloured(Colour::bold, printable(site, Lines::join)));
    for (const auto* lines : {&terms.robots, &terms.headers})
      for (const std::string& line : *lines) print_text("  {}\n", printable(line, Lines::join));
  }
}

void print(const Status& status) {
  std::string site;
  std::uint64_t pages = 0;
  for (const SectionState& section : status.sections) {
    pages += section.pages;
    if (status.sites) continue;
    if (section.site != site)
      print_text("{}{}\n", coloured(Colour::bold, printable(section.site, Lines::join)),
                 describe_signing(status.pins.at(section.site)));
    site = section.site;
    print_text("  {:<16} {}, {}, from {}, as of {}, state {}\n", printable(section.section, Lines::join),
               counted(section.pages, "page", "pages"), human_size(section.bytes), to_string(section.origin),
               format_time(section.generated), proof(section));
  }
  if (status.sites) print_sites(*status.sites);
  print_terms(status);
  print_text("{} in {}; {} on disk; newest change {}\n", counted(pages, "page", "pages"),
             counted(status.sections.size(), "section", "sections"), human_size(status.disk_bytes),
             status.newest.total());
  if (status.workers) print_text("{}", describe_workers(*status.workers));
}

void write_section(JsonOutput& out, const SectionState& section) {
  format::StateDigest state;
  state.add(section.state);
  out.begin_object()
      .string("site", section.site)
      .string("section", section.section)
      .string("origin", to_string(section.origin))
      .string("generated", format_time(section.generated));
  if (section.snapshot) {
    out.string("snapshot", format_time(*section.snapshot));
  } else {
    out.null("snapshot");
  }
  out.number("pages", section.pages).number("bytes", section.bytes).string("state", state.to_string());
  if (section.proven) {
    out.boolean("proven", *section.proven);
  } else {
    out.null("proven");
  }
  out.string("changedAt", format_time(section.changed_at)).end_object();
}

void write_pin(JsonOutput& out, const std::string& site, const std::optional<pull::SitePin>& pin) {
  out.begin_object().string("site", site).boolean("signed", pin.has_value());
  if (pin) {
    out.string("key", trust::to_string(pin->key))
        .string("keyNumber", trust::to_string(pin->key.number))
        .string("pinnedSince", format_time(pin->since))
        .string("pinnedBy", pull::to_string(pin->source));
    if (pin->revoked) out.string("revoked", format_time(*pin->revoked));
  }
  out.end_object();
}

void write_terms(JsonOutput& out, const std::string& site, const pull::SiteUsage& terms) {
  out.begin_object().string("site", site).begin_array("robots");
  for (const std::string& line : terms.robots) out.element(line);
  out.end_array().begin_array("headers");
  for (const std::string& line : terms.headers) out.element(line);
  out.end_array().end_object();
}

void write_site(JsonOutput& out, const PulledSite& site) {
  out.begin_object().string("site", site.site);
  if (site.schedule) {
    out.string("lastPull", format_time(site.schedule->last))
        .string("due", format_time(site.schedule->next))
        .number("failures", site.schedule->failures);
    if (site.schedule->failures > 0 && !site.schedule->failure_code.empty())
      out.string("failureCode", site.schedule->failure_code);
    if (site.schedule->failures > 0) out.string("failure", site.schedule->trouble);
  } else {
    out.null("lastPull");
  }
  out.end_object();
}

void print_json(const Status& status) {
  JsonOutput out;
  out.begin_report().begin_array("sections");
  for (const SectionState& section : status.sections) write_section(out, section);
  out.end_array().begin_array("signing");
  for (const auto& [site, pin] : status.pins) write_pin(out, site, pin);
  out.end_array();
  if (!status.terms.empty()) {
    out.begin_array("terms");
    for (const auto& [site, terms] : status.terms) write_terms(out, site, terms);
    out.end_array();
  }
  if (status.sites) {
    out.begin_array("sites");
    for (const PulledSite& site : *status.sites) write_site(out, site);
    out.end_array();
  }
  if (status.workers) write_workers(out, *status.workers);
  out.number("lastSequence", status.newest.total()).number("diskBytes", status.disk_bytes).end_object();
  print_json_line(out.text());
}

ExitStatus run(const StatusOptions& options) {
  const auto status = read_status(options);
  if (!status) return report_failure(status.error());
  options.json ? print_json(*status) : print(*status);
  return ExitStatus::yes;
}

}  // namespace

void add_status(const Command& program, Job& job) {
  auto options = std::make_shared<StatusOptions>();
  const Command command = program.subcommand("status", "Show the sites and sections of a store");
  add_store_option(command, options->store);
  command.option("--site", options->site, "only this site").value_name("SITE");
  command
      .option("--list", options->list,
              "file with one site per line, as for pull; shows which sites fail, and when they are due")
      .value_name("FILE");
  command.flag("--json", options->json, "print JSON");
  command.footer(
      "Example: sheaf status --store crawl\n"
      "         sheaf status --store crawl --list sites.txt\n"
      "Exit status: 0 shown, 1 the store is damaged, 2 it could not be read.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
