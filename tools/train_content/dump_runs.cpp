// What the content model is trained on: for each page named on standard input (one path a line) one JSON line
// with its regions and runs of text on standard output, and the features of the runs, as 32-bit floats in the
// order of the runs, in the file named by the first argument.
//
//   find pages -name '*.html' | dump_runs features.bin > runs.jsonl

#include "sheaf/base/arena.h"
#include "sheaf/format/json_text.h"
#include "sheaf/html/content_features.h"
#include "sheaf/html/encoding.h"
#include "sheaf/html/metadata.h"
#include "sheaf/html/page_outline.h"
#include "sheaf/html/parser.h"
#include "sheaf/html/query.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

using namespace sheaf;

namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fmt::print(stderr, "dump_runs: cannot read {}\n", path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The text of every run, from the text nodes that are part of it.
std::vector<std::string> run_texts(const html::Document& document, const html::PageOutline& outline) {
  std::vector<std::string> texts(outline.runs().size());
  for (const html::NodeId node : html::Descendants(document, document.root()))
    if (const std::uint32_t run = outline.run_of(node); run != html::PageOutline::kNoRun)
      texts[run] += document.text(node);
  return texts;
}

std::string describe(const html::Document& document, const html::PageOutline& outline,
                     const std::string& path) {
  std::string line = "{\"file\":";
  format::append_json_string(line, path);
  line += ",\"parents\":[";
  for (const html::Region& region : outline.regions())
    line += fmt::format("{}{}", line.back() == '[' ? "" : ",", region.parent);
  line += "],\"names\":[";
  for (const html::Region& region : outline.regions()) {
    if (line.back() != '[') line += ',';
    std::string name(document.name_text(region.node));
    for (const auto attribute : {html::Name::id, html::Name::class_})
      if (const auto value = document.attribute(region.node, attribute))
        name.append(attribute == html::Name::id ? "#" : ".").append(*value);
    format::append_json_string(line, name);
  }
  line += "],\"runs\":[";
  const auto texts = run_texts(document, outline);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) line += ',';
    line += fmt::format("{{\"region\":{},\"text\":", outline.runs()[i].region);
    format::append_json_string(line, texts[i]);
    line += '}';
  }
  return line + "]}";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: dump_runs FEATURES < LIST > RUNS\n");
    return 2;
  }
  std::ofstream features_file(argv[1], std::ios::binary);
  html::Decoder decoder;
  html::Document document;
  html::PageOutline outline;
  html::FeatureMaker maker;
  std::string buffer;
  base::Arena arena;
  for (std::string path; std::getline(std::cin, path);) {
    const std::string bytes = read_file(path);
    const html::Decoded decoded = decoder.decode(bytes, buffer, {.trust_valid_utf8 = true});
    html::parse(decoded.text, {}, document);
    arena.clear();
    outline.build(document);
    outline.declare(html::read_metadata(document, outline, {}, arena).declared_text.value_or(""));
    maker.begin(outline);
    for (std::uint32_t run = 0; run < outline.runs().size(); ++run) {
      const html::Features& features = maker.make(run);
      features_file.write(reinterpret_cast<const char*>(features.data()), sizeof features);
    }
    fmt::print("{}\n", describe(document, outline, path));
  }
  return features_file.good() ? 0 : 1;
}
