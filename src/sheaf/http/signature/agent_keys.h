#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/hash.h"
#include "sheaf/http/signature/web_bot_auth.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <expected>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sheaf::http::signature {

/// Whether a request was sent by the agent that it names.
enum class BotVerdict : std::uint8_t {
  unsigned_request,  ///< it has no signature
  verified,
  pending,  ///< the keys of its agent are being fetched, or soon will be: ask again later
  refused,  ///< the signature is wrong, expired, replayed, or made with an unknown key
};

struct BotIdentity {
  BotVerdict verdict = BotVerdict::unsigned_request;
  std::string agent = {};   ///< the origin of the agent; not to be trusted unless verified
  std::string reason = {};  ///< why it was refused
};

/// Fetches the key directory of an agent's origin. Must refuse plain http, except in tests. Called on a
/// dedicated thread, one call at a time.
using DirectoryFetch = std::function<base::Result<std::string>(const std::string& url)>;

struct AgentKeysOptions {
  std::size_t most_agents = 1'000;      ///< maximum number of agents whose keys are kept
  std::size_t most_waiting = 32;        ///< maximum number of directories queued to be fetched
  std::size_t most_nonces = 200'000;    ///< maximum number of nonces kept; the oldest are dropped first
  std::chrono::seconds fresh{3'600};    ///< how long keys are used before they are fetched again
  std::chrono::seconds usable{86'400};  ///< how long keys are used if they cannot be fetched again
  std::chrono::seconds retry{300};      ///< minimum time between two fetches of a directory
  BotRules rules = {};
};

/// Verifies requests with the keys of their agents. Thread-safe; verify() never waits for the network.
///
/// The cost of a request is bounded. One thread fetches all directories, each at most once in `retry`, and
/// only if the queue has room. An unknown key of a known agent makes it fetch the directory again, within the
/// same limit. A signature is verified only if its key is known.
class AgentKeys {
 public:
  AgentKeys(DirectoryFetch fetch, AgentKeysOptions options, std::function<std::int64_t()> clock);
  ~AgentKeys();
  AgentKeys(const AgentKeys&) = delete;
  AgentKeys& operator=(const AgentKeys&) = delete;

  BotIdentity verify(const RequestParts& request);

  /// Waits until all queued directories have been fetched. For tests.
  void wait_until_idle();

 private:
  struct Agent {
    std::unordered_map<std::string, DirectoryKey> keys;
    std::int64_t asked = 0;    ///< when the directory was last requested
    std::int64_t fetched = 0;  ///< when it was last read; 0: never
    bool is_waiting = false;
    std::string trouble;  ///< why the directory could not be read; empty if it was
  };

  BotIdentity verify_all(const RequestParts& request, std::string_view signed_text, std::int64_t now);
  /// The agent, if a request with the same signed text was verified in this second.
  std::optional<std::string> find_verified(std::string_view signed_text, std::int64_t now);
  void note_verified(std::string_view signed_text, const std::string& agent, std::int64_t now);
  /// The key of an agent, or the result of verify() if there is no such key.
  std::expected<DirectoryKey, BotIdentity> find_key(const std::string& agent, const std::string& id,
                                                    std::int64_t now);
  enum class Asked : std::uint8_t {
    waiting,     ///< the directory is queued or being fetched
    queue_full,  ///< it cannot be queued now
    too_soon,    ///< it was requested less than `retry` ago
  };
  /// Queues the directory of an agent. Call with the lock held.
  Asked ask_for(const std::string& origin, Agent& agent, std::int64_t now);
  void evict_agent();
  bool is_new_nonce(const BotSignature& signature);
  /// Whether the signature was made for the request with this key.
  bool is_signed(const BotSignature& signature, const crypto::Ed25519PublicKey& key);
  void run();

  DirectoryFetch fetch_;
  AgentKeysOptions options_;
  std::function<std::int64_t()> clock_;
  base::HashKey hash_key_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_map<std::string, Agent> agents_;
  std::deque<std::string> waiting_;
  bool is_fetching_ = false;
  bool stopping_ = false;
  std::mutex nonce_mutex_;
  /// Hashes of nonces, in two generations: when the first set is full, it replaces the second.
  std::unordered_set<std::uint64_t> nonces_;
  std::unordered_set<std::uint64_t> older_nonces_;
  /// The same for verified signatures without a nonce. Such a signature may be used again while it is valid,
  /// and verifying it again would cost ten times as much as the response.
  std::unordered_set<std::uint64_t> signatures_;
  std::unordered_set<std::uint64_t> older_signatures_;
  /// The signed text and the agent of a verified request with such a signature. Entries are valid only within
  /// the second in which they were made. So times and keys are checked once per second, and every other
  /// request with the same signature costs one lookup: parsing the fields alone takes as long as the
  /// response.
  struct Verified {
    std::string signed_text;
    std::string agent;
  };
  std::mutex verified_mutex_;
  std::int64_t verified_at_ = 0;
  std::unordered_map<std::uint64_t, Verified> verified_;
  std::thread thread_;
};

}  // namespace sheaf::http::signature
