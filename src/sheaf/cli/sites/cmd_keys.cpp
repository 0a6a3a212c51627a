#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/options/key_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/trust/key_history.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sheaf::cli {
namespace {

using base::Errc;

struct KeysOptions {
  std::string action;
  std::string file;
  std::string out;
  bool no_passphrase = false;
  bool json = false;
};

base::Result<void> check_arguments(const KeysOptions& options) {
  const bool makes_key = options.action == "create" || options.action == "rotate";
  if (makes_key == options.out.empty())
    return base::fail(Errc::invalid_argument,
                      makes_key
                          ? fmt::format("keys {} needs --out, the file of the new secret key", options.action)
                          : fmt::format("keys {} writes no key: leave out --out", options.action));
  if ((options.action == "create") != options.file.empty())
    return base::fail(Errc::invalid_argument,
                      options.file.empty() ? fmt::format("keys {} needs the file of a key", options.action)
                                           : "keys create takes no key file; name the new one with --out");
  return {};
}

void print_key(const trust::PublicKey& key, const std::vector<trust::KeyStatement>& history,
               const KeysOptions& options) {
  if (options.json) {
    JsonOutput out;
    out.begin_report()
        .string("keyNumber", trust::to_string(key.number))
        .string("publicKey", trust::to_string(key));
    out.begin_array("history");
    for (const trust::KeyStatement& statement : history) {
      out.begin_object()
          .string("event", statement.event == trust::KeyEvent::rotation ? "rotation" : "revocation")
          .string("key", trust::to_string(statement.key))
          .string("at", format_time(statement.at));
      if (statement.successor) out.string("successor", trust::to_string(*statement.successor));
      out.boolean("valid", trust::verify(statement).has_value()).end_object();
    }
    out.end_array().end_object();
    return print_json_line(out.text());
  }
  print_text("key {}\n  public key: {}\n", trust::to_string(key.number), trust::to_string(key));
  for (const trust::KeyStatement& statement : history) {
    const std::string number = trust::to_string(statement.key.number);
    const std::string what = statement.successor ? fmt::format("key {} was replaced by key {}", number,
                                                               trust::to_string(statement.successor->number))
                                                 : fmt::format("key {} was revoked", number);
    print_text("  {}: {}{}\n", format_time(statement.at), what,
               trust::verify(statement) ? "" : " (forged: that key did not sign it)");
  }
}

base::Result<trust::SecretKey> make_key(const KeysOptions& options) {
  std::string passphrase;
  if (!options.no_passphrase) {
    SHEAF_TRY_ASSIGN(passphrase, read_new_passphrase());
  }
  trust::SecretKey key = trust::SecretKey::generate();
  SHEAF_TRY(trust::create_key_files(options.out, key, passphrase));
  if (!options.json)
    print_text("wrote {}, the secret key, and {}\n", printable(options.out, Lines::join),
               printable(trust::public_key_path(options.out).string(), Lines::join));
  return key;
}

base::Result<void> create(const KeysOptions& options) {
  SHEAF_TRY_ASSIGN(const trust::SecretKey key, make_key(options));
  print_key(key.public_key(), {}, options);
  return {};
}

/// Shows a public or a secret key file. If KEY.pub exists next to a secret key, it is shown instead, so that
/// the secret key need not be decrypted.
base::Result<void> show(const KeysOptions& options) {
  std::filesystem::path file = options.file;
  std::error_code error;
  if (std::filesystem::exists(trust::public_key_path(file), error)) file = trust::public_key_path(file);
  auto key = trust::load_public_key(file);
  if (!key) {
    SHEAF_TRY_ASSIGN(const trust::SecretKey secret, trust::load_secret_key(file, passphrase_source()));
    key = secret.public_key();
  }
  SHEAF_TRY_ASSIGN(const auto history, trust::load_history(file));
  print_key(*key, history, options);
  return {};
}

/// The history is also saved with the new key, so that publishing needs only the new key's files.
base::Result<void> rotate(const KeysOptions& options) {
  SHEAF_TRY_ASSIGN(const trust::SecretKey old_key, trust::load_secret_key(options.file, passphrase_source()));
  SHEAF_TRY_ASSIGN(auto history, trust::load_history(options.file));
  SHEAF_TRY_ASSIGN(const trust::KeyPath path, trust::follow_history(old_key.public_key(), history));
  if (path.revoked || path.rotations > 0)
    return base::fail(
        Errc::refused,
        fmt::format("key {} was {} already ({})", trust::to_string(old_key.public_key().number),
                    path.revoked ? "revoked" : "replaced", trust::history_path(options.file).string()));
  SHEAF_TRY_ASSIGN(const trust::SecretKey new_key, make_key(options));
  history.push_back(trust::make_rotation(old_key, new_key.public_key(), now()));
  SHEAF_TRY(trust::save_history(options.out, history));
  SHEAF_TRY(trust::save_history(options.file, history));
  print_key(new_key.public_key(), history, options);
  return {};
}

base::Result<void> revoke(const KeysOptions& options) {
  SHEAF_TRY_ASSIGN(const trust::SecretKey key, trust::load_secret_key(options.file, passphrase_source()));
  SHEAF_TRY_ASSIGN(auto history, trust::load_history(options.file));
  history.push_back(trust::make_revocation(key, now()));
  SHEAF_TRY(trust::save_history(options.file, history));
  print_key(key.public_key(), history, options);
  return {};
}

ExitStatus run(const KeysOptions& options) {
  auto done = check_arguments(options);
  if (done && options.action == "create") done = create(options);
  if (done && options.action == "show") done = show(options);
  if (done && options.action == "rotate") done = rotate(options);
  if (done && options.action == "revoke") done = revoke(options);
  return done ? ExitStatus::yes : report_failure(done.error());
}

}  // namespace

void add_keys(const Command& program, Job& job) {
  auto options = std::make_shared<KeysOptions>();
  const Command command =
      program.subcommand("keys", "Create, show, replace and revoke the keys that sign collections");
  command.option("ACTION", options->action, "create, show, rotate (a new key, signed by KEY) or revoke")
      .one_of({"create", "show", "rotate", "revoke"})
      .required();
  command.option("KEY", options->file, "a key file; not for create");
  command.option("--out", options->out, "file of the new secret key; its public key goes to FILE.pub")
      .value_name("FILE");
  command.flag("--no-passphrase", options->no_passphrase,
               "do not protect the new key with a passphrase; anyone who can read its file can sign");
  command.flag("--json", options->json, "print JSON");
  command.footer(
      "Example: sheaf keys create --out site.key\n"
      "         sheaf keys show site.key\n"
      "         sheaf keys rotate site.key --out site2.key\n"
      "         sheaf keys revoke site.key\n"
      "The keys are those of minisign. A passphrase is taken from SHEAF_KEY_PASSPHRASE if it is set, "
      "otherwise it is asked for on the terminal.\n"
      "Exit status: 0 done, 1 refused, 2 something failed.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
