#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/options/page_file.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/page_text.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/encoding/encoding.h"
#include "sheaf/html/parser.h"
#include "sheaf/html/selector.h"
#include "sheaf/html/serialize.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>

namespace sheaf::cli {
namespace {

struct HtmlOptions {
  std::string file;
  std::string charset;
  std::string selector;
  bool scripting = false;
};

ExitStatus print_matches(const html::Document& document, const std::string& text) {
  const auto selector = html::Selector::compile(text);
  if (!selector) {
    print_message(selector.error().message);
    return ExitStatus::unknown;
  }
  const auto found = selector->all(document, document.root());
  for (const html::NodeId node : found)
    print_text("{} <{}>\n", document.source_offset(node), printable(document.name_text(node), Lines::join));
  return found.empty() ? ExitStatus::no : ExitStatus::yes;
}

ExitStatus run(const HtmlOptions& options) {
  html::ParseOptions parse_options;
  parse_options.scripting = options.scripting ? html::Scripting::on : html::Scripting::off;
  const auto bytes = read_page_file(options.file, parse_options.limits.input_bytes);
  if (!bytes) return report_failure(bytes.error());
  encoding::Decoder decoder;
  std::string buffer;
  encoding::SniffOptions sniff;
  sniff.transport_charset = options.charset;
  const encoding::Decoded decoded = decoder.decode(*bytes, buffer, sniff);
  html::Document document;
  const html::ParseResult parsed = html::parse(decoded.text, parse_options, document);
  for (const std::string_view note : describe_limits(parsed.limits)) print_message(note);
  if (!options.selector.empty()) return print_matches(document, options.selector);
  print_text("{}", html::dump_tree(document));
  return ExitStatus::yes;
}

}  // namespace

void add_html(const Command& program, Job& job) {
  auto options = std::make_shared<HtmlOptions>();
  const Command command = program.subcommand("html", "Print the tree of an HTML page in the html5lib format");
  command.hide();  // for developers: not in the short help
  command.option("FILE", options->file, "an HTML page; - is standard input").required();
  command.option("--charset", options->charset, "charset of the Content-Type, e.g. windows-1251")
      .value_name("NAME");
  command
      .option("--select", options->selector,
              "print source offset and name of each match of a CSS selector instead")
      .value_name("CSS");
  command.flag("--scripting", options->scripting, "parse noscript elements as a browser with scripting does");
  command.footer(
      "Example: sheaf html page.html --select 'article > p.lead'\n"
      "Exit status: 0 printed, 1 nothing matches, 2 could not be read.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
