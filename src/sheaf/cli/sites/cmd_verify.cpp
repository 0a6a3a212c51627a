#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/store_options.h"
#include "sheaf/pull/site_pin.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

namespace sheaf::cli {
namespace {

using VerifySummary = store::VerifySummary;

struct VerifyOptions {
  std::string store;
  bool signatures = false;
  unsigned threads = 1;
  bool json = false;
};

struct Verified {
  VerifySummary store;
  std::optional<pull::SignatureSummary> signatures;

  [[nodiscard]] bool has_faults() const {
    return !store.faults.empty() || (signatures && !signatures->faults.empty());
  }
};

base::Result<Verified> verify(const VerifyOptions& options) {
  SHEAF_TRY_ASSIGN(const auto opened, open_existing_store(options.store, StoreAccess::read));
  const store::PageStore& store = *opened;
  Progress progress("verify", std::nullopt);
  Verified verified;
  SHEAF_TRY_ASSIGN(verified.store, store.verify(options.threads, store_progress(progress)));
  if (options.signatures) {
    SHEAF_TRY_ASSIGN(verified.signatures, pull::verify_signatures(store));
  }
  return verified;
}

void print(const pull::SignatureSummary& signatures) {
  for (const std::string& fault : signatures.faults) print_text("{}\n", printable(fault, Lines::join));
  print_text("signatures: {} proven, {} unsigned, {}\n",
             counted(signatures.signed_sections, "section", "sections"),
             human_count(signatures.unsigned_sections),
             signatures.faults.empty()
                 ? coloured(Colour::green, "no faults")
                 : coloured(Colour::red, counted(signatures.faults.size(), "fault", "faults")));
}

void print(const VerifySummary& summary) {
  for (const std::string& fault : summary.faults) print_text("{}\n", printable(fault, Lines::join));
  print_text("{} in {}, {}: {}\n", counted(summary.pages, "page", "pages"),
             counted(summary.sections, "section", "sections"), counted(summary.changes, "change", "changes"),
             summary.faults.empty()
                 ? coloured(Colour::green, "no faults")
                 : coloured(Colour::red, counted(summary.faults.size(), "fault", "faults")));
  if (summary.orphans > 0)
    print_text("{} that nothing refers to; gc deletes those that stay unreferenced for a day\n",
               counted(summary.orphans, "object", "objects"));
}

void print_json(const Verified& verified) {
  const VerifySummary& summary = verified.store;
  JsonOutput out;
  out.begin_report()
      .number("sections", summary.sections)
      .number("pages", summary.pages)
      .number("changes", summary.changes)
      .number("orphans", summary.orphans)
      .begin_array("faults");
  for (const std::string& fault : summary.faults) out.element(fault);
  out.end_array();
  if (verified.signatures) {
    out.begin_object("signatures")
        .number("proven", verified.signatures->signed_sections)
        .number("unsigned", verified.signatures->unsigned_sections)
        .begin_array("faults");
    for (const std::string& fault : verified.signatures->faults) out.element(fault);
    out.end_array().end_object();
  }
  out.end_object();
  print_json_line(out.text());
}

ExitStatus run(const VerifyOptions& options) {
  const auto summary = verify(options);
  if (!summary) return report_failure(summary.error());
  if (options.json) {
    print_json(*summary);
  } else {
    print(summary->store);
    if (summary->signatures) print(*summary->signatures);
  }
  return summary->has_faults() ? ExitStatus::no : ExitStatus::yes;
}

}  // namespace

void add_verify(const Command& program, Job& job) {
  auto options = std::make_shared<VerifyOptions>();
  const Command command = program.subcommand("verify", "Read and check everything in a store");
  add_store_option(command, options->store);
  command.flag("--signatures", options->signatures,
               "also check that the state of each section is the one that its publisher signed");
  add_thread_option(command, options->threads, "threads that read and check pages");
  command.flag("--json", options->json, "print JSON");
  command.footer(
      "Example: sheaf verify --store crawl\n"
      "Exit status: 0 no faults, 1 faults were found, 2 the store could not be read.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
