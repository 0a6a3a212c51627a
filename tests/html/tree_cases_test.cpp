#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"
#include "sheaf/html/serialize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::html {
namespace {

namespace fs = std::filesystem;

// One case of a tree-construction .dat file, the format of the html5lib suite.
struct TreeCase {
  std::string place;  // file:line
  std::string data;
  std::string context;  // empty: a whole document; else `div`, `svg desc`, `math mi`
  bool script_on = true;
  bool script_off = true;
  std::string tree;
};

std::vector<TreeCase> read_cases(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << file;
  std::vector<TreeCase> cases;
  std::string section;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (line == "#data" && section != "#data") {
      cases.push_back({.place = file.filename().string() + ':' + std::to_string(number),
                       .data = {},
                       .context = {},
                       .tree = {}});
      section = line;
      continue;
    }
    if (cases.empty()) continue;
    TreeCase& current = cases.back();
    const bool in_data = section == "#data";
    if (line == "#errors" ||
        (!in_data && (line == "#new-errors" || line == "#document-fragment" || line == "#document"))) {
      section = line;
    } else if (!in_data && line == "#script-on") {
      current.script_off = false;
    } else if (!in_data && line == "#script-off") {
      current.script_on = false;
    } else if (in_data) {
      current.data += line + '\n';
    } else if (section == "#document-fragment") {
      current.context = line;
    } else if (section == "#document") {
      current.tree += line + '\n';
    }
  }
  for (TreeCase& test : cases) {
    if (!test.data.empty()) test.data.pop_back();
    while (test.tree.ends_with("\n\n")) test.tree.pop_back();  // the blank line between cases
    if (test.tree == "\n") test.tree.clear();
  }
  return cases;
}

std::string run(const TreeCase& test, Scripting scripting, Document& document) {
  ParseOptions options{.scripting = scripting, .fragment = {}, .limits = {}};
  if (!test.context.empty()) {
    std::string_view name = test.context;
    Namespace ns = Namespace::html;
    if (name.starts_with("svg ")) ns = Namespace::svg;
    if (name.starts_with("math ")) ns = Namespace::mathml;
    if (ns != Namespace::html) name.remove_prefix(name.find(' ') + 1);
    options.fragment = FragmentContext{.name = name, .ns = ns};
  }
  parse(test.data, options, document);
  return dump_tree(document);
}

// Runs every case of every file in its scripting modes. Returns the number of cases.
std::size_t run_folder(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".dat") files.push_back(entry.path());
  std::ranges::sort(files);
  std::size_t count = 0;
  Document document;  // one for all: also checks that nothing of a page stays behind
  for (const fs::path& file : files) {
    for (const TreeCase& test : read_cases(file)) {
      ++count;
      for (const Scripting scripting : {Scripting::off, Scripting::on}) {
        if (scripting == Scripting::on ? !test.script_on : !test.script_off) continue;
        EXPECT_EQ(run(test, scripting, document), test.tree)
            << test.place << (scripting == Scripting::on ? " scripting on\n" : " scripting off\n")
            << test.data;
      }
    }
  }
  return count;
}

// tree-construction/scripted has the cases whose script runs while parsing. They are skipped: we do not run
// scripts.
TEST(SpecTreeConstruction, Html5lib) {
  const fs::path folder = fs::path(SHEAF_SHARED_DIR) / "html5lib" / "tree-construction";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "no html5lib test data at " << folder;
  const std::size_t count = run_folder(folder);
  std::size_t scripted = 0;
  for (const auto& entry : fs::directory_iterator(folder / "scripted"))
    scripted += read_cases(entry.path()).size();
  RecordProperty("cases", static_cast<int>(count));
  std::printf("%zu cases; %zu scripted ones left out\n", count, scripted);
  EXPECT_GE(count, 1792U);
}

TEST(SpecTreeConstruction, OwnCases) {
  const std::size_t count = run_folder(fs::path(SHEAF_SOURCE_DIR) / "tests" / "data" / "html");
  std::printf("%zu cases\n", count);
  EXPECT_GE(count, 400U);
}

}  // namespace
}  // namespace sheaf::html
