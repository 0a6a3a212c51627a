#include "sheaf/base/hex.h"
#include "sheaf/base/sha256.h"
#include "sheaf/format/codecs/codec.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/lab/lab_site.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

namespace sheaf::lab {
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

}  // namespace sheaf::lab
