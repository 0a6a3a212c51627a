#include "sheaf/export/export_manifest.h"

#include "sheaf/base/file.h"
#include "sheaf/format/json/json_text.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <utility>

namespace sheaf::exporting {
namespace {

using base::Errc;
using base::fail;
using base::Result;

/// Whether a name stays inside the folder. Files named here are deleted by a later export.
bool is_plain_name(std::string_view name) {
  return name.ends_with(".parquet") && name.find('/') == std::string_view::npos;
}

/// Reads a change number, or the token of a shared store.
bool read_cursor(simdjson::simdjson_result<simdjson::dom::element> value, store::FeedCursor& cursor) {
  std::uint64_t number = 0;
  std::string_view token;
  if (value.get(number) == simdjson::SUCCESS) {
    cursor = number;
    return true;
  }
  if (value.get(token) != simdjson::SUCCESS) return false;
  auto parsed = store::FeedCursor::parse(token);
  if (parsed) cursor = std::move(*parsed);
  return parsed.has_value();
}

Result<ExportManifest> parse_manifest(const std::string& text, const std::string& name) {
  const auto wrong = [&] {
    return base::fail(base::Errc::invalid_data,
                      fmt::format("{} was not written by `sheaf export`: choose another folder", name));
  };
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.parse(text).get(root) != simdjson::SUCCESS) return wrong();
  ExportManifest manifest;
  std::string_view kind;
  std::string_view layout;
  simdjson::dom::array files;
  if (root["kind"].get(kind) != simdjson::SUCCESS || kind != "sheaf-export" ||
      !read_cursor(root["cursor"], manifest.cursor) || root["rows"].get(manifest.rows) != simdjson::SUCCESS ||
      root["layout"].get(layout) != simdjson::SUCCESS || root["files"].get(files) != simdjson::SUCCESS)
    return wrong();
  if (store::FeedCursor after; read_cursor(root["after"], after)) manifest.after = after;
  manifest.layout =
      layout == to_string(FolderLayout::huggingface) ? FolderLayout::huggingface : FolderLayout::plain;
  for (const simdjson::dom::element element : files) {
    ShardFile file;
    std::string_view file_name;
    std::string_view sha256;
    if (element["name"].get(file_name) != simdjson::SUCCESS || !is_plain_name(file_name) ||
        element["rows"].get(file.rows) != simdjson::SUCCESS ||
        element["bytes"].get(file.bytes) != simdjson::SUCCESS ||
        element["sha256"].get(sha256) != simdjson::SUCCESS)
      return wrong();
    file.name = file_name;
    file.sha256 = sha256;
    manifest.files.push_back(std::move(file));
  }
  return manifest;
}

}  // namespace

std::string_view to_string(FolderLayout layout) {
  return layout == FolderLayout::huggingface ? "huggingface" : "plain";
}

std::string manifest_json(const ExportManifest& manifest) {
  std::string out =
      fmt::format(R"({{"kind":"sheaf-export","schema":1,"layout":"{}",)", to_string(manifest.layout));
  if (manifest.after) out += fmt::format("\"after\":{},", manifest.after->json());
  out += fmt::format("\"cursor\":{},\"rows\":{},\"files\":[", manifest.cursor.json(), manifest.rows);
  for (std::size_t i = 0; i < manifest.files.size(); ++i) {
    const ShardFile& file = manifest.files[i];
    out += i == 0 ? "\n" : ",\n";
    out += "{\"name\":";
    format::append_json_string(out, file.name);
    out += fmt::format(",\"rows\":{},\"bytes\":{},\"sha256\":\"{}\"}}", file.rows, file.bytes, file.sha256);
  }
  return out + "]}\n";
}

Result<std::optional<ExportManifest>> read_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kManifestName;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) return base::fail(base::Errc::io, fmt::format("cannot read {}", path.string()));
  SHEAF_TRY_ASSIGN(auto manifest, parse_manifest(text, path.string()));
  return std::optional(std::move(manifest));
}

Result<void> write_manifest(const std::filesystem::path& folder, const ExportManifest& manifest) {
  SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(folder / kManifestName));
  SHEAF_TRY(file.write(manifest_json(manifest)));
  return file.commit();
}

namespace {

/// The first line is this and the layout. Each further line is the name of a file.
constexpr std::string_view kFirstWords = "sheaf-export 1 ";

/// Names of over a million files: a larger file is not such a list.
constexpr std::size_t kMaxListBytes = std::size_t{64} << 20U;

std::string first_line(FolderLayout layout) { return fmt::format("{}{}\n", kFirstWords, to_string(layout)); }

Result<std::string> read_all(int descriptor, const std::string& name) {
  std::string text;
  std::array<char, 4096> part{};
  while (true) {
    SHEAF_TRY_ASSIGN(const std::size_t size, base::read_some(descriptor, part, name));
    if (size == 0) return text;
    text.append(part.data(), size);
    if (text.size() > kMaxListBytes)
      return fail(Errc::invalid_data, fmt::format("{} has over 64 MiB, so it was not written by `sheaf "
                                                  "export`: choose another folder",
                                                  name));
  }
}

}  // namespace

Result<UnfinishedExport> UnfinishedExport::open(const std::filesystem::path& folder, FolderLayout layout) {
  const std::filesystem::path path = folder / kUnfinishedName;
  base::FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!file.is_open())
    return std::unexpected(base::system_error(errno, fmt::format("cannot create {}", path.string())));
  struct stat facts{};
  // File systems without locks are used without. An export that has just finished has deleted its list.
  const bool is_locked = flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (is_locked || (fstat(file.get(), &facts) == 0 && facts.st_nlink == 0))
    return fail(Errc::refused, fmt::format("another export is writing to {}", folder.string()));
  UnfinishedExport unfinished(path, std::move(file));
  SHEAF_TRY(unfinished.read(layout));
  return unfinished;
}

Result<void> UnfinishedExport::read(FolderLayout layout) {
  const auto text = read_all(file_.get(), path_.string());
  if (!text || !(text->starts_with(kFirstWords) || kFirstWords.starts_with(*text))) {
    file_.reset();  // not our file: the destructor must leave it
    if (!text) return std::unexpected(text.error());
    return fail(Errc::invalid_data,
                fmt::format("{} was not written by `sheaf export`: choose another folder", path_.string()));
  }
  // A line without a line feed was not completed, so its file does not exist yet.
  std::size_t begin_of_line = text->find('\n') + 1;
  const std::string_view first = std::string_view(*text).substr(0, begin_of_line);
  for (std::size_t end = 0; (end = text->find('\n', begin_of_line)) != std::string::npos;
       begin_of_line = end + 1)
    names_.insert(text->substr(begin_of_line, end - begin_of_line));
  was_interrupted_ = !names_.empty();
  if (!was_interrupted_) return begin(layout);
  if (first != first_line(layout))
    return fail(Errc::refused, fmt::format("{} has an unfinished export with another --layout: use the "
                                           "same, or another folder",
                                           path_.parent_path().string()));
  if (ftruncate(file_.get(), static_cast<off_t>(begin_of_line)) == 0) return {};
  return std::unexpected(base::system_error(errno, fmt::format("cannot write {}", path_.string())));
}

Result<void> UnfinishedExport::begin(FolderLayout layout) {
  const std::filesystem::path folder = path_.parent_path();
  const base::FileDescriptor handle(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (ftruncate(file_.get(), 0) != 0)
    return std::unexpected(base::system_error(errno, fmt::format("cannot write {}", path_.string())));
  SHEAF_TRY(base::write_all(file_.get(), first_line(layout), path_.string()));
  // Some file systems cannot sync a folder; then only a failure of the machine can lose the list.
  fsync(handle.get());
  return {};
}

UnfinishedExport::~UnfinishedExport() {
  if (file_.is_open() && names_.empty()) unlink(path_.c_str());
}

Result<void> UnfinishedExport::add(const std::string& name) {
  if (!names_.insert(name).second) return {};
  SHEAF_TRY(base::write_all(file_.get(), name + '\n', path_.string()));
  if (fsync(file_.get()) == 0) return {};
  return std::unexpected(base::system_error(errno, fmt::format("cannot write {}", path_.string())));
}

Result<void> UnfinishedExport::finish() {
  names_.clear();
  if (unlink(path_.c_str()) != 0)
    return std::unexpected(base::system_error(errno, fmt::format("cannot delete {}", path_.string())));
  file_.reset();
  return {};
}

}  // namespace sheaf::exporting
