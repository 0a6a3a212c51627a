#include "sheaf/lab/lab_site.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/file.h"
#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"
#include "sheaf/format/codecs/codec.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/http/message/conditional.h"
#include "sheaf/http/message/message.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/publisher.h"
#include "sheaf/serve/file_kind.h"
#include "sheaf/serve/folder.h"
#include "sheaf/site/advertised.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <filesystem>

namespace sheaf::lab {
namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 24 * kHour;
constexpr site::UpdateFreq kUpdate = site::UpdateFreq::weekly;
constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;

constexpr std::array<std::string_view, 8> kSubjects = {"bridges",  "harbours", "lanterns", "orchards",
                                                       "quarries", "stations", "terraces", "windmills"};

/// A page about one subject, in its first or a later edition.
std::string page_html(std::string_view subject, int edition) {
  return fmt::format(
      R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>All about {0}</title>
<meta name="description" content="A short introduction to {0}."></head>
<body><nav><a href="/">Home</a></nav><main><h1>All about {0}</h1>
<p>People have cared for {0} since anyone can remember. This page says where to find {0}, who keeps them in good
order, and what visitors should bring along when they come in spring.</p>
<h2>Where to find {0}</h2>
<p>The best known {0} lie along the river road, an hour on foot from the market. Edition {1} of this page adds the
paths behind the old mill.</p>
</main><footer>Printed by the town office.</footer></body></html>
)",
      subject, edition);
}

base::Result<void> write_file(const std::filesystem::path& path, std::string_view bytes) {
  SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(path));
  SHEAF_TRY(file.write(bytes));
  return file.commit();
}

base::Result<void> write_pages(const std::filesystem::path& folder, const std::string& base) {
  std::string sitemap =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset "
      "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
  for (const std::string_view subject : kSubjects) {
    SHEAF_TRY(write_file(folder / fmt::format("{}.html", subject), page_html(subject, 1)));
    sitemap +=
        fmt::format("  <url><loc>{}/{}.html</loc><lastmod>2026-01-05</lastmod></url>\n", base, subject);
  }
  SHEAF_TRY(write_file(folder / "sitemap.xml", sitemap + "</urlset>\n"));
  return write_file(folder / "robots.txt",
                    fmt::format("User-agent: *\nDisallow: /private/\n\nSitemap: {}/sitemap.xml\n", base));
}

/// Publishes a snapshot three days ago, then one change per day, the last one an hour ago.
base::Result<void> publish_history(const std::filesystem::path& folder, const std::string& base, Instant now,
                                   const LabHistory& history) {
  SHEAF_TRY_ASSIGN(auto config, publish::config_for_folder(folder, base, folder / "scp", "all"));
  config.sections.front().update = kUpdate;
  config.retention.merge_days.clear();  // so that the files do not depend on the day of the week
  PublishOptions options;
  int edition = 1;
  for (const std::int64_t age : {3 * kDay, 2 * kDay, kDay + kHour, kHour}) {
    options.now = {now.seconds - history.days_ago * kDay - age, 0};
    options.snapshot = history.only_snapshots;
    if (edition > 1) {
      const std::string_view subject = kSubjects[static_cast<std::size_t>(edition)];
      SHEAF_TRY(write_file(folder / fmt::format("{}.html", subject), page_html(subject, edition)));
    }
    SHEAF_TRY(publish::publish(config, options));
    ++edition;
  }
  return {};
}

base::Result<LabFile> load_file(const std::filesystem::path& path, const std::string& name, Instant now) {
  SHEAF_TRY_ASSIGN(auto source, base::open_source(path.string()));
  LabFile file;
  SHEAF_TRY_ASSIGN(file.bytes, base::read_up_to(*source, kMaxBytes));
  file.last_modified = now.seconds - kHour;
  file.entity_tag = fmt::format("\"{:x}-{:x}\"", std::hash<std::string>()(file.bytes), file.bytes.size());
  const bool is_delta = name.contains("-delta-");
  file.content_type = serve::is_collection_name(name) ? "application/scp" : serve::content_type_of(name);
  file.cache_control =
      serve::is_collection_name(name)
          ? site::cache_control_of(is_delta ? CollectionType::delta : CollectionType::snapshot, kUpdate)
          : std::string(serve::kPlainCacheControl);
  return file;
}

base::Result<LabSite> load(const std::filesystem::path& folder, const std::string& base, Instant now) {
  LabSite site{.base = base, .now = now};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = "/" + entry.path().lexically_relative(folder).generic_string();
    SHEAF_TRY_ASSIGN(auto file, load_file(entry.path(), path, now));
    site.files.emplace(path, std::move(file));
    if (!path.ends_with(".scp.zst")) continue;
    const std::string stem = path.substr(0, path.size() - std::string_view(".scp.zst").size());
    std::string& newest = path.contains("-delta-") ? site.delta : site.snapshot;
    newest = std::max(newest, stem);
  }
  return site;
}

}  // namespace

base::Result<LabSite> publish_lab_site(const std::string& base, Instant now, const LabHistory& history) {
  SHEAF_TRY_ASSIGN(const auto scratch, base::ScratchFolder::make("lab"));
  const std::filesystem::path folder = scratch.path() / "site";
  std::error_code error;
  if (!std::filesystem::create_directories(folder, error))
    return base::fail(base::Errc::io, fmt::format("{}: {}", folder.string(), error.message()));
  SHEAF_TRY(write_pages(folder, base));
  SHEAF_TRY(publish_history(folder, base, now, history));
  return load(folder, base, now);
}

namespace {

// The deployments are part of the program, and tests cover all of them. An edit that does not fit the
// published site is a bug, which the assertions find.

std::string decompressed(std::string_view bytes) {
  const auto decoder = format::make_decoder(format::sniff_codec(bytes));
  std::string plain;
  std::array<char, 16384> buffer{};
  while (!bytes.empty() || !decoder->may_end()) {
    const auto step = decoder->decode(bytes, buffer);
    assert(step && step->consumed + step->produced > 0);
    if (!step || step->consumed + step->produced == 0) break;
    plain.append(buffer.data(), step->produced);
    bytes.remove_prefix(step->consumed);
  }
  return plain;
}

std::string compressed(std::string_view plain, std::string_view path) {
  const format::Codec codec = format::codec_for_path(path).value_or(format::Codec::plain);
  std::string bytes;
  const auto encoder = format::make_encoder(codec, format::default_level(codec));
  const bool encoded = encoder->encode(plain, format::Flush::end, bytes).has_value();
  assert(encoded);
  return encoded ? bytes : std::string();
}

/// Returns the value of a JSON string member without escapes.
std::string_view member(std::string_view line, std::string_view name) {
  const std::string start = fmt::format("\"{}\":\"", name);
  const std::size_t at = line.find(start);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + start.size());
  return line.substr(0, line.find('"'));
}

template <class Use>
void each_page(std::string_view plain, const Use& use) {
  plain.remove_prefix(std::min(plain.find('\n') + 1, plain.size()));
  while (!plain.empty()) {
    const std::string_view line = plain.substr(0, plain.find('\n'));
    if (!line.empty()) use(member(line, "url"), member(line, "modified"));
    plain.remove_prefix(std::min(line.size() + 1, plain.size()));
  }
}

/// Updates the state digest to match the changed pages.
void correct_state(std::string& plain, std::string_view before) {
  const std::string old(member(plain.substr(0, plain.find('\n')), "state"));
  const auto sum = format::StateDigest::parse(old);
  assert(sum);
  if (!sum) return;
  format::StateDigest digest;
  digest.add(*sum);
  each_page(before, [&](std::string_view url, std::string_view modified) { digest.subtract(url, modified); });
  each_page(plain, [&](std::string_view url, std::string_view modified) { digest.add(url, modified); });
  replace_text(plain, old, digest.to_string());
}

/// Updates and returns the checksum, the last member of our metadata lines. Returns an empty string if there
/// is none.
std::string correct_checksum(std::string& plain) {
  const std::size_t at = plain.find(",\"checksum\":\"");
  const std::size_t end = plain.find("\"}}", at);
  if (at == std::string::npos || at > plain.find('\n')) return {};
  std::string rest = plain;
  rest.erase(at, end + 1 - at);
  const std::string checksum = "sha256:" + base::to_hex(base::sha256(rest));
  plain = rest.insert(at, fmt::format(",\"checksum\":\"{}\"", checksum));
  return checksum;
}

std::size_t find_element(std::string_view sitemap, std::string_view part) {
  const std::size_t at = sitemap.find(part);
  assert(at != std::string_view::npos);
  return at == std::string_view::npos ? at : sitemap.rfind('<', at);
}

}  // namespace

void replace_text(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  assert(at != std::string::npos);
  if (at != std::string::npos) text.replace(at, from.size(), to);
}

void set_sitemap_attribute(LabSite& site, std::string_view element, std::string_view attribute,
                           std::string_view value) {
  std::string& sitemap = site.text("/sitemap.xml");
  const std::size_t start = find_element(sitemap, element);
  const std::string name = fmt::format(" {}=\"", attribute);
  const std::size_t at = sitemap.find(name, start);
  assert(at != std::string::npos && at < sitemap.find('>', start));
  if (at == std::string::npos) return;
  const std::size_t first = at + name.size();
  sitemap.replace(first, sitemap.find('"', first) - first, value);
}

void remove_from_sitemap(LabSite& site, std::string_view url_part) {
  std::string& sitemap = site.text("/sitemap.xml");
  while (sitemap.contains(url_part)) {
    const std::size_t start = find_element(sitemap, url_part);
    sitemap.erase(start, sitemap.find('>', start) + 1 - start);
  }
}

void update_sitemap_size(LabSite& site, const std::string& path) {
  set_sitemap_attribute(site, path, "size", std::to_string(site.files.find(path)->second.bytes.size()));
}

void edit_file(LabSite& site, const std::string& path, const std::function<void(std::string&)>& edit,
               Recompute correct) {
  LabFile& file = site.files.find(path)->second;
  std::string plain = decompressed(file.bytes);
  const std::string before = plain;
  edit(plain);
  if (correct == Recompute::everything) correct_state(plain, before);
  if (correct != Recompute::only_sizes)
    if (const std::string checksum = correct_checksum(plain); !checksum.empty())
      file.entity_tag = fmt::format("\"{}\"", checksum);
  file.bytes = compressed(plain, path);
  std::uint64_t pages = 0;
  each_page(plain, [&](std::string_view, std::string_view) { ++pages; });
  update_sitemap_size(site, path);
  set_sitemap_attribute(site, path, "pages", std::to_string(pages));
}

void edit_collection(LabSite& site, const std::string& stem, const std::function<void(std::string&)>& edit,
                     Recompute correct) {
  for (const std::string_view extension : {".scp.zst", ".scp.gz"})
    edit_file(site, stem + std::string(extension), edit, correct);
}

void add_collection(LabSite& site, const std::string& path, std::string plain) {
  LabFile file = site.files.find(site.snapshot + ".scp.zst")->second;
  file.entity_tag = fmt::format("\"{}\"", correct_checksum(plain));
  file.bytes = compressed(plain, path);
  const std::string_view head = std::string_view(plain).substr(0, plain.find('\n'));
  std::uint64_t pages = 0;
  each_page(plain, [&](std::string_view, std::string_view) { ++pages; });
  replace_text(
      site.text("/sitemap.xml"), "</urlset>",
      fmt::format("  <scp:section name=\"{0}\" updateFreq=\"weekly\" pages=\"{1}\"/>\n"
                  "  <scp:collection section=\"{0}\" type=\"snapshot\" url=\"{2}{3}\" generated=\"{4}\" "
                  "expires=\"{5}\" pages=\"{1}\" size=\"{6}\"/>\n</urlset>",
                  member(head, "section"), pages, site.base, path, member(head, "generated"),
                  format_time({site.now.seconds + 86'400, 0}), file.bytes.size()));
  site.files[path] = std::move(file);
}

std::string page_line(const LabSite& site, std::string_view path, std::string_view more) {
  return fmt::format(
      R"({{"url":"{}{}","title":"Another page","description":"Of the lab","modified":"{}","language":"en",{}"content":[{{"type":"text","text":"A text of the lab."}}]}})"
      "\n",
      site.base, path, format_time({site.now.seconds - 7200, 0}), more);
}

using http::message::equal_ignoring_case;

std::string_view LabRequest::header(std::string_view name) const {
  const auto found = std::ranges::find_if(
      headers, [&](const auto& header) { return equal_ignoring_case(header.first, name); });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

void LabRequest::remove_header(std::string_view name) {
  std::erase_if(headers, [&](const auto& header) { return equal_ignoring_case(header.first, name); });
}

std::string_view LabResponse::header(std::string_view name) const {
  const auto found = std::ranges::find_if(
      headers, [&](const auto& header) { return equal_ignoring_case(header.name, name); });
  return found == headers.end() ? std::string_view() : std::string_view(found->value);
}

void LabResponse::remove_header(std::string_view name) {
  std::erase_if(headers, [&](const auto& header) { return equal_ignoring_case(header.name, name); });
}

void LabResponse::set_header(std::string_view name, std::string_view value) {
  remove_header(name);
  headers.push_back({std::string(name), std::string(value)});
}

LabResponse plain_response(unsigned status, std::string text, std::string_view type) {
  LabResponse response{.status = status, .body = std::move(text)};
  response.set_header("Content-Type", type);
  return response;
}

LabResponse answer_request(const LabSite& site, const LabRequest& request) {
  const auto found = site.files.find(std::string_view(request.path).substr(0, request.path.find('?')));
  if (found == site.files.end()) return plain_response(404, "Not Found\n");
  const LabFile& file = found->second;
  std::vector<http::message::Field> fields;
  for (const auto& [name, value] : request.headers) fields.push_back({name, value});
  const http::message::Representation representation{file.bytes.size(), file.entity_tag, file.last_modified};
  const auto decision =
      http::message::decide(http::message::method_of(request.method), http::message::Fields(fields),
                            representation, site.now.seconds);
  LabResponse response{.status = decision.status};
  response.set_header("ETag", file.entity_tag);
  response.set_header("Last-Modified", http::message::format_http_date(file.last_modified));
  response.set_header("Cache-Control", file.cache_control);
  if (decision.status == 200) response.body = file.bytes;
  // Several ranges would need a multipart body, so only the first one is sent.
  if (decision.status == 206) {
    const auto& range = decision.ranges.front();
    response.body = file.bytes.substr(range.first, range.length);
    response.set_header("Content-Range", fmt::format("bytes {}-{}/{}", range.first,
                                                     range.first + range.length - 1, file.bytes.size()));
  }
  if (decision.status == 200 || decision.status == 206) {
    response.set_header("Content-Type", file.content_type);
    // The compression of a collection is its content coding.
    const bool is_collection = file.content_type == "application/scp";
    if (is_collection && found->first.ends_with(".gz")) response.set_header("Content-Encoding", "gzip");
    if (is_collection && found->first.ends_with(".zst")) response.set_header("Content-Encoding", "zstd");
  }
  if (decision.status == 200) response.set_header("Accept-Ranges", "bytes");
  return response;
}

}  // namespace sheaf::lab
