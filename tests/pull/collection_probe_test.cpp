#include "sheaf/pull/collection_probe.h"

#include <gtest/gtest.h>

namespace sheaf::pull {
namespace {

http::fetch::FetchHead head(std::string type, std::string length = {}) {
  http::fetch::FetchHead result;
  result.url = "https://example.com/a.scp";
  result.headers.emplace_back("content-type", std::move(type));
  if (!length.empty()) result.headers.emplace_back("content-length", std::move(length));
  return result;
}

/// The result for a body that arrives byte by byte.
FailureCode code_of(std::string_view body, const std::string& type, std::uint64_t resumed_from = 0) {
  CollectionProbe probe(std::nullopt);
  EXPECT_FALSE(probe.begin(head(type), resumed_from));
  for (const char& byte : body)
    if (const Failure failure = probe.take({&byte, 1})) return failure.code;
  return FailureCode::none;
}

TEST(CollectionProbe, WebPagesAreNotCollections) {
  EXPECT_EQ(code_of("<!doctype html>", "text/html"), FailureCode::not_a_collection);
  EXPECT_EQ(code_of("Please log in", "text/html; charset=utf-8"), FailureCode::not_a_collection);
  EXPECT_EQ(code_of("<?xml version='1.0'?>", "application/octet-stream"), FailureCode::not_a_collection);
  EXPECT_EQ(code_of("\n\n<html>", ""), FailureCode::not_a_collection);
}

TEST(CollectionProbe, TheBytesCountAndNotTheHeader) {
  EXPECT_EQ(code_of("\x1f\x8b\x08\x01 and so on", "text/html"), FailureCode::none);
  EXPECT_EQ(code_of("\x28\xb5\x2f\xfd and so on", "text/html"), FailureCode::none);
  EXPECT_EQ(code_of("\x50\x2a\x4d\x18 and so on", "text/html"), FailureCode::none);
  EXPECT_EQ(code_of(" {\"collection\":", "text/html"), FailureCode::none);
  EXPECT_EQ(code_of("\xef\xbb\xbf{\"collection\":", "text/html"), FailureCode::none);
  EXPECT_EQ(code_of("anything else", "application/scp"), FailureCode::none) << "the reader will say more";
  EXPECT_EQ(code_of("<the rest of a file>", "text/html", 100), FailureCode::none);
}

TEST(CollectionProbe, FilesFarLargerThanAdvertised) {
  constexpr std::uint64_t kSlack = std::uint64_t{1} << 20;
  CollectionProbe probe(1000);
  EXPECT_FALSE(probe.begin(head("application/scp", std::to_string(2000 + kSlack)), 0));
  EXPECT_EQ(probe.begin(head("application/scp", std::to_string(2001 + kSlack)), 0).code,
            FailureCode::oversized_collection);
  EXPECT_EQ(probe.begin(head("application/scp", std::to_string(kSlack)), 2001).code,
            FailureCode::oversized_collection);
  EXPECT_FALSE(probe.begin(head("application/scp"), 0));
  EXPECT_FALSE(probe.take(std::string(2000 + kSlack, '{')));
  EXPECT_EQ(probe.take("{").code, FailureCode::oversized_collection);
  CollectionProbe unknown(std::nullopt);
  EXPECT_FALSE(unknown.begin(head("application/scp", "99999999999"), 0));
}

}  // namespace
}  // namespace sheaf::pull
