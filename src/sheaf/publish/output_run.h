#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/publish/catalog.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/delivery/target.h"
#include "sheaf/publish/outputs/site_outputs.h"
#include <sheaf/page.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::publish {

/// Writes the outputs of one run: llms.txt, a Markdown file for each page, a feed of changes, IndexNow.
///
/// The catalog's notes record what was written for each page. A run stages notes for pages whose output has
/// changed, and keeps their Markdown in a file of the state folder until it is released. So, as with
/// collections, the next run completes or undoes a killed one, and nothing is written that has not changed.
class OutputRun {
 public:
  OutputRun(Catalog& catalog, const PublishConfig& config, Target& target)
      : catalog_(catalog), config_(config), target_(target) {}

  /// Returns whether all pages have to be read: the settings or the target have changed, or files are
  /// missing. Call it before the sources are read. `moved`: the target is not the one of the last run.
  base::Result<bool> begin(bool moved);

  /// Adds a page that is published. `is_news`: the page is new or changed, and the section was published
  /// before.
  base::Result<void> add(std::string_view section, const Page& page, bool is_news);
  base::Result<void> remove(std::string_view section, std::string_view url);
  /// Stages the remaining changes. Call it before the catalog's prepare().
  base::Result<void> stage();

  /// Writes and deletes files at the target. Can be repeated. Call it before the catalog's commit().
  base::Result<void> release();
  /// Submits changed URLs to IndexNow. Call it after the catalog's commit(). URLs that could not be sent are
  /// kept for the next run.
  base::Result<void> announce(const http::fetch::FetchOptions& options);

  /// Notes for the user, one sentence each.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  [[nodiscard]] std::uint64_t files_written() const { return written_; }
  [[nodiscard]] std::uint64_t files_removed() const { return removed_; }
  [[nodiscard]] std::uint64_t urls_submitted() const { return submitted_; }

 private:
  struct Known;

  [[nodiscard]] std::string settings() const;
  [[nodiscard]] std::string folder_url() const;
  [[nodiscard]] std::string title() const;
  [[nodiscard]] std::string pending_path() const;
  base::Result<std::string> index_now_key();
  base::Result<void> forget_pages();
  base::Result<bool> are_files_gone();
  base::Result<bool> is_foreign(const std::string& file);
  base::Result<void> keep_pending(std::string_view markdown, Known& known);
  base::Result<void> release_pages();
  base::Result<void> release_removed(std::string_view key, const Known& before);
  base::Result<std::string> make_llms_text();
  base::Result<std::string> make_feed();
  base::Result<void> release_site_files();
  base::Result<void> put_file(const std::string& name, const std::string& bytes, bool is_key);
  base::Result<void> each_page(std::string_view section,
                               const std::function<base::Result<void>(OutputPage)>& use);

  Catalog& catalog_;
  const PublishConfig& config_;
  Target& target_;
  bool is_all_ = false;  ///< write every file again
  base::FileDescriptor pending_;
  std::uint64_t pending_size_ = 0;
  std::uint64_t foreign_ = 0;
  std::vector<std::string> notes_;
  std::uint64_t written_ = 0;
  std::uint64_t removed_ = 0;
  std::uint64_t submitted_ = 0;
};

}  // namespace sheaf::publish
