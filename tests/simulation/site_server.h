#pragma once

#include "simulation/site_model.h"
#include "support/scripted_web.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace sheaf::simulation {

inline constexpr std::int64_t kBusySeconds = 7200;

/// What a server did during one pull, as far as it bears on the judgement of the copy.
struct ServerLog {
  std::size_t oldest = 0;               ///< the oldest state of the site that was shown
  std::set<std::string> misled;         ///< pages whose answer was a lie: another body, a false 404
  bool hid_sitemap = false;             ///< a sitemap answered 404 or 410, or something else than itself
  bool faulty = false;                  ///< a fault happened that may make a request fail
  bool robots_misled = false;           ///< robots.txt was not answered as it is
  std::set<std::string> busy;           ///< URLs that asked for no requests for kBusySeconds
  std::map<std::string, int> requests;  ///< by URL
};

/// Answers requests with what the site shows, or with the faults of a pull.
class SiteServer {
 public:
  explicit SiteServer(const SiteModel& site) : site_(site) {}

  /// `kill` is called at that request; 0: never.
  void begin_pull(const std::vector<Fault>& faults, std::uint32_t kill_request, std::function<void()> kill);
  /// From now on the URL that is requested at this place has this fault, in every pull.
  void begin_outage(const Fault& fault) { outages_.push_back({fault, {}}); }
  void end_outages() { outages_.clear(); }
  test::ScriptedResponse answer(const test::SentRequest& request);
  [[nodiscard]] const ServerLog& log() const { return log_; }

 private:
  const Fault* find_fault(Target target, const std::string& url);
  const Fault* note_fault(const Fault& fault, Target target);
  test::ScriptedResponse respond(const WebFile& file, const test::SentRequest& request) const;
  test::ScriptedResponse respond_wrongly(FaultKind kind, const WebFile& file,
                                         const test::SentRequest& request);
  std::size_t state_of(const std::string& url, const std::string& entity_tag) const;
  const WebFile* older_file(const std::string& url, std::size_t& state) const;

  const SiteModel& site_;
  std::mutex mutex_;
  std::vector<Fault> faults_;
  std::vector<std::pair<Fault, std::string>> outages_;  ///< with their URLs, once these are known
  std::uint32_t kill_request_ = 0;
  std::function<void()> kill_;
  std::uint32_t answered_ = 0;
  std::map<Target, std::uint32_t> counts_;
  std::map<std::string, const Fault*> lasting_;
  ServerLog log_;
  bool hid_robots_ = false;  ///< robots.txt, which names the sitemaps, answered that there is none
};

}  // namespace sheaf::simulation
