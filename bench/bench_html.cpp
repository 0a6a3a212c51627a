// Parses every HTML file under the folders given, one core, with our parser and those Debian packages, and
// prints MB/s, ratios and the memory of the trees.
//
//   bench_html [--rounds N] [--set NAME] [--json FILE] FOLDER...
//
// NAME is what the rows call the pages; --json adds the rows to a file.
//
// Checked first: no limit comes to bear, and the tree has as many elements as gumbo's (which knows an older
// standard, so a few pages may differ; their number is printed).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#if defined(SHEAF_BENCH_GUMBO)
#include <gumbo.h>
#endif
#if defined(SHEAF_BENCH_LIBXML2)
#include <libxml/HTMLparser.h>
#endif

#include "race.h"
#include "sheaf/html/parser.h"

namespace {

namespace fs = std::filesystem;
using Pages = std::vector<std::string>;

Pages read_pages(const std::vector<fs::path>& folders) {
  std::vector<fs::path> files;
  for (const fs::path& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string extension = entry.path().extension().string();
      if (entry.is_regular_file() && (extension == ".html" || extension == ".htm"))
        files.push_back(entry.path());
    }
  std::ranges::sort(files);
  Pages pages;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    pages.emplace_back((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  }
  return pages;
}

std::size_t count_elements(const sheaf::html::Document& document) {
  std::size_t count = 0;
  for (sheaf::html::NodeId node = 1; node < document.size(); ++node)
    count += document.is_element(node) && document.parent(node) != sheaf::html::kNoNode ? 1 : 0;
  return count;
}

std::size_t allocated = 0;  // by the other parsers: bytes of one tree

#if defined(SHEAF_BENCH_GUMBO)
std::size_t gumbo_elements(const GumboNode* root) {
  std::size_t count = 0;
  std::vector<const GumboNode*> todo = {root};
  while (!todo.empty()) {
    const GumboNode* node = todo.back();
    todo.pop_back();
    const GumboVector* children = nullptr;
    if (node->type == GUMBO_NODE_DOCUMENT) children = &node->v.document.children;
    if (node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE) {
      ++count;
      children = &node->v.element.children;
    }
    for (unsigned i = 0; children != nullptr && i < children->length; ++i)
      todo.push_back(static_cast<const GumboNode*>(children->data[i]));
  }
  return count;
}

// The size of a block stands before it, so that a free can be counted.
void* count_allocate(void* /*user*/, std::size_t size) {
  auto* block = static_cast<std::size_t*>(std::malloc(size + 16));
  *block = size;
  allocated += size;
  return reinterpret_cast<char*>(block) + 16;
}
void count_free(void* /*user*/, void* data) {
  if (data == nullptr) return;
  auto* block = reinterpret_cast<std::size_t*>(static_cast<char*>(data) - 16);
  allocated -= *block;
  std::free(block);
}
#endif

#if defined(SHEAF_BENCH_LIBXML2)
void* xml_allocate(std::size_t size) {
  auto* block = static_cast<std::size_t*>(std::malloc(size + 16));
  *block = size;
  allocated += size;
  return reinterpret_cast<char*>(block) + 16;
}
void xml_free(void* data) {
  if (data == nullptr) return;
  auto* block = reinterpret_cast<std::size_t*>(static_cast<char*>(data) - 16);
  allocated -= *block;
  std::free(block);
}
void* xml_reallocate(void* data, std::size_t size) {
  if (data == nullptr) return xml_allocate(size);
  auto* block = reinterpret_cast<std::size_t*>(static_cast<char*>(data) - 16);
  allocated += size - *block;
  block = static_cast<std::size_t*>(std::realloc(block, size + 16));
  *block = size;
  return reinterpret_cast<char*>(block) + 16;
}
char* xml_copy(const char* text) {
  const std::size_t size = std::char_traits<char>::length(text) + 1;
  return static_cast<char*>(std::memcpy(xml_allocate(size), text, size));
}
htmlDocPtr xml_parse(const std::string& page) {
  return htmlReadMemory(page.data(), static_cast<int>(page.size()), nullptr, "UTF-8",
                        HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
}
#endif

// Processor time, not the wall clock: other work on the machine is not ours to count.
double seconds(const std::function<void()>& work, int rounds) {
  double best = 1e9;
  for (int i = 0; i < rounds; ++i) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

// We keep a parser of our own for as long as none that is packaged comes within a fifth of it
// (html/parser.h).
constexpr double kWorthIt = 1 / 0.8;

/// Prints what each parser did, and keeps it for the report.
struct Results {
  std::string set;
  double bytes;
  double ours;
  sheaf::bench::Report report{"html"};

  void add(const std::string& name, double time, std::size_t memory) {
    const double mb = bytes / 1e6;
    const double over_input = static_cast<double>(memory) / bytes;
    std::printf("%-10s %8.1f MB/s", name.c_str(), mb / time);
    if (time != ours) std::printf("  ours is %5.1f times as fast", time / ours);
    std::printf("%*smemory %.2f x input\n", time != ours ? 3 : 31, "", over_input);
    if (time != ours) compare(name, time / ours);
    report.note(name + ", " + set, mb / time, "MB/s");
    report.note(name + ", " + set + ": tree : input, bytes", over_input);
  }
  void miss(const std::string& name) {
    std::printf("%-10s not installed\n", name.c_str());
    compare(name, sheaf::bench::kNotMeasured);
  }
  void compare(const std::string& name, double times_as_fast) {
    report.at_least("HTML parser : " + name + ", " + set, kWorthIt, times_as_fast);
  }
};

}  // namespace

int main(int argc, char** argv) {
  int rounds = 3;
  std::string json;
  std::string set = "pages";
  std::vector<fs::path> folders;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--json" && i + 1 < argc) {
      json = argv[++i];
    } else if (std::string_view(argv[i]) == "--set" && i + 1 < argc) {
      set = argv[++i];
    } else if (std::string_view(argv[i]) == "--rounds" && i + 1 < argc) {
      rounds = std::atoi(argv[++i]);
    } else {
      folders.emplace_back(argv[i]);
    }
  }
  const Pages pages = read_pages(folders);
  std::size_t bytes = 0;
  for (const std::string& page : pages) bytes += page.size();
  if (bytes == 0) {
    std::fprintf(stderr, "usage: bench_html [--rounds N] [--set NAME] FOLDER...   (no .html files found)\n");
    return 2;
  }
  const double mb = static_cast<double>(bytes) / 1e6;
  std::printf("%zu pages, %.1f MB, best of %d rounds\n", pages.size(), mb, rounds);

  const sheaf::html::ParseOptions options;
  sheaf::html::Document document;
  std::size_t memory = 0;
  std::size_t limited = 0;
  std::size_t different = 0;
  for (const std::string& page : pages) {
    limited += sheaf::html::parse(page, options, document).limits.any() ? 1 : 0;
    memory += document.memory();
#if defined(SHEAF_BENCH_GUMBO)
    GumboOutput* output = gumbo_parse_with_options(&kGumboDefaultOptions, page.data(), page.size());
    different += gumbo_elements(output->document) != count_elements(document) ? 1 : 0;
    gumbo_destroy_output(&kGumboDefaultOptions, output);
#else
    different += count_elements(document) == 0 ? 1 : 0;
#endif
  }
  std::printf("checked: %zu pages at a limit, %zu with another number of elements than gumbo's tree\n",
              limited, different);

  const double ours = seconds(
      [&] {
        for (const std::string& page : pages) sheaf::html::parse(page, options, document);
      },
      rounds);
  Results results{set, static_cast<double>(bytes), ours};
  results.add("sheaf", ours, memory);

#if defined(SHEAF_BENCH_GUMBO)
  GumboOptions counting = kGumboDefaultOptions;
  counting.allocator = count_allocate;
  counting.deallocator = count_free;
  std::size_t gumbo_memory = 0;
  for (const std::string& page : pages) {
    allocated = 0;
    GumboOutput* output = gumbo_parse_with_options(&counting, page.data(), page.size());
    gumbo_memory += allocated;
    gumbo_destroy_output(&counting, output);
  }
  const double gumbo = seconds(
      [&] {
        for (const std::string& page : pages)
          gumbo_destroy_output(&kGumboDefaultOptions,
                               gumbo_parse_with_options(&kGumboDefaultOptions, page.data(), page.size()));
      },
      rounds);
  results.add("gumbo", gumbo, gumbo_memory);
#else
  results.miss("gumbo");
#endif

#if defined(SHEAF_BENCH_LIBXML2)
  const double libxml2 = seconds(
      [&] {
        for (const std::string& page : pages) xmlFreeDoc(xml_parse(page));
      },
      rounds);
  xmlCleanupParser();
  xmlMemSetup(xml_free, xml_allocate, xml_reallocate, xml_copy);
  std::size_t xml_memory = 0;
  xmlFreeDoc(xml_parse(pages.front()));  // the library's own tables are not part of a tree
  for (const std::string& page : pages) {
    allocated = 0;
    xmlDocPtr tree = xml_parse(page);
    xml_memory += allocated;
    xmlFreeDoc(tree);
  }
  results.add("libxml2", libxml2, xml_memory);
#else
  results.miss("libxml2");
#endif
  results.report.append_json(json);
  return 0;
}
