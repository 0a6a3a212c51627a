#include "sheaf/export/exporter.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/base/file.h"
#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"
#include "sheaf/base/url.h"
#include "sheaf/base/wildcard.h"
#include "sheaf/export/selected_pages.h"
#include "sheaf/format/deltas/collection_delta.h"
#include "sheaf/format/json/json_text.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sheaf::exporting {
namespace {

/// Removes the next character from the front of a JSON string's inner text and decodes it. Returns 0 for a
/// character that our member names do not contain.
char take_character(std::string_view& key) {
  constexpr std::size_t kEscape = 6;  // \u0073
  if (key.front() != '\\') {
    const char c = key.front();
    key.remove_prefix(1);
    return c;
  }
  if (key.size() < kEscape || !key.starts_with("\\u00")) {
    key = {};
    return 0;
  }
  const int high = base::hex_value(key[4]);
  const int low = base::hex_value(key[5]);
  key.remove_prefix(kEscape);
  return static_cast<char>(high * 16 + low);
}

bool is_key(std::string_view raw, std::string_view wanted) {
  for (const char c : wanted)
    if (raw.empty() || take_character(raw) != c) return false;
  return raw.empty();
}

/// Appends the object without its closing brace, and without members called `name`, which few pages have.
void append_without(std::string& out, std::string_view json, std::string_view name) {
  std::string_view rest = json.substr(0, json.rfind('}'));
  const bool may_have_it =
      json.find(name) != std::string_view::npos || json.find("\\u00") != std::string_view::npos;
  if (!may_have_it) {
    out += rest;
    return;
  }
  out += '{';
  bool first = true;
  format::RawObject object(json);
  for (format::RawMember member; object.next(member);) {
    if (is_key(member.key, name)) continue;
    if (!first) out += ',';
    first = false;
    out += json.substr(member.begin, member.end - member.begin);
  }
}

}  // namespace

void append_page_line(std::string& out, const store::StoredPage& page,
                      std::optional<std::uint64_t> sequence) {
  append_without(out, page.json, kProvenanceMember);
  // A page always has other members, so a comma is correct here.
  out += ",\"";
  out += kProvenanceMember;
  out += R"(":{"site":)";
  format::append_json_string(out, page.site);
  out += R"(,"section":)";
  format::append_json_string(out, page.section);
  out += R"(,"fetched":")";
  out += format_time(page.fetched);
  out += '"';
  if (sequence) out += fmt::format(",\"sequence\":{}", *sequence);
  out += "}}";
}

void append_removal_line(std::string& out, const store::StoreChange& change) {
  out += R"({"url":)";
  format::append_json_string(out, change.url);
  out += ",\"";
  out += kProvenanceMember;
  out += R"(":{"site":)";
  format::append_json_string(out, change.site);
  out += R"(,"section":)";
  format::append_json_string(out, change.section);
  out += fmt::format(",\"sequence\":{},\"removed\":true}}}}", change.sequence);
}

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

namespace {

using base::Errc;
using base::fail;
using base::Result;
using store::PageStore;
using store::StoredPage;

void add_member(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  std::string quoted;
  format::append_json_string(quoted, value);  // a JSON string is valid YAML
  format::append_visible_json(out, quoted);
  out += '\n';
}

std::string front_matter(const StoredPage& stored, const Page& page) {
  std::string out = "---\n";
  add_member(out, "title", page.title);
  if (!page.description.empty()) add_member(out, "description", page.description);
  add_member(out, "url", page.url);
  if (page.canonical) add_member(out, "canonical", *page.canonical);
  if (page.author) add_member(out, "author", *page.author);
  if (page.published) add_member(out, "published", *page.published);
  add_member(out, "modified", page.modified);
  add_member(out, "language", page.language);
  add_member(out, "site", stored.site);
  add_member(out, "section", stored.section);
  return out + "---\n\n";
}

/// Writes many small files. They are synced in groups, because the file system can then write them together.
class FileGroup {
 public:
  Result<void> add(const std::filesystem::path& path, std::string_view bytes) {
    SHEAF_TRY(base::make_folder(path.parent_path()));
    SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(path));
    SHEAF_TRY(file.write(bytes));
    files_.push_back(std::move(file));
    return files_.size() < kFiles ? Result<void>() : commit();
  }

  Result<void> commit() { return base::AtomicFile::commit_all(std::exchange(files_, {})); }

 private:
  static constexpr std::size_t kFiles = 128;  // each has an open descriptor
  std::vector<base::AtomicFile> files_;
};

Result<store::SectionState> only_section(const PageStore& store, const ExportFilter& filter) {
  SHEAF_TRY_ASSIGN(const auto sections, store.sections(filter.site));
  std::vector<store::SectionState> found;
  for (const auto& section : sections)
    if (filter.section.empty() || section.section == filter.section) found.push_back(section);
  if (found.empty()) return fail(Errc::not_found, "the store has no such section; `sheaf status` lists them");
  if (found.size() == 1) return found.front();
  std::string names;
  for (std::size_t i = 0; i < found.size() && i < 5; ++i)
    names += fmt::format("{}{} of {}", i == 0 ? "" : ", ", found[i].section, found[i].site);
  return fail(Errc::invalid_argument,
              fmt::format("a collection holds one section, and {} match ({}{}); choose by site and section",
                          found.size(), names, found.size() > 5 ? ", ..." : ""));
}

}  // namespace

bool matches_language(std::string_view language, std::string_view wanted) {
  if (base::lower_text(language.substr(0, wanted.size())) != base::lower_text(wanted)) return false;
  return wanted.empty() || language.size() == wanted.size() || language[wanted.size()] == '-';
}

bool matches_url(const ExportFilter& filter, std::string_view url) {
  return filter.url.empty() || base::matches_wildcard(filter.url, url);
}

Result<ExportSummary> count_pages(const PageStore& store, const ExportOptions& options) {
  return walk_pages(store, options, std::nullopt, {});
}

Result<ExportSummary> export_lines(const PageStore& store, const ExportOptions& options,
                                   const ExportSink& sink) {
  std::string line;
  return walk_pages(store, options, std::nullopt, [&](const StoredPage& stored, const Page*) -> Result<void> {
    line.clear();
    append_page_line(line, stored);
    line += '\n';
    return sink(line);
  });
}

Result<ExportSummary> export_text(const PageStore& store, const ExportOptions& options,
                                  const Renderer& render, const ExportSink& sink) {
  return walk_pages(store, options, format::Detail::everything,
                    [&](const StoredPage& stored, const Page* page) -> Result<void> {
                      SHEAF_TRY(sink(front_matter(stored, *page)));
                      SHEAF_TRY(sink(render(*page)));
                      return sink("\n");
                    });
}

Result<ExportSummary> export_files(const PageStore& store, const ExportOptions& options,
                                   const Renderer& render, const std::filesystem::path& folder,
                                   std::string_view extension) {
  FileGroup files;
  const auto written =
      walk_pages(store, options, format::Detail::everything, [&](const StoredPage& stored, const Page* page) {
        return files.add(folder / page_file_name(stored.site, stored.url, extension),
                         front_matter(stored, *page) + render(*page));
      });
  SHEAF_TRY(files.commit());
  return written;
}

Result<format::WriteSummary> export_collection(const PageStore& store, const ExportOptions& options,
                                               std::vector<format::WriterTarget> targets) {
  SHEAF_TRY_ASSIGN(const auto section, only_section(store, options.filter));
  model::CollectionHead head;
  head.section = section.section;
  head.type = model::CollectionType::snapshot;
  head.set_generated(section.generated);
  head.id = format::default_collection_id(head);
  SHEAF_TRY_ASSIGN(auto writer, format::CollectionWriter::create(
                                    head, std::move(targets),
                                    {.limits = {}, .spool_folder = {}, .threads = options.threads}));
  ExportOptions of_section = options;
  of_section.filter.site = section.site;
  of_section.filter.section = section.section;
  SHEAF_TRY_ASSIGN(const ExportSummary walked,
                   walk_pages(store, of_section, format::Detail::everything,
                              [&](const StoredPage&, const Page* page) { return writer.add(*page); }));
  if (walked.damaged > 0)
    return fail(
        Errc::invalid_data,
        fmt::format("{} of section {} of {} cannot be read, and a snapshot would report them as removed: "
                    "nothing was written; `sheaf pull {} --repair` restores them",
                    base::counted(walked.damaged, "page", "pages"), section.section, section.site,
                    section.site));
  return writer.finish();
}

}  // namespace sheaf::exporting
