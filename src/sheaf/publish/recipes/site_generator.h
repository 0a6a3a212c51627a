#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/config.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::publish {

/// Facts about a site from its generator's settings.
struct SiteGenerator {
  std::string name;      ///< "Hugo"
  std::string evidence;  ///< the settings file, relative to the project
  std::string base;      ///< the site's URL, without a trailing slash; empty if unknown
  std::string output;    ///< the folder of rendered pages, relative to the project
  std::string statics;   ///< the folder whose files every build copies to the output; empty if unknown
  /// The settings are a program (JavaScript, Python). sheaf does not run it, but looks for literals in its
  /// text.
  bool is_program = false;
  Extension extension = Extension::keep;  ///< whether the site's links have `.html`
  std::string problem;  ///< "hugo.toml: line 3 is not valid TOML: ..."; empty if the settings were read
};

/// Recognises Hugo, Jekyll, MkDocs, Docusaurus, Astro and Starlight, VitePress, Next, Eleventy and Sphinx by
/// their settings files, and any other npm project by its package.json; returns nullopt for others. Fails if
/// a settings file cannot be read.
base::Result<std::optional<SiteGenerator>> find_generator(const std::filesystem::path& project);

/// The literal value of `key: "value"` or `key = "value"` in the text of a program; empty if there is none.
/// Skips comment lines.
std::string find_in_program(std::string_view text, std::string_view key);

}  // namespace sheaf::publish
