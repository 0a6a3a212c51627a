#include "sheaf/export/export_manifest.h"

#include "sheaf/base/file.h"
#include "sheaf/format/json/json_text.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <fstream>
#include <iterator>
#include <utility>

namespace sheaf::exporting {
namespace {

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

}  // namespace sheaf::exporting
