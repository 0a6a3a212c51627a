// What is decided about delivery without a network.
#include "sheaf/publish/config.h"
#include "sheaf/publish/object_store.h"
#include "sheaf/publish/s3_credentials.h"
#include "sheaf/publish/s3_protocol.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <map>

namespace sheaf::publish {
namespace {

Environment environment_of(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

base::Result<PublishConfig> with_delivery(const std::string& delivery) {
  return parse_config(
      "base = \"https://example.com\"\nout = \"public/scp\"\n[delivery]\n" + delivery +
          "\n[[section]]\nname = \"blog\"\n[[section.source]]\ntype = \"html\"\nfolder = \"public\"\n",
      "sheaf.toml");
}

std::string error_of(const std::string& delivery) {
  const auto config = with_delivery(delivery);
  return config ? "no error" : config.error().message;
}

TEST(DeliveryConfig, S3) {
  const auto config = with_delivery("type = \"s3\"\nbucket = \"b\"\npart_size = 64\npath_style = false");
  ASSERT_TRUE(config) << config.error().message;
  const auto& s3 = std::get<S3Delivery>(config->delivery.to);
  EXPECT_EQ(s3.bucket, "b");
  EXPECT_EQ(s3.part_bytes, 64U << 20U);
  EXPECT_EQ(s3.path_style, false);
  EXPECT_EQ(config->delivery.prefix, "scp/");
  EXPECT_EQ(config->delivery.sitemap, "sitemap.xml");
}

TEST(DeliveryConfig, NamesElsewhereAreThoseOfTheAddressesUnlessGiven) {
  const auto config =
      with_delivery("type = \"s3\"\nbucket = \"b\"\nprefix = \"/in/there\"\nsitemap = \"/m.xml\"");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->delivery.prefix, "in/there/");
  EXPECT_EQ(config->delivery.sitemap, "m.xml");
  const auto root = with_delivery("type = \"s3\"\nbucket = \"b\"\nprefix = \"\"\nsitemap = false");
  EXPECT_EQ(root->delivery.prefix, "");
  EXPECT_FALSE(root->delivery.with_sitemap);
}

TEST(DeliveryConfig, CommandsAreWords) {
  const auto config = with_delivery(
      "type = \"command\"\nput = \"copy --to='a b' {file}  \\\"x {name}\\\" ''\"\nremove = [\"sh\", \"-c\", "
      "\"rm $0; "
      "f() { x; }\", \"{name}\"]");
  ASSERT_TRUE(config) << config.error().message;
  const auto& command = std::get<CommandDelivery>(config->delivery.to);
  EXPECT_EQ(command.put, (std::vector<std::string>{"copy", "--to=a b", "{file}", "x {name}", ""}));
  EXPECT_EQ(command.remove, (std::vector<std::string>{"sh", "-c", "rm $0; f() { x; }", "{name}"}));
}

TEST(DeliveryConfig, MistakesAreSaidWithTheirLine) {
  EXPECT_EQ(error_of("type = \"ftp\""),
            "sheaf.toml:3: delivery type \"ftp\" is not known; known are: folder, s3, command");
  EXPECT_NE(error_of("type = \"s3\"").find("needs a `bucket`"), std::string::npos);
  EXPECT_NE(error_of("type = \"s3\"\nbucket = \"a/b\"").find("needs a `bucket`"), std::string::npos);
  EXPECT_NE(error_of("type = \"s3\"\nbucket = \"b\"\nsecret_key = \"x\"").find("`secret_key` is not known"),
            std::string::npos);
  EXPECT_NE(error_of("type = \"s3\"\nbucket = \"b\"\nendpoint = \"s3.example\"").find("`endpoint` must be"),
            std::string::npos);
  EXPECT_NE(error_of("type = \"s3\"\nbucket = \"b\"\nendpoint = \"https://a:b@s3.example\"")
                .find("without a password"),
            std::string::npos);
  EXPECT_NE(error_of("type = \"s3\"\nbucket = \"b\"\npart_size = 4").find("from 5 to 5120"),
            std::string::npos);
  EXPECT_NE(error_of("type = \"s3\"\nbucket = \"b\"\npath_style = 1").find("true or false"),
            std::string::npos);
  EXPECT_NE(error_of("type = \"s3\"\nbucket = \"b\"\nprefix = \"../x\"").find("must not have .."),
            std::string::npos);
  EXPECT_NE(error_of("type = \"command\"\nput = \"cp {file} /x\"").find("{file} and {name}"),
            std::string::npos);
  EXPECT_NE(error_of("type = \"command\"\nput = \"cp '{file} {name}\"").find("has no end"),
            std::string::npos);
  EXPECT_NE(
      error_of("type = \"command\"\nput = \"cp {file} {name} {user}\"").find("{user} in `put` is not known"),
      std::string::npos);
  EXPECT_NE(error_of("type = \"command\"\nput = \"cp {file} {name}\"\nremove = \"rm x\"")
                .find("`remove` needs {name}"),
            std::string::npos);
}

std::string source_error(const std::string& source) {
  const auto config = parse_config(
      "base = \"https://example.com\"\nout = \"scp\"\n[[section]]\nname = "
      "\"shop\"\n[[section.source]]\n" +
          source,
      "a/sheaf.toml");
  return config ? config->sections.front().sources.front().database : config.error().message;
}

TEST(SqlConfig, DatabasesAndMistakes) {
  EXPECT_EQ(source_error("type = \"sql\"\ndatabase = \"sqlite:../x.db\"\nquery = \"SELECT 1\""),
            "sqlite:x.db");
  EXPECT_EQ(source_error("type = \"sql\"\ndatabase = \"postgresql://u@h:5432/d\"\nquery = \"SELECT 1\""),
            "postgresql://u@h:5432/d");
  EXPECT_NE(source_error("type = \"sql\"\nquery = \"SELECT 1\"").find("needs a `database`"),
            std::string::npos);
  EXPECT_NE(source_error("type = \"sql\"\ndatabase = \"mysql://x\"\nquery = \"SELECT 1\"")
                .find("needs a `database`"),
            std::string::npos);
  EXPECT_NE(source_error("type = \"sql\"\ndatabase = \"sqlite:x.db\"").find("needs a `query`"),
            std::string::npos);
  const std::string refused =
      source_error("type = \"sql\"\ndatabase = \"postgresql://u:secret@h/d\"\nquery = \"SELECT 1\"");
  EXPECT_NE(refused.find("~/.pgpass"), std::string::npos);
  EXPECT_EQ(refused.find("secret"), std::string::npos);
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
  S3Delivery named;
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

TEST(S3Credentials, WhatIsMissingIsSaid) {
  EXPECT_NE(find_s3_account({}, {}).error().message.find("under [default]"), std::string::npos);
  EXPECT_NE(find_s3_account({}, environment_of({{"AWS_ACCESS_KEY_ID", "SOMEKEY"}}))
                .error()
                .message.find("only one"),
            std::string::npos);
}

TEST(S3Protocol, BucketUrls) {
  S3Delivery delivery;
  delivery.bucket = "photos";
  S3Account account;
  account.region = "eu-west-1";
  EXPECT_EQ(bucket_url(delivery, account), "https://photos.s3.eu-west-1.amazonaws.com/");
  delivery.bucket = "photos.example";
  EXPECT_EQ(bucket_url(delivery, account), "https://s3.eu-west-1.amazonaws.com/photos.example/");
  account.endpoint = "http://127.0.0.1:9000/base";
  EXPECT_EQ(bucket_url(delivery, account), "http://127.0.0.1:9000/base/photos.example/");
  delivery.path_style = false;
  EXPECT_EQ(bucket_url(delivery, account), "http://photos.example.127.0.0.1:9000/base/");
  account.endpoint = "nonsense";
  EXPECT_EQ(bucket_url(delivery, account), std::nullopt);
}

TEST(S3Protocol, KeysAreEncodedAsTheyAreSigned) {
  EXPECT_EQ(encode_key("a/b c-._~+\xc3\xa4"), "a/b%20c-._~%2B%C3%A4");
  EXPECT_EQ(encode_query_value("a/b="), "a%2Fb%3D");
}

TEST(S3Protocol, XmlTexts) {
  EXPECT_EQ(xml_text("<?xml?><A><UploadId>x&amp;lt;y</UploadId></A>", "UploadId"), "x&lt;y");
  EXPECT_EQ(xml_text("<A><Code>", "Code"), std::nullopt);
  EXPECT_EQ(xml_text("<A><Code></Code></A>", "Code"), "");
  EXPECT_EQ(xml_text("nothing", "Code"), std::nullopt);
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
  const std::string cut =
      describe_refusal(403, "<Message>" + std::string(490, 'x') + "the-secret</Message>", account);
  EXPECT_EQ(cut.find("the"), std::string::npos) << cut;
  EXPECT_LT(describe_refusal(500, "<Message>" + std::string(10'000, 'x') + "</Message>", account).size(),
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

TEST(ObjectLabel, ByCodecTypeAndUpdate) {
  CollectionName name{"blog", model::CollectionType::snapshot, {}, format::Codec::zstd};
  EXPECT_EQ(label_of_collection(name, site::UpdateFreq::daily).content_type, "application/scp");
  EXPECT_EQ(label_of_collection(name, site::UpdateFreq::daily).content_encoding, "zstd");
  EXPECT_EQ(label_of_collection(name, site::UpdateFreq::daily).cache_control,
            "public, max-age=86400, stale-while-revalidate=3600");
  name.type = model::CollectionType::delta;
  name.codec = format::Codec::plain;
  EXPECT_EQ(label_of_collection(name, site::UpdateFreq::daily).content_encoding, "");
  EXPECT_EQ(label_of_collection(name, site::UpdateFreq::daily).cache_control,
            "public, max-age=3600, must-revalidate");
  EXPECT_EQ(label_of_collection(name, site::UpdateFreq::hourly).cache_control,
            "public, max-age=150, must-revalidate");
  EXPECT_EQ(label_of_sitemap().content_type, "application/xml");
}

}  // namespace
}  // namespace sheaf::publish
