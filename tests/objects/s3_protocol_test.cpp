#include "sheaf/objects/s3_protocol.h"

#include "sheaf/objects/s3_store.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <map>

namespace sheaf::objects {
namespace {

Environment environment_of(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

TEST(S3Credentials, IniValues) {
  constexpr std::string_view kText =
      "# [default]\naws_x = outside\n[default]\n aws_x = one \r\n; aws_x = no\n[ other "
      "]\naws_x=two=2\nbroken\n[open\naws_x = 3";
  EXPECT_EQ(ini_value(kText, "default", "aws_x"), "one");
  EXPECT_EQ(ini_value(kText, "other", "aws_x"), "two=2");
  EXPECT_EQ(ini_value(kText, "other", "nothing"), std::nullopt);
  EXPECT_EQ(ini_value("", "a", "b"), std::nullopt);
}

TEST(S3Credentials, VariablesComeBeforeFilesAndANamedProfileBeforeVariables) {
  const test::TempDir dir;
  std::filesystem::create_directories(dir / ".aws");
  dir.write(".aws/credentials", "[work]\naws_access_key_id=FILE\naws_secret_access_key=S\n");
  dir.write(".aws/config", "[profile work]\nregion=eu-north-1\nendpoint_url=https://s3.work\n");
  std::map<std::string, std::string> values = {{"HOME", dir.path().string()},
                                               {"AWS_PROFILE", "work"},
                                               {"AWS_ACCESS_KEY_ID", "VARIABLE"},
                                               {"AWS_SECRET_ACCESS_KEY", "S"}};
  EXPECT_EQ(find_s3_account({}, environment_of(values))->access_key, "VARIABLE");
  S3Settings named;
  named.profile = "work";
  EXPECT_EQ(find_s3_account(named, environment_of(values))->access_key, "FILE");
  values.erase("AWS_ACCESS_KEY_ID");
  values.erase("AWS_SECRET_ACCESS_KEY");
  auto account = find_s3_account({}, environment_of(values));
  ASSERT_TRUE(account);
  EXPECT_EQ(account->access_key, "FILE");
  EXPECT_EQ(account->region, "eu-north-1");
  EXPECT_EQ(account->endpoint, "https://s3.work");
  values["AWS_DEFAULT_REGION"] = "eu-west-2";
  values["AWS_ENDPOINT_URL"] = "https://other";
  account = find_s3_account({}, environment_of(values));
  EXPECT_EQ(account->region, "eu-west-2");
  EXPECT_EQ(account->endpoint, "https://other");
}

TEST(S3Credentials, MissingCredentialsAreReported) {
  EXPECT_NE(find_s3_account({}, {}).error().message.find("under [default]"), std::string::npos);
  EXPECT_NE(find_s3_account({}, environment_of({{"AWS_ACCESS_KEY_ID", "SOMEKEY"}}))
                .error()
                .message.find("only one"),
            std::string::npos);
}

TEST(S3Protocol, BucketUrls) {
  S3Settings settings;
  settings.bucket = "photos";
  S3Account account;
  account.region = "eu-west-1";
  EXPECT_EQ(bucket_url(settings, account), "https://photos.s3.eu-west-1.amazonaws.com/");
  settings.bucket = "photos.example";
  EXPECT_EQ(bucket_url(settings, account), "https://s3.eu-west-1.amazonaws.com/photos.example/");
  account.endpoint = "http://127.0.0.1:9000/base";
  EXPECT_EQ(bucket_url(settings, account), "http://127.0.0.1:9000/base/photos.example/");
  settings.path_style = false;
  EXPECT_EQ(bucket_url(settings, account), "http://photos.example.127.0.0.1:9000/base/");
  account.endpoint = "nonsense";
  EXPECT_EQ(bucket_url(settings, account), std::nullopt);
}

TEST(S3Protocol, KeysAreEncodedAsTheyAreSigned) {
  EXPECT_EQ(encode_key("a/b c-._~+\xc3\xa4"), "a/b%20c-._~%2B%C3%A4");
  EXPECT_EQ(encode_query_value("a/b="), "a%2Fb%3D");
}

TEST(S3Protocol, RefusalsNeverHaveKeysInThem) {
  S3Account account;
  account.access_key = "AKIAEXAMPLE";
  account.secret_key = "the-secret";
  account.session_token = "the-token";
  const std::string text = describe_refusal(
      403, "<Error><Code>Bad</Code><Message>AKIAEXAMPLE the-secret the-token the-secret</Message></Error>",
      account);
  EXPECT_EQ(text, "403 Bad: *** *** *** ***");
  EXPECT_EQ(describe_refusal(502, "<html>", account), "502");
  // Not even half of one, where a long message is cut.
  const std::string cut = describe_refusal(
      403, "<Error><Message>" + std::string(490, 'x') + "the-secret</Message></Error>", account);
  EXPECT_TRUE(cut.starts_with("403: xxx")) << cut;
  EXPECT_EQ(cut.find("the"), std::string::npos) << cut;
  EXPECT_LT(
      describe_refusal(500, "<Error><Message>" + std::string(10'000, 'x') + "</Message></Error>", account)
          .size(),
      600);
}

TEST(S3Protocol, Parts) {
  constexpr std::uint64_t kMiB = 1U << 20U;
  EXPECT_EQ(part_size_for(100 * kMiB, 16 * kMiB), 16 * kMiB);
  const std::uint64_t large = std::uint64_t{500} << 30U;
  EXPECT_GE(part_size_for(large, 16 * kMiB) * 10'000, large);
  EXPECT_EQ(complete_upload_body({"\"a\"", "b<&"}),
            "<CompleteMultipartUpload "
            "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Part><PartNumber>1</PartNumber>"
            "<ETag>\"a\"</ETag></Part><Part><PartNumber>2</PartNumber><ETag>b__</ETag></Part></"
            "CompleteMultipartUpload>");
}

}  // namespace
}  // namespace sheaf::objects
