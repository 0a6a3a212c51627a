#include "sheaf/format/json/json_writer.h"

#include <gtest/gtest.h>

namespace sheaf::format {
namespace {

TEST(JsonWriter, WritesMembersInTheOrderOfTheCalls) {
  JsonWriter out;
  out.begin_object().string("b", "x").number("a", 18'446'744'073'709'551'615U).boolean("c", false).null("d");
  out.begin_array("list").element("one").element("").begin_object().end_object().end_array();
  out.begin_object("empty").end_object().raw("raw", "[1]").end_object();
  EXPECT_EQ(out.text(), R"({"b":"x","a":18446744073709551615,"c":false,"d":null,"list":["one","",{}],)"
                        R"("empty":{},"raw":[1]})");
}

TEST(JsonWriter, AnEmptyKeyIsAMemberName) {
  JsonWriter out;
  out.begin_object().string("", "x").end_object();
  EXPECT_EQ(out.text(), R"({"":"x"})");
}

TEST(JsonWriter, OptionalOmitsAnEmptyValue) {
  JsonWriter out;
  out.begin_object().optional("a", "").optional("b", "x").end_object();
  EXPECT_EQ(out.text(), R"({"b":"x"})");
}

TEST(JsonWriter, DecimalsHaveAFixedNumberOfDigits) {
  JsonWriter out;
  out.begin_array().decimal({}, 2.0).decimal({}, 0.12345, 3).end_array();
  EXPECT_EQ(out.text(), "[2.00,0.123]");
}

TEST(JsonWriter, InvalidUtf8IsReplaced) {
  JsonWriter out;
  out.string({}, "a\xFF\"\n");
  EXPECT_EQ(out.text(), "\"a\xEF\xBF\xBD\\\"\\n\"");
  EXPECT_EQ(json_string("a\xFF\"\n"), out.text());
}

TEST(JsonWriter, ContinuesAfterItsTextWasTaken) {
  JsonWriter out;
  out.begin_array().element("a");
  std::string all = out.text();
  out.clear_text();
  out.element("b").end_array();
  all += out.text();
  EXPECT_EQ(all, R"(["a","b"])");
}

}  // namespace
}  // namespace sheaf::format
