#pragma once

#include "simulation/history.h"
#include <sheaf/time.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// A site that does what the drafts allow, and what real sites do. It remembers everything that was true of
// its pages, so that a copy can be judged.
namespace sheaf::simulation {

/// One version of a page, as a collection has it.
struct Version {
  int revision = 0;
  Instant modified;
  bool broken = false;  ///< breaks a rule of the format, so readers skip it
  bool hidden = false;  ///< noindex

  friend bool operator==(const Version&, const Version&) = default;
};

/// The page that a visitor sees now.
struct LivePage {
  int revision = 0;
  Instant modified;
  bool hidden = false;
};

/// A body at a URL.
struct WebFile {
  Target target = Target::page;
  std::string body;
  std::string type;
  std::string entity_tag;    ///< empty if the server sends none
  std::string altered = {};  ///< a valid collection that has something else; empty if nobody could tell
};

/// A page that was deleted from a section whose deltas do not say so.
struct Ghost {
  int revision = 0;
  std::optional<Instant> revealed;  ///< by the first snapshot without it, if there is one
};

/// What an offered section states.
struct OfferedSection {
  std::map<std::string, Version> pages;  ///< by URL
  std::map<std::string, Ghost> ghosts;
  bool dated = true;  ///< the sitemap says when its collections were generated
  Instant generated;
};

/// Everything that the site shows at one moment, and what is true then.
struct WebState {
  std::map<std::string, std::shared_ptr<const WebFile>> files;  ///< by URL
  std::map<std::string, LivePage> live;                         ///< pages that answer, by URL
  std::map<std::string, OfferedSection> sections;
  bool had_collections = false;  ///< now or before
  std::string disallowed;        ///< begin of the paths that robots.txt disallows; empty: none
  bool links_only = false;       ///< there is no sitemap
  bool lies = false;             ///< the collections state a wrong digest

  [[nodiscard]] bool disallows(std::string_view url) const;
};

class OwnPublisher;

/// The site. Each act changes what it shows.
class SiteModel {
 public:
  /// `folder` is for the files of a site that sheaf publishes.
  SiteModel(const Traits& traits, std::string host, std::filesystem::path folder, Instant now);
  ~SiteModel();
  SiteModel(const SiteModel&) = delete;
  SiteModel& operator=(const SiteModel&) = delete;

  /// `now` is the true time. Acts of clients (wait, pull) are ignored.
  void act(const Event& event, Instant now);
  /// Ends everything that keeps a client from an exact copy: broken pages, wrong clocks, missing times. If
  /// the site has collections, publishes a snapshot of every section.
  void settle(Instant now);

  [[nodiscard]] const WebState& now() const { return *states_.back(); }
  [[nodiscard]] const std::vector<std::shared_ptr<const WebState>>& states() const { return states_; }
  [[nodiscard]] const std::string& origin() const { return origin_; }
  [[nodiscard]] bool has_collections() const { return !sections_.empty(); }
  /// Where a URL of a former origin redirects; nullopt for others.
  [[nodiscard]] std::optional<std::string> redirect_of(const std::string& url) const;
  /// What its publisher, if that is sheaf, did wrong. A sentence each.
  [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }
  /// Every version that the site ever had of a page.
  [[nodiscard]] const std::map<int, Instant>& revisions(const std::string& url) const;

 private:
  struct Page {
    int number = 0;
    std::string path;
    int revision = 1;
    Instant modified;
    std::set<std::string> sections;
    bool broken = false;
    bool hidden = false;
    bool alive = true;
  };
  struct Published {
    std::string url;
    bool snapshot = true;
    Instant generated;
    Instant since;
    std::size_t pages = 0;
    std::string checksum = {};
    std::shared_ptr<const WebFile> file = {};
    std::shared_ptr<const WebFile> zstd = {};  ///< the same in another codec, if it is offered

    [[nodiscard]] std::string zstd_url() const { return url.substr(0, url.rfind('.')) + ".zst"; }
  };
  struct Section {
    std::map<std::string, Version> pages;  ///< as last published
    std::map<std::string, Ghost> ghosts;
    std::vector<Published> files;
    std::optional<Published> replaced;  ///< the file that the newest snapshot replaced at its URL
    /// The states before, to which a cumulative delta may reach back; the newest last.
    std::vector<std::pair<Instant, std::map<std::string, Version>>> past;
    Instant generated;
    bool dated = true;
  };

  [[nodiscard]] std::string url_of(const Page& page) const { return origin_ + page.path; }
  Page* pick(std::uint32_t number, bool alive = true);
  std::string pick_section(std::uint32_t number) const;
  void edit(Page& page, Instant modified);
  void add_page(std::uint32_t number, Instant now);
  void change_pages(const Event& event, Instant now);
  void change_sections(const Event& event, Instant now);
  void begin_collections(const Event& event, Instant now);
  void publish(const Event& event, Instant now);
  void publish_own(const Event& event, Instant now);
  void move_to(const std::string& origin, Instant now);
  void publish_section(const std::string& name, bool as_delta, Instant now);
  [[nodiscard]] std::map<std::string, Version> pages_of(const std::string& section) const;
  /// `back`: how many states a delta reaches back; 0 for a snapshot.
  Published write_file(const std::string& name, const Section& section,
                       const std::map<std::string, Version>& pages, std::size_t back, Instant generated);
  [[nodiscard]] std::string file_host() const;
  [[nodiscard]] std::string time_text(const Version& version) const;
  [[nodiscard]] std::string page_line(const std::string& url, const Version& version) const;
  void show();
  void show_sitemaps(WebState& state) const;
  void show_page(WebState& state, const Page& page);
  [[nodiscard]] std::string collections_markup() const;
  [[nodiscard]] std::string old_markup() const;
  [[nodiscard]] std::string offer_markup(const std::string& name, bool dated, const Published& file) const;
  void put(WebState& state, const std::string& url, Target target, std::string body, std::string type) const;

  Traits traits_;
  std::string origin_;
  std::vector<Page> pages_;
  std::map<std::string, Section> sections_;  ///< offered
  std::vector<std::string> names_;           ///< sections that pages may be in
  std::unique_ptr<OwnPublisher> own_;
  std::vector<std::string> former_;  ///< origins
  std::vector<std::string> faults_;
  bool whole_ = false;
  bool had_collections_ = false;
  bool foreign_ = false;
  bool lies_ = false;
  std::string disallowed_;
  std::map<std::string, int> renamed_;  ///< paths that redirect to pages, by number
  std::int64_t skew_ = 0;
  int next_file_ = 1;
  int next_section_ = 1;
  std::map<std::string, std::map<int, Instant>> revisions_;
  std::vector<std::shared_ptr<const WebState>> states_;
};

/// The host of a URL or origin without `www.`, which makes no difference.
std::string_view bare_host(std::string_view url);
/// The text by which a version of a page is recognised in its JSON and its HTML.
std::string mark_of(const std::string& path, int revision);
/// The revision that a text states; -1 if it states none.
int revision_of(std::string_view text);

}  // namespace sheaf::simulation
