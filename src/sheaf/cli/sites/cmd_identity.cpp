#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/http/signature/web_bot_auth.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

namespace sheaf::cli {
namespace {

using http::signature::BotIdentityFiles;

struct IdentityOptions {
  std::string action;
  std::string folder;
  std::string agent;
  unsigned days = 0;
  bool json = false;
};

base::Result<BotIdentityFiles> make_identity(const IdentityOptions& options) {
  const auto agent = base::Url::parse(options.agent);
  if (!agent || agent->path() != "/" || agent->has_query())
    return base::fail(
        base::Errc::invalid_argument,
        "identity create needs --agent, the site that says who you are, as https://crawler.example");
  return BotIdentityFiles::create(options.folder, *agent, sheaf::now().seconds, options.days);
}

base::Result<void> run_action(const IdentityOptions& options) {
  const bool creates = options.action == "create";
  if (!creates && !options.agent.empty())
    return base::fail(base::Errc::invalid_argument, "--agent is for identity create");
  SHEAF_TRY_ASSIGN(
      const BotIdentityFiles identity,
      creates ? make_identity(options) : BotIdentityFiles::load(options.folder, sheaf::now().seconds));
  const std::string url = identity.agent() + std::string(http::signature::kDirectoryPath);
  if (options.json) {
    JsonOutput out;
    out.begin_report()
        .string("agent", identity.agent())
        .string("keyId", identity.key_id())
        .string("directory", url)
        .end_object();
    print_json_line(out.text());
    return {};
  }
  print_text("agent {}\n  key {}\n", printable(identity.agent(), Lines::join), identity.key_id());
  print_text("  publish {} at {}\n",
             printable((std::filesystem::path(options.folder) / "directory.json").string(), Lines::join),
             printable(url, Lines::join));
  return {};
}

ExitStatus run(const IdentityOptions& options) {
  const auto done = run_action(options);
  return done ? ExitStatus::yes : report_failure(done.error());
}

}  // namespace

void add_identity(const Command& program, Job& job) {
  auto options = std::make_shared<IdentityOptions>();
  const Command command =
      program.subcommand("identity", "Create or show the identity with which a crawler signs its requests");
  command.option("ACTION", options->action, "create or show").one_of({"create", "show"}).required();
  command.option("DIR", options->folder, "folder of the identity").required();
  command
      .option("--agent", options->agent, "for create: the site of the crawler, which serves its public key")
      .value_name("URL");
  command.option("--days", options->days, "for create: days until the key expires; default: never")
      .within(1U, 3650U);
  command.flag("--json", options->json, "print JSON");
  command.footer(
      "Example: sheaf identity create me --agent https://crawler.example\n"
      "         sheaf pull https://example.com --store copy --identity me\n"
      "         sheaf serve public --identity me\n"
      "Exit status: 0 done, 1 refused, 2 something failed.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
