#include "sheaf/format/pages/head_decoder.h"

#include "sheaf/format/pages/page_encoder.h"
#include "support/collection_text.h"
#include "support/reading.h"

#include <gtest/gtest.h>

namespace sheaf::format {
namespace {

using test::decode_head_line;
using test::HeadText;

/// The head with one member replaced by JSON text, or left out.
std::string head_with(std::string_view key, std::string_view value) {
  std::string out = R"({"collection":{)";
  bool first = true;
  bool found = false;
  const std::pair<std::string_view, std::string_view> defaults[] = {
      {"id", R"("c1")"},
      {"section", R"("blog")"},
      {"type", R"("snapshot")"},
      {"generated", R"("2026-01-15T00:00:00Z")"},
      {"version", R"("0.1")"}};
  const auto add = [&](std::string_view name, std::string_view json) {
    if (json.empty()) return;
    out += (first ? "\"" : ",\"") + std::string(name) + "\":" + std::string(json);
    first = false;
  };
  for (const auto& [name, json] : defaults) {
    add(name, name == key ? value : json);
    found |= name == key;
  }
  if (!found) add(key, value);
  return out + "}}";
}

std::string fatal_of(std::string_view line) { return decode_head_line(line).fatal_code(); }

TEST(SpecHead, ReadsEveryMember) {
  const std::string digits(64, 'A');
  const auto result = decode_head_line(
      R"({"collection":{"id":"a-1","section":"b_2","type":"delta","generated":"2026-01-15T01:00:00+01:00","since":"2026-01-14T00:00:00Z",)"
      R"("version":"0.9","state":"sum256:)" +
      digits + R"(","removed":["https://e.com/1","http://e.com/2"],"checksum":"sha256:)" + digits + R"("}})");
  ASSERT_TRUE(result.decoded);
  EXPECT_TRUE(result.findings.empty());
  const auto& head = result.decoded->head;
  EXPECT_EQ(head.id, "a-1");
  EXPECT_EQ(head.section, "b_2");
  EXPECT_EQ(head.type, model::CollectionType::delta);
  EXPECT_EQ(head.generated, "2026-01-15T01:00:00+01:00");
  EXPECT_EQ(head.generated_at.seconds, 1768435200);
  EXPECT_EQ(head.since, "2026-01-14T00:00:00Z");
  EXPECT_EQ(head.since_at->seconds, 1768435200 - 86400);
  EXPECT_EQ(head.version, "0.9");
  EXPECT_EQ(head.state, "sum256:" + digits);
  EXPECT_EQ(head.removed, (std::vector<std::string>{"https://e.com/1", "http://e.com/2"}));
  EXPECT_EQ(head.checksum, "sha256:" + digits);
  EXPECT_TRUE(head.extra.empty());
}

// collection.schema.json: id, section, type, generated and version are required strings.
TEST(SpecHead, RequiredMembersMustBeThereAndBeStrings) {
  for (const std::string_view key : {"id", "section", "type", "generated", "version"}) {
    EXPECT_EQ(fatal_of(head_with(key, "")), "invalid-collection") << key;
    for (const std::string_view value : {"null", "1", "true", "[]", "{}"})
      EXPECT_EQ(fatal_of(head_with(key, value)), "invalid-collection") << key << " " << value;
  }
}

TEST(SpecHead, IdAndSectionFollowThePattern) {
  for (const std::string_view key : {"id", "section"}) {
    for (const std::string_view good : {R"("a")", R"("A-b_9")"})
      EXPECT_EQ(fatal_of(head_with(key, good)), "") << good;
    for (const std::string_view bad :
         {R"("")", R"("a b")", R"("a.b")", R"("a/b")", R"("\u00e9")", R"("a\n")"})
      EXPECT_EQ(fatal_of(head_with(key, bad)), "invalid-collection") << bad;
  }
}

TEST(SpecHead, TypeIsSnapshotOrDelta) {
  EXPECT_EQ(fatal_of(head_with("type", R"("snapshot")")), "");
  for (const std::string_view bad : {R"("")", R"("Snapshot")", R"("full")", R"("deltas")"})
    EXPECT_EQ(fatal_of(head_with("type", bad)), "invalid-collection") << bad;
}

// Readings, table: since is required for a delta.
TEST(SpecHead, SinceIsRequiredOfDeltasOnly) {
  EXPECT_EQ(fatal_of(head_with("type", R"("delta")")), "invalid-collection");
  HeadText head;
  head.since = "2026-01-14T00:00:00Z";
  EXPECT_EQ(fatal_of(head.str()), "");
  head.type = "delta";
  EXPECT_EQ(fatal_of(head.str()), "");
  for (const std::string_view bad : {"null", "5", R"("")", R"("yesterday")", R"("2026-02-30T00:00:00Z")"})
    EXPECT_EQ(fatal_of(head_with("since", bad)), "invalid-collection") << bad;
}

TEST(SpecHead, GeneratedMustBeATime) {
  for (const std::string_view bad : {R"("")", R"("2026-01-15")", R"("now")"})
    EXPECT_EQ(fatal_of(head_with("generated", bad)), "invalid-collection") << bad;
  const auto naive = decode_head_line(head_with("generated", R"("2026-01-15T00:00:00")"));
  EXPECT_FALSE(naive.fatal);
  EXPECT_EQ(naive.codes(), std::vector<std::string>{"naive-time"});
}

// Readings, table: unsupported-version, major version above 0, or not MAJOR.MINOR; 0.2, 0.9, ... are read.
TEST(SpecHead, VersionRule) {
  for (const std::string_view good : {R"("0.1")", R"("0.2")", R"("0.9")", R"("0.123")"})
    EXPECT_EQ(fatal_of(head_with("version", good)), "") << good;
  for (const std::string_view bad :
       {R"("1.0")", R"("2.1")", R"("0")", R"("")", R"("0.1.2")", R"("v0.1")", R"("0.x")"})
    EXPECT_EQ(fatal_of(head_with("version", bad)), "unsupported-version") << bad;
}

TEST(SpecHead, ChecksumForm) {
  const std::string digits(64, 'a');
  EXPECT_EQ(fatal_of(head_with("checksum", "\"sha256:" + digits + "\"")), "");
  for (const std::string& bad :
       {std::string("null"), std::string("1"), std::string(R"("")"), "\"" + digits + "\"",
        "\"sha256:" + digits + "0\"", "\"sha512:" + digits + "\"", "\"sha256:" + digits.substr(1) + "g\"",
        "\"sha256: " + digits.substr(1) + "\""})
    EXPECT_EQ(fatal_of(head_with("checksum", bad)), "invalid-collection") << bad;
}

// A metadata line with a duplicate member is invalid.
TEST(SheafOnlyHead, RepeatedMembersAreRefused) {
  for (const std::string_view key :
       {"id", "section", "type", "generated", "version", "since", "state", "removed", "checksum"}) {
    const std::string line =
        R"({"collection":{")" + std::string(key) + R"(":"x",")" + std::string(key) + R"(":"x"}})";
    EXPECT_EQ(fatal_of(line), "invalid-collection") << key;
    EXPECT_NE(decode_head_line(line).fatal->message.find("twice"), std::string::npos);
  }
  EXPECT_EQ(fatal_of(R"({"collection":{},"collection":{}})"), "invalid-collection");
  EXPECT_EQ(fatal_of(R"({"collection":{"id":"a","\u0069d":"b"}})"), "invalid-collection");
}

// Readings, "Removals" and "State digest": our extensions. Readers must not refuse a file for an unknown
// field.
TEST(SpecHead, BadStateAndRemovedAreIgnoredWithAWarning) {
  const std::string digits(64, '0');
  for (const std::string& bad : {std::string("null"), std::string("5"), std::string(R"("")"),
                                 "\"sha256:" + digits + "\"", "\"sum256:" + digits + "0\""}) {
    const auto result = decode_head_line(head_with("state", bad));
    ASSERT_TRUE(result.decoded) << bad;
    EXPECT_EQ(result.codes(), std::vector<std::string>{"invalid-field"});
    EXPECT_FALSE(result.decoded->head.state);
  }
  for (const std::string_view bad : {"null", "5", R"("https://e.com")", "{}"}) {
    const auto result = decode_head_line(head_with("removed", bad));
    ASSERT_TRUE(result.decoded) << bad;
    EXPECT_EQ(result.codes(), std::vector<std::string>{"invalid-field"});
    EXPECT_TRUE(result.decoded->head.removed.empty());
  }
  const auto mixed =
      decode_head_line(head_with("removed", R"(["https://e.com/1",5,"javascript:x","https://e.com/2"])"));
  EXPECT_EQ(mixed.codes(), (std::vector<std::string>{"invalid-field", "invalid-field"}));
  EXPECT_EQ(mixed.decoded->head.removed, (std::vector<std::string>{"https://e.com/1", "https://e.com/2"}));
}

// Readings: unknown fields are kept as they came.
TEST(SpecHead, UnknownMembersAreKeptByteForByte) {
  const auto result = decode_head_line(
      R"({ "other" : 1, "collection" : { "x" : { "a" :[ "javascript:x" ] } ,"id":"c","section":"s","type":"snapshot",)"
      R"("generated":"2026-01-15T00:00:00Z","\u0079\"":  1.0e5  ,"version":"0.1" } })");
  ASSERT_TRUE(result.decoded);
  EXPECT_EQ(result.codes(), std::vector<std::string>{"unsafe-url-kept"});
  using Extra = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(result.decoded->head.extra,
            (Extra{{"x", R"({ "a" :[ "javascript:x" ] })"}, {R"(\u0079\")", "1.0e5"}}));
  std::string line;
  encode_head(result.decoded->head, line);
  const auto again = decode_head_line(line);
  ASSERT_TRUE(again.decoded);
  EXPECT_EQ(again.decoded->head, result.decoded->head);
}

TEST(SpecHead, WrongLinesHaveDifferentErrors) {
  EXPECT_FALSE(decode_head_line(R"({"url":"x"})").decoded);
  EXPECT_FALSE(decode_head_line(R"({"url":"x"})").fatal);
  EXPECT_EQ(fatal_of("[]"), "not-an-object");
  EXPECT_EQ(fatal_of("{"), "invalid-json");
  EXPECT_EQ(fatal_of("{\"a\":\"\xff\"}"), "not-utf8");
  for (const std::string_view value : {"null", "1", "[]", R"("x")"})
    EXPECT_EQ(fatal_of(R"({"collection":)" + std::string(value) + "}"), "invalid-collection");
  EXPECT_EQ(fatal_of(R"({"collection":{},"x":)" + std::string(300, '[') + std::string(300, ']') + "}"),
            "invalid-collection");
}

TEST(SheafOnlyHead, LoneSurrogateInAnUnknownMemberIsReplaced) {
  const auto result = decode_head_line(head_with("x", R"("\ud800")"));
  ASSERT_TRUE(result.decoded);
  EXPECT_EQ(result.codes(), std::vector<std::string>{"invalid-field"});
  EXPECT_EQ(result.decoded->head.extra.at(0).second, R"("\ufffd")");
}

TEST(SheafOnlyHead, HugeNumbersInUnknownMembersAreKept) {
  const auto result = decode_head_line(head_with("x", "123456789012345678901234567890"));
  ASSERT_TRUE(result.decoded);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(result.decoded->head.extra.at(0).second, "123456789012345678901234567890");
}

/// The line without its checksum member.
std::string without_checksum(const std::string& line) {
  const auto result = decode_head_line(line);
  EXPECT_TRUE(result.decoded) << line;
  if (!result.decoded) return {};
  EXPECT_TRUE(result.decoded->head.checksum);
  std::string rest = line;
  return rest.erase(result.decoded->checksum.begin,
                    result.decoded->checksum.end - result.decoded->checksum.begin);
}

// Readings, "Checksum": cut from the opening quote of "checksum" up to the opening quote of the next member;
// if it is the last member, cut from the end of the member before it; if it is the only member, cut just the
// member.
TEST(SpecChecksum, CutsTheMemberOutOfLineOne) {
  const std::string sum = R"("sha256:)" + std::string(64, 'a') + "\"";
  const std::string a = R"("id":"c","section":"s","type":"snapshot")";
  const std::string b = R"("generated":"2026-01-15T00:00:00Z","version":"0.1")";
  const std::string open = R"({"collection":{)";
  // First, middle, last.
  EXPECT_EQ(without_checksum(open + "\"checksum\":" + sum + "," + a + "," + b + "}}"),
            open + a + "," + b + "}}");
  EXPECT_EQ(without_checksum(open + a + ",\"checksum\":" + sum + "," + b + "}}"), open + a + "," + b + "}}");
  EXPECT_EQ(without_checksum(open + a + "," + b + ",\"checksum\":" + sum + "}}"), open + a + "," + b + "}}");
  // White space: it stays before the opening quote and after the last value.
  EXPECT_EQ(without_checksum(open + " \"checksum\" : " + sum + " , " + a + "," + b + "}}"),
            open + " " + a + "," + b + "}}");
  EXPECT_EQ(without_checksum(open + a + " , \"checksum\":\t" + sum + " ,  " + b + "}}"),
            open + a + " , " + b + "}}");
  EXPECT_EQ(without_checksum(open + a + "," + b + " , \"checksum\" : " + sum + "  } }"),
            open + a + "," + b + "  } }");
  // The key may be escaped, members of that name elsewhere do not count, other members of the line stay.
  EXPECT_EQ(without_checksum(open + R"("\u0063hecksum":)" + sum + "," + a + "," + b + "}}"),
            open + a + "," + b + "}}");
  EXPECT_EQ(without_checksum(R"({"checksum":1,"collection":{"x":{"checksum":2},)" + a + "," + b +
                             ",\"checksum\":" + sum + R"(},"y":[]})"),
            R"({"checksum":1,"collection":{"x":{"checksum":2},)" + a + "," + b + R"(},"y":[]})");
}

TEST(SpecChecksum, WithoutChecksumNothingIsCut) {
  const auto result = decode_head_line(HeadText().str());
  ASSERT_TRUE(result.decoded);
  EXPECT_EQ(result.decoded->checksum.begin, result.decoded->checksum.end);
}

// Readings, "What we write": id section type generated since version state removed checksum.
TEST(SpecHead, IsWrittenInTheOrderOfTheReadings) {
  model::CollectionHead head;
  head.id = "i";
  head.section = "s";
  head.type = model::CollectionType::delta;
  head.set_generated({1768435200, 0});
  head.set_since({1768435200 - 1, 0});
  head.state = "sum256:" + std::string(64, '0');
  head.removed = {"https://e.com/1", "https://e.com/\"2"};
  head.checksum = "sha256:" + std::string(64, '1');
  head.extra = {{"x", "[ ]"}};
  std::string line;
  encode_head(head, line);
  EXPECT_EQ(
      line,
      R"({"collection":{"id":"i","section":"s","type":"delta","generated":"2026-01-15T00:00:00Z","since":"2026-01-14T23:59:59Z",)"
      R"("version":"0.1","state":"sum256:)" +
          std::string(64, '0') +
          R"(","removed":["https://e.com/1","https://e.com/\"2"],)"
          R"("checksum":"sha256:)" +
          std::string(64, '1') + R"(","x":[ ]}})");
}

}  // namespace
}  // namespace sheaf::format
