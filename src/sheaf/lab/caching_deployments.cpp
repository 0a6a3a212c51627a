#include "sheaf/lab/deployment_parts_internal.h"

#include <fmt/format.h>

#include <array>

namespace sheaf::lab {
namespace {

enum class Field : std::uint8_t { etag, last_modified, cache_control };

constexpr std::string_view name_of(Field field) {
  switch (field) {
    case Field::etag: return "ETag";
    case Field::last_modified: return "Last-Modified";
    case Field::cache_control: break;
  }
  return "Cache-Control";
}

template <Field Name>
void drop_field(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  if (is_collection(request)) response.remove_header(name_of(Name));
}

void bare_etag(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  if (is_collection(request)) response.set_header("ETag", "version-1");
}

void weak_etag(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  if (is_collection(request)) response.set_header("ETag", fmt::format("W/{}", response.header("ETag")));
}

void other_etag(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  if (is_collection(request) && request.method == "HEAD")
    response.set_header("ETag", "\"of-another-server\"");
}

void bad_date(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  if (is_collection(request)) response.set_header("Last-Modified", "yesterday");
}

void ignore_tag(const LabSite& site, const LabRequest& request, LabResponse& response) {
  if (is_collection(request)) ignore_header(site, request, "If-None-Match", response);
}

void ignore_date(const LabSite& site, const LabRequest& request, LabResponse& response) {
  if (is_collection(request)) ignore_header(site, request, "If-Modified-Since", response);
}

void ignore_range(const LabSite& site, const LabRequest& request, LabResponse& response) {
  if (is_collection(request)) ignore_header(site, request, "Range", response);
}

void ignore_if_range(const LabSite& site, const LabRequest& request, LabResponse& response) {
  if (is_collection(request)) ignore_header(site, request, "If-Range", response);
}

/// Returns bytes from the start of the file, whatever range was requested.
void shift_range(const LabSite& site, const LabRequest& request, LabResponse& response) {
  if (!is_collection(request) || response.status != 206) return;
  const LabFile& file = site.files.find(path_of(request))->second;
  response.body = file.bytes.substr(0, response.body.size());
}

template <std::size_t Index>
void set_field(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kFields = {{
      {"Cache-Control", "no-store"},
      {"Cache-Control", "public, max-age=31536000"},
      {"Set-Cookie", "visitor=1; Path=/"},
      {"Vary", "User-Agent"},
  }};
  if (is_collection(request)) response.set_header(kFields[Index].first, kFields[Index].second);
}

constexpr std::string_view kFetchOnce = "Fetch the whole file, at most once per run.";
constexpr Conduct kNoLoop{.limited = "/scp/", .most = 40};

constexpr std::array kCachingDeployments = {
    Deployment{"collection-no-etag", "There is no ETag.", "Use Last-Modified.", nullptr,
               drop_field<Field::etag>, kNoLoop},
    Deployment{"collection-etag-invalid", "The ETag has no quotes.", "Drop it; use Last-Modified.", nullptr,
               bare_etag, kNoLoop},
    Deployment{"collection-etag-weak", "The ETag is weak.", "Use it for If-None-Match, not for If-Range.",
               nullptr, weak_etag, kNoLoop},
    Deployment{"collection-etag-changes", "HEAD and GET have different ETags.", kFetchOnce, nullptr,
               other_etag, kNoLoop},
    Deployment{"collection-etag-ignored", "If-None-Match is ignored.", kFetchOnce, nullptr, ignore_tag,
               kNoLoop},
    Deployment{"collection-no-last-modified", "There is no Last-Modified.", "Use the ETag.", nullptr,
               drop_field<Field::last_modified>, kNoLoop},
    Deployment{"collection-last-modified", "Last-Modified is not a date.", "Drop it; use the ETag.", nullptr,
               bad_date, kNoLoop},
    Deployment{"collection-since-ignored", "If-Modified-Since is ignored.", "Use the ETag.", nullptr,
               ignore_date, kNoLoop},
    Deployment{"collection-no-ranges", "Range is ignored.", "Start an interrupted download again.", nullptr,
               ignore_range, kNoLoop},
    Deployment{"collection-wrong-range", "A Range gets the first bytes of the file.",
               "Verify the checksum of a resumed file; never apply a wrong one.", nullptr, shift_range,
               kNoLoop},
    Deployment{"collection-if-range", "If-Range is ignored.", "Verify the checksum of a resumed file.",
               nullptr, ignore_if_range, kNoLoop},
    Deployment{"collection-no-cache-control", "There is no Cache-Control.", kFetchOnce, nullptr,
               drop_field<Field::cache_control>, kNoLoop},
    Deployment{"collection-no-store", "Cache-Control is no-store.", kFetchOnce, nullptr, set_field<0>,
               kNoLoop},
    Deployment{"collection-cached-long", "Cache-Control allows a year.",
               "Go by the sitemap, not by the cache.", nullptr, set_field<1>, kNoLoop},
    Deployment{"collection-cookie", "Collections set a cookie.", "Ignore it.", nullptr, set_field<2>,
               kNoLoop},
    Deployment{"collection-vary", "Collections vary by User-Agent.", "Ignore it.", nullptr, set_field<3>,
               kNoLoop},
};

}  // namespace

std::span<const Deployment> caching_deployments() { return kCachingDeployments; }

}  // namespace sheaf::lab
