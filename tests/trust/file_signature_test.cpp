#include "sheaf/base/hex.h"
#include "sheaf/crypto/crypto.h"
#include "sheaf/trust/signing.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::trust {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    lines.emplace_back(text.substr(0, text.find('\n')));
    text.remove_prefix(lines.back().size() + 1);
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::string changed_base64(const std::string& line, std::size_t index, char value) {
  auto bytes = base::from_base64(line);
  EXPECT_TRUE(bytes);
  (*bytes)[index] = value;
  return base::to_base64(*bytes);
}

class FileSignatureTest : public testing::Test {
 protected:
  static std::string refusal(std::string_view text) {
    const auto parsed = parse_signature(text);
    return parsed ? std::string("accepted") : parsed.error().message;
  }

  SecretKey key_ = SecretKey::generate();
  std::string digest_ = crypto::blake2b("the bytes of a file", 64);
  FileSignature signature_ = sign_digest(key_, digest_, "what it is");
};

TEST_F(FileSignatureTest, WhatIsWrittenIsReadAndVerified) {
  const auto read = parse_signature(to_string(signature_));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, signature_);
  EXPECT_TRUE(verify_comment(*read, key_.public_key()));
  EXPECT_TRUE(verify_digest(*read, digest_, key_.public_key()));
}

TEST_F(FileSignatureTest, TheWholeFileIsHashed) {
  const std::string text(1'000'000, 'x');
  const auto digest = digest_of(*base::buffer_source(text));
  ASSERT_TRUE(digest);
  EXPECT_EQ(*digest, crypto::blake2b(text, 64));
}

TEST_F(FileSignatureTest, AnotherFileIsRefused) {
  const auto verified = verify_digest(signature_, crypto::blake2b("other bytes", 64), key_.public_key());
  ASSERT_FALSE(verified);
  EXPECT_NE(verified.error().message.find("changed, truncated or replaced"), std::string::npos);
}

TEST_F(FileSignatureTest, AnotherKeyIsRefused) {
  const SecretKey other = SecretKey::generate();
  EXPECT_NE(verify_comment(signature_, other.public_key()).error().message.find("it was made with key"),
            std::string::npos);
  // The number is not a secret: a forger can claim it.
  PublicKey claimed = other.public_key();
  claimed.number = signature_.number;
  EXPECT_NE(verify_comment(signature_, claimed).error().message.find("did not sign them together"),
            std::string::npos);
  EXPECT_FALSE(verify_digest(signature_, digest_, claimed));
}

TEST_F(FileSignatureTest, CommentAndSignatureCannotBeExchanged) {
  FileSignature edited = signature_;
  edited.trusted_comment += "!";
  EXPECT_FALSE(verify_comment(edited, key_.public_key()));
  FileSignature mixed = sign_digest(key_, crypto::blake2b("other bytes", 64), "what it is");
  mixed.of_comment = signature_.of_comment;
  EXPECT_FALSE(verify_comment(mixed, key_.public_key()));
}

TEST_F(FileSignatureTest, OtherTextsAreRefusedWithTheReason) {
  const std::vector<std::string> good = lines_of(to_string(signature_));
  ASSERT_EQ(good.size(), 4);
  const auto with = [&](std::size_t line, std::string text) {
    auto lines = good;
    lines[line] = std::move(text);
    return refusal(joined(lines));
  };
  EXPECT_NE(refusal("").find("four lines"), std::string::npos);
  EXPECT_NE(refusal(joined(good) + "more\n").find("four lines"), std::string::npos);
  EXPECT_NE(refusal(joined({good[0], good[1], good[2]})).find("four lines"), std::string::npos);
  EXPECT_NE(with(0, "comment").find("untrusted comment"), std::string::npos);
  EXPECT_NE(with(1, good[1].substr(4)).find("100 characters"), std::string::npos);
  EXPECT_NE(with(1, changed_base64(good[1], 1, 'd')).find("without prehashing"), std::string::npos);
  EXPECT_NE(with(1, changed_base64(good[1], 0, 'X')).find("algorithm is not known"), std::string::npos);
  EXPECT_NE(with(2, "comment").find("trusted comment"), std::string::npos);
  EXPECT_NE(with(2, "trusted comment: a\tb").find("control characters"), std::string::npos);
  EXPECT_NE(with(3, good[3] + "=").find("88 characters"), std::string::npos);
  EXPECT_NE(refusal(good[0] + std::string(20'000, 'x') + "\n" + good[1]).find("four lines"),
            std::string::npos);
}

}  // namespace
}  // namespace sheaf::trust
