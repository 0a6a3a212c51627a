#include "sheaf/base/ascii.h"
#include "sheaf/publish/sources/glob.h"
#include "sheaf/publish/sources/listed_times.h"
#include "sheaf/publish/sources/source.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <system_error>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

bool has_extension(const fs::path& file, ItemKind kind) {
  const std::string extension = base::lower_text(file.extension().string());
  if (kind == ItemKind::markdown) return extension == ".md" || extension == ".markdown";
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
    SHEAF_TRY_ASSIGN(const bool more, walk(root, "", sink));
    (void)more;
    return {};
  }

 private:
  struct Entry {
    fs::path path;
    std::string relative;
    bool is_folder = false;
  };

  /// Lists and sorts one folder at a time, so memory depends only on the largest folder. Returns false if the
  /// sink stopped the walk.
  base::Result<bool> walk(const fs::path& folder, const std::string& relative,
                          const std::function<bool(SourceItem)>& sink) {
    SHEAF_TRY_ASSIGN(const auto entries, list(folder, relative));
    for (const Entry& entry : entries) {
      if (entry.is_folder) {
        SHEAF_TRY_ASSIGN(const bool more, walk(entry.path, entry.relative + "/", sink));
        if (!more) return false;
      } else if (!sink(make_item(entry))) {
        return false;
      }
    }
    return true;
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

  [[nodiscard]] SourceItem make_item(const Entry& entry) const {
    SourceItem item;
    item.name = entry.relative;
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
