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
//       for (const sheaf::PublishSectionReport& section : result->sections)
//         std::printf("%s: %d pages\n", section.section.c_str(), static_cast<int>(section.pages));
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

#include <sheaf/collection.h>
#include <sheaf/delta.h>
#include <sheaf/error.h>
#include <sheaf/time.h>
#include <sheaf/writer.h>

#include <cstddef>
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
struct PublishOptions {
  std::optional<Instant> now = {};  ///< default: the current time
  bool snapshot = false;            ///< write a snapshot even if none is due
  bool dry_run = false;             ///< report what would be published, and publish nothing
  Shrink shrink = Shrink::refuse;
  bool allow_unsigned = false;  ///< publish without a key although earlier runs were signed
  unsigned threads = 1;         ///< number of pages read concurrently
  /// Called repeatedly; `expected` is the number of items of the previous run, 0 if unknown.
  std::function<void(std::uint64_t bytes, std::uint64_t items, std::uint64_t expected)> progress = {};
  bool allow_private = false;  ///< a live site may be at a private address
  bool allow_http = false;     ///< a live site may redirect from https to http
  bool write_robots = false;   ///< add the Sitemap line to robots.txt if it is missing
  bool relearn = false;        ///< learn the templates of sites again
  /// Returns the value of an environment variable. Used for the keys of object storage (AWS_ACCESS_KEY_ID,
  /// ...). Default: no environment variable is read.
  std::function<std::optional<std::string>(const std::string& name)> environment =
      [](const std::string&) -> std::optional<std::string> { return std::nullopt; };
  /// Returns the passphrase of a protected signing key.
  std::function<Result<std::string>(const std::filesystem::path& key)> passphrase = {};
};

/// Why a page is not published. The numbers are stored in catalogs: append new values at the end.
enum class SkipReason : std::uint8_t {
  none,  ///< the page is published
  noindex,
  draft,
  future,
  redirect,
  error_page,
  duplicate,
  canonical_elsewhere,
  robots_disallowed,
  no_address,
  no_content,
  unreadable,
  refused,       ///< over a limit, or has a field that no reader would accept
  gone,          ///< a live site's sitemap lists it, but it does not exist
  not_html,      ///< a document of a live site that is not HTML
  private_page,  ///< private, hidden, with a password
  expired,
  guarded,  ///< the web server asks for a login, or refuses the folder
  no_text,  ///< the bytes are not text
};
inline constexpr SkipReason kLastSkipReason = SkipReason::no_text;
std::string_view to_string(SkipReason reason);  ///< "noindex", "draft", ...; docs/publishing.md lists all

/// The parts of a collection's file name: blog-snapshot-20260115T000000Z.scp.zst, or for a delta that was
/// merged from several: blog-delta-20260108T000000Z-20260115T000000Z.scp.zst.
struct CollectionName {
  std::string section;
  CollectionType type = CollectionType::snapshot;
  Instant generated;
  Codec codec = Codec::zstd;
  std::optional<Instant> since = std::nullopt;  ///< only for a merged delta

  friend bool operator==(const CollectionName&, const CollectionName&) = default;
};
std::string to_string(const CollectionName& name);
/// Returns nullopt if it is not a name that sheaf writes.
std::optional<CollectionName> parse_collection_name(std::string_view file_name);

/// A published file.
struct PublishedFile {
  CollectionName name;
  std::uint64_t bytes = 0;
  std::uint64_t pages = 0;
  std::optional<Instant> since;
  std::string checksum;
};

/// A page or item that a report names, with a detail.
struct NamedItem {
  std::string what;    ///< a URL, or an item's name
  std::string detail;  ///< may be empty
};

/// The pages or items that were skipped for one reason. Only the first few are named.
struct SkippedItems {
  SkipReason reason = SkipReason::none;
  std::uint64_t count = 0;
  std::vector<NamedItem> named;
};

/// The size of the HTML of some pages, and of a collection with them.
struct CollectionSaving {
  Codec codec = Codec::zstd;
  std::uint64_t html_bytes = 0;  ///< uncompressed
  std::uint64_t compressed_bytes = 0;
};

/// Result of a run for one section. Only the first few pages of each kind are named.
struct PublishSectionReport : PageChanges {
  static constexpr std::size_t kNamed = 20;

  std::string section;
  std::uint64_t pages = 0;    ///< in the section after the run
  std::uint64_t redated = 0;  ///< among the changed pages: those that were dated in the far future
  std::uint64_t bytes = 0;    ///< bytes read from the sources
  std::vector<std::string> added_urls;
  std::vector<std::string> changed_urls;
  std::vector<std::string> removed_urls;
  std::vector<SkippedItems> skipped;   ///< by reason
  std::uint64_t repaired = 0;          ///< pages that were repaired
  std::vector<NamedItem> repairs;      ///< one entry per repair
  std::vector<PublishedFile> written;  ///< collections
  std::vector<std::string> notes;      ///< advice for the user, one sentence each
  /// Of the collection that a dry run would write; nullopt if the HTML of one of its pages is not known.
  std::optional<CollectionSaving> saving;

  [[nodiscard]] bool has_changes() const { return added + changed + removed > 0; }
};

/// What a run did.
struct PublishReport {
  std::vector<PublishSectionReport> sections;
  bool resumed = false;    ///< an interrupted run was completed before this one
  bool recovered = false;  ///< there was no catalog; it was rebuilt from the published collections
  bool sitemap_changed = false;
  bool robots_changed = false;        ///< the Sitemap line was added to robots.txt
  std::uint64_t outputs_written = 0;  ///< files written for [outputs]
  std::uint64_t outputs_removed = 0;
  std::uint64_t urls_submitted = 0;  ///< to IndexNow
  std::uint64_t signatures = 0;      ///< number of signatures made
  std::string place;                 ///< remote target: "s3://bucket"; empty for the local folder
  std::uint64_t sent = 0;            ///< number of files sent to it
  std::uint64_t cleaned = 0;         ///< old files deleted
  std::uint64_t restored = 0;        ///< collections that were missing in the folder and restored
  std::vector<std::string> notes;    ///< remarks for the user, one sentence each
  std::vector<std::string> steps;    ///< what the user has to do, one sentence each

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

  Result<PublishReport> run(const PublishOptions& options = {}) const;

 private:
  class Impl;
  explicit Publisher(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf
