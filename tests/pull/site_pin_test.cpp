#include "sheaf/pull/site_pin.h"

#include "sheaf/pull/site_signing.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::pull {
namespace {

SitePin full_pin() {
  SitePin pin;
  pin.key = trust::SecretKey::generate().public_key();
  pin.source = PinSource::rotation;
  pin.since = {1'800'000'000, 5};
  pin.revoked = Instant{1'800'000'001, 0};
  pin.statements = 3;
  pin.former = {trust::SecretKey::generate().public_key(), trust::SecretKey::generate().public_key()};
  return pin;
}

TEST(SitePin, IsReadAsItWasWritten) {
  const SitePin pin = full_pin();
  EXPECT_EQ(decode_site_pin(encode(pin)), pin);
  EXPECT_EQ(decode_site_pin(encode(SitePin{})), SitePin{});
}

TEST(SitePin, DamagedBytesAreNotAPin) {
  const std::string bytes = encode(full_pin());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_site_pin(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(decode_site_pin(bytes + "x"));
}

TEST(SitePin, OnlyTheNewestFormerKeysAreKept) {
  SitePin pin = full_pin();
  for (int i = 0; i < 50; ++i) pin.former.push_back(trust::SecretKey::generate().public_key());
  const auto read = decode_site_pin(encode(pin));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->former.size(), 20);
  EXPECT_EQ(read->former.back(), pin.former.back());
}

TEST(SiteSigning, ASignatureIsBesideItsFile) {
  EXPECT_EQ(signature_url("https://a.example/x.scp.zst"), "https://a.example/x.scp.zst.minisig");
  EXPECT_EQ(signature_url("https://a.example/x.scp?version=1"), "https://a.example/x.scp.minisig?version=1");
}

TEST(SiteSigning, TheCodesOfSignatures) {
  EXPECT_TRUE(is_signature_failure(FailureCode::unsigned_collection));
  EXPECT_TRUE(is_signature_failure(FailureCode::invalid_signature));
  EXPECT_TRUE(is_signature_failure(FailureCode::untrusted_key));
  EXPECT_TRUE(is_signature_failure(FailureCode::replayed_collection));
  EXPECT_FALSE(is_signature_failure(FailureCode::http_status));
}

}  // namespace
}  // namespace sheaf::pull
