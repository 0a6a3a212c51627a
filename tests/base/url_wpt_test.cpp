// The web platform's own cases for the URL Standard, as far as http and https go. The data is not part of the
// project: without it these tests are skipped, and a file that is there but broken fails them.
#include "sheaf/base/url.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::base {
namespace {

using simdjson::dom::element;

class SpecUrlWpt : public testing::Test {
 protected:
  // The array in the file, or nullopt after GTEST_SKIP or a failure.
  std::optional<simdjson::dom::array> load(std::string_view name) {
    const std::filesystem::path path = std::filesystem::path(SHEAF_SHARED_DIR) / "url" / name;
    if (!std::filesystem::exists(path)) {
      skip(path);
      return std::nullopt;
    }
    simdjson::dom::array cases;
    const simdjson::error_code error = parser_.load(path.string()).get(cases);
    EXPECT_EQ(error, simdjson::SUCCESS) << path << " is broken";
    if (error != simdjson::SUCCESS) return std::nullopt;
    return cases;
  }

 private:
  static void skip(const std::filesystem::path& path) {
    GTEST_SKIP() << "the test data is not there: " << path.string();
  }

  simdjson::dom::parser parser_;
};

// A string member, or nullopt if it is absent or null. Any other type throws, which fails the test.
std::optional<std::string> member(element object, std::string_view name) {
  element value;
  if (object.at_key(name).get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
  return std::string(value.get_string().value());
}

std::string scheme_of(std::string_view url) {
  const std::size_t start = url.find_first_not_of(" \t\n\r");
  if (start == std::string_view::npos) return "";
  std::string scheme;
  for (const char c : url.substr(start)) {
    if (c == ':') return scheme;
    if (c != '\t' && c != '\n' && c != '\r') scheme.push_back(static_cast<char>(c | 0x20));
  }
  return "";
}

bool is_http(std::string_view scheme) { return scheme == "http" || scheme == "https"; }

std::string with_mark(bool is_there, char mark, std::string_view text) {
  return is_there && !text.empty() ? mark + std::string(text) : "";
}

// The names the data uses are those of the URL class of the DOM.
void expect_parts(const Url& url, element expected) {
  const std::string port = url.port() ? std::to_string(*url.port()) : "";
  EXPECT_EQ(url.href(), member(expected, "href"));
  EXPECT_EQ(std::string(url.scheme()) + ":", member(expected, "protocol"));
  EXPECT_EQ(url.username(), member(expected, "username"));
  EXPECT_EQ(url.password(), member(expected, "password"));
  EXPECT_EQ(url.host(), member(expected, "hostname"));
  EXPECT_EQ(std::string(url.host()) + with_mark(true, ':', port), member(expected, "host"));
  EXPECT_EQ(port, member(expected, "port"));
  EXPECT_EQ(url.path(), member(expected, "pathname"));
  EXPECT_EQ(with_mark(url.has_query(), '?', url.query()), member(expected, "search"));
  EXPECT_EQ(with_mark(url.has_fragment(), '#', url.fragment()), member(expected, "hash"));
  if (const auto origin = member(expected, "origin")) {
    EXPECT_EQ(url.origin(), *origin);
  }
}

enum class Outcome { parsed, refused, not_ours };

// A base that is not http(s) cannot be had as a Url; it only matters to inputs that have no http(s) scheme.
Outcome run_case(element test) {
  const std::string input = member(test, "input").value();
  const std::optional<std::string> base_text = member(test, "base");
  std::optional<Url> base;
  if (base_text) base = Url::parse(*base_text);
  if (base_text && !base && !is_http(scheme_of(input))) return Outcome::not_ours;

  const std::optional<Url> url = Url::parse(input, base ? &*base : nullptr);
  const std::optional<std::string> href = member(test, "href");
  if (!href || !is_http(scheme_of(*href))) {
    EXPECT_FALSE(url) << "got " << url->href();
    return Outcome::refused;
  }
  EXPECT_TRUE(url) << "refused";
  if (url) expect_parts(*url, test);
  return Outcome::parsed;
}

TEST_F(SpecUrlWpt, UrlTestData) {
  const auto cases = load("urltestdata.json");
  if (!cases) return;
  std::size_t parsed = 0;
  std::size_t refused = 0;
  for (const element test : *cases) {
    if (!test.is_object()) continue;  // strings are comments
    SCOPED_TRACE(simdjson::minify(test));
    const Outcome outcome = run_case(test);
    parsed += outcome == Outcome::parsed ? 1 : 0;
    refused += outcome == Outcome::refused ? 1 : 0;
  }
  RecordProperty("parsed", static_cast<int>(parsed));
  RecordProperty("refused", static_cast<int>(refused));
  // The data grows over time; far fewer than today would mean that the runner misreads it.
  EXPECT_GE(parsed, 240U);
  EXPECT_GE(refused, 300U);
}

TEST_F(SpecUrlWpt, DomainToAscii) {
  const auto cases = load("toascii.json");
  if (!cases) return;
  std::size_t count = 0;
  for (const element test : *cases) {
    if (!test.is_object()) continue;
    SCOPED_TRACE(simdjson::minify(test));
    const std::optional<Url> url = Url::parse("https://" + member(test, "input").value() + "/");
    const std::optional<std::string> expected = member(test, "output");
    EXPECT_EQ(url.has_value(), expected.has_value()) << (url ? url->href() : "refused");
    if (url && expected) {
      EXPECT_EQ(url->host(), *expected);
    }
    ++count;
  }
  RecordProperty("cases", static_cast<int>(count));
  EXPECT_GE(count, 80U);
}

// The data gives the query of a page in each encoding; ours is always UTF-8.
TEST_F(SpecUrlWpt, PercentEncoding) {
  const auto cases = load("percent-encoding.json");
  if (!cases) return;
  std::size_t count = 0;
  for (const element test : *cases) {
    if (!test.is_object()) continue;
    SCOPED_TRACE(simdjson::minify(test));
    const std::string input = member(test, "input").value();
    const std::string expected = member(test["output"].value(), "utf-8").value();
    std::string text = "https://example.com/?";
    text.append(input).append("#").append(input);
    const std::optional<Url> url = Url::parse(text);
    ASSERT_TRUE(url);
    EXPECT_EQ(url->query(), expected);
    EXPECT_EQ(url->fragment(), expected);
    ++count;
  }
  RecordProperty("cases", static_cast<int>(count));
  EXPECT_GE(count, 7U);
}

}  // namespace
}  // namespace sheaf::base
