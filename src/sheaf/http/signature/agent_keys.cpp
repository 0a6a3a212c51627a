#include "sheaf/http/signature/agent_keys.h"

#include "sheaf/base/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::http::signature {
namespace {

BotIdentity refuse(std::string agent, std::string reason) {
  return {BotVerdict::refused, std::move(agent), std::move(reason)};
}

/// The origin of an agent's URL; nullopt if it is not an http(s) URL without credentials. With plain http,
/// anybody on the network could pose as the agent. It is accepted here for tests; DirectoryFetch must refuse
/// it.
std::optional<std::string> agent_origin(std::string_view agent) {
  const auto url = base::Url::parse(agent);
  if (!url || !url->username().empty() || !url->password().empty()) return std::nullopt;
  return url->origin();
}

constexpr std::size_t kMaxVerified = 4'096;  // entries kept for one second

/// Everything in a request that the verdict depends on if the signature covers the host and the agent only.
/// Empty if a field of the signature is missing. Line feeds separate the parts, as fields cannot contain
/// them.
std::string signed_text_of(const RequestParts& request) {
  std::string text;
  for (const std::string_view name : {"signature-input", "signature", "signature-agent"}) {
    const auto value = request.field(name);
    if (!value) return {};
    text.append(*value).append("\n");
  }
  return text.append(request.scheme).append("\n").append(request.authority);
}

}  // namespace

AgentKeys::AgentKeys(DirectoryFetch fetch, AgentKeysOptions options, std::function<std::int64_t()> clock)
    : fetch_(std::move(fetch)),
      options_(options),
      clock_(std::move(clock)),
      hash_key_(base::HashKey::random()),
      thread_([this] { run(); }) {}

AgentKeys::~AgentKeys() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

BotIdentity AgentKeys::verify(const RequestParts& request) {
  const std::int64_t now = clock_();
  const std::string signed_text = signed_text_of(request);
  if (auto agent = find_verified(signed_text, now)) return {BotVerdict::verified, std::move(*agent), {}};
  return verify_all(request, signed_text, now);
}

std::optional<std::string> AgentKeys::find_verified(std::string_view signed_text, std::int64_t now) {
  if (signed_text.empty()) return std::nullopt;
  const std::uint64_t hash = base::keyed_hash(hash_key_, signed_text);
  const std::lock_guard lock(verified_mutex_);
  if (verified_at_ != now) return std::nullopt;
  const auto found = verified_.find(hash);
  if (found == verified_.end() || found->second.signed_text != signed_text) return std::nullopt;
  return found->second.agent;
}

void AgentKeys::note_verified(std::string_view signed_text, const std::string& agent, std::int64_t now) {
  const std::uint64_t hash = base::keyed_hash(hash_key_, signed_text);
  const std::lock_guard lock(verified_mutex_);
  if (verified_at_ != now) verified_.clear();
  verified_at_ = now;
  if (verified_.size() < kMaxVerified)
    verified_.insert_or_assign(hash, Verified{std::string(signed_text), agent});
}

BotIdentity AgentKeys::verify_all(const RequestParts& request, std::string_view signed_text,
                                  std::int64_t now) {
  const auto read = read_bot_signature(request, now, options_.rules);
  if (!read) return refuse({}, read.error().message);
  if (!*read) return {};
  const BotSignature& signature = **read;
  auto origin = agent_origin(signature.agent);
  if (!origin) return refuse({}, "the request names no Signature-Agent, so its key cannot be found");
  auto key = find_key(*origin, signature.key_id, now);
  if (!key) return std::move(key.error());
  if (key->not_before && now + options_.rules.clock_skew < *key->not_before)
    return refuse(*origin, "its key is not valid yet");
  if (key->expires && now - options_.rules.clock_skew > *key->expires)
    return refuse(*origin, "its key has expired");
  if (!is_signed(signature, key->key))
    return refuse(*origin, "its signature was not made with the agent's key");
  // Only after the verification, so that nobody can use up the nonces of others.
  if (!is_new_nonce(signature)) return refuse(*origin, "its nonce was used before: the request is a replay");
  if (signature.nonce.empty() && signature.covers_host_only) note_verified(signed_text, *origin, now);
  return {BotVerdict::verified, std::move(*origin), {}};
}

std::expected<DirectoryKey, BotIdentity> AgentKeys::find_key(const std::string& origin, const std::string& id,
                                                             std::int64_t now) {
  const std::lock_guard lock(mutex_);
  if (!agents_.contains(origin) && agents_.size() >= options_.most_agents) evict_agent();
  Agent& agent = agents_[origin];
  if (now - agent.fetched >= options_.usable.count()) agent.keys.clear();
  const auto known = agent.keys.find(id);
  const bool is_fresh = agent.fetched > 0 && now - agent.fetched < options_.fresh.count();
  if (known != agent.keys.end()) {
    // Stale keys are used until the new ones have arrived.
    if (!is_fresh) ask_for(origin, agent, now);
    return known->second;
  }
  const Asked asked = ask_for(origin, agent, now);
  if (asked == Asked::waiting)
    return std::unexpected(
        BotIdentity{BotVerdict::pending, origin, "the keys of its agent are being fetched"});
  // Not refused: nobody has looked for the key yet, and clients that invent agents could keep the queue full.
  if (asked == Asked::queue_full)
    return std::unexpected(
        BotIdentity{BotVerdict::pending, origin, "too many keys of other agents are being fetched"});
  return std::unexpected(refuse(origin, agent.trouble.empty()
                                            ? "its key is not in the directory of the agent"
                                            : "the directory of its agent cannot be read: " + agent.trouble));
}

AgentKeys::Asked AgentKeys::ask_for(const std::string& origin, Agent& agent, std::int64_t now) {
  if (agent.is_waiting) return Asked::waiting;
  if (agent.asked > 0 && now - agent.asked < options_.retry.count()) return Asked::too_soon;
  if (waiting_.size() >= options_.most_waiting) return Asked::queue_full;
  agent.asked = now;
  agent.is_waiting = true;
  waiting_.push_back(origin);
  changed_.notify_all();
  return Asked::waiting;
}

/// Evicts an agent without keys, or else the one whose directory was requested longest ago. Agents whose
/// directory is queued stay. So a client that invents agents does not evict those that exist.
void AgentKeys::evict_agent() {
  const auto rank = [](const Agent& agent) { return std::pair(!agent.keys.empty(), agent.asked); };
  auto oldest = agents_.end();
  for (auto it = agents_.begin(); it != agents_.end(); ++it)
    if (!it->second.is_waiting && (oldest == agents_.end() || rank(it->second) < rank(oldest->second)))
      oldest = it;
  if (oldest != agents_.end()) agents_.erase(oldest);
}

bool AgentKeys::is_signed(const BotSignature& signature, const crypto::Ed25519PublicKey& key) {
  if (!signature.nonce.empty()) return crypto::verify_ed25519(key, signature.base, signature.signature);
  // The signed text includes the agent, the host, the key id and the times, which are checked every time.
  const std::string_view bytes(reinterpret_cast<const char*>(signature.signature.data()),
                               signature.signature.size());
  const std::uint64_t hash =
      base::keyed_hash(hash_key_, fmt::format("{}\n{}\n{}", signature.key_id, bytes, signature.base));
  {
    const std::lock_guard lock(nonce_mutex_);
    if (signatures_.contains(hash) || older_signatures_.contains(hash)) return true;
  }
  if (!crypto::verify_ed25519(key, signature.base, signature.signature)) return false;
  const std::lock_guard lock(nonce_mutex_);
  if (signatures_.size() >= options_.most_nonces / 2) {
    older_signatures_ = std::move(signatures_);
    signatures_.clear();
  }
  signatures_.insert(hash);
  return true;
}

bool AgentKeys::is_new_nonce(const BotSignature& signature) {
  if (signature.nonce.empty()) return true;
  const std::uint64_t hash =
      base::keyed_hash(hash_key_, fmt::format("{} {}", signature.key_id, signature.nonce));
  const std::lock_guard lock(nonce_mutex_);
  if (nonces_.contains(hash) || older_nonces_.contains(hash)) return false;
  if (nonces_.size() >= options_.most_nonces / 2) {
    older_nonces_ = std::move(nonces_);
    nonces_.clear();
  }
  nonces_.insert(hash);
  return true;
}

void AgentKeys::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    const std::string origin = std::move(waiting_.front());
    waiting_.pop_front();
    is_fetching_ = true;
    lock.unlock();
    auto text = fetch_(origin + std::string(kDirectoryPath));
    auto keys = text ? parse_directory(*text) : std::unexpected(text.error());
    const std::int64_t now = clock_();
    lock.lock();
    is_fetching_ = false;
    if (const auto found = agents_.find(origin); found != agents_.end()) {
      Agent& agent = found->second;
      agent.is_waiting = false;
      agent.trouble = keys ? std::string() : keys.error().message;
      if (keys) {
        agent.fetched = now;
        agent.keys.clear();
        for (const DirectoryKey& key : *keys) agent.keys.insert_or_assign(key.id, key);
      }
    }
    changed_.notify_all();
  }
}

void AgentKeys::wait_until_idle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stopping_ || (waiting_.empty() && !is_fetching_); });
}

}  // namespace sheaf::http::signature
