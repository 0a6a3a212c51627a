#include "simulation/own_publisher.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/publisher.h"
#include "sheaf/site/sitemap.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace sheaf::simulation {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxAhead = std::int64_t{31} * 86'400;  // a `modified` that a wrong clock set

std::string read_bytes(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

OwnPublisher::~OwnPublisher() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void OwnPublisher::move(std::string origin) {
  origin_ = std::move(origin);
  // What sheaf says to do if the base has changed. The URLs are others, so is everything known about them.
  for (const char* name : {"state", "scp", "sitemap.xml"}) fs::remove_all(folder_ / name);
  followers_.clear();
  published_.clear();
  newest_.clear();
}

std::string OwnPublisher::settings(const std::vector<Section>& sections, bool whole) const {
  std::string text =
      fmt::format("base = \"{}\"\nout = \"scp\"\ncollections_url = \"{}/scp/\"\n", origin_, origin_);
  text += "sitemap = \"sitemap.xml\"\nstate = \"state\"\ncompression = [\"zstd\"]\n";
  if (whole) text += "all = \"daily\"\n";
  for (const Section& section : sections)
    text += fmt::format(
        "[[section]]\nname = \"{0}\"\nupdate = \"daily\"\n[[section.source]]\ntype = \"jsonl\"\nfile = "
        "\"{1}\"\n",
        section.name, (folder_ / (section.name + ".jsonl")).string());
  return text;
}

OwnPublisher::Run OwnPublisher::publish(const std::vector<Section>& sections, bool whole, bool snapshot,
                                        bool allow_shrink, Instant now) {
  fs::create_directories(folder_);
  for (const Section& section : sections) {
    std::ofstream file(folder_ / (section.name + ".jsonl"), std::ios::binary | std::ios::trunc);
    for (const auto& [url, line] : section.lines) file << line << '\n';
  }
  Run run;
  const auto config = publish::parse_config(settings(sections, whole), folder_ / "sheaf.toml");
  if (!config) {
    run.faults.push_back("(p) the settings are refused: " + config.error().message);
    return run;
  }
  PublishOptions options;
  options.now = now;
  options.snapshot = snapshot;
  options.shrink = allow_shrink ? format::Shrink::allow : format::Shrink::refuse;
  const std::string before = markup();
  const auto report = publish::publish(*config, options);
  const bool is_empty =
      std::ranges::all_of(sections, [](const Section& each) { return each.revisions.empty(); }) &&
      std::ranges::all_of(published_, [](const auto& each) { return each.second.empty(); });
  if (!report && report.error().code == base::Errc::refused && (!allow_shrink || is_empty)) {
    run.refused = true;
    if (markup() != before) run.faults.emplace_back("(p) a run that was refused changed the sitemap");
    return run;
  }
  if (!report)
    run.faults.push_back("(p) publish failed: " + report.error().message);
  else
    judge(sections, whole, now, run);
  return run;
}

std::map<std::string, std::string> OwnPublisher::files() const {
  std::map<std::string, std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_ / "scp", error))
    found[entry.path().filename().string()] = read_bytes(entry.path());
  return found;
}

std::string OwnPublisher::markup() const {
  std::string found;
  std::ifstream stream(folder_ / "sitemap.xml");
  for (std::string line; std::getline(stream, line);)
    if (line.find("<scp:") != std::string::npos) found += line + "\n";
  return found;
}

std::map<std::string, Instant> OwnPublisher::generated() const {
  std::map<std::string, Instant> newest;
  const auto source = base::open_source((folder_ / "sitemap.xml").string());
  if (!source) return newest;
  if (const auto read = site::read_advertised(**source))
    for (const site::AdvertisedCollection& each : read->advertised.collections)
      newest[each.section] = std::max(newest[each.section], each.generated.value_or(Instant{}));
  return newest;
}

/// The pages of a section by its two readers.
std::map<std::string, Version> OwnPublisher::read(const std::string& section, Instant now, Run& run) {
  const auto versions_of = [&](test::SiteReader& reader) {
    std::map<std::string, Version> pages;
    reader.update(now);
    for (const auto& [url, page] : reader.pages())
      pages[url] = {.revision = revision_of(page.text), .modified = page.modified};
    for (const std::string& fault : reader.faults())
      run.faults.push_back(fmt::format("(p) section {}: {}", section, fault));
    return pages;
  };
  const auto make_reader = [&] {
    return test::SiteReader(folder_ / "sitemap.xml", folder_ / "scp", section);
  };
  auto follower = followers_.try_emplace(section, make_reader()).first;
  test::SiteReader fresh = make_reader();
  const auto followed = versions_of(follower->second);
  auto read = versions_of(fresh);
  if (followed != read)
    run.faults.push_back(fmt::format("(p) section {}: deltas lead to other pages than snapshots", section));
  return read;
}

/// (p) What is published are the newest versions of the source's pages, in every section that has them.
void OwnPublisher::judge(const std::vector<Section>& sections, bool whole, Instant now, Run& run) {
  published_.clear();
  const auto offered = generated();
  std::erase_if(followers_, [&](const auto& each) { return !offered.contains(each.first); });
  for (const auto& [name, time] : offered) published_[name] = read(name, now, run);
  std::map<std::string, std::map<std::string, int>> expected;
  for (const Section& section : sections) {
    expected[section.name] = section.revisions;
    if (whole) expected["all"].insert(section.revisions.begin(), section.revisions.end());
  }
  for (const auto& [name, pages] : expected)
    if (!published_.contains(name) && !pages.empty())
      run.faults.push_back(fmt::format("(p) section {} is not offered", name));
  for (const auto& [name, pages] : published_) {
    std::map<std::string, int> revisions;
    for (const auto& [url, version] : pages) revisions[url] = version.revision;
    if (revisions != expected[name])
      run.faults.push_back(fmt::format("(p) section {} has other pages than its source", name));
  }
  judge_clock(run);
}

/// (p) A page has one clock, whatever sections it is in: each version has one `modified`, later than that of
/// the version before.
void OwnPublisher::judge_clock(Run& run) {
  std::map<std::string, Version> seen;
  for (const auto& [name, pages] : published_) {
    for (const auto& [url, version] : pages) {
      const auto other = seen.try_emplace(url, version).first;
      if (other->second.modified != version.modified)
        run.faults.push_back(fmt::format("(p) {} has two times in one run", url));
      const auto before = newest_.find(url);
      if (before == newest_.end()) continue;
      const std::int64_t ahead = before->second.modified.seconds - version.modified.seconds;
      const bool is_new = before->second.revision != version.revision;
      if (ahead < kMaxAhead && (is_new ? ahead >= 0 && version.modified <= before->second.modified
                                       : version.modified < before->second.modified))
        run.faults.push_back(fmt::format("(p) the time of {} went back in section {}", url, name));
    }
  }
  for (const auto& [url, version] : seen) newest_[url] = version;
}

}  // namespace sheaf::simulation
