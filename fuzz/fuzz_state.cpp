// The input is a script. Its values are a tree that can be walked in linear time, and what is written of it
// is bounded.
#include "fuzz_support.h"
#include "sheaf/extract/state/state_html.h"
#include "sheaf/extract/state/state_tree.h"

#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sheaf;
  using namespace sheaf::extract;
  const std::string_view text = fuzz::as_text(data, size);
  static StateTree tree;
  tree.clear();
  tree.read(text);
  tree.open_pairs(1);
  tree.connect();
  std::size_t children = 0;
  for (StateId id = 0; id < tree.size(); ++id) {
    const StateNode& node = tree.written(id);
    fuzz::require(tree.written(tree.resolve(id)).stands_for == kNoState || tree.resolve(id) == id,
                  "a chain of references");
    for (StateId child = node.first; child != kNoState; child = tree.written(child).next)
      fuzz::require(++children < tree.size(), "more children than nodes");
  }
  std::string html;
  write_state_html(tree, 0, html);
  // Texts that are referred to are written again; all of it is bounded.
  fuzz::require(html.size() <= (std::size_t{8} << 20) + 8 * text.size() + 1000, "too much output");
  return 0;
}
