#include "sheaf/http/server/transport.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::http::server {
namespace {

constexpr std::int64_t kNow = 1'900'000'000;  // 2030: the certificate is good until 2046

std::string data(const char* name) { return std::string(SHEAF_SOURCE_DIR "/tests/data/tls/") + name; }

std::string complaint(const std::string& certificate, const std::string& key, std::int64_t now = kNow) {
  const auto files = load_tls_files(certificate, key, now);
  return files ? "" : files.error().message;
}

TEST(TlsFiles, APairThatFits) {
  const auto files = load_tls_files(data("certificate.pem"), data("key.pem"), kNow);
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_GT(files->expires, kNow);
  EXPECT_TRUE(TlsContext::create(*files));
}

TEST(TlsFiles, SayWhatIsWrong) {
  const std::string certificate = data("certificate.pem");
  const std::string key = data("key.pem");
  EXPECT_EQ(complaint(key, key), key + " holds no certificate in PEM form (BEGIN CERTIFICATE)");
  for (const std::string& bad : {certificate, data("key-with-password.pem")})
    EXPECT_EQ(complaint(certificate, bad),
              bad + " holds no private key in PEM form without a password (BEGIN PRIVATE KEY)");
  EXPECT_EQ(complaint(certificate, data("other-key.pem")),
            "the key in " + data("other-key.pem") + " does not match the certificate in " + certificate);
  EXPECT_EQ(
      complaint(certificate, key, 4'000'000'000).find("the certificate in " + certificate + " expired on "),
      0U);
  EXPECT_EQ(complaint(certificate, key, 1'000'000'000)
                .find("the certificate in " + certificate + " is not valid before "),
            0U);
  EXPECT_EQ(complaint("/no/such", key), "cannot open /no/such: No such file or directory");
  const test::TempDir folder;
  EXPECT_EQ(complaint(folder.write("large", std::string(2U << 20U, 'x')).string(), key),
            (folder / "large").string() + " is longer than 1048576 bytes");
}

TEST(TlsFiles, AContextRefusesAKeyOfAnotherCertificate) {
  EXPECT_FALSE(TlsContext::create({.certificate_pem = "x", .key_pem = "y", .expires = 0}));
}

}  // namespace
}  // namespace sheaf::http::server
