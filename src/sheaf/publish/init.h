#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::publish {

/// What a project's folder says of the site that is made from it.
struct ProjectFacts {
  std::string generator;  ///< "Hugo"; empty if none is known
  std::string evidence;   ///< the file that says so
  std::string output;  ///< the folder of rendered pages, relative to the project; "." for a folder of pages
  std::string base;    ///< the site's address; empty if nothing says it
  bool output_is_there = false;
  std::uint64_t pages = 0;

  struct Section {
    std::string name;
    std::string folder;  ///< at the top of the output
    std::uint64_t pages = 0;
  };
  std::vector<Section> sections;  ///< top folders with enough pages, most pages first
};

/// Looks at a folder: the project of a generator that is known (Hugo, Jekyll, MkDocs, Docusaurus, Astro), a
/// folder with an output folder of a usual name, or a folder of rendered pages.
base::Result<ProjectFacts> look_at_project(const std::filesystem::path& folder);

/// A sheaf.toml for it, with what else can be said in comments. Pure.
std::string draft_config(const ProjectFacts& facts);

/// Where a key counts: in YAML and TOML only at the top of the tree, in programs wherever it stands first.
enum class SettingPlace : std::uint8_t { top_level, anywhere };

/// The value of a key in a line that looks like `key: "value"` or `key = 'value'`; empty if there is none.
/// Comments are passed over.
std::string find_setting(std::string_view text, std::string_view key, SettingPlace place);

}  // namespace sheaf::publish
