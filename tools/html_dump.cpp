// Prints the tree of an HTML file (UTF-8) in the form of the html5lib tests. Usage: html_dump [--script]
// FILE...
#include "sheaf/html/parser.h"
#include "sheaf/html/tree_dump.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

int main(int argc, char** argv) {
  sheaf::html::ParseOptions options;
  sheaf::html::Document document;
  for (int i = 1; i < argc; ++i) {
    const std::string path = argv[i];
    if (path == "--script") {
      options.scripting = sheaf::html::Scripting::on;
      continue;
    }
    std::ifstream in(path, std::ios::binary);
    if (!in) {
      std::fprintf(stderr, "html_dump: cannot open %s\n", path.c_str());
      return 2;
    }
    const std::string page((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    sheaf::html::parse(page, options, document);
    const std::string tree = dump_tree(document);
    std::fwrite(tree.data(), 1, tree.size(), stdout);
  }
  return 0;
}
