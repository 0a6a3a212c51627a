#include "sheaf/http/signature/agent_keys.h"

#include "sheaf/base/hex.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::http::signature {
namespace {

constexpr std::int64_t kStart = 1'800'000'000;

/// A crawler, and a server that verifies it; the network is a table.
class AgentKeysTest : public testing::Test {
 protected:
  using FieldValues = std::map<std::string, std::string, std::less<>>;

  AgentKeys& keys() {
    if (!keys_)
      keys_ = std::make_unique<AgentKeys>(
          [this](const std::string& url) -> base::Result<std::string> {
            ++fetches_;
            const std::lock_guard waits_for_the_test(gate_);
            const auto found = web_.find(url);
            if (found == web_.end()) return base::fail(base::Errc::io, url + " answered 404");
            return found->second;
          },
          options_, [this] { return now_.load(); });
    return *keys_;
  }

  void publish(std::string_view origin, const std::vector<DirectoryKey>& list) {
    web_[std::string(origin) + std::string(kDirectoryPath)] = directory_text(list);
  }
  static DirectoryKey entry(const crypto::Ed25519Signer& signer) {
    return {.id = key_id(signer.public_key()), .key = signer.public_key()};
  }

  FieldValues sign(std::string_view agent = "https://bot.example") const {
    FieldValues fields;
    for (const message::Header& header : sign_request(signer_, agent, "site.example", now_))
      fields[header.name == "Signature-Input"   ? "signature-input"
             : header.name == "Signature-Agent" ? "signature-agent"
                                                : "signature"] = header.value;
    return fields;
  }

  BotIdentity ask(const FieldValues& fields, std::string_view path = "/",
                  std::string_view authority = "site.example") {
    RequestParts request{
        .method = "GET", .scheme = "https", .authority = authority, .path = path, .field = {}};
    request.field = [&fields](std::string_view name) -> std::optional<std::string> {
      const auto found = fields.find(name);
      return found == fields.end() ? std::nullopt : std::optional(found->second);
    };
    return keys().verify(request);
  }
  /// A signature without a nonce, of a host and maybe one more component.
  FieldValues sign_plainly(std::string_view authority, std::string_view covered_name = {},
                           std::string_view covered_value = {}) const {
    const std::string more = covered_name.empty() ? "" : " \"" + std::string(covered_name) + "\"";
    const std::string parameters = "(\"@authority\" \"signature-agent\"" + more +
                                   ");created=" + std::to_string(now_) +
                                   ";expires=" + std::to_string(now_ + 60) + ";keyid=\"" +
                                   key_id(signer_.public_key()) + "\";alg=\"ed25519\";tag=\"web-bot-auth\"";
    std::string base =
        "\"@authority\": " + std::string(authority) + "\n\"signature-agent\": \"https://bot.example\"\n";
    if (!covered_name.empty())
      base += "\"" + std::string(covered_name) + "\": " + std::string(covered_value) + "\n";
    const auto signature = signer_.sign(base + "\"@signature-params\": " + parameters);
    const std::string bytes(signature.begin(), signature.end());
    return FieldValues{{"signature-agent", "\"https://bot.example\""},
                       {"signature-input", "sig1=" + parameters},
                       {"signature", "sig1=:" + base::to_base64(bytes) + ":"}};
  }
  /// Asks once so that the directory is fetched, and waits for it.
  void warm_up(std::string_view agent = "https://bot.example") {
    ask(sign(agent));
    keys().wait_until_idle();
  }

  static crypto::Ed25519Signer make_signer() {
    crypto::Ed25519Seed seed{};
    crypto::fill_random(seed);
    return crypto::Ed25519Signer(seed);
  }

  crypto::Ed25519Signer signer_ = make_signer();
  std::map<std::string, std::string> web_;
  AgentKeysOptions options_;
  std::atomic<std::int64_t> now_ = kStart;
  std::atomic<int> fetches_ = 0;
  std::mutex gate_;  ///< a fetch ends when it is free
  std::unique_ptr<AgentKeys> keys_;
};

TEST_F(AgentKeysTest, TheFirstRequestFetchesTheKeysAndTheNextIsVerified) {
  publish("https://bot.example", {entry(signer_)});
  EXPECT_EQ(ask(sign()).verdict, BotVerdict::pending);
  keys().wait_until_idle();
  const BotIdentity identity = ask(sign());
  EXPECT_EQ(identity.verdict, BotVerdict::verified) << identity.reason;
  EXPECT_EQ(identity.agent, "https://bot.example");
  EXPECT_EQ(fetches_, 1);
}

TEST_F(AgentKeysTest, ARequestWithoutASignatureCostsNothing) {
  EXPECT_EQ(ask({}).verdict, BotVerdict::unsigned_request);
  EXPECT_EQ(fetches_, 0);
}

TEST_F(AgentKeysTest, AReplayedRequestIsRefused) {
  publish("https://bot.example", {entry(signer_)});
  warm_up();
  const FieldValues fields = sign();
  EXPECT_EQ(ask(fields).verdict, BotVerdict::verified);
  EXPECT_TRUE(ask(fields).reason.contains("replay"));
}

TEST_F(AgentKeysTest, NoncesAreForgottenOnlyWhenThereAreMany) {
  options_.most_nonces = 8;
  publish("https://bot.example", {entry(signer_)});
  warm_up();
  const FieldValues first = sign();
  EXPECT_EQ(ask(first).verdict, BotVerdict::verified);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(ask(sign()).verdict, BotVerdict::verified);
  EXPECT_EQ(ask(first).verdict, BotVerdict::refused);
}

TEST_F(AgentKeysTest, AWrongSignatureIsRefused) {
  publish("https://bot.example", {entry(signer_)});
  warm_up();
  FieldValues fields = sign();
  fields["signature"] = "sig1=:" + base::to_base64(std::string(64, 'x')) + ":";
  EXPECT_TRUE(ask(fields).reason.contains("not made with the agent's key"));
  fields = sign();
  fields["signature-agent"] = "\"https://other.example\"";
  publish("https://other.example", {entry(signer_)});
  ask(fields);
  keys().wait_until_idle();
  EXPECT_TRUE(ask(fields).reason.contains("not made with the agent's key"));
}

TEST_F(AgentKeysTest, AnUnreadableDirectoryIsAskedForAgainOnlyAfterAWhile) {
  warm_up();
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(ask(sign()).reason.contains("answered 404"));
  EXPECT_EQ(fetches_, 1);
  now_ += options_.retry.count();
  EXPECT_EQ(ask(sign()).verdict, BotVerdict::pending);
  keys().wait_until_idle();
  EXPECT_EQ(fetches_, 2);
  web_["https://bot.example" + std::string(kDirectoryPath)] = "not json";
  now_ += options_.retry.count();
  warm_up();
  EXPECT_TRUE(ask(sign()).reason.contains("not a key directory"));
}

TEST_F(AgentKeysTest, AnUnknownKeyMakesTheDirectoryBeFetchedAgainAtMostOnceInAWhile) {
  publish("https://bot.example", {entry(make_signer())});
  warm_up();
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(ask(sign()).reason.contains("not in the directory"));
  EXPECT_EQ(fetches_, 1);
  publish("https://bot.example", {entry(signer_)});
  now_ += options_.retry.count();
  warm_up();
  EXPECT_EQ(ask(sign()).verdict, BotVerdict::verified);
  EXPECT_EQ(fetches_, 2);
}

TEST_F(AgentKeysTest, ExpiredAndFutureKeysAreRefused) {
  DirectoryKey key = entry(signer_);
  key.expires = kStart - 100;
  publish("https://bot.example", {key});
  warm_up();
  EXPECT_TRUE(ask(sign()).reason.contains("has expired"));
  key.expires.reset();
  key.not_before = kStart + 100'000;
  publish("https://bot.example", {key});
  now_ += options_.fresh.count();
  warm_up();
  EXPECT_TRUE(ask(sign()).reason.contains("not valid yet"));
}

TEST_F(AgentKeysTest, KeysAreRefreshedAndUsedMeanwhile) {
  publish("https://bot.example", {entry(signer_)});
  warm_up();
  now_ += options_.fresh.count();
  EXPECT_EQ(ask(sign()).verdict, BotVerdict::verified);  // and asks for the directory
  keys().wait_until_idle();
  EXPECT_EQ(fetches_, 2);
  web_.clear();
  now_ += options_.usable.count();
  EXPECT_EQ(ask(sign()).verdict, BotVerdict::pending);
  keys().wait_until_idle();
  EXPECT_EQ(ask(sign()).verdict, BotVerdict::refused);
}

/// Signatures that name ever new agents cause neither endless memory nor a storm of requests.
TEST_F(AgentKeysTest, ManyAgentsAreBounded) {
  options_.most_agents = 10;
  options_.most_waiting = 4;
  for (int i = 0; i < 1000; ++i) ask(sign("https://bot" + std::to_string(i) + ".example"));
  keys().wait_until_idle();
  EXPECT_LE(fetches_, 1000);
  publish("https://bot.example", {entry(signer_)});
  warm_up();
  EXPECT_EQ(ask(sign()).verdict, BotVerdict::verified);
}

/// Signatures without a nonce are remembered, and nothing that differs from one is taken for it.
TEST_F(AgentKeysTest, ASignatureWithoutANonceCanBeUsedUntilItExpires) {
  publish("https://bot.example", {entry(signer_)});
  warm_up();
  const FieldValues fields = sign_plainly("site.example");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ask(fields).verdict, BotVerdict::verified) << ask(fields).reason;
  EXPECT_EQ(ask(sign_plainly("other.example")).verdict, BotVerdict::refused);
  FieldValues edited = fields;
  edited["signature"] = sign_plainly("other.example")["signature"];
  EXPECT_EQ(ask(edited).verdict, BotVerdict::refused);
  EXPECT_EQ(ask(fields, "/elsewhere").verdict, BotVerdict::verified);
  EXPECT_EQ(ask(fields, "/", "other.example").verdict, BotVerdict::refused);
  now_ += 60 + BotRules{}.clock_skew + 1;
  EXPECT_EQ(ask(fields).verdict, BotVerdict::refused);
}

/// What was verified in the same second is not verified again, but only if it depends on nothing else.
TEST_F(AgentKeysTest, ASignatureThatCoversThePathIsOfThatPathOnly) {
  publish("https://bot.example", {entry(signer_)});
  warm_up();
  const FieldValues fields = sign_plainly("site.example", "@path", "/a");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(ask(fields, "/a").verdict, BotVerdict::verified) << ask(fields, "/a").reason;
    EXPECT_EQ(ask(fields, "/b").verdict, BotVerdict::refused);
  }
}

TEST_F(AgentKeysTest, AKeyThatExpiresIsRefusedInTheNextSecond) {
  DirectoryKey key = entry(signer_);
  key.expires = kStart - BotRules{}.clock_skew;
  publish("https://bot.example", {key});
  warm_up();
  const FieldValues fields = sign_plainly("site.example");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(ask(fields).verdict, BotVerdict::verified) << ask(fields).reason;
  now_ += 1;
  EXPECT_TRUE(ask(fields).reason.contains("key has expired"));
}

TEST_F(AgentKeysTest, InventedAgentsDoNotDisplaceKnownOnes) {
  options_.most_agents = 10;
  publish("https://bot.example", {entry(signer_)});
  warm_up();
  for (int i = 0; i < 100; ++i) {
    now_ += 1;
    warm_up("https://invented" + std::to_string(i) + ".example");
  }
  EXPECT_EQ(ask(sign()).verdict, BotVerdict::verified);
}

/// An agent whose directory cannot be queued now is not refused: it is told to ask again later.
TEST_F(AgentKeysTest, ManyInventedAgentsDoNotMakeGenuineOnesBeRefused) {
  options_.most_waiting = 0;
  publish("https://bot.example", {entry(signer_)});
  const BotIdentity fresh = ask(sign());
  EXPECT_EQ(fresh.verdict, BotVerdict::pending) << fresh.reason;
}

TEST_F(AgentKeysTest, ANewKeyOfAKnownAgentIsPendingIfTheQueueIsFull) {
  options_.most_waiting = 1;
  publish("https://bot.example", {entry(make_signer())});
  warm_up();
  EXPECT_TRUE(ask(sign()).reason.contains("not in the directory"));
  now_ += options_.retry.count();
  const std::lock_guard no_fetch_ends(gate_);
  ask(sign("https://invented1.example"));
  while (fetches_ < 2) std::this_thread::yield();  // it has left the queue
  ask(sign("https://invented2.example"));
  const BotIdentity changed = ask(sign());
  EXPECT_EQ(changed.verdict, BotVerdict::pending) << changed.reason;
}

TEST_F(AgentKeysTest, ARequestThatNamesNoAgentIsRefused) {
  FieldValues fields = sign();
  fields.erase("signature-agent");
  EXPECT_EQ(ask(fields).verdict, BotVerdict::refused);
  EXPECT_EQ(ask(sign("ftp://bot.example")).verdict, BotVerdict::refused);
  EXPECT_EQ(ask(sign("https://user:secret@bot.example")).verdict, BotVerdict::refused);
  EXPECT_EQ(fetches_, 0);
}

TEST(KeyDirectory, IsReadAsItWasWritten) {
  crypto::Ed25519Seed seed{};
  crypto::fill_random(seed);
  const auto key = crypto::Ed25519Signer(seed).public_key();
  const std::vector<DirectoryKey> keys = {{key_id(key), key, 1, 2}, {key_id(key), key, {}, {}}};
  EXPECT_EQ(parse_directory(directory_text(keys)), keys);
  EXPECT_EQ(parse_private_key(private_key_text(seed)), seed);
}

TEST(KeyDirectory, OtherKindsOfKeysAreSkipped) {
  const auto keys =
      parse_directory(R"({"keys":[{"kty":"RSA","n":"x"},{"kty":"OKP","crv":"X25519","x":"y"},1]})");
  ASSERT_TRUE(keys);
  EXPECT_TRUE(keys->empty());
}

TEST(KeyDirectory, OtherTextsAreRefusedWithTheReason) {
  const auto message = [](const std::string& text) {
    const auto keys = parse_directory(text);
    return keys ? std::string("accepted") : keys.error().message;
  };
  EXPECT_TRUE(message("").contains("not a key directory"));
  EXPECT_TRUE(message("[]").contains("no list `keys`"));
  EXPECT_TRUE(message(R"({"keys":{}})").contains("no list `keys`"));
  EXPECT_TRUE(message(R"({"keys":[{"kty":"OKP","crv":"Ed25519","x":"short"}]})").contains("32 bytes"));
  EXPECT_TRUE(
      message(R"({"keys":[{"kty":"OKP","crv":"Ed25519","x":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}]})")
          .contains("not a valid point"));
  std::string many = R"({"keys":[0)";
  for (std::size_t i = 0; i < kMaxDirectoryKeys; ++i) many += ",0";
  EXPECT_TRUE(message(many + "]}").contains("more than"));
  EXPECT_TRUE(message(std::string(kDirectoryBytes + 1, ' ')).contains("too large"));
  EXPECT_FALSE(parse_private_key(R"({"kty":"OKP","crv":"Ed25519","d":"x"})"));
}

}  // namespace
}  // namespace sheaf::http::signature
