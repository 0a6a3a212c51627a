#include "sheaf/publish/sources/page_address.h"

#include "sheaf/base/escaping.h"

#include <fmt/format.h>

namespace sheaf::publish {
namespace {

constexpr std::string_view kExtensions[] = {".html", ".htm", ".xhtml", ".md", ".markdown"};

/// Removes the extension of a page. Returns false if there is none.
bool drop_extension(std::string_view& path) {
  for (const std::string_view extension : kExtensions) {
    if (!path.ends_with(extension)) continue;
    path.remove_suffix(extension.size());
    return true;
  }
  return false;
}

bool is_index(std::string_view name) { return name == "index" || name == "README" || name == "_index"; }

/// Appends a path on disk, percent-encoded byte by byte: it need not be UTF-8. Percent signs are encoded too.
void append_path(std::string& out, std::string_view path) {
  std::string escaped;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '%' || c == '\\' || byte >= 0x80) {
      escaped += fmt::format("%{:02X}", byte);
    } else {
      escaped += c;
    }
  }
  base::append_percent_encoded(out, escaped, base::EncodeSet::path);
}

}  // namespace

std::string url_of_page_file(const base::Url& base, std::string_view relative_path, Extension extension) {
  std::string address(base.href());
  std::string_view path = relative_path;
  const bool is_page = drop_extension(path);
  const std::size_t slash = path.rfind('/');
  const std::string_view name = path.substr(slash == std::string_view::npos ? 0 : slash + 1);
  if (is_page && is_index(name)) {
    append_path(address, path.substr(0, path.size() - name.size()));
    return address;
  }
  const bool drop = is_page && extension != Extension::keep;
  append_path(address, drop ? path : relative_path);
  if (drop && extension == Extension::folder) address += '/';
  return address;
}

TranslatedFile translate(std::string_view relative_path, const std::vector<std::string>& languages) {
  std::string_view stem = relative_path;
  drop_extension(stem);
  const std::string_view extension = relative_path.substr(stem.size());
  for (const std::string& language : languages) {
    if (!stem.ends_with(language)) continue;
    std::string_view name = stem.substr(0, stem.size() - language.size());
    if (!name.ends_with('.') || name.size() < 2 || name[name.size() - 2] == '/') continue;
    name.remove_suffix(1);
    const bool is_first = &language == &languages.front();
    return {(is_first ? "" : language + "/") + std::string(name) + std::string(extension), language};
  }
  return {std::string(relative_path), languages.front()};
}

}  // namespace sheaf::publish
