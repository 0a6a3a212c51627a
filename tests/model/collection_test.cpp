#include "sheaf/model/collection.h"

#include <gtest/gtest.h>

namespace sheaf::model {
namespace {

// Readings, table: unsupported-version, major version above 0, or not MAJOR.MINOR; 0.2, 0.9, ... are read.
TEST(SpecVersion, AnyMinorOfMajorZeroIsRead) {
  for (const std::string_view version :
       {"0.1", "0.0", "0.2", "0.9", "0.10", "0.999999999999999999999", "00.1", "0.01"})
    EXPECT_EQ(judge_version(version), VersionVerdict::supported) << version;
  for (const std::string_view version : {"1.0", "1.1", "10.0", "01.0", "99999999999999999999999.1"})
    EXPECT_EQ(judge_version(version), VersionVerdict::too_new) << version;
  for (const std::string_view version :
       {"", ".", "0", "0.", ".1", "0.1.0", "0,1", "v0.1", "0.1 ", " 0.1", "0.1-beta", "-0.1", "0x0.1", "1"})
    EXPECT_EQ(judge_version(version), VersionVerdict::malformed) << version;
}

// collection.schema.json: id and section match ^[a-zA-Z0-9-_]+$.
TEST(SpecCollection, IdentifiersAreLettersDigitsHyphensAndUnderscores) {
  for (const std::string_view text : {"a", "Z", "0", "-", "_", "blog-2026_01"})
    EXPECT_TRUE(is_valid_identifier(text)) << text;
  for (const std::string_view text : {"", " ", "a b", "a.b", "a/b", "\xc3\xa9", "a\n", "a:b"})
    EXPECT_FALSE(is_valid_identifier(text)) << text;
}

// collection.schema.json: checksum matches ^sha256:[a-fA-F0-9]{64}$.
TEST(SpecCollection, DigestIsPrefixAnd64HexDigits) {
  const std::string digits(64, 'a');
  EXPECT_TRUE(is_prefixed_digest("sha256:" + digits, "sha256:"));
  EXPECT_TRUE(is_prefixed_digest("sha256:" + std::string(64, 'F'), "sha256:"));
  EXPECT_TRUE(is_prefixed_digest("sum256:" + digits, "sum256:"));
  EXPECT_FALSE(is_prefixed_digest("sum256:" + digits, "sha256:"));
  EXPECT_FALSE(is_prefixed_digest("SHA256:" + digits, "sha256:"));
  EXPECT_FALSE(is_prefixed_digest("sha256:" + digits + "a", "sha256:"));
  EXPECT_FALSE(is_prefixed_digest("sha256:" + digits.substr(1), "sha256:"));
  EXPECT_FALSE(is_prefixed_digest("sha256:" + digits.substr(1) + "g", "sha256:"));
  EXPECT_FALSE(is_prefixed_digest(digits, "sha256:"));
  EXPECT_FALSE(is_prefixed_digest("", "sha256:"));
}

TEST(SheafOnlyCollection, TypesHaveTheirNames) {
  EXPECT_EQ(to_string(CollectionType::snapshot), "snapshot");
  EXPECT_EQ(to_string(CollectionType::delta), "delta");
}

TEST(SheafOnlyCollection, SettingATimeSetsTextAndInstant) {
  CollectionHead head;
  head.set_generated({1768435200, 0});
  head.set_since({1768435200, 500'000'000});
  EXPECT_EQ(head.generated, "2026-01-15T00:00:00Z");
  EXPECT_EQ(head.generated_at, (Instant{1768435200, 0}));
  EXPECT_EQ(head.since, "2026-01-15T00:00:00.5Z");
  EXPECT_EQ(head.since_at, (Instant{1768435200, 500'000'000}));
}

}  // namespace
}  // namespace sheaf::model
