#include "sheaf/lab/lab_site.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/file.h"
#include "sheaf/base/scratch_folder.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/publisher.h"
#include "sheaf/serve/file_kind.h"
#include "sheaf/serve/folder.h"
#include "sheaf/site/advertised.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

namespace sheaf::lab {
namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 24 * kHour;
constexpr site::UpdateFreq kUpdate = site::UpdateFreq::weekly;
constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;

constexpr std::array<std::string_view, 8> kSubjects = {"bridges",  "harbours", "lanterns", "orchards",
                                                       "quarries", "stations", "terraces", "windmills"};

/// A page about one subject, in its first or a later edition.
std::string page_html(std::string_view subject, int edition) {
  return fmt::format(
      R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>All about {0}</title>
<meta name="description" content="A short introduction to {0}."></head>
<body><nav><a href="/">Home</a></nav><main><h1>All about {0}</h1>
<p>People have cared for {0} since anyone can remember. This page says where to find {0}, who keeps them in good
order, and what visitors should bring along when they come in spring.</p>
<h2>Where to find {0}</h2>
<p>The best known {0} lie along the river road, an hour on foot from the market. Edition {1} of this page adds the
paths behind the old mill.</p>
</main><footer>Printed by the town office.</footer></body></html>
)",
      subject, edition);
}

base::Result<void> write_file(const std::filesystem::path& path, std::string_view bytes) {
  SHEAF_TRY_ASSIGN(auto file, base::AtomicFile::create(path));
  SHEAF_TRY(file.write(bytes));
  return file.commit();
}

base::Result<void> write_pages(const std::filesystem::path& folder, const std::string& base) {
  std::string sitemap =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset "
      "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
  for (const std::string_view subject : kSubjects) {
    SHEAF_TRY(write_file(folder / fmt::format("{}.html", subject), page_html(subject, 1)));
    sitemap +=
        fmt::format("  <url><loc>{}/{}.html</loc><lastmod>2026-01-05</lastmod></url>\n", base, subject);
  }
  SHEAF_TRY(write_file(folder / "sitemap.xml", sitemap + "</urlset>\n"));
  return write_file(folder / "robots.txt",
                    fmt::format("User-agent: *\nDisallow: /private/\n\nSitemap: {}/sitemap.xml\n", base));
}

/// Publishes a snapshot three days ago, then one change per day, the last one an hour ago.
base::Result<void> publish_history(const std::filesystem::path& folder, const std::string& base, Instant now,
                                   const LabHistory& history) {
  SHEAF_TRY_ASSIGN(auto config, publish::config_for_folder(folder, base, folder / "scp", "all"));
  config.sections.front().update = kUpdate;
  config.retention.merge_days.clear();  // so that the files do not depend on the day of the week
  publish::PublishOptions options;
  int edition = 1;
  for (const std::int64_t age : {3 * kDay, 2 * kDay, kDay + kHour, kHour}) {
    options.now = {now.seconds - history.days_ago * kDay - age, 0};
    options.snapshot = history.only_snapshots;
    if (edition > 1) {
      const std::string_view subject = kSubjects[static_cast<std::size_t>(edition)];
      SHEAF_TRY(write_file(folder / fmt::format("{}.html", subject), page_html(subject, edition)));
    }
    SHEAF_TRY(publish::publish(config, options));
    ++edition;
  }
  return {};
}

base::Result<LabFile> load_file(const std::filesystem::path& path, const std::string& name, Instant now) {
  SHEAF_TRY_ASSIGN(auto source, base::open_source(path.string()));
  LabFile file;
  SHEAF_TRY_ASSIGN(file.bytes, base::read_up_to(*source, kMaxBytes));
  file.last_modified = now.seconds - kHour;
  file.entity_tag = fmt::format("\"{:x}-{:x}\"", std::hash<std::string>()(file.bytes), file.bytes.size());
  const bool is_delta = name.contains("-delta-");
  file.content_type = serve::is_collection_name(name) ? "application/scp" : serve::content_type_of(name);
  file.cache_control =
      serve::is_collection_name(name)
          ? site::cache_control_of(is_delta ? CollectionType::delta : CollectionType::snapshot, kUpdate)
          : std::string(serve::kPlainCacheControl);
  return file;
}

base::Result<LabSite> load(const std::filesystem::path& folder, const std::string& base, Instant now) {
  LabSite site{.base = base, .now = now};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = "/" + entry.path().lexically_relative(folder).generic_string();
    SHEAF_TRY_ASSIGN(auto file, load_file(entry.path(), path, now));
    site.files.emplace(path, std::move(file));
    if (!path.ends_with(".scp.zst")) continue;
    const std::string stem = path.substr(0, path.size() - std::string_view(".scp.zst").size());
    std::string& newest = path.contains("-delta-") ? site.delta : site.snapshot;
    newest = std::max(newest, stem);
  }
  return site;
}

}  // namespace

base::Result<LabSite> publish_lab_site(const std::string& base, Instant now, const LabHistory& history) {
  SHEAF_TRY_ASSIGN(const auto scratch, base::ScratchFolder::make("lab"));
  const std::filesystem::path folder = scratch.path() / "site";
  std::error_code error;
  if (!std::filesystem::create_directories(folder, error))
    return base::fail(base::Errc::io, fmt::format("{}: {}", folder.string(), error.message()));
  SHEAF_TRY(write_pages(folder, base));
  SHEAF_TRY(publish_history(folder, base, now, history));
  return load(folder, base, now);
}

}  // namespace sheaf::lab
