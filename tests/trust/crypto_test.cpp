#include "sheaf/crypto/crypto.h"

#include "sheaf/base/hex.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sheaf::crypto {
namespace {

std::string hex_of(std::string_view bytes) {
  return base::to_hex({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

template <std::size_t Size>
std::array<std::uint8_t, Size> unhex(std::string_view text) {
  std::array<std::uint8_t, Size> bytes{};
  EXPECT_TRUE(base::from_hex(text, bytes));
  return bytes;
}

// RFC 7693, appendix A.
TEST(Blake2b, TheVectorOfTheStandard) {
  EXPECT_EQ(hex_of(blake2b("abc", 64)),
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc95"
            "18d38aa8dbf1925ab92386edd4009923");
}

TEST(Blake2b, ShorterDigestsAreHashesOfTheirOwn) {
  EXPECT_EQ(hex_of(blake2b("", 32)), "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  EXPECT_EQ(hex_of(blake2b("abc", 32)), "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
}

// RFC 8032, 7.1, tests 1 to 3.
struct SigningVector {
  std::string_view seed, key, message, signature;
};
constexpr std::array<SigningVector, 3> kSigningVectors = {{
    {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f"
     "0"
     "595bbe24655141438e7a100b"},
    {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2ea"
     "e"
     "b4302aeeb00d291612bb0c00"},
    {"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
     "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e"
     "9"
     "716ed28dc027beceea1ec40a"},
}};

TEST(Ed25519, TheVectorsOfTheStandard) {
  for (const SigningVector& vector : kSigningVectors) {
    const Ed25519Signer signer(unhex<32>(vector.seed));
    const auto key = unhex<32>(vector.key);
    const auto signature = unhex<64>(vector.signature);
    std::string message(vector.message.size() / 2, '\0');
    ASSERT_TRUE(base::from_hex(vector.message,
                               std::span(reinterpret_cast<std::uint8_t*>(message.data()), message.size())));
    EXPECT_EQ(signer.public_key(), key);
    EXPECT_EQ(signer.sign(message), signature);
    EXPECT_TRUE(verify_ed25519(key, message, signature));
    EXPECT_FALSE(verify_ed25519(key, message + "x", signature));
    for (std::size_t i = 0; i < signature.size(); ++i) {
      auto changed = signature;
      changed[i] ^= 1;
      EXPECT_FALSE(verify_ed25519(key, message, changed)) << i;
    }
  }
}

TEST(Ed25519, OnlyPointsOfTheMainSubgroupAreKeys) {
  Ed25519PublicKey key{};  // of small order
  EXPECT_FALSE(is_valid_key(key));
  key.front() = 1;
  EXPECT_FALSE(is_valid_key(key));
  key.front() = 2;  // not on the curve
  EXPECT_FALSE(is_valid_key(key));
  EXPECT_TRUE(is_valid_key(unhex<32>(kSigningVectors[0].key)));
}

}  // namespace
}  // namespace sheaf::crypto
