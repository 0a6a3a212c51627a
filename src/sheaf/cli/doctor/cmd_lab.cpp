#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/doctor/lab_run.h"

#include <memory>

namespace sheaf::cli {

void add_lab(const Command& program, Job& job) {
  auto options = std::make_shared<LabOptions>();
  const Command command = program.subcommand("lab", "Serve sites with one fault each, to test a crawler");
  command.option("NAME", options->names, "names of deployments, as printed by --list; default: all");
  command
      .option("--port", options->port,
              "port of the first deployment, the others get the next ones; default: free ports")
      .value_name("NUMBER")
      .within(1U, 65'000U);
  command
      .option("--run", options->run,
              "run this shell command once for each deployment, with {url} replaced by its URL, and exit")
      .value_name("COMMAND");
  command
      .option("--vectors", options->vectors,
              "serve the conformance vectors in this folder instead, each with its verdict")
      .value_name("DIR");
  command.flag("--list", options->list, "print the deployments and what a client should do, and exit");
  command.flag("--json", options->json, "print one JSON object per deployment, one per line");
  command.footer(
      "Example: sheaf lab --run 'sheaf pull {url} --store copy --allow-private --delay 0'\n"
      "Without --run, the lab serves until Ctrl-C and then reports on the requests that it got.\n"
      "Exit status: 0 the client behaved everywhere, 1 it did not, 2 could not serve.");
  command.on_call([options, &job] { job = [options] { return run_lab(*options); }; });
}

}  // namespace sheaf::cli
