#include "sheaf/http/signature/message_signature.h"

#include "sheaf/base/hex.h"
#include "sheaf/crypto/crypto.h"
#include "sheaf/http/signature/web_bot_auth.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>

namespace sheaf::http::signature {
namespace {

// RFC 9421, B.1.4: the test key of the standard.
crypto::Ed25519Signer test_key() {
  crypto::Ed25519Seed seed{};
  const auto bytes = base::from_base64("n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU", base::Base64::url);
  std::memcpy(seed.data(), bytes->data(), seed.size());
  return crypto::Ed25519Signer(seed);
}

using FieldMap = std::map<std::string, std::string, std::less<>>;

RequestParts parts_of(const FieldMap& fields, std::string_view method = "GET", std::string_view path = "/",
                      std::string_view authority = "example.com") {
  RequestParts parts{.method = method, .scheme = "https", .authority = authority, .path = path, .field = {}};
  parts.field = [&fields](std::string_view name) -> std::optional<std::string> {
    const auto found = fields.find(name);
    return found == fields.end() ? std::nullopt : std::optional(found->second);
  };
  return parts;
}

FieldMap signed_fields(std::int64_t now, std::string_view agent = "https://bot.example",
                       std::string_view authority = "example.com") {
  FieldMap fields;
  for (const message::Header& header : sign_request(test_key(), agent, authority, now))
    fields[header.name == "Signature-Input"   ? "signature-input"
           : header.name == "Signature-Agent" ? "signature-agent"
                                              : "signature"] = header.value;
  return fields;
}

constexpr std::int64_t kNow = 1'800'000'000;

std::string fault(const FieldMap& fields, std::int64_t now = kNow) {
  const auto read = read_bot_signature(parts_of(fields), now);
  if (!read) return read.error().message;
  return *read ? "accepted" : "none";
}

// RFC 9421, B.2.6: "Signing a Request Using ed25519".
TEST(SpecMessageSignature, TheVectorOfTheStandard) {
  const FieldMap fields = {{"date", "Tue, 20 Apr 2021 02:07:55 GMT"},
                           {"content-type", "application/json"},
                           {"content-length", "18"}};
  RequestParts request = parts_of(fields, "POST", "/foo");
  request.query = "param=Value&Pet=dog";
  request.has_query = true;
  const auto signatures = read_signatures(
      R"(sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519")",
      "sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:");
  ASSERT_TRUE(signatures);
  ASSERT_EQ(signatures->size(), 1);
  const auto text = signature_base(signatures->front().input, request);
  ASSERT_TRUE(text);
  EXPECT_EQ(*text,
            "\"date\": Tue, 20 Apr 2021 02:07:55 GMT\n\"@method\": POST\n\"@path\": /foo\n\"@authority\": "
            "example.com\n"
            "\"content-type\": application/json\n\"content-length\": 18\n\"@signature-params\": (\"date\" "
            "\"@method\" \"@path\" \"@authority\" \"content-type\" "
            "\"content-length\");created=1618884473;keyid=\"test-key-ed25519\"");
  const auto made = test_key().sign(*text);
  EXPECT_EQ(std::string(made.begin(), made.end()), signatures->front().bytes);
}

TEST(SpecMessageSignature, DerivedComponents) {
  const FieldMap fields;
  RequestParts request = parts_of(fields, "GET", "/path", "WWW.Example.com:443");
  request.query = "a=b";
  request.has_query = true;
  const auto signatures = read_signatures(
      R"(s=("@authority" "@scheme" "@path" "@query" "@request-target" "@target-uri"))", "s=:AA==:");
  ASSERT_TRUE(signatures);
  const auto text = signature_base(signatures->front().input, request);
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->starts_with(
      "\"@authority\": www.example.com\n\"@scheme\": https\n\"@path\": /path\n\"@query\": ?a=b\n"
      "\"@request-target\": /path?a=b\n\"@target-uri\": https://www.example.com/path?a=b\n"))
      << *text;
}

TEST(SpecMessageSignature, WhatCannotBeCoveredIsRefused) {
  const FieldMap fields = {{"x", "1"}};
  for (const std::string_view input :
       {R"(s=("y"))", R"(s=("@status"))", R"(s=("X"))", R"(s=("x" "x"))", R"(s=("x";sf))",
        R"(s=("@path";req))", R"(s=(x))", R"(s=(1))", R"(s=("x";key="missing"))"}) {
    const auto signatures = read_signatures(input, "s=:AA==:");
    ASSERT_TRUE(signatures) << input;
    EXPECT_FALSE(signature_base(signatures->front().input, parts_of(fields))) << input;
  }
}

TEST(WebBotAuth, TheIdOfAKeyIsItsThumbprint) {
  EXPECT_EQ(key_id(test_key().public_key()), "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U");
}

TEST(WebBotAuth, ASignedRequestIsVerified) {
  const FieldMap fields = signed_fields(kNow);
  const auto read = read_bot_signature(parts_of(fields), kNow + 5);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_TRUE(*read);
  EXPECT_EQ((*read)->agent, "https://bot.example");
  EXPECT_EQ((*read)->key_id, key_id(test_key().public_key()));
  EXPECT_FALSE((*read)->nonce.empty());
  const crypto::Ed25519PublicKey key = test_key().public_key();
  EXPECT_TRUE(crypto::verify_ed25519(key, (*read)->base, (*read)->signature));
  // The same signature for another host.
  const auto other = read_bot_signature(parts_of(fields, "GET", "/", "other.example"), kNow);
  ASSERT_TRUE(other && *other);
  EXPECT_FALSE(crypto::verify_ed25519(key, (*other)->base, (*other)->signature));
}

TEST(WebBotAuth, EveryRequestHasItsOwnNonce) {
  EXPECT_NE(signed_fields(kNow)["signature-input"], signed_fields(kNow)["signature-input"]);
}

TEST(WebBotAuth, TheAgentMayBeAMemberOfADictionary) {
  FieldMap fields;
  fields["signature-agent"] = R"(a="https://other.example", sig1="https://bot.example")";
  fields["signature-input"] =
      R"(sig1=("@authority" "signature-agent";key="sig1");created=1800000000;expires=1800000060;keyid="k";tag="web-bot-auth")";
  fields["signature"] = "sig1=:" + base::to_base64(std::string(64, 'x')) + ":";
  const auto read = read_bot_signature(parts_of(fields), kNow);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ((*read)->agent, "https://bot.example");
  EXPECT_TRUE((*read)->base.contains("\"signature-agent\";key=\"sig1\": \"https://bot.example\"\n"));
}

TEST(WebBotAuth, TimesAreChecked) {
  const FieldMap fields = signed_fields(kNow);
  EXPECT_EQ(fault(fields), "accepted");
  EXPECT_EQ(fault(fields, kNow - 60), "accepted");  // a clock may be off by a minute
  EXPECT_EQ(fault(fields, kNow + 120), "accepted");
  EXPECT_TRUE(fault(fields, kNow - 61).contains("created in the future"));
  EXPECT_TRUE(fault(fields, kNow + 121).contains("has expired"));
}

TEST(WebBotAuth, WhatIsMissingOrMalformedIsNamed) {
  const std::string signature = "sig1=:" + base::to_base64(std::string(64, 'x')) + ":";
  const auto with = [&](std::string_view input) {
    return fault({{"signature-input", std::string(input)}, {"signature", signature}});
  };
  EXPECT_EQ(fault({}), "none");
  EXPECT_EQ(with(R"(sig1=("@authority");created=1800000000;tag="other")"), "none");
  EXPECT_EQ(with(R"(sig2=("@authority");tag="web-bot-auth")"), "none");
  EXPECT_TRUE(with("sig1=(").contains("malformed"));
  EXPECT_TRUE(with("sig1=1").contains("malformed"));
  EXPECT_TRUE(with(R"(sig1=("@authority");keyid="k";tag="web-bot-auth")").contains("created and expires"));
  EXPECT_TRUE(with(R"(sig1=("@authority");created=1800000000;expires=1800000060;tag="web-bot-auth")")
                  .contains("keyid"));
  EXPECT_TRUE(with(R"(sig1=("@path");created=1800000000;expires=1800000060;keyid="k";tag="web-bot-auth")")
                  .contains("does not cover @authority"));
  EXPECT_TRUE(
      with(
          R"(sig1=("@authority");created=1800000000;expires=1800000060;keyid="k";alg="hmac-sha256";tag="web-bot-auth")")
          .contains("not ed25519"));
  EXPECT_TRUE(
      with(R"(sig1=("@authority");created=1800000000;expires=1800000000;keyid="k";tag="web-bot-auth")")
          .contains("expires before"));
  EXPECT_TRUE(
      with(R"(sig1=("@authority");created=1800000000;expires=1900000000;keyid="k";tag="web-bot-auth")")
          .contains("valid for more than"));
  EXPECT_TRUE(
      with(R"(sig1=("@authority" "x");created=1800000000;expires=1800000060;keyid="k";tag="web-bot-auth")")
          .contains("does not have"));
  FieldMap fields = signed_fields(kNow);
  fields["signature"] = "sig1=:AAAA:";
  EXPECT_TRUE(fault(fields).contains("64 bytes"));
  fields = signed_fields(kNow);
  fields["signature-agent"] = "bot.example";
  EXPECT_TRUE(fault(fields).contains("Signature-Agent"));
  fields = signed_fields(kNow);
  fields["signature-input"] =
      R"(sig1=("@authority");created=1800000000;expires=1800000060;keyid="k";tag="web-bot-auth")";
  EXPECT_TRUE(fault(fields).contains("does not cover signature-agent"));
}

TEST(StructuredField, IsSerialisedAsItWasRead) {
  for (const std::string_view text :
       {"a=1", "a=-15", "a=\"x\\\"y\\\\\"", "a=tok/en", "a=:AAEC:", "a", "a=?0", "a;b=1;c",
        "a=(1 \"x\" tok);p=?0", "a=(), b=2", "a=(\"x\";k=1 \"y\")"}) {
    const auto parsed = parse_dictionary(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(serialise(*parsed), text);
  }
  EXPECT_EQ(serialise(*parse_dictionary(" a=1 ,\tb=2 ")), "a=1, b=2");
  EXPECT_EQ(serialise(*parse_dictionary("a=1, b=2, a=3")), "b=2, a=3");
}

TEST(StructuredField, OtherTextsAreRefused) {
  for (const std::string_view text :
       {"a=", "A=1", "a=1,", ",a", "a=1 b=2", "a=\"x", "a=\"\\x\"", "a=:A:", "a=:AA==", "a=?2", "a=1.5",
        "a=1234567890123456", "a=(1", "a=(1,2)", "a=(\"x\"\"y\")", "a;=1", "a=\"\xc3\xa4\"", "=1"})
    EXPECT_FALSE(parse_dictionary(text)) << text;
}

}  // namespace
}  // namespace sheaf::http::signature
