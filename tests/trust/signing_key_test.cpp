#include "sheaf/trust/signing_key.h"

#include "sheaf/base/base64.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::trust {
namespace {

std::string with_byte(std::string text, std::size_t index, char value) {
  auto bytes = base::from_base64(text);
  EXPECT_TRUE(bytes);
  (*bytes)[index] = value;
  return base::to_base64(*bytes);
}

/// The second line of a key file.
std::string key_line(const std::string& file) {
  const std::size_t begin = file.find('\n') + 1;
  return file.substr(begin, file.find('\n', begin) - begin);
}

TEST(SigningKey, APublicKeyIsReadAsTextAndAsFile) {
  const PublicKey key = SecretKey::generate().public_key();
  EXPECT_TRUE(to_string(key).starts_with("RW"));
  EXPECT_EQ(to_string(key).size(), 56);
  EXPECT_EQ(parse_public_key(to_string(key)), key);
  EXPECT_EQ(parse_public_key(public_key_file(key)), key);
  EXPECT_EQ(parse_public_key("untrusted comment: x\r\n" + to_string(key) + "\r\n"), key);
}

TEST(SigningKey, OtherPublicKeysAreRefusedWithTheReason) {
  const std::string good = to_string(SecretKey::generate().public_key());
  const auto message = [](std::string_view text) {
    const auto key = parse_public_key(text);
    return key ? std::string("accepted") : key.error().message;
  };
  EXPECT_NE(message("").find("one or two lines"), std::string::npos);
  EXPECT_NE(message("a\nb\nc\n").find("one or two lines"), std::string::npos);
  EXPECT_NE(message("comment: x\n" + good).find("untrusted comment"), std::string::npos);
  EXPECT_NE(message(good.substr(1)).find("56 characters"), std::string::npos);
  EXPECT_NE(message(good + "A").find("56 characters"), std::string::npos);
  EXPECT_NE(message(with_byte(good, 1, 'X')).find("not of the algorithm Ed25519"), std::string::npos);
  EXPECT_NE(message(base::to_base64("Ed" + std::string(40, '\0'))).find("weak"), std::string::npos);
}

TEST(SigningKey, ASecretKeyWithoutPassphraseComesBack) {
  const SecretKey key = SecretKey::generate();
  const auto file = secret_key_file(key, "");
  ASSERT_TRUE(file);
  EXPECT_EQ(needs_passphrase(*file), false);
  const auto read = parse_secret_key(*file, "");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, key);
}

TEST(SigningKey, DamagedSecretKeysAreRefusedWithTheReason) {
  const auto file = secret_key_file(SecretKey::generate(), "");
  ASSERT_TRUE(file);
  const std::string line = key_line(*file);
  const auto message = [](const std::string& text) {
    const auto key = parse_secret_key(text, "");
    return key ? std::string("accepted") : key.error().message;
  };
  EXPECT_NE(message(line.substr(4)).find("212 characters"), std::string::npos);
  EXPECT_NE(message(with_byte(line, 0, 'X')).find("not of the algorithm Ed25519"), std::string::npos);
  EXPECT_NE(message(with_byte(line, 2, 'X')).find("not protected by scrypt"), std::string::npos);
  EXPECT_NE(message(with_byte(line, 4, 'X')).find("not BLAKE2b"), std::string::npos);
  for (const std::size_t at :
       {54UL, 62UL, 93UL, 94UL, 125UL, 126UL, 157UL})  // number, seed, public key, checksum
    EXPECT_NE(message(with_byte(line, at, static_cast<char>(line[at] + 1))).find("checksum differs"),
              std::string::npos)
        << at;
}

/// A key file may come from anywhere; it does not decide how much memory and time it takes.
TEST(SigningKey, ACostBeyondThatOfMinisignIsRefused) {
  const auto file = secret_key_file(SecretKey::generate(), "");
  ASSERT_TRUE(file);
  std::string line = key_line(*file);
  line = with_byte(line, 2, 'S');
  line = with_byte(line, 3, 'c');
  for (std::size_t i = 38; i < 54; ++i) line = with_byte(line, i, '\x7f');
  const auto key = parse_secret_key(line, "secret");
  ASSERT_FALSE(key);
  EXPECT_NE(key.error().message.find("more memory or time"), std::string::npos);
}

}  // namespace
}  // namespace sheaf::trust
