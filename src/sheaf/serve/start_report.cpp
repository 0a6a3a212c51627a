#include "sheaf/serve/start_report.h"

#include "sheaf/serve/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>

namespace sheaf::serve {
namespace {

namespace fs = std::filesystem;

/// Maximum number of reported problems; further ones are only counted, because a folder can have a million
/// files.
constexpr std::size_t kMaxProblems = 100;

class Reporter {
 public:
  Reporter(const Folder& folder, const FolderSitemaps& notices, Instant now)
      : folder_(folder), notices_(notices), now_(now) {}

  StartReport run() {
    report_.problems = notices_.problems;
    if (!notices_.has_sitemap)
      problem(
          "there is no sitemap.xml: crawlers find collections through it, and updateFreq gives their "
          "Cache-Control");
    for (const auto& section : notices_.sections)
      section_named(section.name).update_freq = section.update_freq;
    for (const ListedCollection& notice : notices_.notices) check_notice(notice);
    walk();
    if (left_out_ > 0) report_.problems.push_back(fmt::format("and {} more problems", left_out_));
    return std::move(report_);
  }

 private:
  void problem(std::string text) {
    if (report_.problems.size() < kMaxProblems)
      report_.problems.push_back(std::move(text));
    else
      ++left_out_;
  }

  ServedSection& section_named(const std::string& name) {
    const auto found = std::find_if(report_.sections.begin(), report_.sections.end(),
                                    [&](const ServedSection& section) { return section.name == name; });
    if (found != report_.sections.end()) return *found;
    return report_.sections.emplace_back(ServedSection{.name = name});
  }

  void check_notice(const ListedCollection& notice) {
    const auto& collection = notice.collection;
    const std::string place = fmt::format("{} line {}", notice.sitemap, collection.line);
    named_.insert(notice.path);
    if (collection.expires && *collection.expires < now_)
      problem(fmt::format("{}: {} expired on {}", place, collection.url, format_time(*collection.expires)));
    const Found found = folder_.find(notice.path);
    const std::string file = folder_.relative_of(notice.path).value_or("for it");
    if (found.lookup != Lookup::file)
      return problem(fmt::format("{}: names {}, and there is no file {} here{}", place, collection.url, file,
                                 advice_for(notice.path)));
    const std::uint64_t size = found.version.size;
    if (collection.size && *collection.size != size)
      problem(
          fmt::format("{}: says that {} has {} bytes, and it has {}", place, file, *collection.size, size));
    ServedSection& section = section_named(collection.section);
    ++(collection.type == model::CollectionType::delta ? section.deltas : section.snapshots);
    section.bytes += size;
  }

  /// Suggests --below if the file exists without the first segments of the path: sites are often served below
  /// a path, and then every URL has a prefix.
  [[nodiscard]] std::string advice_for(const std::string& path) const {
    for (std::size_t i = path.find('/', 1); i != std::string::npos; i = path.find('/', i + 1))
      if (folder_.find(folder_.address_of(path.substr(i + 1))).lookup == Lookup::file)
        return fmt::format("; if the folder is served as {0}, use --below {0}", path.substr(0, i + 1));
    return {};
  }

  void walk() {
    const auto reported = static_cast<std::ptrdiff_t>(report_.problems.size());
    std::error_code error;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator it(folder_.path(), options, error), end; !error && it != end;
         it.increment(error)) {
      if (is_served_name(it->path().filename().string()))
        check_file(*it);
      else if (std::error_code ignored; it->is_directory(ignored))
        it.disable_recursion_pending();
    }
    // Directory order is arbitrary.
    std::sort(report_.problems.begin() + reported, report_.problems.end());
    if (error) problem(fmt::format("cannot list {}: {}", folder_.path().string(), error.message()));
  }

  void check_file(const fs::directory_entry& entry) {
    std::error_code error;
    // Folders are walked, but symbolic links to folders are not: whether they are served depends on their
    // target.
    const bool is_link = entry.is_symlink(error);
    if (!is_link && entry.is_directory(error)) return;
    const std::string relative = entry.path().lexically_relative(folder_.path()).string();
    const Found found = folder_.find(folder_.address_of(relative));
    if (found.lookup == Lookup::forbidden) return problem(fmt::format("{} cannot be read", relative));
    if (found.lookup == Lookup::folder) return;
    if (found.lookup != Lookup::file) {
      if (is_link)
        problem(fmt::format("{} is a link out of the folder or to nothing; it is not served", relative));
      return;
    }
    ++report_.files;
    report_.bytes += found.version.size;
    if (is_collection_name(relative)) check_collection(found, relative);
  }

  void check_collection(const Found& found, const std::string& relative) {
    ++report_.collections;
    if (const auto facts = read_facts(found.file.get(), relative); !facts)
      problem(facts.error().message);
    else if (!facts->checksum)
      problem(fmt::format("{} states no checksum; `sheaf convert` writes one", relative));
    if (notices_.has_sitemap && !named_.contains(folder_.address_of(relative)))
      problem(fmt::format("{} is named by no sitemap", relative));
  }

  const Folder& folder_;
  const FolderSitemaps& notices_;
  Instant now_;
  StartReport report_;
  std::set<std::string> named_;
  std::uint64_t left_out_ = 0;
};

}  // namespace

StartReport report_on(const Folder& folder, const FolderSitemaps& notices, Instant now) {
  return Reporter(folder, notices, now).run();
}

}  // namespace sheaf::serve
