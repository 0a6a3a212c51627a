#include "sheaf/base/ascii.h"
#include "sheaf/base/file.h"
#include "sheaf/markdown/front_matter.h"
#include "sheaf/publish/sources/glob.h"
#include "sheaf/publish/sources/listed_times.h"
#include "sheaf/publish/sources/source.h"
#include "sheaf/visibility/folder_rules.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <system_error>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

bool has_extension(const fs::path& file, ItemKind kind) {
  const std::string extension = base::lower_text(file.extension().string());
  if (kind == ItemKind::markdown)
    return extension == ".md" || extension == ".markdown" || extension == ".mdx";
  return extension == ".html" || extension == ".htm" || extension == ".xhtml";
}

class FolderSource final : public Source {
 public:
  explicit FolderSource(FolderSourceOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::string name() const override {
    return fmt::format("{} in {}", options_.kind == ItemKind::markdown ? "Markdown" : "HTML",
                       options_.folder.string());
  }

  base::Result<void> read(const std::function<bool(SourceItem)>& sink) override {
    std::error_code error;
    const fs::path root = fs::canonical(options_.folder, error);
    if (error)
      return std::unexpected(base::system_error(
          error.value(), fmt::format("cannot read the folder {}", options_.folder.string())));
    if (!fs::is_directory(root, error))
      return base::fail(
          base::Errc::invalid_argument,
          fmt::format("{} is a file; give the folder that holds the pages", options_.folder.string()));
    root_ = root;
    SHEAF_TRY_ASSIGN(const bool more, walk(root, "", root_rules(), sink));
    (void)more;
    return {};
  }

 private:
  /// What holds all pages of a folder.
  struct FolderRules {
    visibility::FolderRules server;
    visibility::Verdict cascade;  ///< of a generator's settings

    void add(const fs::path& folder, ItemKind kind) {
      read(folder / ".htaccess", [this](std::string_view text) { server.add_htaccess(text); });
      read(folder / "_headers", [this](std::string_view text) { server.add_headers(text); });
      read(folder / "_redirects", [this](std::string_view text) { server.add_redirects(text); });
      if (kind == ItemKind::markdown && cascade.is_public())
        read(folder / "_index.md",
             [this](std::string_view text) { cascade = markdown::judge_cascade(text); });
    }

    void read(const fs::path& file, const std::function<void(std::string_view)>& use) {
      constexpr std::uint64_t kMost = 1U << 20U;
      std::error_code error;
      if (!fs::exists(fs::symlink_status(file, error))) return;
      const auto text = base::read_regular_file(file.string(), kMost);
      if (!text || text->size() > kMost) return server.add_unreadable(file.filename().string());
      use(*text);
    }
  };

  struct Entry {
    fs::path path;
    std::string relative;
    bool is_folder = false;
  };

  /// Lists and sorts one folder at a time, so memory depends only on the largest folder. Returns false if the
  /// sink stopped the walk.
  base::Result<bool> walk(const fs::path& folder, const std::string& relative, FolderRules rules,
                          const std::function<bool(SourceItem)>& sink) {
    rules.add(folder, options_.kind);
    SHEAF_TRY_ASSIGN(const auto entries, list(folder, relative));
    for (const Entry& entry : entries) {
      if (entry.is_folder && !is_never_walked(entry)) {
        SHEAF_TRY_ASSIGN(const bool more, walk(entry.path, entry.relative + "/", rules, sink));
        if (!more) return false;
      } else if (!sink(make_item(entry, rules))) {
        return false;
      }
    }
    return true;
  }

  /// A folder of packages has a page in the report, not one for each of its files.
  static bool is_never_walked(const Entry& entry) {
    const std::string name = base::lower_text(entry.path.filename().string());
    return name == "node_modules" || name == "bower_components";
  }

  /// What the folders around a rendered site say: Apache reads them too.
  [[nodiscard]] FolderRules root_rules() const {
    FolderRules rules;
    if (options_.kind != ItemKind::html) return rules;
    fs::path above;
    for (const fs::path& part : root_.parent_path()) rules.add(above /= part, options_.kind);
    return rules;
  }

  base::Result<std::vector<Entry>> list(const fs::path& folder, const std::string& relative) {
    std::error_code error;
    fs::directory_iterator it(folder, error);
    if (error)
      return std::unexpected(
          base::system_error(error.value(), fmt::format("cannot read the folder {}", folder.string())));
    std::vector<Entry> entries;
    for (; it != fs::directory_iterator(); it.increment(error)) {
      if (error) break;
      add_entry(*it, relative, entries);
    }
    if (error)
      return std::unexpected(
          base::system_error(error.value(), fmt::format("cannot read the folder {}", folder.string())));
    std::ranges::sort(entries, {}, &Entry::relative);
    return entries;
  }

  void add_entry(const fs::directory_entry& found, const std::string& relative,
                 std::vector<Entry>& entries) const {
    const std::string name = found.path().filename().string();
    if (name.starts_with('.')) return;
    Entry entry{found.path(), relative + name, false};
    std::error_code error;
    if (found.is_symlink(error)) {
      // A link to a folder could form a cycle. A link to a file is followed if its target is inside the root.
      const fs::path target = fs::canonical(found.path(), error);
      if (error || fs::is_directory(target, error) || !is_inside(target)) return;
    }
    entry.is_folder = found.is_directory(error);
    if (!entry.is_folder) {
      if (!has_extension(found.path(), options_.kind)) return;
      if (!is_selected(entry.relative, options_.include, options_.exclude)) return;
    }
    entries.push_back(std::move(entry));
  }

  [[nodiscard]] bool is_inside(const fs::path& target) const {
    const auto [end, unused] = std::mismatch(root_.begin(), root_.end(), target.begin(), target.end());
    return end == root_.end();
  }

  [[nodiscard]] visibility::Verdict judge(const Entry& entry, const FolderRules& rules) const {
    auto verdict = visibility::judge_path(entry.relative, options_.kind == ItemKind::html);
    if (verdict.is_public()) verdict = rules.server.judge(entry.relative);
    return verdict.is_public() ? rules.cascade : verdict;
  }

  [[nodiscard]] SourceItem make_item(const Entry& entry, const FolderRules& rules) const {
    SourceItem item;
    item.name = entry.relative;
    if (const auto verdict = judge(entry, rules); !verdict.is_public()) {
      item.skip = reason_of(verdict.hold);
      item.trouble = verdict.detail;
      return item;
    }
    item.kind = options_.kind;
    item.file = entry.path;
    std::string place = entry.relative;
    if (!options_.languages.empty()) {
      TranslatedFile file = translate(entry.relative, options_.languages);
      place = std::move(file.place);
      item.given.language = file.language;
    }
    item.url = url_of_page_file(options_.base, place,
                                options_.kind == ItemKind::markdown && options_.extension == Extension::keep
                                    ? Extension::folder
                                    : options_.extension);
    if (options_.times != nullptr) item.time = options_.times->at(item.url);
    if (struct stat status{}; !item.time && stat(entry.path.c_str(), &status) == 0)
      item.time = Instant{status.st_mtim.tv_sec, 0};
    return item;
  }

  FolderSourceOptions options_;
  fs::path root_;
};

}  // namespace

std::unique_ptr<Source> folder_source(FolderSourceOptions options) {
  return std::make_unique<FolderSource>(std::move(options));
}

}  // namespace sheaf::publish
