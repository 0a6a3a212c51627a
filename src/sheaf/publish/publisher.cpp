#include "sheaf/publish/publisher.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/base/file.h"
#include "sheaf/base/url_set.h"
#include "sheaf/publish/collection_signer.h"
#include "sheaf/publish/item_pipeline.h"
#include "sheaf/publish/output_run.h"
#include "sheaf/publish/publish_advice.h"
#include "sheaf/publish/recover.h"
#include "sheaf/publish/release.h"
#include "sheaf/publish/sources/source_maker.h"
#include "sheaf/publish/state_folder.h"
#include "sheaf/publish/template_keeper.h"
#include "sheaf/site/usage_preferences.h"
#include "sheaf/trust/key_history.h"
#include "sheaf/trust/signing.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <thread>
#include <utility>

namespace sheaf {

bool PublishReport::has_changes() const {
  return std::ranges::any_of(sections, &PublishSectionReport::has_changes);
}

}  // namespace sheaf

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

/// Reads the first 500 KiB of robots.txt; empty if there is none.
base::Result<std::string> read_robots(const fs::path& file) {
  if (file.empty()) return std::string();
  auto text = base::read_regular_file(file.string(), site::kRobotsBytes);
  if (!text && text.error().code == base::Errc::not_found) return std::string();
  return text;
}

// A machine without a clock battery starts in 1970. With such a clock, everything published before would be
// in the future and would be replaced, so earlier times are refused.
constexpr Instant kEarliestClock{1'767'225'600, 0};  // 2026-01-01

// The first byte of a note's key: followed by a section, NUL and the name of a source that had items.
constexpr char kSourceNote = 'y';

/// Removes all files from a section's state, and returns their names.
std::vector<std::string> take_names(CatalogSection& state) {
  std::vector<std::string> names;
  for (const PublishedFile& file : state.files) names.push_back(to_string(file.name));
  state.files.clear();
  return names;
}

class Publisher {
 public:
  Publisher(const PublishConfig& config, const PublishOptions& options, const PublishWatch& watch,
            Instant now, Catalog catalog, std::unique_ptr<Target> target,
            std::optional<CollectionSigner> signer)
      : config_(config),
        options_(options),
        watch_(watch),
        now_(now),
        catalog_(std::move(catalog)),
        target_(std::move(target)),
        signer_(std::move(signer)),
        sources_(config, {options.allow_private, options.allow_http, options.relearn}),
        templates_(catalog_, options.relearn),
        outputs_(catalog_, config_, *target_) {}

  base::Result<PublishReport> run() {
    SHEAF_TRY(check_owner(catalog_, config_));
    SHEAF_TRY(check_signing());
    if (!options_.dry_run) remove_leftovers();
    SHEAF_TRY(finish_last_run());
    SHEAF_TRY(recover());
    // Checked again, because recovered collections may belong to another site.
    if (!options_.dry_run) SHEAF_TRY(claim(catalog_, config_));
    SHEAF_TRY(forget_lost_files());
    SHEAF_TRY_ASSIGN(const std::string robots, read_robots(config_.robots));
    robots_ = site::RobotsTxt::parse(robots);
    rules_ = robots_.rules_for("*");
    SHEAF_TRY(begin_outputs());
    SHEAF_TRY(begin_sections());
    for (std::size_t i = 0; i < config_.sections.size(); ++i) SHEAF_TRY(read_sources(i));
    SHEAF_TRY(check_base(config_, section_reports()));
    for (SectionRun& run : runs_) SHEAF_TRY(run.end_items());
    SHEAF_TRY(check_skipped(section_reports()));
    if (!options_.dry_run) SHEAF_TRY(write());
    if (!options_.dry_run && options_.write_robots) SHEAF_TRY(write_robots(robots));
    if (!options_.dry_run) SHEAF_TRY(end_outputs());
    report_.sections = section_reports();
    for (PublishSectionReport& section : report_.sections)
      std::ranges::move(section.notes, std::back_inserter(report_.notes));
    std::ranges::move(describe_redated(report_.sections), std::back_inserter(report_.notes));
    std::ranges::move(advise(config_, robots_, report_.sections), std::back_inserter(report_.steps));
    const bool has_usage = report_.robots_changed || site::with_usage_lines(robots, config_.usage) == robots;
    if (!has_usage)
      report_.steps.emplace_back("robots.txt lacks the preferences of [usage]: --write-robots adds them");
    return std::move(report_);
  }

 private:
  /// Refuses to publish unsigned after signed runs: clients that pinned the key refuse unsigned collections,
  /// so a forgotten key would lock them out.
  base::Result<void> check_signing() {
    if (!config_.signing.empty()) return {};
    SHEAF_TRY_ASSIGN(const std::string last_place, read_last_delivery(config_));
    const std::string key = find_last_key(*target_, last_place);
    if (key.empty()) return {};
    if (!options_.allow_unsigned) return refuse_unsigned(key);
    report_.notes.push_back(fmt::format(
        "the site was signed with {}, and is not signed any more: clients that know the key refuse it until "
        "they forget the key (sheaf pull --key {}=none)",
        key, config_.base->origin()));
    return {};
  }

  /// Deletes temporary files of killed runs. The catalog is locked, so no other process is writing them.
  void remove_leftovers() {
    base::remove_leftover_files(config_.out, [](std::string_view name) {
      if (name.ends_with(trust::kSignatureEnding)) name.remove_suffix(trust::kSignatureEnding.size());
      return parse_collection_name(name).has_value();
    });
    const std::string sitemap = config_.sitemap.filename().string();
    base::remove_leftover_files(config_.sitemap.parent_path(), [&](std::string_view name) {
      return name == sitemap || name == kSheafSitemapName;
    });
  }

  /// Adds the Sitemap line and the usage preferences to robots.txt, unless they are there. Does not change
  /// the rest of the file.
  base::Result<void> write_robots(const std::string& before) {
    std::string text = site::with_usage_lines(before, config_.usage);
    if (names_sitemap(robots_, config_) && text == before) return {};
    if (before.size() > site::kRobotsBytes)
      return base::fail(base::Errc::refused,
                        fmt::format("{} is longer than crawlers read; add the lines by hand, near its start",
                                    config_.robots.string()));
    if (!names_sitemap(robots_, config_)) {
      if (!text.empty() && !text.ends_with('\n')) text += '\n';
      text += fmt::format("{}Sitemap: {}\n", text.empty() ? "" : "\n", advertised_sitemap_url(config_));
    }
    SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(config_.robots));
    SHEAF_TRY(file.write(text));
    SHEAF_TRY(file.commit());
    robots_ = site::RobotsTxt::parse(text);
    report_.robots_changed = true;
    if (!is_served_from_folder(config_))
      report_.steps.push_back(fmt::format("upload {}: lines were added to it", config_.robots.string()));
    return {};
  }

  base::Result<void> begin_outputs() {
    if (options_.dry_run) return {};
    SHEAF_TRY_ASSIGN(const std::string last_place, read_last_delivery(config_));
    const bool moved = last_place.substr(0, last_place.find('\n')) != target_->identity();
    SHEAF_TRY_ASSIGN(reads_all_, outputs_.begin(moved));
    return {};
  }

  base::Result<void> end_outputs() {
    SHEAF_TRY(outputs_.announce(RequestOptions{.allow_private = options_.allow_private, .tries = 2}));
    report_.outputs_written = outputs_.files_written();
    report_.outputs_removed = outputs_.files_removed();
    report_.urls_submitted = outputs_.urls_submitted();
    std::ranges::copy(outputs_.notes(), std::back_inserter(report_.notes));
    return {};
  }

  /// Completes the last run if it was interrupted after prepare(), and undoes it if it was interrupted
  /// before.
  base::Result<void> finish_last_run() {
    if (catalog_.is_prepared()) {
      if (options_.dry_run)
        return base::fail(base::Errc::refused,
                          "the last run was interrupted; publish once without --dry-run to complete it");
      report_.resumed = true;
      return release();
    }
    SHEAF_TRY_ASSIGN(const auto announced, catalog_.announced());
    if (!options_.dry_run)
      for (const std::string& name : announced) SHEAF_TRY(target_->remove_collection(name));
    return options_.dry_run ? base::Result<void>() : catalog_.discard();
  }

  [[nodiscard]] std::size_t configured() const { return config_.sections.size() + (config_.all ? 1 : 0); }

  /// The configured sections, and after them those that were published and are not configured any more. The
  /// latter are withdrawn: their pages are removed, and they stay listed until clients know that.
  base::Result<std::vector<std::pair<std::string, site::UpdateFreq>>> section_names() const {
    std::vector<std::pair<std::string, site::UpdateFreq>> names;
    for (const SectionConfig& section : config_.sections) names.emplace_back(section.name, section.update);
    if (config_.all) names.emplace_back(kWholeSite, *config_.all);
    SHEAF_TRY_ASSIGN(const auto published, catalog_.sections());
    for (const std::string& name : published)
      if (is_withdrawn(name)) names.emplace_back(name, config_.update_of(name));
    return names;
  }

  [[nodiscard]] bool is_withdrawn(std::string_view name) const {
    return !(config_.all && name == kWholeSite) &&
           std::ranges::find(config_.sections, name, &SectionConfig::name) == config_.sections.end();
  }

  [[nodiscard]] std::vector<PublishSectionReport> section_reports() const {
    std::vector<PublishSectionReport> reports;
    for (const SectionRun& run : runs_)
      if (reports.size() < configured() || run.report().has_changes()) reports.push_back(run.report());
    return reports;
  }

  base::Result<void> recover() {
    if (options_.dry_run) return {};
    SHEAF_TRY_ASSIGN(const auto names, section_names());
    for (const auto& [name, update] : names) {
      SHEAF_TRY_ASSIGN(const auto state, catalog_.section(name));
      if (state) continue;
      SHEAF_TRY_ASSIGN(const bool found, recover_section(catalog_, config_, name));
      report_.recovered = report_.recovered || found;
    }
    if (!report_.recovered) return {};
    SHEAF_TRY(catalog_.prepare());
    return catalog_.commit();
  }

  [[nodiscard]] bool is_as_published(const PublishedFile& file) const {
    std::error_code error;
    const std::uint64_t size = fs::file_size(config_.out / to_string(file.name), error);
    return error ? error != std::errc::no_such_file_or_directory : size == file.bytes;
  }

  bool restore(const PublishedFile& file) {
    const auto mode = options_.dry_run ? RestoreMode::look : RestoreMode::link;
    const bool restored = restore_collection(config_, to_string(file.name), file.bytes, mode);
    if (restored) ++report_.restored;
    return restored;
  }

  /// A rebuild of the site may have deleted the collections. Those of which the state folder has a hard link
  /// are restored. The others are no longer listed, and a new snapshot is due, in which pages keep their
  /// times.
  base::Result<void> forget_lost_files() {
    if (!is_served_from_folder(config_)) return {};
    bool lost = false;
    SHEAF_TRY_ASSIGN(const auto names, section_names());
    for (const auto& [name, update] : names) {
      SHEAF_TRY_ASSIGN(auto state, catalog_.section(name));
      if (!state) continue;
      const std::size_t gone = std::erase_if(state->files, [this](const PublishedFile& file) {
        return !is_as_published(file) && !restore(file);
      });
      if (gone == 0) continue;
      if (!is_withdrawn(name))
        report_.notes.push_back(
            fmt::format("{} of section {} {} missing from {} or {} changed: a new snapshot replaces {}",
                        base::counted(gone, "collection", "collections"), name, gone == 1 ? "is" : "are",
                        config_.out.string(), gone == 1 ? "was" : "were", gone == 1 ? "it" : "them"));
      state->snapshot.reset();
      if (!options_.dry_run) SHEAF_TRY(catalog_.stage(name, *state));
      lost = true;
    }
    if (!lost || options_.dry_run) return {};
    SHEAF_TRY(catalog_.prepare());
    return catalog_.commit();
  }

  base::Result<void> begin_sections() {
    SHEAF_TRY_ASSIGN(const auto names, section_names());
    for (const auto& [name, update] : names) {
      SHEAF_TRY_ASSIGN(const auto before, catalog_.section(name));
      const bool withdrawn = is_withdrawn(name);
      if (withdrawn && before && before->pages == 0) continue;
      const bool has_outputs = withdrawn ? name != kWholeSite : runs_.size() < config_.sections.size();
      SHEAF_TRY_ASSIGN(
          auto run,
          SectionRun::begin(catalog_,
                            {.name = name,
                             .base = *config_.base,
                             .update = update,
                             .folder = config_.out,
                             .codecs = config_.codecs,
                             .limits = config_.limits,
                             .now = now_,
                             .force_snapshot = options_.snapshot,
                             .dry_run = options_.dry_run,
                             .shrink = options_.shrink,
                             .threads = options_.threads,
                             .merge_days = config_.retention.merge_days,
                             // Section `all` has the pages of the other sections.
                             .quality = runs_.size() < config_.sections.size() ? watch_.quality : nullptr,
                             .outputs = has_outputs && !options_.dry_run ? &outputs_ : nullptr,
                             .site_pages = withdrawn ? &site_pages_ : nullptr}));
      if (const auto misdated = run.misdated())
        report_.notes.push_back(fmt::format(
            "section {} was published as of {}, which lies in the future: the clock was wrong then, or is "
            "wrong now; a new snapshot replaces what was published, and clients recover with it",
            name, format_time(*misdated)));
      runs_.push_back(std::move(run));
      if (before && name != kWholeSite && !withdrawn) expected_ += before->pages;
    }
    return {};
  }

  [[nodiscard]] SectionRun* all_run() { return config_.all ? &runs_[config_.sections.size()] : nullptr; }

  /// A source, and what its pages have in common.
  struct Input {
    std::unique_ptr<Source> source;
    std::shared_ptr<const ContentRules> rules;
    std::shared_ptr<const crawl::SiteTemplate> site_template;
    std::uint64_t items = 0;  ///< read from the source
  };
  using Inputs = std::vector<Input>;

  /// One thread reads the sources, several make pages, and the calling thread compares and writes them.
  base::Result<void> read_sources(std::size_t index) {
    SectionRun& run = runs_[index];
    PrepareOptions prepare{.base = *config_.base,
                           .robots = &rules_,
                           .limits = config_.limits,
                           .now = now_,
                           .read_all = watch_.read_all || reads_all_ || run.wants_everything() ||
                                       (all_run() != nullptr && all_run()->wants_everything()),
                           .measure = watch_.quality != nullptr};
    std::vector<std::string> sections = {config_.sections[index].name};
    if (config_.all) sections.emplace_back(kWholeSite);
    SHEAF_TRY_ASSIGN(Inputs inputs, open_sources(config_.sections[index], run.wants_everything()));
    ItemPipeline pipeline(options_.threads, [&] {
      return [&sections, preparer = std::make_shared<Preparer>(prepare, catalog_)](Items items) {
        return preparer->prepare(sections, std::move(items));
      };
    });
    base::Result<void> read;
    std::vector<std::string> notes;
    {
      const std::jthread reader([&] {
        read = read_items(inputs, pipeline, notes);
        pipeline.close();
      });
      const base::Result<void> taken = take_items(run, pipeline);
      pipeline.stop();
      if (!taken) return taken;
    }
    std::ranges::move(notes, std::back_inserter(report_.notes));
    if (!read) return read;
    for (const Input& input : inputs) SHEAF_TRY(check_source(sections.front(), input));
    return {};
  }

  /// A source that had items in an earlier run and has none now is more likely broken than empty.
  base::Result<void> check_source(const std::string& section, const Input& input) {
    const std::string key = kSourceNote + section + '\0' + Catalog::item_id(input.source->name());
    SHEAF_TRY_ASSIGN(const auto had_items, catalog_.note(key));
    if (had_items.has_value() == (input.items > 0)) return {};
    if (had_items && options_.shrink == format::Shrink::refuse)
      return base::fail(
          base::Errc::refused,
          fmt::format("section {}: {} had pages in an earlier run and has none now: is the site "
                      "built? To confirm this, use --allow-shrink",
                      section, input.source->name()));
    if (options_.dry_run) return {};
    return had_items ? catalog_.stage_forget_note(key) : catalog_.stage_note(key, "");
  }

  /// `is_snapshot`: all pages of the section are read.
  base::Result<Inputs> open_sources(const SectionConfig& section, bool is_snapshot) {
    Inputs inputs;
    for (std::size_t i = 0; i < section.sources.size(); ++i) {
      Input input;
      SHEAF_TRY_ASSIGN(input.source, sources_.make(section, i));
      SHEAF_TRY_ASSIGN(input.rules, ContentRules::compile(section.sources[i]));
      if (has_template(section.sources[i])) {
        SHEAF_TRY_ASSIGN(input.site_template, templates_.choose(section.name, i, *input.source, is_snapshot));
      }
      inputs.push_back(std::move(input));
    }
    return inputs;
  }

  static base::Result<void> read_items(Inputs& inputs, ItemPipeline& pipeline,
                                       std::vector<std::string>& notes) {
    ItemSender sender(pipeline);
    for (Input& input : inputs) {
      bool wanted = true;
      SHEAF_TRY(input.source->read([&](SourceItem item) {
        ++input.items;
        item.rules = input.rules;
        if (input.site_template) item.site_template = input.site_template;
        wanted = sender.send(std::move(item));
        return wanted;
      }));
      wanted = wanted && sender.flush();
      std::ranges::move(input.source->notes(), std::back_inserter(notes));
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
    if (modified && runs_.size() > configured()) site_pages_.insert(item.url);
    if (watch_.on_item) SHEAF_TRY(watch_.on_item(item, modified.has_value()));
    if (options_.progress) options_.progress(bytes_, ++items_, expected_);
    return {};
  }

  base::Result<void> write() {
    std::vector<std::string> names;
    for (const SectionRun& run : runs_)
      for (std::string& name : run.file_names()) names.push_back(std::move(name));
    SHEAF_TRY(catalog_.announce(names));
    for (SectionRun& run : runs_) SHEAF_TRY(run.write());
    SHEAF_TRY(templates_.stage());
    SHEAF_TRY(outputs_.stage());
    SHEAF_TRY(catalog_.prepare());
    return release();
  }

  /// Makes the complete files visible to clients. Can be repeated from the start.
  base::Result<void> release() {
    std::vector<SectionRelease> sections;
    std::vector<std::string> retired;
    std::vector<std::string> wanted;
    SHEAF_TRY_ASSIGN(const std::string last_place, read_last_delivery(config_));
    const std::string place = delivery_identity();
    const bool moved = last_place.substr(0, last_place.find('\n')) != target_->identity();
    SHEAF_TRY_ASSIGN(const auto names, section_names());
    for (const auto& [name, update] : names) {
      SHEAF_TRY_ASSIGN(auto state, catalog_.staged_section(name));
      if (!state) continue;
      const bool is_over = is_withdrawn(name) && state->pages == 0 &&
                           state->generated.seconds + config_.retention.delta_seconds <= now_.seconds;
      for (std::string& gone : is_over ? take_names(*state) : retire(*state, config_.retention, now_))
        retired.push_back(std::move(gone));
      // Files that were published before are already in place, unless the target has changed.
      SHEAF_TRY_ASSIGN(const auto before, catalog_.section(name));
      for (const PublishedFile& file : state->files)
        if (moved || !before ||
            std::ranges::find(before->files, file.name, &PublishedFile::name) == before->files.end())
          wanted.push_back(to_string(file.name));
      sections.push_back({name, update, std::move(*state)});
    }
    SHEAF_TRY(release_signatures(sections, wanted, last_place != place));
    if (!signer_ && options_.allow_unsigned) SHEAF_TRY(remove_key_list());
    for (const std::string& name : wanted) SHEAF_TRY(target_->put_collection(name));
    site::Advertised advertised = advertise(config_, sections, now_);
    if (signer_ && !sections.empty()) advertised.key = signer_->advertised(config_);
    SHEAF_TRY(release_sitemap(advertised));
    SHEAF_TRY(outputs_.release());
    for (const std::string& name : retired) SHEAF_TRY(target_->remove_collection(name));
    report_.cleaned += retired.size();
    for (const SectionRelease& section : sections) SHEAF_TRY(catalog_.stage(section.name, section.state));
    SHEAF_TRY(catalog_.commit());
    if (is_served_from_folder(config_)) keep_collections(config_, sections);
    report_.place = target_->place();
    report_.sent = target_->sent();
    return last_place != place ? write_last_delivery(config_, place) : base::Result<void>();
  }

  /// Identifies the target and the signing key. If it changes, all signatures are delivered again.
  [[nodiscard]] std::string delivery_identity() const {
    return target_->identity() + (signer_ ? "\n" + signer_->identity() : "");
  }

  base::Result<void> release_signatures(const std::vector<SectionRelease>& sections,
                                        const std::vector<std::string>& wanted, bool all) {
    if (!signer_) return {};
    SHEAF_TRY_ASSIGN(auto released, publish::release_signatures(*signer_, *target_, config_, sections,
                                                                {.names = wanted, .all = all}));
    report_.signatures += released.made;
    std::ranges::move(released.notes, std::back_inserter(report_.notes));
    return {};
  }

  /// Deletes the key list of a site that is no longer signed.
  base::Result<void> remove_key_list() {
    const std::string name(trust::kKeyListPath);
    SHEAF_TRY_ASSIGN(const auto list, target_->read_site_file(name));
    return list ? target_->remove_site_file(name) : base::Result<void>();
  }

  /// Lists the pages in a sitemap that publish made: exactly the pages that clients get after this run.
  base::Result<void> list_released_pages(const site::Advertised& advertised, ElementsThere there) {
    const EachPage each = [&](const auto& use) -> base::Result<void> {
      base::UrlSet listed;
      for (const SectionConfig& section : config_.sections)
        SHEAF_TRY(
            catalog_.each_staged_page(section.name, [&](const CatalogEntry& page) -> base::Result<void> {
              if (page.removed_at || !listed.insert(page.url)) return {};
              return use(page.url, page.modified);
            }));
      return {};
    };
    SHEAF_TRY_ASSIGN(const bool changed, list_pages(*target_, config_, advertised, each, there));
    report_.sitemap_changed = report_.sitemap_changed || changed;
    return {};
  }

  base::Result<void> release_sitemap(const site::Advertised& advertised) {
    SHEAF_TRY_ASSIGN(const bool current, is_sitemap_current(*target_, config_, advertised, now_));
    if (current) {
      SHEAF_TRY_ASSIGN(const bool sent, target_->deliver_sitemap(std::string(kSheafSitemapName)));
      report_.sitemap_changed = report_.sitemap_changed || sent;
      return list_released_pages(advertised, ElementsThere::current);
    }
    SHEAF_TRY_ASSIGN(auto sitemap, update_sitemap(*target_, config_, advertised));
    report_.sitemap_changed = report_.sitemap_changed || sitemap.changed;
    std::ranges::move(sitemap.notes, std::back_inserter(report_.notes));
    return list_released_pages(advertised, ElementsThere::outdated);
  }

  const PublishConfig& config_;
  const PublishOptions& options_;
  const PublishWatch& watch_;
  Instant now_;
  Catalog catalog_;
  std::unique_ptr<Target> target_;
  std::optional<CollectionSigner> signer_;
  SourceMaker sources_;
  TemplateKeeper templates_;
  OutputRun outputs_;
  bool reads_all_ = false;  ///< read unchanged pages too
  site::RobotsTxt robots_;
  site::RobotsRules rules_;
  std::vector<SectionRun> runs_;
  base::UrlSet site_pages_;  ///< URLs of this run; only if a section is withdrawn
  std::uint64_t bytes_ = 0;
  std::uint64_t items_ = 0;
  std::uint64_t expected_ = 0;  ///< number of items in the last run
  PublishReport report_;
};

/// Makes a dry run. It writes nothing, except that a live-site source stores the pages that it fetched.
base::Result<PublishReport> rehearse(const PublishConfig& config, const PublishOptions& options,
                                     const PublishWatch& watch, Instant now) {
  std::error_code error;
  const fs::path& state =
      config.served_state.empty() || fs::exists(config.state, error) ? config.state : config.served_state;
  SHEAF_TRY_ASSIGN(auto catalog,
                   fs::exists(state, error) ? Catalog::open(state) : Catalog::create_in_memory());
  // Nothing is sent, so no credentials are needed.
  return Publisher(config, options, watch, now, std::move(catalog), folder_target(config), std::nullopt)
      .run();
}

/// Moves a state folder that was served out of there. Returns a note for the user; empty if there was none.
base::Result<std::string> move_served_state(const PublishConfig& config) {
  std::error_code error;
  if (config.served_state.empty() || !fs::exists(config.served_state, error)) return std::string();
  const auto fail = [&](std::string_view why) {
    return base::fail(
        base::Errc::refused,
        fmt::format("the state folder {} is inside the served folder, where everybody can read it, and "
                    "cannot be moved to {}: {}; move it, and set `state`",
                    config.served_state.string(), config.state.string(), why));
  };
  if (fs::exists(config.state, error)) return fail("there is one already");
  fs::rename(config.served_state, config.state, error);
  if (error) return fail(error.message());
  return fmt::format("the state folder {} was inside the served folder; it was moved to {}",
                     config.served_state.string(), config.state.string());
}

}  // namespace

base::Result<PublishReport> publish(const PublishConfig& config, const PublishOptions& options,
                                    const PublishWatch& watch) {
  const Instant now = options.now.value_or(Instant{sheaf::now().seconds, 0});
  if (now < kEarliestClock)
    return base::fail(
        base::Errc::refused,
        fmt::format("the clock says {}, which cannot be; set it and publish again", format_time(now)));
  if (options.dry_run) return rehearse(config, options, watch, now);
  SHEAF_TRY(base::make_folder(config.out));
  // Done first, so that missing credentials are reported at once.
  SHEAF_TRY_ASSIGN(auto target, make_target(config, options.environment));
  SHEAF_TRY_ASSIGN(auto signer, CollectionSigner::open(config, options.passphrase));
  SHEAF_TRY_ASSIGN(const std::string moved, move_served_state(config));
  SHEAF_TRY_ASSIGN(auto catalog, Catalog::open(config.state));
  auto report =
      Publisher(config, options, watch, now, std::move(catalog), std::move(target), std::move(signer)).run();
  if (report && !moved.empty()) report->notes.push_back(moved);
  return report;
}

}  // namespace sheaf::publish
