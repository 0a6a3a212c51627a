#include "sheaf/export/page_file_name.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/hex.h"
#include "sheaf/base/url.h"
#include "sheaf/format/sha256.h"

#include <fmt/format.h>

#include <span>
#include <string>

namespace sheaf::exporting {
namespace {

// File systems allow 255 bytes; the rest is for a hash, an extension and whoever adds ".tmp".
constexpr std::size_t kNameBytes = 180;
constexpr std::size_t kHashBytes = 8;

std::string hash_of(std::string_view text) {
  format::Sha256 sha;
  sha.update(text);
  const format::Digest digest = sha.finish();
  return base::to_hex(std::span(digest).first(kHashBytes));
}

bool is_plain(char c) {
  return base::is_alphanumeric(c) || std::string_view("-_.~%!'(),;=@+&$").find(c) != std::string_view::npos;
}

/// One part of an address as a name. What some file system would not take becomes '_', and a hash tells apart
/// what that made alike.
std::string name_of(std::string_view part) {
  std::string name;
  bool changed = part.size() > kNameBytes || part.empty() || part == "." || part == "..";
  for (const char c : part.substr(0, kNameBytes)) {
    name += is_plain(c) ? c : '_';
    changed |= !is_plain(c);
  }
  return changed ? fmt::format("{}~{}", name, hash_of(part)) : name;
}

}  // namespace

std::filesystem::path page_file_name(std::string_view url, std::string_view extension) {
  const auto parsed = base::Url::parse(url);
  // An address that no browser would open has no parts.
  if (!parsed) return std::filesystem::path("_other") / fmt::format("{}{}", hash_of(url), extension);
  std::string host(parsed->host());
  if (parsed->port()) host += fmt::format("_{}", *parsed->port());
  std::filesystem::path path = name_of(host);
  std::string_view rest = parsed->path().substr(1);
  for (std::size_t slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
    std::string folder = name_of(rest.substr(0, slash));
    // A folder must not have the name that a page beside it could have.
    if (folder.ends_with(extension)) folder += '~';
    path /= folder;
    rest.remove_prefix(slash + 1);
  }
  std::string name = rest.empty() ? std::string("index") : name_of(rest);
  // Spellings that are the same to a browser but not to the site, queries, and "index" beside "" are told
  // apart.
  const bool is_exact = parsed->href() == url && parsed->scheme() == "https" && !parsed->has_query() &&
                        !parsed->has_fragment() && rest != "index";
  if (!is_exact) name += fmt::format("~{}", hash_of(url));
  return path / (name + std::string(extension));
}

}  // namespace sheaf::exporting
