#include "sheaf/publish/sources/glob.h"

#include <algorithm>
#include <vector>

namespace sheaf::publish {
namespace {

/// One step of a pattern.
struct Step {
  enum class Kind : unsigned char {
    literal,
    any_one,
    any_part,
    any,
    folders,      ///< zero or more folders: the next step is optional
    in_a_folder,  ///< a folder name that ends with a slash
  } kind;
  char c;
};

std::vector<Step> steps_of(std::string_view pattern) {
  std::vector<Step> steps;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '?') {
      steps.push_back({Step::Kind::any_one, 0});
    } else if (pattern[i] != '*') {
      steps.push_back({Step::Kind::literal, pattern[i]});
    } else if (pattern.substr(i).starts_with("**/")) {
      steps.push_back({Step::Kind::folders, 0});
      steps.push_back({Step::Kind::in_a_folder, 0});
      i += 2;
    } else if (pattern.substr(i).starts_with("**")) {
      steps.push_back({Step::Kind::any, 0});
      ++i;
    } else {
      steps.push_back({Step::Kind::any_part, 0});
    }
  }
  return steps;
}

/// Whether the steps match the whole path. Tracks the set of possible positions in the pattern, and advances
/// it by one character of the path at a time, so there is no backtracking.
bool matches_steps(const std::vector<Step>& steps, std::string_view path) {
  std::vector<char> here(steps.size() + 1, 0);
  std::vector<char> next(here.size());
  const auto spread = [&steps](std::vector<char>& places) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (places[i] == 0) continue;
      const Step::Kind kind = steps[i].kind;
      if (kind == Step::Kind::any || kind == Step::Kind::any_part) places[i + 1] = 1;
      if (kind == Step::Kind::folders) places[i + 1] = places[i + 2] = 1;
    }
  };
  here[0] = 1;
  spread(here);
  for (const char c : path) {
    std::ranges::fill(next, 0);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (here[i] == 0) continue;
      switch (steps[i].kind) {
        case Step::Kind::literal:
          if (steps[i].c == c) next[i + 1] = 1;
          break;
        case Step::Kind::any_one:
          if (c != '/') next[i + 1] = 1;
          break;
        case Step::Kind::any_part:
          if (c != '/') next[i] = 1;
          break;
        case Step::Kind::any: next[i] = 1; break;
        case Step::Kind::folders: break;
        case Step::Kind::in_a_folder:
          next[i] = 1;
          if (c == '/') next[i + 1] = 1;
          break;
      }
    }
    spread(next);
    here.swap(next);
  }
  return here.back() != 0;
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view path) {
  while (pattern.starts_with('/') || pattern.starts_with("./"))
    pattern.remove_prefix(pattern.front() == '/' ? 1 : 2);
  std::string whole(pattern);
  if (whole.ends_with('/')) whole += "**";
  const bool anywhere = pattern.find('/') == std::string_view::npos;
  if (!anywhere) return matches_steps(steps_of(whole), path);
  // Matches any part of the path: a file of that name, or everything in a folder of that name.
  const std::vector<Step> steps = steps_of(whole);
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (matches_steps(steps, path.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

bool is_selected(std::string_view path, std::span<const std::string> include,
                 std::span<const std::string> exclude) {
  const auto matches = [path](const std::string& pattern) { return matches_glob(pattern, path); };
  if (!include.empty() && std::ranges::none_of(include, matches)) return false;
  return std::ranges::none_of(exclude, matches);
}

}  // namespace sheaf::publish
