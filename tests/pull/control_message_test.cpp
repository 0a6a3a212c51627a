#include "sheaf/pull/control_message.h"

#include <gtest/gtest.h>

namespace sheaf::pull {
namespace {

ControlRequest request() {
  return {.site = "https://example.com/",
          .sections = {"blog", ""},
          .html = "only",
          .allow_shrink = true,
          .json = true,
          .same = {{"--timeout", {"2"}}, {"--from", {}}}};
}

TEST(ControlMessage, RequestsComeBack) {
  EXPECT_EQ(decode_control_request(encode(request())), request());
  EXPECT_EQ(decode_control_request(encode(ControlRequest{})), ControlRequest{});
}

TEST(ControlMessage, AnswersComeBack) {
  for (const ControlResponse& answer : std::initializer_list<ControlResponse>{
           ControlProgress{"fetch", "all", 1, 2, 3}, ControlNote{"wait"}, ControlReport{true, "good\n"},
           ControlReport{false, ""}, ControlRefusal{"no"}})
    EXPECT_EQ(decode_control_response(encode(answer)), answer) << answer.index();
}

TEST(ControlMessage, WhatIsCutShortOrTooLongIsRefused) {
  const std::string whole = encode(request());
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(decode_control_request(whole.substr(0, size))) << size;
  EXPECT_FALSE(decode_control_request(whole + "x"));
  const std::string answer = encode(ControlResponse(ControlProgress{"fetch", "all", 1, 2, 300}));
  for (std::size_t size = 0; size < answer.size(); ++size)
    EXPECT_FALSE(decode_control_response(answer.substr(0, size))) << size;
  EXPECT_FALSE(decode_control_response(std::string_view("\x01\x09", 2))) << "an unknown kind";
}

TEST(ControlMessage, AnotherVersionIsNamed) {
  const auto request = decode_control_request("\x02");
  ASSERT_FALSE(request);
  EXPECT_NE(request.error().message.find("another version"), std::string::npos);
}

TEST(ControlMessage, AHugeCountWithoutDataIsRejected) {
  // A count of 2^56 sections without any data.
  const std::string_view bytes("\x01\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\x7f", 13);
  EXPECT_FALSE(decode_control_request(bytes));
}

}  // namespace
}  // namespace sheaf::pull
