#include "sheaf/export/page_file_name.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/hex.h"
#include "sheaf/base/sha256.h"
#include "sheaf/base/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

namespace sheaf::exporting {
namespace {

// File systems allow names of 255 bytes. The rest is for a hash, an extension and a suffix such as ".tmp".
constexpr std::size_t kNameBytes = 180;
constexpr std::size_t kCutBytes = 100;  // readable part of a hashed name
// A path may have 4096 bytes on Linux and 1024 on macOS, including the folder.
constexpr std::size_t kPathBytes = 600;
constexpr std::size_t kHashBytes = 16;
// Marks a hashed name. A plain name does not contain it, so the two kinds cannot collide.
constexpr char kMark = '~';

std::string hash_of(std::string_view text) {
  const base::Digest digest = base::sha256(text);
  return base::to_hex(std::span(digest).first(kHashBytes));
}

bool is_plain(char c) {
  return base::is_digit(c) || (c >= 'a' && c <= 'z') ||
         std::string_view("-_.%!'(),;=@+&$").find(c) != std::string_view::npos;
}

/// Names that Windows reserves for devices, with any extension.
bool is_device(std::string_view name) {
  const std::string_view stem = name.substr(0, name.find('.'));
  constexpr std::array<std::string_view, 4> kDevices = {"con", "prn", "aux", "nul"};
  if (std::ranges::find(kDevices, stem) != kDevices.end()) return true;
  return stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) && base::is_digit(stem[3]);
}

/// Whether a part of a URL can be used as a file or folder name unchanged.
bool is_plain_name(std::string_view part, std::string_view extension) {
  return !part.empty() && part.size() <= kNameBytes && std::ranges::all_of(part, is_plain) &&
         part.front() != '.' && part.back() != '.' && !is_device(part) && !part.ends_with(extension);
}

/// The readable beginning of a hashed name.
std::string readable(std::string_view part) {
  std::string name(part.substr(0, kCutBytes));
  for (char& c : name)
    if (!is_plain(c) && !base::is_alphanumeric(c)) c = '_';
  return name;
}

std::string folder_name(std::string_view part, std::string_view extension) {
  return is_plain_name(part, extension) ? std::string(part) : readable(part) + kMark;
}

/// Unique for each host and port: a site must not reach another site's folder. Only host folders are at this
/// level, so a host name may end like a file name.
std::string host_folder(const base::Url& url) {
  const std::string_view host = url.host();
  const bool plain =
      is_plain_name(host, "\n") &&
      host.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-") == std::string_view::npos;
  const std::string port = url.port() ? fmt::format("{}{}", kMark, *url.port()) : "";
  if (plain) return std::string(host) + port;
  return fmt::format("{}{}{}", readable(host), kMark, hash_of(fmt::format("{}{}", host, port)));
}

std::vector<std::string_view> split_path(std::string_view path) {
  std::vector<std::string_view> parts;
  path.remove_prefix(1);
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/')) {
    parts.push_back(path.substr(0, slash));
    path.remove_prefix(slash + 1);
  }
  parts.push_back(path);
  return parts;
}

}  // namespace

std::filesystem::path page_file_name(std::string_view site, std::string_view url,
                                     std::string_view extension) {
  const std::string hash = hash_of(fmt::format("{}\n{}", site, url));
  const auto parsed = base::Url::parse(url);
  // A URL that cannot be parsed has no parts. No host folder has this name, since it would be marked.
  if (!parsed) return std::filesystem::path("_other") / fmt::format("{}{}", hash, extension);
  const std::vector<std::string_view> parts = split_path(parsed->path());
  const std::string_view last = parts.back();
  // Only a canonical URL gets a plain name: sites may distinguish URLs that browsers treat as equal. A last
  // part "index" is excluded because an empty last part gets that name.
  bool plain = parsed->href() == url && parsed->scheme() == "https" && parsed->origin() == site &&
               parsed->username().empty() && parsed->password().empty() && !parsed->has_query() &&
               !parsed->has_fragment() && url.size() <= kPathBytes &&
               (last.empty() || (last != "index" && is_plain_name(last, "\n")));
  std::filesystem::path folder = host_folder(*parsed);
  for (const std::string_view part : std::span(parts).first(parts.size() - 1)) {
    plain = plain && is_plain_name(part, extension);
    if (url.size() <= kPathBytes) folder /= folder_name(part, extension);
  }
  const std::string name = last.empty() ? std::string("index") : std::string(last);
  if (plain) return folder / fmt::format("{}{}", name, extension);
  return folder / fmt::format("{}{}{}{}", readable(name), kMark, hash, extension);
}

}  // namespace sheaf::exporting
