#include "sheaf/format/json/json_text.h"

#include "support/page_generator.h"

#include <gtest/gtest.h>

#include <random>

namespace sheaf::format {
namespace {

struct Good {
  std::string_view text;
  std::size_t depth = 0;
};

TEST(SpecJson, AcceptsWhatRfc8259Allows) {
  constexpr Good kCases[] = {
      {"{}", 1},
      {"[]", 1},
      {" \t\r\n{ } \n", 1},
      {"null"},
      {"true"},
      {"false"},
      {"0"},
      {"-0"},
      {"-0.0e-0"},
      {"1"},
      {"10"},
      {"1.5"},
      {"1e5"},
      {"1E+5"},
      {"1e-5"},
      {"1.25e10"},
      {"18446744073709551615"},
      {"-9223372036854775808"},
      {R"("")"},
      {R"("abc")"},
      {R"("\"\\\/\b\f\n\r\t")"},
      {R"("\u0041\uABCD\uabcd")"},
      {R"("\ud83c\udf0d")"},
      {"\"\x7f\xc3\xa9\xf0\x9f\x8c\x8d\""},
      {R"({"a":1})", 1},
      {R"({"a":1,"a":2})", 1},
      {R"({"":{}})", 2},
      {R"([1,[2,[3]],{"x":[]}])", 3},
      {R"({"a":[{"b":[{}]}]})", 5},
      {R"({ "a" : [ 1 , 2 ] , "b" : { } })", 2},
  };
  for (const Good& good : kCases) {
    const JsonCheck check = check_json(good.text);
    EXPECT_TRUE(check.valid) << good.text << " at " << check.error_offset << ", expected " << check.expected;
    EXPECT_EQ(check.depth, good.depth) << good.text;
    EXPECT_TRUE(check.unrepresentable.empty()) << good.text;
  }
}

struct Bad {
  std::string_view text;
  std::size_t offset;
  std::string_view expected;  ///< part of it
};

TEST(SpecJson, RefusesTheRestAndSaysWhere) {
  constexpr Bad kCases[] = {
      {"", 0, "a value"},
      {"  ", 2, "a value"},
      {"{", 1, "member name"},
      {"[", 1, "a value"},
      {"}", 0, "a value"},
      {"]", 0, "a value"},
      {"{]", 1, "member name"},
      {"[}", 1, "a value"},
      {"[1", 2, "']'"},
      {"[1,", 3, "a value"},
      {"[1,]", 3, "a value"},
      {"[,1]", 1, "a value"},
      {"[1 2]", 3, "']'"},
      {R"({"a")", 4, "':'"},
      {R"({"a" 1})", 5, "':'"},
      {R"({"a":)", 5, "a value"},
      {R"({"a":1,})", 7, "member name"},
      {R"({"a":1)", 6, "'}'"},
      {R"({"a":1])", 6, "'}'"},
      {"{a:1}", 1, "member name"},
      {"{'a':1}", 1, "member name"},
      {"{1:1}", 1, "member name"},
      {"{,}", 1, "member name"},
      {"nul", 0, "a value"},
      {"nulL", 0, "a value"},
      {"True", 0, "a value"},
      {"NaN", 0, "a value"},
      {"Infinity", 0, "a value"},
      {"-Infinity", 1, "a digit"},
      {"undefined", 0, "a value"},
      {"+1", 0, "a value"},
      {"-", 1, "a digit"},
      {"01", 1, "leading zero"},
      {"-01", 2, "leading zero"},
      {"00", 1, "leading zero"},
      {".5", 0, "a value"},
      {"1.", 2, "decimal point"},
      {"1.e5", 2, "decimal point"},
      {"1e", 2, "exponent"},
      {"1e+", 3, "exponent"},
      {"1ee5", 2, "exponent"},
      {"0x10", 1, "end of the line"},
      {"1a", 1, "end of the line"},
      {"1 2", 2, "end of the line"},
      {"{}{}", 2, "end of the line"},
      {"{} x", 3, "end of the line"},
      {R"("abc)", 4, "double quote"},
      {R"("\x41")", 1, "escapes"},
      {R"("\u12")", 1, "escapes"},
      {R"("\u12g4")", 1, "escapes"},
      {R"("\)", 1, "escapes"},
      {R"("\")", 3, "double quote"},
      {"\"a\tb\"", 2, "control character"},
      {"\"a\nb\"", 2, "control character"},
      {R"("\U0041")", 1, "escapes"},
      {"\xef\xbb\xbf{}", 0, "a value"},
      {"[1]]", 3, "end of the line"},
      {"// c\n{}", 0, "a value"},
      {"[\"a\" \"b\"]", 5, "']'"},
  };
  for (const Bad& bad : kCases) {
    const JsonCheck check = check_json(bad.text);
    EXPECT_FALSE(check.valid) << bad.text;
    EXPECT_EQ(check.error_offset, bad.offset) << bad.text << ", expected " << check.expected;
    EXPECT_NE(check.expected.find(bad.expected), std::string_view::npos)
        << bad.text << ", expected " << check.expected;
  }
  EXPECT_EQ(check_json(std::string_view("\"a\0b\"", 5)).error_offset, 2U);
  EXPECT_EQ(check_json(std::string_view("{}\0", 3)).error_offset, 2U);
}

TEST(SheafOnlyJson, NumbersNoMachineTypeHoldsAreListed) {
  for (const std::string_view number :
       {"18446744073709551616", "-9223372036854775809", "1e400", "-1e400", "123456789012345678901234567890",
        "1e999999999999", "9999999999999999999999.5e999"}) {
    const std::string text = "[0, " + std::string(number) + "]";
    const JsonCheck check = check_json(text);
    ASSERT_TRUE(check.valid) << text;
    ASSERT_EQ(check.unrepresentable.size(), 1U) << text;
    EXPECT_EQ(check.unrepresentable[0].kind, Unrepresentable::Kind::number);
    EXPECT_EQ(check.unrepresentable[0].offset, 4U);
    EXPECT_EQ(check.unrepresentable[0].length, number.size());
  }
}

TEST(SheafOnlyJson, LoneSurrogatesAreListed) {
  struct Case {
    std::string_view text;
    std::vector<std::size_t> offsets;
  };
  const Case cases[] = {{R"("\ud800")", {1}},
                        {R"("\udc00")", {1}},
                        {R"("\ud800x")", {1}},
                        {R"("\ud800\ud800\udc00")", {1}},
                        {R"("\udc00\ud800")", {1, 7}},
                        {R"("\ud800\u0041")", {1}},
                        {R"("\ud83c\udf0d\udf0d")", {13}},
                        {R"({"\ud800":"\\ud800"})", {2}},
                        {R"("\uD800\uDC00")", {}}};
  for (const Case& c : cases) {
    const JsonCheck check = check_json(c.text);
    ASSERT_TRUE(check.valid) << c.text;
    std::vector<std::size_t> offsets;
    for (const auto& place : check.unrepresentable) {
      EXPECT_EQ(place.kind, Unrepresentable::Kind::surrogate);
      EXPECT_EQ(place.length, 6U);
      offsets.push_back(place.offset);
    }
    EXPECT_EQ(offsets, c.offsets) << c.text;
  }
}

TEST(SheafOnlyJson, DepthIsMeasuredWithoutRecursion) {
  const std::size_t deep = 2'000'000;
  const JsonCheck check = check_json(std::string(deep, '[') + std::string(deep, ']'));
  EXPECT_TRUE(check.valid);
  EXPECT_EQ(check.depth, deep);
  EXPECT_EQ(check_json(std::string(deep, '[')).error_offset, deep);
}

std::vector<std::pair<std::string, std::string>> members_of(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> members;
  RawObject object(text);
  RawMember member;
  while (object.next(member)) {
    EXPECT_EQ(text[member.begin], '"');
    EXPECT_EQ(text.substr(member.end - member.value.size(), member.value.size()), member.value);
    members.emplace_back(member.key, member.value);
  }
  return members;
}

TEST(SheafOnlyRawObject, FindsMembersByteForByte) {
  using Members = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(members_of("{}"), Members());
  EXPECT_EQ(members_of(" \t{ \r\n } "), Members());
  EXPECT_EQ(members_of(R"({"a":1})"), (Members{{"a", "1"}}));
  EXPECT_EQ(members_of(R"( { "a" : 1 , "b":[ 1 , {"x":"]}"} ] ,"c" :"}," } )"),
            (Members{{"a", "1"}, {"b", R"([ 1 , {"x":"]}"} ])"}, {"c", R"("},")"}}));
  EXPECT_EQ(members_of(R"({"\"a\\":"\\","b\\\\\"":"\\\"","":{}})"),
            (Members{{R"(\"a\\)", R"("\\")"}, {R"(b\\\\\")", R"("\\\"")"}, {"", "{}"}}));
  EXPECT_EQ(members_of("{\"a\"\n:\ttrue\r,\"b\":null}"), (Members{{"a", "true"}, {"b", "null"}}));
  EXPECT_EQ(members_of(R"({"a":-1.5e+7,"a":{"a":{}}})"), (Members{{"a", "-1.5e+7"}, {"a", R"({"a":{}})"}}));
  EXPECT_EQ(members_of(R"({"[":"{","]":"}"})"), (Members{{"[", R"("{")"}, {"]", R"("}")"}}));
}

std::vector<std::string> elements_of(std::string_view text) {
  std::vector<std::string> elements;
  RawArray array(text);
  std::string_view element;
  while (array.next(element)) elements.emplace_back(element);
  return elements;
}

TEST(SheafOnlyRawArray, FindsElementsByteForByte) {
  using Elements = std::vector<std::string>;
  EXPECT_EQ(elements_of("[]"), Elements());
  EXPECT_EQ(elements_of("[ \n ]"), Elements());
  EXPECT_EQ(elements_of("[[]]"), (Elements{"[]"}));
  EXPECT_EQ(elements_of("[{}]"), (Elements{"{}"}));
  EXPECT_EQ(elements_of(R"( [ 1 , "a,b]" ,[2, [3]],{"x":[1,2]} , null ] )"),
            (Elements{"1", R"("a,b]")", "[2, [3]]", R"({"x":[1,2]})", "null"}));
  EXPECT_EQ(elements_of(R"(["\\","\"",""])"), (Elements{R"("\\")", R"("\"")", R"("")"}));
}

TEST(SheafOnlyRawObject, GivesBackEveryGeneratedPage) {
  test::PageGenerator generator(21);
  for (int i = 0; i < 500; ++i) {
    const std::string page = generator.page();
    ASSERT_TRUE(check_json(page).valid) << page;
    std::string again = "{";
    RawObject object(page);
    RawMember member;
    while (object.next(member)) {
      EXPECT_TRUE(check_json(member.value).valid) << member.value;
      again +=
          (again.size() > 1 ? ",\"" : "\"") + std::string(member.key) + "\":" + std::string(member.value);
    }
    EXPECT_EQ(again + "}", page);
  }
}

// Readings, "What we write": UTF-8 unescaped.
TEST(SpecJsonString, EscapesOnlyWhatTheGrammarDemands) {
  const auto quoted = [](std::string_view text) {
    std::string out = "x";
    append_json_string(out, text);
    return out.substr(1);
  };
  EXPECT_EQ(quoted(""), R"("")");
  EXPECT_EQ(quoted("a/b\x7f\xc3\xa9\xe2\x80\xa8"), "\"a/b\x7f\xc3\xa9\xe2\x80\xa8\"");
  EXPECT_EQ(quoted("\"\\\b\f\n\r\t"), R"("\"\\\b\f\n\r\t")");
  EXPECT_EQ(quoted(std::string_view("\0\x01\x1f", 3)), R"("\u0000\u0001\u001f")");
  for (int c = 0; c < 128; ++c)
    EXPECT_TRUE(check_json(quoted(std::string(1, static_cast<char>(c)))).valid) << c;
}

}  // namespace
}  // namespace sheaf::format
