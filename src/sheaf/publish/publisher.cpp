#include "sheaf/publish/publisher.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/base/file.h"
#include "sheaf/base/leftover_files.h"
#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/base/regular_file.h"
#include "sheaf/base/scratch_folder.h"
#include "sheaf/publish/recover.h"
#include "sheaf/publish/release.h"
#include "sheaf/publish/sources/source_maker.h"
#include "sheaf/publish/state_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

/// A small file beside the catalog's own says to which place everything was sent. It is written last: where
/// it is missing or old, everything is sent again, which does no harm.
constexpr std::uint64_t kPlaceBytes = 4096;
fs::path last_place_file(const PublishConfig& config) { return config.state / "delivered-to"; }

base::Result<std::string> read_last_place(const PublishConfig& config) {
  const fs::path file = last_place_file(config);
  std::error_code error;
  if (!fs::exists(file, error)) return std::string();
  SHEAF_TRY_ASSIGN(const auto source, base::open_regular_file(file.string()));
  return base::read_up_to(*source, kPlaceBytes);
}

base::Result<void> write_last_place(const PublishConfig& config, const std::string& place) {
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(last_place_file(config)));
  SHEAF_TRY(out.write(place));
  return out.commit();
}

/// The first 500 KiB of robots.txt; empty if there is none.
base::Result<std::string> read_robots(const fs::path& file) {
  auto opened = file.empty() ? base::fail(base::Errc::not_found, "") : base::open_regular_file(file.string());
  if (!opened && opened.error().code == base::Errc::not_found) return std::string();
  SHEAF_TRY_ASSIGN(const auto source, std::move(opened));
  return base::read_up_to(*source, site::kRobotsBytes);
}

/// Items on their way from thread to thread. Pages as JSON cost little more than to wake who waits for them,
/// so they go many at a time; what is to be extracted, or comes slowly from a live site, goes alone.
using Items = std::vector<SourceItem>;
using PreparedItems = std::vector<base::Result<PreparedItem>>;
using ItemPipeline = base::OrderedPipeline<Items, PreparedItems>;

// Machines without a battery start in 1970. By such a clock everything that was published lies in the future,
// and would be replaced.
constexpr Instant kEarliestClock{1'767'225'600, 0};  // 2026-01-01

class ItemSender {
 public:
  explicit ItemSender(ItemPipeline& pipeline) : pipeline_(pipeline) {}

  /// False when no more are wanted.
  bool send(SourceItem item) {
    const bool cheap = item.kind == ItemKind::page;
    bytes_ += item.bytes.size();
    items_.push_back(std::move(item));
    return (cheap && bytes_ < kBytesTogether) || flush();
  }

  bool flush() {
    bytes_ = 0;
    return items_.empty() || pipeline_.push(std::exchange(items_, {}));
  }

 private:
  static constexpr std::size_t kBytesTogether = std::size_t{32} << 10;

  ItemPipeline& pipeline_;
  Items items_;
  std::size_t bytes_ = 0;
};

class Publisher {
 public:
  Publisher(const PublishConfig& config, const PublishOptions& options, Catalog catalog,
            std::unique_ptr<Target> target)
      : config_(config),
        options_(options),
        catalog_(std::move(catalog)),
        target_(std::move(target)),
        sources_(config, {options.allow_private, options.allow_http}) {}

  base::Result<PublishReport> run() {
    SHEAF_TRY(check_owner(catalog_, config_));
    if (!options_.dry_run) remove_leftovers();
    SHEAF_TRY(finish_last_run());
    SHEAF_TRY(recover());
    // Again, since what was recovered may have been published by another site.
    if (!options_.dry_run) SHEAF_TRY(claim(catalog_, config_));
    SHEAF_TRY(forget_lost_files());
    SHEAF_TRY_ASSIGN(const std::string robots, read_robots(config_.robots));
    robots_ = site::RobotsTxt::parse(robots);
    rules_ = robots_.rules_for("*");
    SHEAF_TRY(begin_sections());
    for (std::size_t i = 0; i < config_.sections.size(); ++i) SHEAF_TRY(read_sources(i));
    SHEAF_TRY(refuse_wrong_base());
    for (SectionRun& run : runs_) SHEAF_TRY(run.end_items());
    if (!options_.dry_run) SHEAF_TRY(write());
    for (const SectionRun& run : runs_) report_.sections.push_back(run.report());
    note_redated();
    advise();
    return std::move(report_);
  }

 private:
  /// What runs that were killed had begun to write. The catalog, which is ours, lets nobody else write now.
  void remove_leftovers() {
    base::remove_leftover_files(
        config_.out, [](std::string_view name) { return parse_collection_name(name).has_value(); });
    const std::string sitemap = config_.sitemap.filename().string();
    base::remove_leftover_files(config_.sitemap.parent_path(), [&](std::string_view name) {
      return name == sitemap || name == kSitemapOfOurs;
    });
  }

  /// A run that was prepared is brought to its end, one that was not leaves nothing.
  base::Result<void> finish_last_run() {
    if (catalog_.is_prepared()) {
      if (options_.dry_run)
        return base::fail(
            base::Errc::refused,
            "the last run was ended in the middle; publish once without --dry-run to bring it to its "
            "end");
      report_.resumed = true;
      return release();
    }
    SHEAF_TRY_ASSIGN(const auto announced, catalog_.announced());
    if (!options_.dry_run)
      for (const std::string& name : announced) SHEAF_TRY(target_->remove_collection(name));
    return options_.dry_run ? base::Result<void>() : catalog_.discard();
  }

  [[nodiscard]] std::vector<std::pair<std::string, site::UpdateFreq>> section_names() const {
    std::vector<std::pair<std::string, site::UpdateFreq>> names;
    names.reserve(config_.sections.size() + 1);
    for (const SectionConfig& section : config_.sections) names.emplace_back(section.name, section.update);
    if (config_.all) names.emplace_back(kWholeSite, *config_.all);
    return names;
  }

  base::Result<void> recover() {
    if (options_.dry_run) return {};
    for (const auto& [name, update] : section_names()) {
      SHEAF_TRY_ASSIGN(const auto state, catalog_.section(name));
      if (state) continue;
      SHEAF_TRY_ASSIGN(const bool found, recover_section(catalog_, config_, name));
      report_.recovered = report_.recovered || found;
    }
    if (!report_.recovered) return {};
    SHEAF_TRY(catalog_.prepare());
    return catalog_.commit();
  }

  /// Or they are sent elsewhere, and the folder is only where they are made.
  [[nodiscard]] bool is_served_from_folder() const {
    return std::holds_alternative<std::monostate>(config_.delivery.to);
  }

  [[nodiscard]] bool is_as_published(const PublishedFile& file) const {
    std::error_code error;
    const std::uint64_t size = fs::file_size(config_.out / to_string(file.name), error);
    return error ? error != std::errc::no_such_file_or_directory : size == file.bytes;
  }

  /// A site that is built anew may take the folder of the collections with it. What is gone is not named any
  /// more, and a snapshot is due, whose pages keep their times.
  base::Result<void> forget_lost_files() {
    if (!is_served_from_folder()) return {};
    bool lost = false;
    for (const auto& [name, update] : section_names()) {
      SHEAF_TRY_ASSIGN(auto state, catalog_.section(name));
      if (!state) continue;
      const std::size_t gone =
          std::erase_if(state->files, [this](const PublishedFile& file) { return !is_as_published(file); });
      if (gone == 0) continue;
      report_.notes.push_back(fmt::format(
          "{} {} of section {} {} gone from {}, or not as published: a new snapshot takes {} place", gone,
          gone == 1 ? "collection" : "collections", name, gone == 1 ? "is" : "are", config_.out.string(),
          gone == 1 ? "its" : "their"));
      state->snapshot.reset();
      if (!options_.dry_run) SHEAF_TRY(catalog_.stage(name, *state));
      lost = true;
    }
    if (!lost || options_.dry_run) return {};
    SHEAF_TRY(catalog_.prepare());
    return catalog_.commit();
  }

  base::Result<void> begin_sections() {
    for (const auto& [name, update] : section_names()) {
      SHEAF_TRY_ASSIGN(auto run, SectionRun::begin(catalog_, {.name = name,
                                                              .base = std::string(config_.base->href()),
                                                              .update = update,
                                                              .folder = config_.out,
                                                              .codecs = config_.codecs,
                                                              .limits = config_.limits,
                                                              .now = options_.now,
                                                              .force_snapshot = options_.snapshot,
                                                              .dry_run = options_.dry_run,
                                                              .shrink = options_.shrink,
                                                              .threads = options_.threads}));
      if (const auto misdated = run.misdated())
        report_.notes.push_back(fmt::format(
            "section {} was published as of {}, which lies in the future: the clock was wrong then, or is "
            "wrong now; a new snapshot replaces what was published, and pullers recover with it",
            name, format_time(*misdated)));
      runs_.push_back(std::move(run));
      SHEAF_TRY_ASSIGN(const auto before, catalog_.section(name));
      if (before && name != kWholeSite) expected_ += before->pages;
    }
    return {};
  }

  [[nodiscard]] SectionRun* all_run() { return config_.all ? &runs_.back() : nullptr; }

  /// One thread reads the sources, several make pages, this one judges and writes them.
  base::Result<void> read_sources(std::size_t index) {
    SectionRun& run = runs_[index];
    PrepareOptions prepare{
        .base = *config_.base,
        .robots = &rules_,
        .limits = config_.limits,
        .now = options_.now,
        .read_all = run.wants_everything() || (all_run() != nullptr && all_run()->wants_everything())};
    std::vector<std::string> sections = {config_.sections[index].name};
    if (config_.all) sections.emplace_back(kWholeSite);
    ItemPipeline pipeline(options_.threads, [&] {
      return [&sections, preparer = std::make_shared<Preparer>(prepare, catalog_)](Items items) {
        return preparer->prepare(sections, std::move(items));
      };
    });
    base::Result<void> read;
    std::vector<std::string> notes;
    {
      const std::jthread reader([&] {
        read = read_items(config_.sections[index], pipeline, notes);
        pipeline.close();
      });
      const base::Result<void> taken = take_items(run, pipeline);
      pipeline.stop();
      if (!taken) return taken;
    }
    std::ranges::move(notes, std::back_inserter(report_.notes));
    return read;
  }

  base::Result<void> read_items(const SectionConfig& section, ItemPipeline& pipeline,
                                std::vector<std::string>& notes) {
    ItemSender sender(pipeline);
    for (std::size_t i = 0; i < section.sources.size(); ++i) {
      bool wanted = true;
      SHEAF_TRY_ASSIGN(const auto source, sources_.make(section, i));
      SHEAF_TRY_ASSIGN(const auto rules, ContentRules::compile(section.sources[i]));
      SHEAF_TRY(source->read([&](SourceItem item) {
        item.rules = rules;
        wanted = sender.send(std::move(item));
        return wanted;
      }));
      wanted = wanted && sender.flush();
      std::ranges::move(source->notes(), std::back_inserter(notes));
      if (!wanted) break;
    }
    return {};
  }

  base::Result<void> take_items(SectionRun& run, ItemPipeline& pipeline) {
    while (auto some = pipeline.next())
      for (auto& prepared : *some) {
        SHEAF_TRY_ASSIGN(const PreparedItem item, std::move(prepared));
        SHEAF_TRY(take_item(run, item));
      }
    return {};
  }

  base::Result<void> take_item(SectionRun& run, const PreparedItem& item) {
    bytes_ += item.size;
    SHEAF_TRY_ASSIGN(const auto modified, run.add(item, item.source_time, true));
    if (modified && all_run() != nullptr) {
      SHEAF_TRY_ASSIGN(const auto unused, all_run()->add(item, modified, false));
      (void)unused;
    }
    if (options_.progress) options_.progress(bytes_, ++items_, expected_);
    return {};
  }

  base::Result<void> write() {
    std::vector<std::string> names;
    for (const SectionRun& run : runs_)
      for (std::string& name : run.file_names()) names.push_back(std::move(name));
    SHEAF_TRY(catalog_.announce(names));
    for (SectionRun& run : runs_) SHEAF_TRY(run.write());
    SHEAF_TRY(catalog_.prepare());
    return release();
  }

  /// From files that are complete to readers that can fetch them. Can be done again from its start.
  base::Result<void> release() {
    std::vector<SectionRelease> sections;
    std::vector<std::string> retired;
    std::vector<std::string> wanted;
    SHEAF_TRY_ASSIGN(const std::string last_place, read_last_place(config_));
    const bool moved = last_place != target_->identity();
    for (const auto& [name, update] : section_names()) {
      SHEAF_TRY_ASSIGN(auto state, catalog_.staged_section(name));
      if (!state) continue;
      for (std::string& gone : retire(*state, config_.retention, options_.now))
        retired.push_back(std::move(gone));
      // What was published before is where readers find it, unless that is another place now.
      SHEAF_TRY_ASSIGN(const auto before, catalog_.section(name));
      for (const PublishedFile& file : state->files)
        if (moved || !before ||
            std::ranges::find(before->files, file.name, &PublishedFile::name) == before->files.end())
          wanted.push_back(to_string(file.name));
      sections.push_back({name, update, std::move(*state)});
    }
    for (const std::string& name : wanted) SHEAF_TRY(target_->put_collection(name));
    SHEAF_TRY(release_sitemap(advertise(config_, sections, options_.now)));
    for (const std::string& name : retired) SHEAF_TRY(target_->remove_collection(name));
    report_.cleaned += retired.size();
    for (const SectionRelease& section : sections) SHEAF_TRY(catalog_.stage(section.name, section.state));
    SHEAF_TRY(catalog_.commit());
    report_.place = target_->place();
    report_.sent = target_->sent();
    return moved ? write_last_place(config_, target_->identity()) : base::Result<void>();
  }

  base::Result<void> release_sitemap(const site::Advertised& advertised) {
    SHEAF_TRY_ASSIGN(const bool current, is_sitemap_current(*target_, config_, advertised, options_.now));
    if (current) {
      SHEAF_TRY_ASSIGN(const bool sent, target_->deliver_sitemap(std::string(kSitemapOfOurs)));
      report_.sitemap_changed = report_.sitemap_changed || sent;
      return {};
    }
    SHEAF_TRY_ASSIGN(auto sitemap, update_sitemap(*target_, config_, advertised));
    report_.sitemap_changed = report_.sitemap_changed || sitemap.changed;
    std::ranges::move(sitemap.notes, std::back_inserter(report_.notes));
    return {};
  }

  /// If no page is left because all of them are pages of another site, the base is wrong.
  [[nodiscard]] base::Result<void> refuse_wrong_base() const {
    std::uint64_t elsewhere = 0;
    std::string example;
    for (const SectionRun& run : runs_) {
      if (run.report().pages > 0) return {};
      for (const PublishSectionReport::Omission& omission : run.report().skipped) {
        if (omission.reason != SkipReason::canonical_elsewhere && omission.reason != SkipReason::no_address)
          continue;
        elsewhere += omission.count;
        if (example.empty()) example = omission.named.front().what + ": " + omission.named.front().detail;
      }
    }
    if (elsewhere == 0) return {};
    return base::fail(
        base::Errc::refused,
        fmt::format("no page belongs to {}: {} {} to another site, such as {}; is the base right?",
                    config_.base->href(), elsewhere, elsewhere == 1 ? "page belongs" : "pages belong",
                    example));
  }

  void note_redated() {
    for (const PublishSectionReport& section : report_.sections)
      if (section.redated > 0)
        report_.notes.push_back(
            fmt::format("{} of section {} had `modified` more than a month in the future, and {} a new one",
                        base::counted(section.redated, "page", "pages"), section.section,
                        section.redated == 1 ? "gets" : "get"));
  }

  void advise() {
    advise_on_nothing();
    if (config_.address_guessed && is_served_from_folder())
      report_.notes.push_back(
          fmt::format("serve {} as {}, which is what the sitemap says: it lies outside of the "
                      "site's folder (`collections_url` in sheaf.toml says another address)",
                      config_.out.string(), config_.collections_url));
    const auto& sitemaps = robots_.sitemaps();
    const bool named = std::ranges::any_of(sitemaps, [this](const std::string& line) {
      const auto url = base::Url::parse(line, &*config_.base);
      return url && url->href() == config_.sitemap_url;
    });
    if (!named)
      report_.notes.push_back(
          fmt::format("add this line to robots.txt, so that crawlers find the sitemap: Sitemap: {}",
                      config_.sitemap_url));
  }

  /// The usual reasons why a site turns out empty.
  void advise_on_nothing() {
    std::uint64_t pages = 0;
    std::uint64_t skipped = 0;
    for (const PublishSectionReport& section : report_.sections) {
      pages += section.pages;
      for (const PublishSectionReport::Omission& omission : section.skipped) skipped += omission.count;
    }
    if (pages > 0) return;
    if (skipped == 0) report_.notes.emplace_back("there is no page in the sources: is the site built?");
  }

  const PublishConfig& config_;
  const PublishOptions& options_;
  Catalog catalog_;
  std::unique_ptr<Target> target_;
  SourceMaker sources_;
  site::RobotsTxt robots_;
  site::RobotsRules rules_;
  std::vector<SectionRun> runs_;
  std::uint64_t bytes_ = 0;
  std::uint64_t items_ = 0;
  std::uint64_t expected_ = 0;  ///< items, by what was published last time
  PublishReport report_;
};

/// Makes nothing that is not there already.
base::Result<PublishReport> rehearse(const PublishConfig& config, const PublishOptions& options) {
  std::optional<base::ScratchFolder> scratch;  // for a catalog, where there is none
  std::error_code error;
  SHEAF_TRY_ASSIGN(const fs::path state, find_state(config));
  if (!fs::exists(state, error)) {
    SHEAF_TRY_ASSIGN(auto made, base::ScratchFolder::make("dry-run"));
    scratch.emplace(std::move(made));
  }
  SHEAF_TRY_ASSIGN(auto catalog, Catalog::open(scratch ? scratch->path() : state));
  // Nothing is sent, so no keys are needed.
  return Publisher(config, options, std::move(catalog), folder_target(config)).run();
}

}  // namespace

bool PublishReport::has_changes() const {
  return std::ranges::any_of(sections,
                             [](const PublishSectionReport& section) { return section.has_changes(); });
}

base::Result<PublishReport> publish(const PublishConfig& config, const PublishOptions& options) {
  if (options.now < kEarliestClock)
    return base::fail(base::Errc::refused,
                      fmt::format("the clock says {}, which cannot be; set it and publish again",
                                  format_time(options.now)));
  if (options.dry_run) return rehearse(config, options);
  std::error_code error;
  fs::create_directories(config.out, error);
  if (error)
    return std::unexpected(
        base::system_error(error.value(), fmt::format("cannot create the folder {}", config.out.string())));
  // Before the work, so that keys which are missing are said at once.
  SHEAF_TRY_ASSIGN(auto target, make_target(config, options.environment));
  SHEAF_TRY(adopt_former_state(config));
  SHEAF_TRY_ASSIGN(auto catalog, Catalog::open(config.state));
  return Publisher(config, options, std::move(catalog), std::move(target)).run();
}

}  // namespace sheaf::publish
