#include "sheaf/cli/cmd_html.h"

#include "sheaf/html/parser.h"
#include "sheaf/html/query.h"
#include "sheaf/html/selector.h"
#include "sheaf/html/tree_dump.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

namespace sheaf::cli {
namespace {

std::string read_all(std::istream& in) {
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

int print_matches(const html::Document& document, const std::string& text) {
  const auto selector = html::Selector::compile(text);
  if (!selector) {
    std::fprintf(stderr, "sheaf: %s\n", selector.error().message.c_str());
    return 2;
  }
  const auto found = selector->all(document, document.root());
  for (const html::NodeId node : found)
    std::printf("%u <%s>\n", document.source_offset(node), std::string(document.name_text(node)).c_str());
  return found.empty() ? 1 : 0;
}

// Which limits came to bear goes to the terminal, not into the tree.
void report_limits(const html::LimitsHit& hit) {
  const auto report = [](bool is_hit, const char* what) {
    if (is_hit) std::fprintf(stderr, "sheaf: %s\n", what);
  };
  report(hit.input_bytes, "the page is longer than the limit and was cut");
  report(hit.depth, "elements nest deeper than the limit; deeper ones are attached flat");
  report(hit.nodes, "the page has more nodes than the limit and ends there");
  report(hit.attributes, "an element has more attributes than the limit; further ones were dropped");
  report(hit.formatting, "more formatting elements are open than the limit; the oldest were closed");
  report(hit.names, "the page has more different names than fit; further ones were ignored");
}

}  // namespace

int run_html(const HtmlOptions& options) {
  std::string page;
  if (options.file == "-") {
    page = read_all(std::cin);
  } else {
    std::ifstream in(options.file, std::ios::binary);
    if (in) page = read_all(in);
    if (!in) {
      std::fprintf(stderr, "sheaf: cannot read %s\n", options.file.c_str());
      return 2;
    }
  }
  html::ParseOptions parse_options;
  parse_options.scripting = options.scripting ? html::Scripting::on : html::Scripting::off;
  html::Document document;
  report_limits(html::parse(page, parse_options, document).limits);
  if (!options.selector.empty()) return print_matches(document, options.selector);
  const std::string tree = dump_tree(document);
  return std::fwrite(tree.data(), 1, tree.size(), stdout) == tree.size() ? 0 : 2;
}

}  // namespace sheaf::cli
