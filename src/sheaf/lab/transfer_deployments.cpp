#include "sheaf/format/codecs/codec.h"
#include "sheaf/lab/deployment_parts_internal.h"

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

}  // namespace sheaf::lab
