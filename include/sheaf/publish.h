// sheaf/publish.h - keep a site's collections, deltas and sitemap current
//
// A Publisher knows a site: where its pages come from and where its collections go. Each run finds out what
// changed since the last one, writes a snapshot or a delta, and names it in the sitemap. The same as
// `sheaf publish`; docs/publishing.md explains the settings.
//
//     #include <sheaf/publish.h>
//
//     #include <cstdio>
//
//     int main() {
//       const auto publisher = sheaf::Publisher::for_folder("site", "https://tarnvane.example", "site/scp");
//       if (!publisher) return std::fprintf(stderr, "%s\n", publisher.error().message.c_str()), 2;
//       const auto result = publisher->run();
//       if (!result) return std::fprintf(stderr, "%s\n", result.error().message.c_str()), 2;
//       for (const sheaf::PublishedSection& section : result->sections)
//         std::printf("%s: %d pages\n", section.name.c_str(), static_cast<int>(section.pages));
//       return result->has_changes() ? 0 : 1;
//     }
//
// Safety: clients see a complete state at every moment: collections are written first, then the sitemap that
// names them, then old files go. A run that is killed is undone or completed by the next one.
//
// Errors: refused when a safety check stops the run (over half of a section is gone); invalid_argument and
// invalid_data for a wrong configuration, with its line; otherwise the disk or the network. After an error
// nothing that is advertised has changed.
//
// Threads: one run at a time for a site, in one process; a second one fails with in_use.
#pragma once

#include <sheaf/delta.h>
#include <sheaf/error.h>
#include <sheaf/time.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf {

/// Options of one run.
struct PublishSettings {
  std::optional<Instant> now = {};  ///< the current time unless given
  bool snapshot = false;            ///< write a snapshot even if none is due
  bool dry_run = false;             ///< report what would be published, and publish nothing
  Shrink shrink = Shrink::refuse;
  unsigned threads = 1;         ///< pages read at a time
  bool allow_private = false;   ///< a live site may be at a private address
  bool allow_http = false;      ///< a live site may redirect from https to http
  bool allow_unsigned = false;  ///< publish without a key although earlier runs were signed
  /// Called now and then; `expected` is how many items there were last time, 0 if that is not known.
  std::function<void(std::uint64_t bytes, std::uint64_t items, std::uint64_t expected)> progress = {};
  /// Looks up a variable of the environment, for the keys of object storage (AWS_ACCESS_KEY_ID, ...). None is
  /// read unless given.
  std::function<std::optional<std::string>(const std::string& name)> environment = {};
};

/// Pages that were not published, for one reason.
struct SkippedPages {
  std::string reason;  ///< "noindex", "draft", ...; docs/publishing.md has them all
  std::uint64_t count = 0;
  std::vector<std::string> examples;  ///< the first few: URLs or file names
};

/// A collection that a run wrote.
struct PublishedCollection {
  std::string name;  ///< of the file
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;
};

struct PublishedSection : PageChanges {
  std::string name;
  std::uint64_t pages = 0;  ///< in the section now
  std::vector<PublishedCollection> collections;
  std::vector<SkippedPages> skipped;
};

/// What a run did.
struct PublishResult {
  std::vector<PublishedSection> sections;
  bool sitemap_changed = false;
  std::vector<std::string> notes;  ///< what the operator may want to do, a sentence each

  [[nodiscard]] bool has_changes() const;
};

/// See the top of this file.
class Publisher {
 public:
  /// Reads a sheaf.toml. Relative paths are relative to its folder.
  static Result<Publisher> from_config(const std::filesystem::path& file);
  /// A folder of HTML pages that is served at `base`. Collections go to `out`, which has to be served too;
  /// the sitemap is `folder`/sitemap.xml, and what sheaf remembers goes to `folder`.sheaf.
  static Result<Publisher> for_folder(const std::filesystem::path& folder, const std::string& base,
                                      const std::filesystem::path& out, const std::string& section = "all");
  ~Publisher();
  Publisher(Publisher&&) noexcept;
  Publisher& operator=(Publisher&&) noexcept;

  /// Where sheaf remembers what it published; must not be served.
  void set_state_folder(const std::filesystem::path& folder);

  Result<PublishResult> run(const PublishSettings& settings = {}) const;

 private:
  class Impl;
  explicit Publisher(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf
