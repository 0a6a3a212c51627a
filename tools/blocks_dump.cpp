// Prints the blocks of HTML pages (UTF-8), one JSON page per line, where everything inside a chosen element
// is the page's content. So the building of blocks can be looked at and measured apart from the search for
// content.
//
//   blocks_dump [--content SELECTOR] [--drop SELECTOR] FILE...
//
// The first element that matches --content (else the whole page) is the content, less what matches --drop.
#include "sheaf/extract/blocks/blocks.h"
#include "sheaf/format/pages/page_encoder.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"
#include "sheaf/html/selector.h"
#include <sheaf/arena.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace {

using namespace sheaf;
using namespace sheaf;
using namespace sheaf::html;
using namespace sheaf::extract;

struct Choice {
  std::optional<Selector> content;
  std::optional<Selector> drop;
};

void choose(const Document& document, const Choice& choice, ContentMap& map) {
  map.reset(document.size(), false);
  const NodeId found = choice.content ? choice.content->first(document, document.root()) : document.root();
  if (found == kNoNode) return;
  NodeId node = found;
  while (node != kNoNode) {
    if (choice.drop && choice.drop->matches(document, node)) {
      node = next_after(document, node, found);
      continue;
    }
    map.set(node, true);
    node = next_in_order(document, node, found);
  }
}

bool read_selector(const char* text, std::optional<Selector>& selector) {
  auto compiled = Selector::compile(text);
  if (!compiled) {
    std::fprintf(stderr, "blocks_dump: %s\n", compiled.error().message.c_str());
    return false;
  }
  selector = std::move(*compiled);
  return true;
}

class Dumper {
 public:
  void dump(const std::string& path, const std::string& bytes, const Choice& choice) {
    arena_.clear();
    parse(bytes, {}, document_);
    choose(document_, choice, map_);
    const std::optional<base::Url> url = base::Url::parse("https://docs.example/" + path);
    Page page;
    page.url = url ? url->href() : std::string_view("https://docs.example/");
    page.modified = "1970-01-01T00:00:00Z";
    page.language = "und";
    page.content = builder_.build(document_, map_, {}, {.base = url ? &*url : nullptr}, arena_).blocks;
    std::string line;
    format::encode_page(page, line);
    std::printf("%s\n", line.c_str());
  }

 private:
  Document document_;
  ContentMap map_;
  BlockBuilder builder_;
  Arena arena_;
};

}  // namespace

int main(int argc, char** argv) {
  Choice choice;
  Dumper dumper;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if ((argument == "--content" || argument == "--drop") && i + 1 < argc) {
      if (!read_selector(argv[++i], argument == "--drop" ? choice.drop : choice.content)) return 2;
      continue;
    }
    std::ifstream in(argument, std::ios::binary);
    if (!in) {
      std::fprintf(stderr, "blocks_dump: cannot open %s\n", argument.c_str());
      return 2;
    }
    dumper.dump(argument, {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}, choice);
  }
  return 0;
}
