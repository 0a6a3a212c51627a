#pragma once

#include "sheaf/base/url.h"
#include "sheaf/publish/config/config.h"

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::publish {

/// The URL of a file from its path below the folder with the URL `base`, which ends in a slash.
std::string address_of_file(const base::Url& base, std::string_view relative_path, Extension extension);

/// A file whose name contains its language: `posts/first.de.md` is `de/posts/first.md` in "de", since
/// generators put each language but the first into its own folder.
struct TranslatedFile {
  std::string place;          ///< the path with the language folder
  std::string_view language;  ///< one of the given languages
};
TranslatedFile translate(std::string_view relative_path, const std::vector<std::string>& languages);

}  // namespace sheaf::publish
