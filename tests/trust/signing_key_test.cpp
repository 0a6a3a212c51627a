#include "sheaf/base/hex.h"
#include "sheaf/trust/signing.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

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
  EXPECT_NE(message(base::to_base64("Ed" + std::string(40, '\0'))).find("not a valid point"),
            std::string::npos);
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

/// Files of the key of RFC 8032, 7.1, test 1, made with Python's hashlib. The first costs N = 2^10 and p = 1,
/// the second N = 2^14 and p = 4.
TEST(SigningKey, APassphraseOpensWhatOtherProgramsProtected) {
  for (const std::string line :
       {"RWRTY0IyAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8AgAAAAAAAAAAAAAEAAAAAZ3DKHOKbqSHF6lAjK3ooU1xh3v0/"
        "2gRoGJ3vMotyu0OMt9s+wTbWt934j6S3xzNJSga8gOfg3qrycWzJLnsil3ojBcmpsS7NULyISBMfZY+byUB0l/"
        "w0MoyLqWdzIFh/NVnTSrpxRXc=",
        "RWRTY0IyAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8AACAAAAAAAAAAAAEAAAAAQzr7QvzwTmoIUyR/uX6/"
        "Zn65el30/"
        "52yavLG0v1KB1m12a58IcpCNL72H2iJe0eOhGeOtPAt9lSbK5ZXwByrh6gfYTuBkq18w0Gsubqgq6TKjz0cWrFNzY+xBCQ"
        "RahTbWihEhT8gixI="}) {
    EXPECT_EQ(needs_passphrase(line), true);
    const auto key = parse_secret_key(line, "pleaseletmein");
    ASSERT_TRUE(key) << key.error().message;
    EXPECT_EQ(to_string(key->public_key().number), "0807060504030201");
    EXPECT_EQ(base::to_hex(key->public_key().key),
              "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    const auto wrong = parse_secret_key(line, "pleaseletmeout");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, base::Errc::refused);
  }
}

/// A key file may come from anywhere; it does not decide how much memory and time it takes.
TEST(SigningKey, ACostBeyondThatOfMinisignIsRefused) {
  const auto file = secret_key_file(SecretKey::generate(), "");
  ASSERT_TRUE(file);
  std::string line = key_line(*file);
  line = with_byte(line, 2, 'S');
  line = with_byte(line, 3, 'c');
  const std::string high(8, '\x7f');
  const std::string low(8, '\0');
  const std::string usual = low.substr(0, 3) + '\x02' + low.substr(4);  // 2^25
  for (const auto& [operations, memory] :
       {std::pair(high, high), std::pair(high, usual), std::pair(usual, high), std::pair(usual, low)}) {
    for (std::size_t i = 0; i < 8; ++i) {
      line = with_byte(line, 38 + i, operations[i]);
      line = with_byte(line, 46 + i, memory[i]);
    }
    const auto key = parse_secret_key(line, "secret");
    ASSERT_FALSE(key);
    EXPECT_NE(key.error().message.find("memory or time"), std::string::npos);
  }
}

}  // namespace
}  // namespace sheaf::trust
