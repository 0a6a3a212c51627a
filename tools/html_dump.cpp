// Prints the tree of HTML files (UTF-8) in the form of the html5lib tests.
//
//   html_dump [--script] FILE...
//   html_dump --serve      reads "SIZE SCRIPTING CONTEXT\n" and SIZE bytes of page, again and again, and
//   answers each
//                          with "SIZE\n" and the tree. SCRIPTING is 0 or 1, CONTEXT `-` or, of a fragment,
//                          `div`, `svg desc`. tools/compare_parse5 talks to it.
#include "sheaf/html/parser.h"
#include "sheaf/html/serialize.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

namespace {

using namespace sheaf::html;

int serve() {
  std::ios::sync_with_stdio(false);
  Document document;
  std::string line;
  std::string page;
  while (std::getline(std::cin, line)) {
    std::istringstream request(line);
    std::size_t size = 0;
    int scripting = 0;
    std::string first;
    std::string second;
    request >> size >> scripting >> first >> second;
    page.resize(size);
    std::cin.read(page.data(), static_cast<std::streamsize>(size));
    ParseOptions options;
    options.scripting = scripting != 0 ? Scripting::on : Scripting::off;
    if (!second.empty()) {
      options.fragment = {.name = second, .ns = first == "svg" ? Namespace::svg : Namespace::mathml};
    } else if (first != "-") {
      options.fragment = {.name = first};
    }
    parse(page, options, document);
    const std::string tree = dump_tree(document);
    std::cout << tree.size() << '\n' << tree << std::flush;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  ParseOptions options;
  Document document;
  for (int i = 1; i < argc; ++i) {
    const std::string path = argv[i];
    if (path == "--serve") return serve();
    if (path == "--script") {
      options.scripting = Scripting::on;
      continue;
    }
    std::ifstream in(path, std::ios::binary);
    if (!in) {
      std::fprintf(stderr, "html_dump: cannot open %s\n", path.c_str());
      return 2;
    }
    const std::string page((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    parse(page, options, document);
    const std::string tree = dump_tree(document);
    std::fwrite(tree.data(), 1, tree.size(), stdout);
  }
  return 0;
}
