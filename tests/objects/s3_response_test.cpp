#include "sheaf/objects/s3_protocol.h"

#include <gtest/gtest.h>

namespace sheaf::objects {
namespace {

TEST(S3Response, Errors) {
  const auto error = parse_s3_error(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>NoSuchKey</Code><Message>a &amp;lt; "
      "<![CDATA[b]]></Message></Error>");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, "NoSuchKey");
  EXPECT_EQ(error->message, "a &lt; b");
  const auto wrapped =
      parse_s3_error("<e:Response xmlns:e=\"urn:x\"><e:Error><e:Code>Busy</e:Code></e:Error></e:Response>");
  ASSERT_TRUE(wrapped);
  EXPECT_EQ(wrapped->code, "Busy");
  EXPECT_TRUE(parse_s3_error("<Error/>")) << "an error all the same";
  const auto cut = parse_s3_error("<Error><Code>SlowDown</Code><Mess");
  EXPECT_FALSE(cut) << "a tag without an end";
  const auto broken = parse_s3_error("<Error><Code>SlowDown</Code><Message>&nbsp;</Message></Error>");
  ASSERT_TRUE(broken) << "what comes before the fault counts";
  EXPECT_EQ(broken->code, "SlowDown");
  for (const std::string_view none :
       {"", "nothing", "<html>", "<Code>x</Code>", "<A><Message>x</Message></A>"})
    EXPECT_FALSE(parse_s3_error(none)) << none;
}

TEST(S3Response, UploadIds) {
  EXPECT_EQ(
      parse_upload_id("<InitiateMultipartUploadResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                      "<UploadId>x&amp;lt;y</UploadId></InitiateMultipartUploadResult>"),
      "x&lt;y");
  for (const std::string_view none :
       {"<InitiateMultipartUploadResult><UploadId></UploadId></InitiateMultipartUploadResult>",
        "<InitiateMultipartUploadResult><UploadId>x</UploadId>", "<A><UploadId>x</UploadId></A>", ""})
    EXPECT_EQ(parse_upload_id(none), std::nullopt) << none;
}

std::string listing(std::string_view inside) {
  return "<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">" +
         std::string(inside) + "</ListBucketResult>";
}

TEST(S3Response, Listings) {
  const auto page = parse_listing(listing(
      "<Prefix>a</Prefix><IsTruncated>true</IsTruncated><NextContinuationToken>n/1=</NextContinuationToken>"
      "<Contents><Key>a&amp;b</Key><Size>12</Size><ETag>&quot;e&quot;</ETag>"
      "<Owner><ID>o</ID></Owner></Contents>\n<Contents><Key>a c</Key><Size>0</Size></Contents>"));
  ASSERT_TRUE(page) << page.error().message;
  ASSERT_EQ(page->objects.size(), 2U);
  EXPECT_EQ(page->objects[0].name, "a&b");
  EXPECT_EQ(page->objects[0].size, 12U);
  EXPECT_EQ(page->objects[0].etag, "\"e\"");
  EXPECT_EQ(page->objects[1].name, "a c");
  EXPECT_EQ(page->objects[1].etag, "");
  EXPECT_EQ(page->next, "n/1=");
  const auto empty = parse_listing(listing("<IsTruncated>false</IsTruncated>"));
  ASSERT_TRUE(empty);
  EXPECT_TRUE(empty->objects.empty());
  EXPECT_EQ(empty->next, "");
}

TEST(S3Response, InvalidListings) {
  for (const std::string& body :
       {std::string("<html>"), std::string(), std::string("<Other/>"),
        listing("<IsTruncated>true</IsTruncated>"), listing("<Contents><Size>1</Size></Contents>"),
        listing("<Contents><Key>a</Key><Size>-1</Size></Contents>"),
        listing("<Contents><Key>a</Key><Size>1 </Size></Contents>"), listing("</Contents>"),
        listing("") + "<more/>"})
    EXPECT_FALSE(parse_listing(body)) << body;
}

// With a parser's default settings, each would cost memory or time, or load something.
TEST(S3Response, HostileXml) {
  const std::string entities =
      "<!DOCTYPE ListBucketResult [<!ENTITY a \"x\">]>" + listing("<Contents><Key>&a;</Key></Contents>");
  EXPECT_FALSE(parse_listing(entities));
  EXPECT_FALSE(parse_s3_error("<!DOCTYPE Error SYSTEM \"file:///etc/passwd\"><Error><Code>x</Code></Error>"));
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "<a>";
  EXPECT_FALSE(parse_listing(listing(deep)));
  std::string names;
  for (int i = 0; i < 1000; ++i) names += "<n" + std::to_string(i) + "/>";
  EXPECT_FALSE(parse_listing(listing(names)));
  std::string attributes = "<a";
  for (int i = 0; i < 1000; ++i) attributes += " n" + std::to_string(i) + "=''";
  EXPECT_FALSE(parse_listing(listing(attributes + "/>")));
  std::string instructions;
  for (int i = 0; i < 1000; ++i) instructions += "<?n" + std::to_string(i) + "?>";
  EXPECT_FALSE(parse_listing(listing(instructions)));
  EXPECT_FALSE(parse_listing(listing(std::string(kResponseBytes, ' '))));
  // The bytes of a declaration in another encoding.
  EXPECT_FALSE(parse_listing(std::string("\xff\xfe<\0a\0/\0>\0", 10)));
}

}  // namespace
}  // namespace sheaf::objects
