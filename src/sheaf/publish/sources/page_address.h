#pragma once

#include "sheaf/base/url.h"
#include "sheaf/publish/config/config.h"

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::publish {

/// The address of a file by its place below the folder that `base` stands for. `base` ends in a slash.
std::string address_of_file(const base::Url& base, std::string_view relative_path, Extension extension);

/// A file whose name tells its language: `posts/first.de.md` is `de/posts/first.md` in "de", since generators
/// put all languages but the first into folders of their own.
struct TranslatedFile {
  std::string place;          ///< as if it were named so
  std::string_view language;  ///< one of those given
};
TranslatedFile translate(std::string_view relative_path, const std::vector<std::string>& languages);

}  // namespace sheaf::publish
