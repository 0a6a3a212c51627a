// Answers queries from an index, for bench/search_bench.py.
//
//   bench_search STORE [--limit N] < QUERIES       one query per line; a JSON object per line: {"ms",
//   "total", "urls"}
//
// A query that cannot be answered is {"error"}. Times are of the whole search, snippets included, within one
// process: that is what `browse` and `mcp` do.
#include "sheaf/search/search_index.h"
#include "sheaf/store/open/open_store.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

namespace {

using namespace sheaf;  // NOLINT(google-build-using-namespace): a program of its own

template <class T>
T need(base::Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "bench_search: {}\n", result.error().message);
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 4) {
    fmt::print(stderr, "usage: bench_search STORE [--limit N]\n");
    return 2;
  }
  const auto store = need(store::open_store(argv[1], StoreAccess::read));
  const auto index = need(search::open_index(argv[1]));
  SearchRequest request;
  if (argc == 4) request.limit = static_cast<std::size_t>(std::atoi(argv[3]));
  while (std::getline(std::cin, request.query)) {
    const auto begin = std::chrono::steady_clock::now();
    const auto answer = index->search(*store, request);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    if (!answer) {
      fmt::print("{{\"error\":true}}\n");
      continue;
    }
    fmt::print("{{\"ms\":{:.3f},\"total\":{},\"urls\":[", took.count(), answer->total);
    // URLs of the corpus have nothing that JSON would escape.
    for (std::size_t i = 0; i < answer->hits.size(); ++i)
      fmt::print("{}\"{}\"", i > 0 ? "," : "", answer->hits[i].url);
    fmt::print("]}}\n");
  }
  return 0;
}
