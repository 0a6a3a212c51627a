#include "sheaf/trust/signed_collection.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::trust {
namespace {

std::string digest(std::string_view prefix, char c) { return std::string(prefix) + std::string(64, c); }

model::CollectionHead delta_head() {
  model::CollectionHead head;
  head.id = "blog-1";
  head.section = "blog";
  head.type = model::CollectionType::delta;
  head.set_generated({1'800'000'000, 0});
  head.set_since({1'799'000'000, 0});
  head.checksum = digest("sha256:", 'a');
  head.state = digest("sum256:", 'b');
  return head;
}

TEST(CollectionStatement, IsReadAsItWasWritten) {
  const CollectionStatement delta = make_statement("https://example.com", delta_head());
  EXPECT_EQ(
      to_string(delta),
      "scp-collection origin=https://example.com section=blog type=delta generated=2027-01-15T08:00:00Z "
      "since=2027-01-03T18:13:20Z checksum=" +
          digest("sha256:", 'a') + " state=" + digest("sum256:", 'b'));
  EXPECT_EQ(parse_statement(to_string(delta)), delta);
  model::CollectionHead head = delta_head();
  head.type = model::CollectionType::snapshot;
  head.checksum.reset();
  head.state.reset();
  const CollectionStatement snapshot = make_statement("http://127.0.0.1:8080", head);
  EXPECT_EQ(parse_statement(to_string(snapshot)), snapshot);
}

TEST(CollectionStatement, UnknownMembersAreIgnored) {
  const CollectionStatement statement = make_statement("https://example.com", delta_head());
  EXPECT_EQ(parse_statement(to_string(statement) + " later=1 more="), statement);
}

TEST(CollectionStatement, OtherCommentsAreRefusedWithTheReason) {
  const auto message = [](std::string_view text) {
    const auto statement = parse_statement(text);
    return statement ? std::string("accepted") : statement.error().message;
  };
  const std::string good =
      "scp-collection origin=https://a.example section=s type=snapshot generated=2026-01-01T00:00:00Z";
  EXPECT_EQ(message(good), "accepted");
  const auto expect = [&](std::string_view text, std::string_view part) {
    EXPECT_NE(message(text).find(part), std::string::npos) << text << "\n" << message(text);
  };
  expect("", "does not begin with scp-collection");
  expect("timestamp:1700000000\tfile:x", "does not begin with scp-collection");
  expect("scp-collections origin=https://a.example", "does not begin with scp-collection");
  expect("scp-collection", "does not begin with scp-collection");
  expect("scp-collection section=s", "does not state origin");
  expect("scp-collection origin=https://a.example", "does not state section");
  expect(good + " section=t", "states section twice");
  expect(good + "  x=1", "name=value");
  expect(good + " =1", "name=value");
  expect(good + " since=2026-01-01T00:00:00Z", "a delta states since");
  expect("scp-collection origin=a section=s", "origin is not an origin");
  expect("scp-collection origin=https://a.example/ section=s", "origin is not an origin");
  expect("scp-collection origin=HTTPS://A.example section=s", "origin is not an origin");
  expect("scp-collection origin=https://a.example section=a/b", "section is not a valid name");
  expect("scp-collection origin=https://a.example section=s type=other", "neither snapshot nor delta");
  expect("scp-collection origin=https://a.example section=s type=snapshot generated=yesterday", "not a time");
  expect("scp-collection origin=https://a.example section=s type=snapshot generated=2026-01-01T00:00:00",
         "not a time");
  expect(good + " checksum=sha256:12", "checksum is not sha256:");
  expect(good + " state=" + digest("sha256:", 'a'), "state is not sum256:");
  std::string many = good;
  for (int i = 0; i < 40; ++i) many += " x" + std::to_string(i) + "=1";
  expect(many, "too many members");
}

TEST(CollectionStatement, ThePlaceIsComparedLikeTheHostsOfPages) {
  const CollectionStatement statement = make_statement("https://example.com", delta_head());
  const auto differs = [&](std::string_view site, std::string_view section) {
    return differs_from_place(statement, *base::Url::parse(site), section).value_or("");
  };
  EXPECT_EQ(differs("https://example.com", "blog"), "");
  EXPECT_EQ(differs("https://www.example.com", "blog"), "");
  EXPECT_EQ(differs("http://example.com", "blog"), "");
  EXPECT_EQ(differs("https://example.com:8443", "blog"),
            "it was signed for https://example.com, another site");
  EXPECT_EQ(differs("https://example.org", "blog"), "it was signed for https://example.com, another site");
  EXPECT_EQ(differs("https://example.com", "docs"), "it was signed for section blog, another section");
}

TEST(CollectionStatement, EveryMemberIsComparedWithTheMetadataLine) {
  const CollectionStatement statement = make_statement("https://example.com", delta_head());
  EXPECT_EQ(differs_from_head(statement, delta_head()), std::nullopt);
  const auto differs = [&](auto change) {
    model::CollectionHead head = delta_head();
    change(head);
    return differs_from_head(statement, head).value_or("");
  };
  EXPECT_EQ(differs([](auto& head) { head.section = "docs"; }),
            "its signature states section blog, but the collection has docs");
  EXPECT_EQ(differs([](auto& head) { head.type = model::CollectionType::snapshot; }),
            "its signature states type delta, but the collection has snapshot");
  EXPECT_NE(differs([](auto& head) { head.set_generated({1, 0}); }).find("states generated"),
            std::string::npos);
  EXPECT_NE(differs([](auto& head) { head.set_since({1, 0}); }).find("states since"), std::string::npos);
  EXPECT_NE(differs([](auto& head) { head.checksum = digest("sha256:", 'c'); }).find("states checksum"),
            std::string::npos);
  EXPECT_NE(differs([](auto& head) { head.state.reset(); }).find("but the collection has none"),
            std::string::npos);
}

}  // namespace
}  // namespace sheaf::trust
