#include "sheaf/cli/output/output_files.h"

#include "sheaf/base/ascii.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace sheaf::cli {
namespace {

constexpr std::uint64_t kRepairsShown = 10;

}  // namespace

std::string lower_file_name(const std::string& path) {
  return base::lower_text(std::filesystem::path(path).filename().string());
}

base::Result<format::WriterTarget> target_for(const std::string& path, const std::optional<int>& level) {
  const auto codec = format::codec_for_path(lower_file_name(path));
  if (!codec)
    return base::fail(
        base::Errc::invalid_argument,
        fmt::format("{}: the name must end in .scp, .scp.gz or .scp.zst, which says how to compress", path));
  if (*codec == format::Codec::gzip && level && *level > 9)
    return base::fail(base::Errc::invalid_argument,
                      fmt::format("{}: gzip has the levels 1 to 9, not {}", path, *level));
  return format::WriterTarget{path, *codec, level};
}

base::Result<void> check_standard_input(const std::vector<std::string>& inputs) {
  if (std::ranges::count(inputs, "-") <= 1) return {};
  return base::fail(base::Errc::invalid_argument,
                    "standard input can be read only once: name only one input -");
}

std::optional<std::uint64_t> size_of_files(const std::vector<std::string>& paths) {
  std::uint64_t size = 0;
  for (const std::string& path : paths) {
    std::error_code error;
    if (path == "-" || !std::filesystem::is_regular_file(path, error)) return std::nullopt;
    size += std::filesystem::file_size(path, error);
    if (error) return std::nullopt;
  }
  return size;
}

ExitStatus report_failure(const base::Error& error) {
  print_message(error.message);
  const bool is_no = error.code == base::Errc::invalid_data || error.code == base::Errc::refused;
  return is_no ? ExitStatus::no : ExitStatus::unknown;
}

std::string describe_written(const format::WriteSummary& summary) {
  std::string text;
  for (const auto& file : summary.files) {
    text += fmt::format("wrote {}: {}, {}", printable(file.path.string(), Lines::join),
                        counted(summary.pages, "page", "pages"), human_size(file.bytes));
    if (file.bytes > 0 && file.codec != format::Codec::plain)
      text += fmt::format(" ({:.1f}:1)",
                          static_cast<double>(summary.plain_bytes) / static_cast<double>(file.bytes));
    text += '\n';
  }
  return text;
}

void RepairMessages::add(std::string_view url, std::string_view repair) {
  if (++count_ <= kRepairsShown) print_message(fmt::format("{}: {}", url, repair));
}

void RepairMessages::finish() const {
  if (count_ > kRepairsShown) print_message(counted(count_ - kRepairsShown, "more repair", "more repairs"));
}

void write_summary(JsonOutput& out, const format::WriteSummary& summary) {
  write_head(out, &summary.head);
  out.number("pages", summary.pages).number("plainBytes", summary.plain_bytes).begin_array("files");
  for (const auto& file : summary.files)
    out.begin_object()
        .string("path", file.path.string())
        .string("codec", format::to_string(file.codec))
        .raw("level", file.codec == format::Codec::plain ? "null" : fmt::format("{}", file.level))
        .number("bytes", file.bytes)
        .end_object();
  out.end_array();
}

base::Result<void> ReportFile::open(const std::string& path) {
  if (path.empty()) return {};
  SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(path));
  file_.emplace(std::move(file));
  return {};
}

base::Result<void> ReportFile::add(const quality::QualityReport& report, std::string_view site) {
  if (!file_) return {};
  SHEAF_TRY(report.write(site, [this](std::string_view piece) { return file_->write(piece); }));
  return file_->write("\n");
}

base::Result<void> ReportFile::commit() { return file_ ? file_->commit() : base::Result<void>(); }

std::string describe_quality(const quality::QualitySummary& summary, std::string_view hint) {
  if (!summary.has_findings()) return {};
  return fmt::format("  quality: {}{}\n", fmt::join(quality::describe(summary), "; "), hint);
}

base::Result<void> print_with_quality(std::string_view json, const quality::QualityReport& report,
                                      std::string_view site) {
  json.remove_suffix(1);  // the closing brace
  write_json(json);
  write_json(",\"quality\":");
  SHEAF_TRY(report.write(site, [](std::string_view piece) -> base::Result<void> {
    write_json(piece);
    return {};
  }));
  write_json("}\n");
  return {};
}

}  // namespace sheaf::cli
