#include "sheaf/browse/browse_app.h"

#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"
#include "sheaf/base/url.h"
#include "sheaf/browse/inspections.h"
#include "sheaf/browse/page_frame.h"
#include "sheaf/http/message/client_check.h"

#include <algorithm>
#include <array>

namespace sheaf::browse {
namespace {

using http::message::Method;
using http::server::Request;
using http::server::Response;

constexpr std::string_view kUploadPath = "/inspect/upload";
constexpr std::string_view kOpenPath = "/inspect/open";
constexpr std::string_view kStreamPath = "/changes/stream";

// No inline scripts or styles, and nothing from elsewhere.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; "
    "frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'";
// For a publisher's page in a frame: it has another origin, runs no scripts and loads nothing.
constexpr std::string_view kForeignPolicy =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; base-uri "
    "'none'; "
    "form-action 'none'";

enum class NeededPart : std::uint8_t { nothing, store, preview, logs };

struct Route {
  std::string_view path;
  View view;
  NeededPart needs;
};

constexpr std::array<Route, 17> kRoutes = {{{"/", overview_view, NeededPart::store},
                                            {"/sites", sites_view, NeededPart::store},
                                            {"/site", site_view, NeededPart::store},
                                            {"/pages", pages_view, NeededPart::store},
                                            {"/page", page_view, NeededPart::store},
                                            {"/search", search_view, NeededPart::store},
                                            {"/search.json", search_json, NeededPart::store},
                                            {"/changes", changes_view, NeededPart::store},
                                            {kStreamPath, changes_stream, NeededPart::store},
                                            {"/crawlers", crawlers_view, NeededPart::logs},
                                            {"/inspect", inspect_view, NeededPart::nothing},
                                            {"/inspect/result", inspection_view, NeededPart::nothing},
                                            {"/inspect/page", inspected_page_view, NeededPart::nothing},
                                            {"/publish", publish_view, NeededPart::preview},
                                            {"/publish/again", publish_again, NeededPart::preview},
                                            {"/publish/page", published_page_view, NeededPart::preview},
                                            {"/publish/original", published_original, NeededPart::preview}}};

const Route* find_route(std::string_view path, const AppParts& parts) {
  const auto* const route = std::ranges::find(kRoutes, path, &Route::path);
  if (route == kRoutes.end()) return nullptr;
  const bool is_there = route->needs == NeededPart::nothing ||
                        (route->needs == NeededPart::store && parts.has_store) ||
                        (route->needs == NeededPart::preview && parts.has_preview) ||
                        (route->needs == NeededPart::logs && parts.has_logs);
  return is_there ? route : nullptr;
}

Response plain_refusal(unsigned status, std::string sentence) {
  Response response;
  response.status = status;
  response.text = std::move(sentence);
  return response;
}

void add_safety_headers(Response& response, bool is_foreign) {
  response.headers.push_back({"Content-Security-Policy", std::string(is_foreign ? kForeignPolicy : kPolicy)});
  response.headers.push_back({"X-Content-Type-Options", "nosniff"});
  response.headers.push_back({"Referrer-Policy", "same-origin"});
  response.headers.push_back({"Cross-Origin-Opener-Policy", "same-origin"});
  response.headers.push_back({"Cross-Origin-Resource-Policy", "same-origin"});
}

Response asset_response(std::string_view name) {
  const Asset* asset = find_asset(name);
  if (asset == nullptr) return plain_refusal(404, "there is no such file");
  Response response;
  response.status = 200;
  response.text = asset->bytes;
  response.content_type = std::string(asset->content_type) + "; charset=utf-8";
  response.headers.push_back({"Cache-Control", "private, max-age=31536000, immutable"});
  add_safety_headers(response, false);
  return response;
}

unsigned status_of(base::Errc code) {
  switch (code) {
    case base::Errc::invalid_argument: return 400;
    case base::Errc::not_found: return 404;
    case base::Errc::refused: return 409;
    default: return 500;
  }
}

/// A page of another origin, including another port of this machine, may link to us, but may neither load
/// anything from us nor trigger an action.
bool is_foreign_use(const Request& request) {
  const std::string_view origin = request.fields.first("Origin");
  const std::string_view host = request.fields.first("Host");
  if (request.fields.count("Origin") > 0 && !http::message::is_origin_of(origin, host)) return true;
  const std::string_view site = request.fields.first("Sec-Fetch-Site");
  if (site != "cross-site" && site != "same-site") return false;
  const std::string_view destination = request.fields.first("Sec-Fetch-Dest");
  const bool is_link = request.fields.first("Sec-Fetch-Mode") == "navigate" &&
                       (destination.empty() || destination == "document");
  return !is_link || request.path == "/publish/again";
}

}  // namespace

BrowseApp::BrowseApp(ViewContext context, BrowseOptions options)
    : context_(context), options_(std::move(options)) {
  context_.streams = &streams_;
  // All servers of a host share cookies, so the name depends on the token.
  const std::string digest = base::to_hex(base::sha256("sheaf browse " + options_.token));
  cookie_name_ = "sheaf_" + digest.substr(0, 8);
  cookie_value_ = digest.substr(8);
}

bool BrowseApp::is_authorised(const http::message::Fields& fields) const {
  using http::message::is_same_secret;
  if (options_.token.empty()) return true;
  return is_same_secret(http::message::bearer_token(fields.first("Authorization")), options_.token) ||
         is_same_secret(http::message::cookie_value(fields.joined("Cookie"), cookie_name_), cookie_value_);
}

/// With ?token=, the browser gets a cookie and a redirect to a URL without the token.
Response BrowseApp::ask_for_token(const Request& request) const {
  const RequestValues values(request.query);
  if (http::message::is_same_secret(values.text("token"), options_.token)) {
    const std::string_view id = values.text("id");
    const markup::OwnPath target =
        id.empty() ? markup::OwnPath("/") : markup::OwnPath("/inspect/result").with("id", id);
    Response response = finish(ViewReply{.status = 303, .redirect = target});
    response.headers.push_back(
        {"Set-Cookie", cookie_name_ + "=" + cookie_value_ + "; Path=/; HttpOnly; SameSite=Strict"});
    return response;
  }
  markup::HtmlWriter out;
  begin_frame(out, {}, {.title = "Sign in"});
  out.element("h1", "A token is needed");
  out.open_form(markup::OwnPath("/"), markup::FormMethod::get, {{"class", "filter"}});
  write_field(out, {.name = "token", .label = "Token", .type = "password"});
  out.element("button", "Sign in");
  Response response = finish(ViewReply{.status = 401, .body = end_frame(std::move(out))});
  response.headers.push_back({"WWW-Authenticate", "Bearer"});
  return response;
}

Response BrowseApp::respond(const Request& request) {
  using http::message::AccessVerdict;
  const AccessVerdict verdict = http::message::judge_access(request.fields, options_.hosts);
  if (verdict == AccessVerdict::wrong_origin || is_foreign_use(request))
    return plain_refusal(403, "this server does not accept requests from pages of other sites");
  if (verdict == AccessVerdict::wrong_host)
    return plain_refusal(403, "this server does not have that name; --host adds one");
  if (request.path == "/asset") return asset_response(RequestValues(request.query).text("name"));
  if (!is_authorised(request.fields)) return ask_for_token(request);
  const bool is_post_path = request.path == kUploadPath || request.path == kOpenPath;
  if ((request.method == Method::post) != is_post_path) {
    Response response =
        plain_refusal(405, is_post_path ? "forms are sent with POST" : "pages are read with GET");
    response.headers.push_back({"Allow", is_post_path ? "POST" : "GET, HEAD"});
    return response;
  }
  return is_post_path ? finish(post(request)) : show(request);
}

Response BrowseApp::show(const Request& request) const {
  const AppParts parts = context_.parts();
  const Route* route = find_route(request.path, parts);
  if (route == nullptr && request.path == "/")
    return finish(ViewReply{.status = 303,
                            .redirect = parts.has_preview ? markup::OwnPath("/publish")
                                        : parts.has_logs  ? markup::OwnPath("/crawlers")
                                                          : markup::OwnPath("/inspect")});
  if (route == nullptr)
    return finish(ViewReply{
        .status = 404, .body = notice_page(parts, "No such page", "The app has no page with that path.")});
  std::string query(request.query);
  // A browser that reconnects sends the id of the last event that it got.
  const std::string_view last_event = request.fields.first("Last-Event-ID");
  if (request.path == kStreamPath && !last_event.empty())
    query = "since=" + std::string(last_event.substr(0, 20)) + "&" + query;
  const RequestValues values(query);
  if (request.path == kStreamPath && request.method == Method::head)
    return finish(ViewReply{.content_type = "text/event-stream"});
  return finish(route->view(context_, values));
}

std::shared_ptr<http::server::BodySink> BrowseApp::begin_upload(const Request& head) {
  const bool is_allowed =
      http::message::judge_access(head.fields, options_.hosts) == http::message::AccessVerdict::allowed &&
      is_authorised(head.fields) && !is_foreign_use(head);
  if (!is_allowed || head.path != kUploadPath) return nullptr;
  return context_.inspections->begin_upload();
}

base::Result<ViewReply> BrowseApp::post(const Request& request) const {
  if (request.path == kOpenPath) return open_named(request);
  const auto sink = std::dynamic_pointer_cast<UploadSink>(request.sink);
  if (!sink)
    return base::fail(base::Errc::refused,
                      "no file was received, or too many files are being uploaded; try again in a moment");
  const auto file = sink->find_file(request.fields.first("Content-Type"));
  if (!file) return base::fail(base::Errc::invalid_argument, "the request is not a form with one file");
  if (file->size == 0)
    return base::fail(base::Errc::invalid_argument, "choose a file first: this one is empty");
  SHEAF_TRY_ASSIGN(const std::string id, context_.inspections->inspect_upload(sink->take_spool(), *file));
  return ViewReply{.status = 303, .redirect = markup::OwnPath("/inspect/result").with("id", id)};
}

base::Result<ViewReply> BrowseApp::open_named(const Request& request) const {
  if (context_.open_by_name != OpenByName::machine)
    return base::fail(
        base::Errc::refused,
        "this server opens no files and URLs by name, because other machines can reach it; upload the file");
  const RequestValues values(request.body);
  const std::string name(values.text("name"));
  if (name.empty()) return base::fail(base::Errc::invalid_argument, "enter a path or a URL");
  SHEAF_TRY_ASSIGN(const std::string id, base::is_http_url(name) ? context_.inspections->inspect_url(name)
                                                                 : context_.inspections->inspect_path(name));
  return ViewReply{.status = 303, .redirect = markup::OwnPath("/inspect/result").with("id", id)};
}

Response BrowseApp::finish(base::Result<ViewReply> reply) const {
  if (!reply) {
    const unsigned status = status_of(reply.error().code);
    reply = ViewReply{.status = status,
                      .body = notice_page(context_.parts(), "That did not work", reply.error().message)};
  }
  Response response;
  response.status = reply->status;
  response.text = std::move(reply->body);
  response.content_type = std::move(reply->content_type);
  response.stream = std::move(reply->stream);
  if (reply->redirect) response.headers.push_back({"Location", reply->redirect->text()});
  response.headers.push_back({"Cache-Control", "no-store"});
  add_safety_headers(response, reply->is_foreign);
  return response;
}

}  // namespace sheaf::browse
