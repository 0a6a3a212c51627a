// Delivery decisions that need no network.
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/delivery/object_label.h"

#include <gtest/gtest.h>

namespace sheaf::publish {
namespace {

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
  const auto& s3 = std::get<objects::S3Settings>(config->delivery.to);
  EXPECT_EQ(s3.bucket, "b");
  EXPECT_EQ(s3.part_bytes, 64U << 20U);
  EXPECT_EQ(s3.path_style, false);
  EXPECT_EQ(config->delivery.prefix, "scp/");
  EXPECT_EQ(config->delivery.sitemap, "sitemap.xml");
}

TEST(DeliveryConfig, RemoteNamesFollowTheUrlsUnlessGiven) {
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
  const auto& command = std::get<objects::CommandSettings>(config->delivery.to);
  EXPECT_EQ(command.put, (std::vector<std::string>{"copy", "--to=a b", "{file}", "x {name}", ""}));
  EXPECT_EQ(command.remove, (std::vector<std::string>{"sh", "-c", "rm $0; f() { x; }", "{name}"}));
}

TEST(DeliveryConfig, MistakesAreReportedWithTheirLine) {
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
  EXPECT_NE(source_error("type = \"sql\"\ndatabase = \"oracle://x\"\nquery = \"SELECT 1\"")
                .find("needs a `database`"),
            std::string::npos);
  EXPECT_NE(source_error("type = \"sql\"\ndatabase = \"sqlite:x.db\"").find("needs a `query`"),
            std::string::npos);
  const std::string refused =
      source_error("type = \"sql\"\ndatabase = \"postgresql://u:secret@h/d\"\nquery = \"SELECT 1\"");
  EXPECT_NE(refused.find("~/.pgpass"), std::string::npos);
  EXPECT_EQ(refused.find("secret"), std::string::npos);
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
