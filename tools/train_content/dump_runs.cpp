// What tools/train_content/train.py asks of the program it trains. Pages are named on standard input, a line
// each: the path, and after a tab the address, if known. Numbers are 32-bit floats in the order of pages and
// runs.
//
// What is dumped is the whole page, or, if SCORES names the scores of its runs, the rest that is left when
// the inside of its flows (content_flow.h) is left out.
//
//   dump_runs runs -|SCORES FEATURES
//       One JSON line per page with its regions and runs of text on standard output; of each run its features,
//       without those of its surroundings, into the file FEATURES.
//   dump_runs words
//       How many of these features come before those that take a look at the words.
//   dump_runs context -|SCORES FORM FEATURES
//       Of each run the features of its surroundings, by the first scores in FORM.
//   dump_runs select -|SCORES REST
//       One line per page with a 1 for each run of which most is kept, a 0 for each other one, by the scores of the
//       whole pages and of their rests ("-": those of the model that is built in).

#include "sheaf/base/url.h"
#include "sheaf/encoding/encoding.h"
#include "sheaf/extract/content/content_context.h"
#include "sheaf/extract/content/content_features.h"
#include "sheaf/extract/content/content_select.h"
#include "sheaf/extract/generators/generated_page.h"
#include "sheaf/extract/metadata/metadata.h"
#include "sheaf/extract/outline/page_outline.h"
#include "sheaf/extract/outline/parse_page.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/html/dom.h"

#include <fmt/format.h>

#include <sheaf/arena.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

using namespace sheaf;

namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fmt::print(stderr, "dump_runs: cannot read {}\n", path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string describe(const html::Document& document, const extract::PageOutline& whole,
                     const extract::PageOutline& outline, const std::string& path) {
  const bool rest = &whole != &outline;
  std::string line = "{\"file\":";
  format::append_json_string(line, path);
  line += ",\"parents\":[";
  for (const extract::Region& region : outline.regions())
    line += fmt::format("{}{}", line.back() == '[' ? "" : ",", region.parent);
  line += "],\"names\":[";
  for (const extract::Region& region : outline.regions()) {
    if (line.back() != '[') line += ',';
    std::string name(document.name_text(region.node));
    for (const auto attribute : {html::Name::id, html::Name::class_})
      if (const auto value = document.attribute(region.node, attribute))
        name.append(attribute == html::Name::id ? "#" : ".").append(*value);
    format::append_json_string(line, name);
  }
  line += "],\"places\":[";  // of the runs of the whole page
  if (rest)
    for (std::uint32_t i = 0; i < whole.runs().size(); ++i)
      if (outline.reduced_run(i) != extract::PageOutline::kNoRun)
        line += fmt::format("{}{}", line.back() == '[' ? "" : ",", i);
  line += "],\"runs\":[";
  for (std::uint32_t i = 0; i < outline.runs().size(); ++i) {
    if (i > 0) line += ',';
    line += fmt::format("{{\"region\":{},\"text\":", outline.runs()[i].region);
    format::append_json_string(line, outline.runs()[i].text);
    line += '}';
  }
  return line + "]}";
}

/// A page after another of those named on standard input.
class Pages {
 public:
  bool next() {
    std::string line;
    if (!std::getline(std::cin, line)) return false;
    path_ = line.substr(0, line.find('\t'));
    const auto url = base::Url::parse(path_.size() < line.size() ? line.substr(path_.size() + 1) : "");
    bytes_ = read_file(path_);
    const encoding::Decoded decoded = decoder_.decode(bytes_, buffer_, {.trust_valid_utf8 = true});
    extract::parse_page(decoded.text, {}, closed_, document_);
    arena_.clear();
    outline_.build(document_);
    extract::MetadataOptions options;
    options.url = url ? &*url : nullptr;
    generated_ = extract::find_generated(document_);
    options.generated = &generated_;
    metadata_ = extract::read_metadata(document_, outline_, options, arena_);
    declared_ = {.headline = metadata_.headline,
                 .text = metadata_.declared_text.value_or(""),
                 .page = {.kinds = metadata_.kinds,
                          .path = url ? arena_.copy(url->path()) : std::string_view(),
                          .host = url ? arena_.copy(url->host()) : std::string_view(),
                          .site_name = metadata_.site_name.value_or(""),
                          .description = metadata_.description.value_or("")}};
    declared_text_.read(declared_.text);
    return true;
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const html::Document& document() const { return document_; }
  [[nodiscard]] const extract::PageOutline& outline() const { return outline_; }
  [[nodiscard]] const extract::DeclaredContent& declared() const { return declared_; }
  [[nodiscard]] const extract::GeneratedPage& generated() const { return generated_; }
  [[nodiscard]] extract::SelectOptions options() const {
    extract::SelectOptions options;
    options.declared = declared_;
    options.chrome = generated_.chrome;
    options.hidden = outline_.hidden();
    options.sure = generated_.sure;
    return options;
  }
  void begin(const extract::PageOutline& outline, extract::FeatureExtractor& maker) const {
    maker.begin(outline, declared_text_, declared_.page);
  }
  [[nodiscard]] std::uint32_t runs() const { return static_cast<std::uint32_t>(outline_.runs().size()); }

 private:
  encoding::Decoder decoder_;
  html::Document document_;
  extract::PageOutline outline_;
  extract::GeneratedPage generated_;
  extract::Metadata metadata_;
  extract::DeclaredContent declared_;
  extract::DeclaredText declared_text_;
  std::string path_;
  std::string bytes_;
  std::string buffer_;
  std::string closed_;
  Arena arena_;
};

/// The numbers of one page after another.
class Scores {
 public:
  explicit Scores(const std::string& path) : file_(path, std::ios::binary) {}

  std::span<const float> next(std::size_t count) {
    scores_.assign(count, 0);
    file_.read(reinterpret_cast<char*>(scores_.data()), static_cast<std::streamsize>(count * sizeof(float)));
    if (!file_) fmt::print(stderr, "dump_runs: too few scores\n");
    return scores_;
  }

 private:
  std::ifstream file_;
  std::vector<float> scores_;
};

void write(std::ofstream& file, std::span<const float> numbers) {
  file.write(reinterpret_cast<const char*>(numbers.data()),
             static_cast<std::streamsize>(numbers.size_bytes()));
}

/// The page, or its rest by the scores if there are some.
class Views {
 public:
  explicit Views(const std::string& scores) {
    if (scores != "-") scores_.emplace(scores);
  }
  const extract::PageOutline& next(const Pages& pages) {
    if (!scores_) return pages.outline();
    extract::SelectOptions options = pages.options();
    options.scores = scores_->next(pages.runs());
    return selector_.rest(pages.document(), pages.outline(), options);
  }

 private:
  std::optional<Scores> scores_;
  extract::ContentSelector selector_;
};

int dump_features(const std::string& scores, const std::string& features_path) {
  std::ofstream file(features_path, std::ios::binary);
  extract::FeatureExtractor maker;
  Views views(scores);
  for (Pages pages; pages.next();) {
    const extract::PageOutline& outline = views.next(pages);
    pages.begin(outline, maker);
    for (std::uint32_t run = 0; run < outline.runs().size(); ++run)
      write(file, std::span(maker.make(run)).first<extract::kFirstOfContext>());
    fmt::print("{}\n", describe(pages.document(), pages.outline(), outline, pages.path()));
  }
  return file.good() ? 0 : 1;
}

int dump_context(const std::string& scores_path, const std::string& form_path,
                 const std::string& features_path) {
  std::ofstream file(features_path, std::ios::binary);
  Scores form(form_path);
  extract::FeatureExtractor maker;
  extract::ContentContext context;
  extract::Features features;
  Views views(scores_path);
  for (Pages pages; pages.next();) {
    const extract::PageOutline& outline = views.next(pages);
    pages.begin(outline, maker);
    context.build(outline, maker.records(), form.next(outline.runs().size()));
    for (std::uint32_t run = 0; run < outline.runs().size(); ++run) {
      context.fill(run, features);
      write(file, std::span(features).subspan<extract::kFirstOfContext>());
    }
  }
  return file.good() ? 0 : 1;
}

/// A 1 for each run of whose text more is kept than not.
std::string kept_runs(const html::Document& document, const extract::PageOutline& outline,
                      const extract::ContentMap& map) {
  std::vector<std::ptrdiff_t> balance(outline.runs().size());
  for (const html::NodeId node : html::Descendants(document, document.root())) {
    const std::uint32_t run = outline.run_of(node);
    if (run == extract::PageOutline::kNoRun) continue;
    const auto size = static_cast<std::ptrdiff_t>(document.text(node).size());
    balance[run] += map.kept(node) ? size : -size;
  }
  std::string kept;
  for (const std::ptrdiff_t each : balance) kept += each > 0 ? '1' : '0';
  return kept;
}

int select_runs(const std::string& scores_path, const std::string& rest_path) {
  std::optional<Scores> scores;
  std::optional<Scores> rest;
  if (scores_path != "-") {
    scores.emplace(scores_path);
    rest.emplace(rest_path);
  }
  extract::ContentSelector selector;
  extract::ContentSelector finder;
  for (Pages pages; pages.next();) {
    extract::SelectOptions options = pages.options();
    if (scores) {
      options.scores = scores->next(pages.runs());
      options.rest_scores = rest->next(finder.rest(pages.document(), pages.outline(), options).runs().size());
    }
    const auto& content = pages.generated().content;
    const extract::ContentMap& map = content.empty()
                                         ? selector.select(pages.document(), pages.outline(), options)
                                         : selector.keep_elements(pages.document(), content, options);
    fmt::print("{}\n", kept_runs(pages.document(), pages.outline(), map));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 1 && words[0] == "words") {
    fmt::print("{}\n", extract::kFirstOfWords);
    return 0;
  }
  if (words.size() == 3 && words[0] == "runs") return dump_features(words[1], words[2]);
  if (words.size() == 4 && words[0] == "context") return dump_context(words[1], words[2], words[3]);
  if (words.size() == 3 && words[0] == "select") return select_runs(words[1], words[2]);
  fmt::print(
      stderr,
      "usage: dump_runs words | runs SCORES FEATURES | context SCORES FORM FEATURES | select SCORES REST\n");
  return 2;
}
