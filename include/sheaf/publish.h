// sheaf/publish.h - keep a site's collections, deltas and sitemap current
//
// A Publisher is configured with the source of a site's pages and the place for its collections. Each run
// finds out what changed since the previous one, writes a snapshot or a delta, and lists it in the sitemap.
// The same as `sheaf publish`; docs/publishing.md explains the settings.
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
// Safety: clients see a complete state at every moment, because collections are written first, then the
// sitemap that lists them, and only then are old files deleted. If a run is killed, the next run undoes or
// completes it.
//
// Errors: refused if a safety check stops the run (more than half of a section is gone, or nothing is left to
// publish); invalid_argument or invalid_data for an error in the configuration, with its line; otherwise an
// I/O or network error. After an error, nothing that the sitemap lists has changed.
//
// Threads: only one run per state folder at a time, in all processes; a second one fails with in_use.
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
  std::optional<Instant> now = {};  ///< default: the current time
  bool snapshot = false;            ///< write a snapshot even if none is due
  bool dry_run = false;             ///< report what would be published, and publish nothing
  Shrink shrink = Shrink::refuse;
  unsigned threads = 1;         ///< number of pages read concurrently
  bool allow_private = false;   ///< a live site may be at a private address
  bool allow_http = false;      ///< a live site may redirect from https to http
  bool allow_unsigned = false;  ///< publish without a key although earlier runs were signed
  /// Called repeatedly; `expected` is the number of items of the previous run, 0 if unknown.
  std::function<void(std::uint64_t bytes, std::uint64_t items, std::uint64_t expected)> progress = {};
  /// Returns the value of an environment variable. Used for the keys of object storage (AWS_ACCESS_KEY_ID,
  /// ...). If empty, no environment variables are read.
  std::function<std::optional<std::string>(const std::string& name)> environment = {};
};

/// The pages that were skipped for one reason.
struct SkippedPages {
  std::string reason;  ///< "noindex", "draft", ...; docs/publishing.md lists all reasons
  std::uint64_t count = 0;
  std::vector<std::string> examples;  ///< the first few: URLs or file names
};

/// A collection that a run wrote.
struct PublishedCollection {
  std::string name;  ///< file name
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;
};

struct PublishedSection : PageChanges {
  std::string name;
  std::uint64_t pages = 0;  ///< number of pages in the section after the run
  std::vector<PublishedCollection> collections;
  std::vector<SkippedPages> skipped;
};

/// What a run did.
struct PublishResult {
  std::vector<PublishedSection> sections;
  bool sitemap_changed = false;
  std::vector<std::string> notes;  ///< advice for the operator, one sentence each

  [[nodiscard]] bool has_changes() const;
};

/// See the top of this file.
class Publisher {
 public:
  /// Reads a sheaf.toml. Relative paths in it are relative to its folder.
  static Result<Publisher> from_config(const std::filesystem::path& file);
  /// Publishes a folder of HTML pages that is served at the URL `base`. Collections are written to `out`,
  /// which must be served too. The sitemap is `folder`/sitemap.xml, and the state folder is `folder`.sheaf.
  static Result<Publisher> for_folder(const std::filesystem::path& folder, const std::string& base,
                                      const std::filesystem::path& out, const std::string& section = "all");
  ~Publisher();
  Publisher(Publisher&&) noexcept;
  Publisher& operator=(Publisher&&) noexcept;

  /// Sets the folder with the record of what was published. It must not be served.
  void set_state_folder(const std::filesystem::path& folder);

  Result<PublishResult> run(const PublishSettings& settings = {}) const;

 private:
  class Impl;
  explicit Publisher(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf
