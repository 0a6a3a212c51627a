#include "sheaf/base/byte_source.h"
#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/options/key_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/format/collections/validator.h"
#include "sheaf/trust/signed_collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::cli {
namespace {

using format::Code;
using format::Finding;
using format::ValidationReport;

struct ValidateCommandOptions {
  std::vector<std::string> files;
  format::ValidateOptions validate;
  bool json = false;
  bool strict = false;
  bool allow_headerless = false;
  std::string key;
  std::optional<trust::PublicKey> public_key;  ///< --key, parsed
};

constexpr std::size_t kExamplesShown = 3;  // findings shown per code

bool passes(const ValidationReport& report, const ValidateCommandOptions& options) {
  return options.strict ? report.is_strictly_valid() : report.is_valid();
}

double ratio_of(const format::ReaderStatistics& statistics) {
  return statistics.compressed_bytes == 0
             ? 0
             : static_cast<double>(statistics.plain_bytes) / static_cast<double>(statistics.compressed_bytes);
}

/// The result of verifying a file's signature; nullopt without --key.
using SignatureVerdict = std::optional<base::Result<trust::CollectionStatement>>;

base::Result<trust::CollectionStatement> verify_signature(const std::string& file,
                                                          const ValidateCommandOptions& options) {
  const std::string name = file + std::string(trust::kSignatureEnding);
  SHEAF_TRY_ASSIGN(const auto source, base::open_source(name));
  SHEAF_TRY_ASSIGN(const std::string text, base::read_up_to(*source, trust::kSignatureBytes));
  SHEAF_TRY_ASSIGN(const auto opened, trust::open_signature(text, *options.public_key));
  SHEAF_TRY(trust::verify_collection(opened, file, *options.public_key, options.validate.limits));
  return opened.statement;
}

bool passes(const ValidationReport& report, const SignatureVerdict& signature,
            const ValidateCommandOptions& options) {
  return passes(report, options) && (!signature || signature->has_value());
}

void write_signature(JsonOutput& out, const SignatureVerdict& signature) {
  if (!signature) return;
  out.begin_object("signature").boolean("valid", signature->has_value());
  signature->has_value() ? out.string("statement", trust::to_string(**signature))
                         : out.string("problem", signature->error().message);
  out.end_object();
}

void print_json(const ValidationReport& report, const SignatureVerdict& signature,
                const ValidateCommandOptions& options) {
  JsonOutput out;
  out.begin_report().string("file", report.file).boolean("valid", passes(report, signature, options));
  write_signature(out, signature);
  if (report.fatal) {
    write_finding(out, "fatal", *report.fatal);
  } else {
    out.null("fatal");
  }
  write_head(out, report.head ? &*report.head : nullptr);
  out.number("pages", report.pages)
      .number("skipped", report.statistics.skipped)
      .string("checksum", format::to_string(report.checksum))
      .string("codec", format::to_string(report.statistics.codec))
      .number("compressedBytes", report.statistics.compressed_bytes)
      .number("plainBytes", report.statistics.plain_bytes);
  out.begin_object("counts");
  for (std::size_t i = 0; i < report.counts.size(); ++i)
    if (report.counts[i] > 0) out.number(format::to_string(static_cast<Code>(i)), report.counts[i]);
  out.end_object().begin_array("findings");
  for (const Finding& finding : report.findings) write_finding(out, {}, finding);
  out.end_array().end_object();
  print_json_line(out.text());
}

std::string place(const Finding& finding) {
  std::string text;
  if (finding.line > 0) text += fmt::format("line {}", finding.line);
  if (!finding.url.empty())
    text += fmt::format("{}{}", text.empty() ? "" : ", ", printable(finding.url, Lines::join));
  return text.empty() ? text : " (" + text + ")";
}

void print_findings(const ValidationReport& report) {
  for (std::size_t i = 0; i < report.counts.size(); ++i) {
    if (report.counts[i] == 0) continue;
    const auto code = static_cast<Code>(i);
    const bool mild = format::level_of(code) == format::Level::warning || code == Code::noindex;
    print_text("  {} {} x {}\n", mild ? "-" : coloured(Colour::yellow, "!"), human_count(report.counts[i]),
               coloured(Colour::bold, format::to_string(code)));
    std::size_t shown = 0;
    for (const Finding& finding : report.findings) {
      if (finding.code != code || shown++ == kExamplesShown) continue;
      if (shown > kExamplesShown) break;
      print_text("      {}{}\n", printable(finding.message, Lines::join), place(finding));
    }
    if (report.counts[i] > kExamplesShown)
      print_text("      ... and {} more\n", human_count(report.counts[i] - kExamplesShown));
  }
}

void print_signature(const SignatureVerdict& signature) {
  if (!signature) return;
  if (*signature)
    print_text("  signature valid: {}\n", printable(trust::to_string(**signature), Lines::join));
  else
    print_text("  {} the signature is not valid: {}\n", coloured(Colour::red, "x"),
               printable(signature->error().message, Lines::join));
}

void print_report(const ValidationReport& report, const SignatureVerdict& signature,
                  const ValidateCommandOptions& options) {
  const auto& statistics = report.statistics;
  if (report.is_unreadable()) return print_message(report.fatal->message);
  const bool good = passes(report, signature, options);
  print_text("{}: {}\n", printable(report.file, Lines::join),
             good ? coloured(Colour::green, "valid") : coloured(Colour::red, "INVALID"));
  if (report.fatal)
    print_text("  {} {}: {}{}\n", coloured(Colour::red, "x"),
               coloured(Colour::bold, format::to_string(report.fatal->code)),
               printable(report.fatal->message, Lines::join), place(*report.fatal));
  if (report.head)
    print_text("  {} {} of section {}, generated {}{}\n", printable(report.head->id, Lines::join),
               model::to_string(report.head->type), printable(report.head->section, Lines::join),
               printable(report.head->generated, Lines::join),
               report.head->since ? ", changes since " + printable(*report.head->since, Lines::join) : "");
  if (!report.fatal) {
    print_text("  {}, {} skipped; checksum {}\n", counted(report.pages, "page", "pages"),
               human_count(statistics.skipped), format::to_string(report.checksum));
    print_text("  {}: {}, {} uncompressed, ratio {:.1f}:1\n", format::to_string(statistics.codec),
               human_size(statistics.compressed_bytes), human_size(statistics.plain_bytes),
               ratio_of(statistics));
  }
  print_signature(signature);
  print_findings(report);
  if (!good && !report.fatal && !passes(report, options))
    print_text("  --strict: every finding above counts\n");
}

ExitStatus validate_one(const std::string& file, const ValidateCommandOptions& options) {
  ValidationReport report;
  auto source = base::open_source(file);
  if (source) {
    Progress progress(file, (*source)->size());
    format::ValidateOptions validate_options = options.validate;
    validate_options.head =
        options.allow_headerless ? format::HeadRule::optional : format::HeadRule::required;
    validate_options.progress = [&](std::uint64_t bytes, std::uint64_t pages) {
      progress.update(bytes, pages);
    };
    report = format::validate(std::move(*source), validate_options);
  } else {
    report.file = file;
    report.fatal = Finding{Code::read_failed, 0, 0, {}, source.error().message};
  }
  SignatureVerdict signature;
  if (options.public_key && !report.is_unreadable()) signature = verify_signature(file, options);
  options.json ? print_json(report, signature, options) : print_report(report, signature, options);
  if (report.is_unreadable()) return ExitStatus::unknown;
  return passes(report, signature, options) ? ExitStatus::yes : ExitStatus::no;
}

/// Reads --key. Fails for standard input, because there is no signature file next to it.
base::Result<void> read_key(ValidateCommandOptions& options) {
  if (options.key.empty()) return {};
  if (std::ranges::find(options.files, "-") != options.files.end())
    return base::fail(
        base::Errc::invalid_argument,
        "--key needs files: the signature of FILE is FILE.minisig, and standard input has none");
  SHEAF_TRY_ASSIGN(options.public_key, read_public_key_option(options.key));
  return {};
}

ExitStatus run(ValidateCommandOptions& options) {
  if (const auto once = check_standard_input(options.files); !once) return report_failure(once.error());
  if (const auto read = read_key(options); !read) return report_failure(read.error());
  ExitStatus worst = ExitStatus::yes;
  for (const std::string& file : options.files) worst = std::max(worst, validate_one(file, options));
  return worst;
}

}  // namespace

void add_validate(const Command& program, Job& job) {
  auto options = std::make_shared<ValidateCommandOptions>();
  const Command command = program.subcommand("validate", "Check collections against SCP 0.1");
  command.option("FILE", options->files, "collection files; - is standard input").required();
  command
      .option("--key", options->key,
              "also verify the signature of each file, FILE.minisig, with this public key or key file")
      .value_name("KEY");
  command.flag("--json", options->json, "print one JSON object per file, one per line");
  command.flag("--strict", options->strict, "warnings, dropped blocks and skipped pages make a file invalid");
  add_thread_option(command, options->validate.threads,
                    "threads to use: 1, 2 (one decompresses and hashes) or 3 (one for each stage)");
  command.flag("--allow-headerless", options->allow_headerless,
               "read files without a metadata line (draft 1)");
  command
      .option("--findings", options->validate.findings_per_code,
              "maximum number of findings per code in --json")
      .not_negative()
      .show_default();
  add_limit_options(command, options->validate.limits);
  command.footer(
      "Example: sheaf validate --strict blog-snapshot.scp.zst\n"
      "Exit status: 0 valid, 1 invalid, 2 could not be read.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
