#include "sheaf/format/codecs/codec.h"
#include "sheaf/lab/deployment.h"

#include <fmt/format.h>

#include <array>

namespace sheaf::lab {
namespace {

template <unsigned Status>
void refuse_snapshot(const LabSite& site, const LabRequest& request, LabResponse& response) {
  if (is_gzip_snapshot(site, request)) response = plain_response(Status, "No.\n");
}

void cut_off(const LabSite& site, const LabRequest& request, LabResponse& response) {
  if (!is_gzip_snapshot(site, request)) return;
  response.stated_length = response.body.size();
  response.cut_after = response.body.size() / 2;
}

void send_page(const LabSite& site, const LabRequest& request, LabResponse& response) {
  if (!is_gzip_snapshot(site, request)) return;
  response = plain_response(200, "<!doctype html><title>Log in</title><p>Please log in.</p>\n", "text/html");
}

void send_text(const LabSite& site, const LabRequest& request, LabResponse& response) {
  if (is_gzip_snapshot(site, request))
    response = plain_response(200, "out of order\n", "application/octet-stream");
}

void redirect_to(LabResponse& response, std::string_view target) {
  response = plain_response(302, "Found\n");
  response.set_header("Location", target);
}

constexpr std::string_view kMovedPath = "/moved/all.scp.gz";

void redirect(const LabSite& site, const LabRequest& request, LabResponse& response) {
  if (is_gzip_snapshot(site, request)) return redirect_to(response, kMovedPath);
  if (path_of(request) != kMovedPath) return;
  LabRequest meant = request;
  meant.path = site.snapshot + ".scp.gz";
  response = answer_request(site, meant);
}

void redirect_back(const LabSite& site, const LabRequest& request, LabResponse& response) {
  if (is_gzip_snapshot(site, request)) redirect_to(response, request.path);
}

void redirect_down(const LabSite& site, const LabRequest& request, LabResponse& response) {
  if (is_gzip_snapshot(site, request))
    redirect_to(response, fmt::format("http://{}{}", kSecureHost, kMovedPath));
}

template <std::size_t Index>
void add_header(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kHeaders = {{
      {"Content-Type", "text/plain; charset=utf-8"},
      {"Content-Encoding", "br"},
      {"Access-Control-Allow-Origin", "https://app.example"},
  }};
  if (is_collection(request) && response.status == 200)
    response.set_header(kHeaders[Index].first, kHeaders[Index].second);
}

void remove_coding(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  if (is_collection(request)) response.remove_header("Content-Encoding");
}

/// Behaves like a proxy that compresses everything.
void compress_again(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  const bool wanted = is_collection(request) && request.header("Accept-Encoding").contains("gzip");
  if (!wanted || response.status != 200) return;
  std::string bytes;
  if (!format::make_gzip_encoder(6)->encode(response.body, format::Flush::end, bytes)) return;
  response.body = bytes;
  response.set_header("Content-Encoding", request.path.ends_with(".zst") ? "zstd, gzip" : "gzip, gzip");
  response.set_header("Vary", "Accept-Encoding");
}

void no_head(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  if (is_collection(request) && request.method == "HEAD")
    response = plain_response(405, "Method Not Allowed\n");
}

void no_length(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  if (is_collection(request)) response.with_length = false;
}

void everything_exists(const LabSite& /*site*/, const LabRequest& /*request*/, LabResponse& response) {
  if (response.status == 404)
    response = plain_response(200, "<!doctype html><title>Home</title><p>Home.</p>\n", "text/html");
}

void bad_signature(const LabSite& /*site*/, const LabRequest& request, LabResponse& response) {
  if (path_of(request).ends_with(".minisig")) response = plain_response(200, "signed by the town office\n");
}

constexpr std::string_view kOtherCodec =
    "Fetch the same collection as zstd, or report the failure; keep what is there.";
constexpr Conduct kFewTries{.limited = ".scp.gz", .most = 12};

constexpr std::array kTransferDeployments = {
    Deployment{"collection-missing", "The gzip snapshot answers 404.", kOtherCodec, nullptr,
               refuse_snapshot<404>, kFewTries},
    Deployment{"collection-forbidden", "The gzip snapshot answers 403.", kOtherCodec, nullptr,
               refuse_snapshot<403>, kFewTries},
    Deployment{
        "collection-unavailable", "The gzip snapshot answers 503.",
        "Try again a few times with pauses; then fetch the same collection as zstd, or report the failure.",
        nullptr, refuse_snapshot<503>, kFewTries},
    Deployment{"collection-status", "The gzip snapshot answers 451.", kOtherCodec, nullptr,
               refuse_snapshot<451>, kFewTries},
    Deployment{"collection-cut", "The connection breaks in the middle of the gzip snapshot.",
               "Resume with Range a few times; never apply the part.", nullptr, cut_off, kFewTries},
    Deployment{"collection-html", "A login page is sent as the gzip snapshot.", kOtherCodec, nullptr,
               send_page, kFewTries},
    Deployment{"collection-not-one", "A text is sent as the gzip snapshot.", kOtherCodec, nullptr, send_text,
               kFewTries},
    Deployment{"collection-redirected", "The gzip snapshot redirects.", "Follow.", nullptr, redirect},
    Deployment{"collection-redirect-loop", "The gzip snapshot redirects to itself.",
               "Follow a few times, then give up.", nullptr, redirect_back,
               Conduct{.limited = ".scp.gz", .most = 40}},
    Deployment{"collection-redirect-insecure",
               "The gzip snapshot redirects from https to http.",
               "Do not follow.",
               nullptr,
               redirect_down,
               Conduct{.never = "/moved/"},
               {},
               true},
    Deployment{"collection-type", "Collections are sent as text/plain.",
               "Recognise them by their first bytes.", nullptr, add_header<0>},
    Deployment{"collection-encoding", "Collections are sent with Content-Encoding: br, and are not.",
               "Recognise them by their first bytes; decode no coding that was not asked for.", nullptr,
               add_header<1>},
    Deployment{"collection-no-encoding", "Collections are sent without a Content-Encoding.",
               "Recognise them by their first bytes.", nullptr, remove_coding},
    Deployment{"collection-recompressed", "Collections are compressed again for clients that accept gzip.",
               "Ask for the file as it is (no Accept-Encoding), or undo the outer coding.", nullptr,
               compress_again},
    Deployment{"collection-cors", "Access-Control-Allow-Origin names one origin.",
               "Fetch as usual: the header is for browsers.", nullptr, add_header<2>},
    Deployment{"collection-head", "HEAD is answered 405.", "Use GET.", nullptr, no_head},
    Deployment{"collection-no-length", "There is no Content-Length.",
               "Read to the end, and verify the checksum.", nullptr, no_length},
    Deployment{"missing-as-page", "Missing files are answered with a page and 200.",
               "Take nothing but gzip, zstd or JSON for a collection.", nullptr, everything_exists},
    Deployment{"signature-malformed", "The signature file is not in the format of minisign.",
               "A client that verifies signatures refuses the collection.", nullptr, bad_signature},
};

}  // namespace

std::span<const Deployment> transfer_deployments() { return kTransferDeployments; }

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
