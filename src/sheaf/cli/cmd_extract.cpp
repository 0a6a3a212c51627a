#include "sheaf/base/byte_source.h"
#include "sheaf/cli/commands.h"
#include "sheaf/cli/output_files.h"
#include "sheaf/cli/page_file.h"
#include "sheaf/cli/page_text.h"
#include "sheaf/cli/terminal.h"
#include "sheaf/format/page_encoder.h"
#include "sheaf/html/extract.h"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace sheaf::cli {
namespace {

struct Options {
  std::string file;
  std::string url;
  std::string content_type;
};

ExitStatus run(const Options& options) {
  html::ExtractOptions extract_options;
  extract_options.url = options.url;
  extract_options.content_type = options.content_type;
  extract_options.fallback_modified = base::now();
  const auto bytes = read_page_file(options.file, extract_options.limits.input_bytes);
  if (!bytes) return report_failure(bytes.error());
  html::Extractor extractor;
  const html::Extraction& extraction = extractor.extract(*bytes, extract_options);
  std::string line;
  format::encode_page(extraction.page, line);
  fmt::print("{}\n", line);
  return ExitStatus::yes;
}

}  // namespace

void add_extract(CLI::App& app, Job& job) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("extract", "Turn an HTML page into a page of a collection");
  command->add_option("FILE", options->file, "an HTML page; - is standard input")->required();
  command->add_option("--url", options->url, "the page's address");
  command->add_option("--content-type", options->content_type, "the Content-Type it came with");
  command->callback([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
