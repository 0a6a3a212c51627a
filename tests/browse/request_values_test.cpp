#include "sheaf/browse/request_values.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::browse {
namespace {

TEST(RequestValues, AreDecoded) {
  const RequestValues values("q=a+b%26c&empty=&twice=1&twice=2&bad=%FF%zz&n=12&&=x");
  EXPECT_EQ(values.text("q"), "a b&c");
  EXPECT_EQ(values.text("empty"), "");
  EXPECT_EQ(values.text("twice"), "1");
  EXPECT_EQ(values.text("bad"), "\uFFFD%zz");
  EXPECT_EQ(values.text("none"), "");
  EXPECT_EQ(values.number("n", 5, 0, 20), 12U);
  EXPECT_EQ(values.number("n", 5, 0, 10), 5U);
  EXPECT_EQ(values.number("q", 5, 0, 10), 5U);
  EXPECT_EQ(RequestValues("n=99999999999999999999999").number("n", 5, 0, UINT64_MAX), 5U);
}

TEST(RequestValues, AreBounded) {
  std::string query;
  for (int i = 0; i < 100; ++i) query += "a" + std::to_string(i) + "=1&";
  const RequestValues values(query);
  EXPECT_EQ(values.text("a63"), "1");
  EXPECT_EQ(values.text("a64"), "");
}

TEST(FormFile, BoundaryOfTheContentType) {
  EXPECT_EQ(form_boundary("multipart/form-data; boundary=abc"), "abc");
  EXPECT_EQ(form_boundary("Multipart/Form-Data; charset=x; Boundary=\"a b\""), "");
  EXPECT_EQ(form_boundary("multipart/form-data; boundary=\"a'b\"; x=y"), "a'b");
  EXPECT_EQ(form_boundary("multipart/mixed; boundary=abc"), "");
  EXPECT_EQ(form_boundary("multipart/form-data"), "");
  EXPECT_EQ(form_boundary("multipart/form-data; boundary=" + std::string(71, 'x')), "");
}

std::string form_of(const std::string& content) {
  return "--abc\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a<b.scp\"\r\nContent-Type: "
         "x/y\r\n\r\n" +
         content + "\r\n--abc--\r\n";
}

TEST(FormFile, IsFound) {
  for (const std::string& content :
       {std::string("hello"), std::string(), std::string("\r\n--abc"), std::string("\0\r\n\r\n", 5)}) {
    const std::string body = form_of(content);
    const auto file = find_form_file(body, body, body.size(), "abc");
    ASSERT_TRUE(file);
    EXPECT_EQ(body.substr(file->begin, file->size), content);
    EXPECT_EQ(file->name, "a<b.scp");
  }
}

TEST(FormFile, OtherBodiesAreRefused) {
  const std::string body = form_of("x");
  EXPECT_FALSE(find_form_file(body, body, body.size(), "abd"));
  EXPECT_FALSE(find_form_file(body, body, body.size(), ""));
  EXPECT_FALSE(find_form_file(body, body.substr(0, body.size() - 6), body.size() - 6, "abc"));
  EXPECT_FALSE(find_form_file("", "", 0, "abc"));
  EXPECT_FALSE(find_form_file("--abc\r\n\r\n--abc--", "--abc\r\n\r\n--abc--", 17, "abc"));
}

}  // namespace
}  // namespace sheaf::browse
