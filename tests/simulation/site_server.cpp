#include "simulation/site_server.h"

#include "support/collection_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace sheaf::simulation {
namespace {

using test::ScriptedResponse;
using test::SentRequest;

/// The path below which the site has each of its files, too.
constexpr std::string_view kElsewhere = "/elsewhere/";

/// The first byte that a Range header asks for.
std::optional<std::size_t> range_of(const SentRequest& request) {
  const std::string text = request.header("range");
  constexpr std::string_view kUnit = "bytes=";
  if (!text.starts_with(kUnit)) return std::nullopt;
  std::size_t from = 0;
  std::from_chars(text.data() + kUnit.size(), text.data() + text.size(), from);
  return from;
}

ScriptedResponse whole(const WebFile& file) {
  ScriptedResponse response{.headers = {{"content-type", file.type}}, .body = file.body};
  if (!file.entity_tag.empty()) response.headers.emplace_back("etag", file.entity_tag);
  return response;
}

ScriptedResponse part(const WebFile& file, std::size_t from) {
  ScriptedResponse response = whole(file);
  response.status = 206;
  response.headers.emplace_back("content-range",
                                fmt::format("bytes {}-{}/{}", from, file.body.size() - 1, file.body.size()));
  response.body = file.body.substr(from);
  return response;
}

}  // namespace

void SiteServer::begin_pull(const std::vector<Fault>& faults, std::uint32_t kill_request,
                            std::function<void()> kill) {
  const std::lock_guard lock(mutex_);
  kill_request_ = kill_request;
  kill_ = std::move(kill);
  answered_ = 0;
  faults_ = faults;
  counts_.clear();
  lasting_.clear();
  log_ = {};
  hid_robots_ = false;
  log_.oldest = site_.states().size() - 1;
}

ScriptedResponse SiteServer::answer(const SentRequest& request) {
  const std::lock_guard lock(mutex_);
  ++log_.requests[request.url];
  if (++answered_ >= kill_request_ && kill_request_ > 0) {
    kill_();
    return {.trouble = http::fetch::FetchTrouble::unreachable};
  }
  if (auto target = site_.redirect_of(request.url))
    return {.status = 301, .headers = {{"location", *std::move(target)}}};
  SentRequest asked = request;
  if (const auto at = asked.url.find(kElsewhere); at != std::string::npos)
    asked.url.erase(at, kElsewhere.size() - 1);
  const auto found = site_.now().files.find(asked.url);
  if (found == site_.now().files.end()) return {.status = 404};
  const WebFile& file = *found->second;
  const Fault* const fault = asked.url == request.url ? find_fault(file.target, request.url) : nullptr;
  return fault == nullptr ? respond(file, asked) : respond_wrongly(fault->kind, file, asked);
}

const Fault* SiteServer::find_fault(Target target, const std::string& url) {
  if (const auto lasting = lasting_.find(url); lasting != lasting_.end()) return lasting->second;
  const std::uint32_t number = counts_[target]++;
  for (auto& [fault, where] : outages_) {
    if (where.empty() && fault.target == target && fault.number == number) where = url;
    if (where != url) continue;
    lasting_[url] = &fault;
    return note_fault(fault, target);
  }
  const auto found = std::ranges::find_if(
      faults_, [&](const Fault& fault) { return fault.target == target && fault.number == number; });
  if (found == faults_.end()) return nullptr;
  if (found->lasts) lasting_[url] = &*found;
  return note_fault(*found, target);
}

const Fault* SiteServer::note_fault(const Fault& fault, Target target) {
  log_.faulty = log_.faulty || (fault.kind != FaultKind::coded && fault.kind != FaultKind::redirected);
  log_.robots_misled = log_.robots_misled || target == Target::robots;
  return &fault;
}

ScriptedResponse SiteServer::respond(const WebFile& file, const SentRequest& request) const {
  if (!file.entity_tag.empty() && request.header("if-none-match") == file.entity_tag) return {.status = 304};
  const auto from = range_of(request);
  if (!from || request.header("if-range") != file.entity_tag) return whole(file);
  if (*from >= file.body.size()) return {.status = 416};
  return part(file, *from);
}

ScriptedResponse SiteServer::respond_wrongly(FaultKind kind, const WebFile& file,
                                             const SentRequest& request) {
  const bool is_page = file.target == Target::page;
  const auto mislead = [&] {
    if (is_page) log_.misled.insert(request.url);
    const bool has_links = site_.now().links_only || hid_robots_;
    if (is_page && request.url == site_.origin() + "/" && has_links) log_.hid_sitemap = true;
    if (file.target == Target::sitemap || file.body.contains("Sitemap: ")) log_.hid_sitemap = true;
  };
  switch (kind) {
    case FaultKind::unreachable: return {.trouble = http::fetch::FetchTrouble::unreachable};
    case FaultKind::cut: {
      ScriptedResponse response = respond(file, request);
      response.cut_after = response.body.size() / 2;
      return response;
    }
    case FaultKind::truncated: {
      mislead();
      ScriptedResponse response{.headers = {{"content-type", file.type}},
                                .body = file.body.substr(0, file.body.size() / 2)};
      return response;
    }
    case FaultKind::login_page:
      mislead();
      return {.headers = {{"content-type", "text/html"}},
              .body = "<title>Sign in</title><p>Sign in to go on to the page that you asked for.</p>"};
    case FaultKind::empty: mislead(); return {.headers = {{"content-type", file.type}}};
    case FaultKind::forbidden:
      hid_robots_ = hid_robots_ || file.target == Target::robots;
      return {.status = 403};
    case FaultKind::missing: mislead(); return {.status = 404};
    case FaultKind::gone: mislead(); return {.status = 410};
    case FaultKind::too_many: return {.status = 429};
    case FaultKind::error: return {.status = 500};
    case FaultKind::unavailable: return {.status = 503};
    case FaultKind::busy:
      log_.busy.insert(request.url);
      return {.status = 503, .headers = {{"retry-after", std::to_string(kBusySeconds)}}};
    case FaultKind::slow: return {.trouble = http::fetch::FetchTrouble::too_slow};
    case FaultKind::not_modified:
      if (request.header("if-none-match").empty()) return respond(file, request);
      mislead();
      log_.oldest = std::min(log_.oldest, state_of(request.url, request.header("if-none-match")));
      return {.status = 304};
    case FaultKind::stale: {
      std::size_t state = 0;
      const WebFile* const older = older_file(request.url, state);
      if (is_page || older == nullptr) mislead();
      if (older == nullptr) return {.status = 404};
      log_.oldest = std::min(log_.oldest, state);
      return respond(*older, request);
    }
    case FaultKind::other_part: {
      std::size_t state = 0;
      const auto from = range_of(request);
      const WebFile* const older = older_file(request.url, state);
      if (from && older != nullptr && *from < older->body.size()) return part(*older, *from);
      ScriptedResponse response = respond(file, request);
      if (!from) response.cut_after = response.body.size() / 2;
      return response;
    }
    case FaultKind::accepted: {
      ScriptedResponse response = respond(file, request);
      if (response.status == 200) response.status = 203;
      return response;
    }
    case FaultKind::coded: {
      ScriptedResponse response = respond(file, request);
      if (file.target != Target::collection || response.status != 200) return response;
      response.body = test::compress(format::Codec::gzip, response.body);
      response.headers.emplace_back("content-encoding", "gzip");
      return response;
    }
    case FaultKind::altered: {
      WebFile other = file;
      if (!file.altered.empty()) other.body = file.altered;
      return respond(other, request);
    }
    case FaultKind::redirected: {
      if (is_page) return respond(file, request);  // pages have one URL
      std::string target = request.url;
      target.insert(target.find('/', target.find("//") + 2), kElsewhere.substr(0, kElsewhere.size() - 1));
      return {.status = 302, .headers = {{"location", target}}};
    }
  }
  return {.status = 500};
}

/// The last state in which the URL had the file with this tag.
std::size_t SiteServer::state_of(const std::string& url, const std::string& entity_tag) const {
  for (std::size_t state = site_.states().size(); state-- > 0;) {
    const auto found = site_.states()[state]->files.find(url);
    if (found != site_.states()[state]->files.end() && found->second->entity_tag == entity_tag) return state;
  }
  return 0;
}

/// The file that the URL had before, from a cache that nobody told of the new one.
const WebFile* SiteServer::older_file(const std::string& url, std::size_t& state) const {
  const auto& states = site_.states();
  const WebFile* const now = site_.now().files.at(url).get();
  for (state = states.size() - 1; state-- > 0;) {
    const auto found = states[state]->files.find(url);
    if (found == states[state]->files.end()) return nullptr;
    if (found->second->body != now->body) return found->second.get();
  }
  state = states.size() - 1;
  return now;
}

}  // namespace sheaf::simulation
