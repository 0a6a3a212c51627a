#include "support/page_generator.h"

#include "sheaf/format/json/json_text.h"
#include <sheaf/time.h>

#include <array>
#include <string_view>

namespace sheaf::test {

std::string time_text(std::int64_t seconds) {
  return format_time({parse_time("2026-01-15T00:00:00Z")->instant.seconds + seconds, 0});
}

std::string PageGenerator::text() {
  constexpr std::array<std::string_view, 14> kPieces = {"word",
                                                        " ",
                                                        "\xc3\xa9",
                                                        "\xe6\xbc\xa2\xe5\xad\x97",
                                                        "\xf0\x9f\x8c\x8d",
                                                        "\n",
                                                        "\"",
                                                        "\\",
                                                        "\t</script>&",
                                                        "\x01",
                                                        "\x7f",
                                                        "[1,2]{}",
                                                        "\xe2\x80\xa8",
                                                        "long long text "};
  std::string result;
  for (std::uint64_t i = below(8); i > 0; --i) result += kPieces[below(kPieces.size())];
  return result;
}

std::string PageGenerator::string() {
  switch (below(6)) {
    case 0: return R"("\u0041\/\ud83c\udf0d\n")";
    case 1: return R"("")";
    default: break;
  }
  std::string out;
  format::append_json_string(out, text());
  return out;
}

std::string PageGenerator::url() {
  constexpr std::array<std::string_view, 6> kUrls = {
      "https://example.com/",         "http://example.com:8080/a?b=c#d",
      "HTTPS://EXAMPLE.com/\xc3\xa9", "https://[2001:db8::1]/x/y",
      "https://192.0.2.7/",           "https://example.com/%20/%zz"};
  std::string out;
  format::append_json_string(out, std::string(kUrls[below(kUrls.size())]) + std::to_string(below(1000)));
  return out;
}

std::string PageGenerator::json(int depth) {
  switch (below(depth > 0 ? 9 : 6)) {
    case 0: return "null";
    case 1: return chance(50) ? "true" : "false";
    case 2: return std::to_string(random_());
    case 3: return "-1.50e-7";
    case 4: return "123456789012345678901234567890";
    case 5: return string();
    case 6: return "[ " + json(depth - 1) + " , " + json(depth - 1) + "]";
    case 7: return R"({ "\u006b" : )" + json(depth - 1) + R"(,"k":[{}]})";
    default: return "{}";
  }
}

std::string PageGenerator::unknown_members() {
  std::string out;
  for (std::uint64_t i = chance(30) ? 1 + below(3) : 0; i > 0; --i)
    out += R"(,"x-\u00e9\")" + std::to_string(i) + R"(":)" + json(3);
  return out;
}

std::string PageGenerator::array(const std::vector<std::string>& elements) {
  std::string out = "[";
  for (std::size_t i = 0; i < elements.size(); ++i) out += (i > 0 ? "," : "") + elements[i];
  return out + "]";
}

std::string PageGenerator::strings() {
  std::vector<std::string> elements;
  for (std::uint64_t i = below(4); i > 0; --i) elements.push_back(string());
  return array(elements);
}

std::string PageGenerator::media_members(bool video) {
  std::string out = R"("name":)" + string() + R"(,"url":)";
  if (chance(40)) {
    out += url();
  } else {
    std::vector<std::string> links;
    for (std::uint64_t i = 1 + below(3); i > 0; --i)
      links.push_back(R"({"href":)" + url() + R"(,"mediaType":)" + string() +
                      (chance(30) ? R"(,"rel":"alternate")" : "") + unknown_members() + "}");
    out += array(links);
  }
  if (chance(50)) out += R"(,"duration":"PT1H2M3.5S")";
  if (chance(40)) out += R"(,"icon":{"type":"Image","url":)" + url() + unknown_members() + "}";
  if (chance(40)) out += R"(,"summary":)" + string();
  if (chance(40)) out += R"(,"transcript":)" + string();
  if (chance(40))
    out += R"(,"chapters":[{"time":)" + std::to_string(below(9000)) + R"(,"title":)" + string() +
           unknown_members() + "}]";
  if (video && chance(40)) out += R"(,"width":)" + std::to_string(below(4000)) + R"(,"height":0)";
  if (video && chance(40))
    out += R"(,"captions":[{"language":"en","url":)" + url() + R"(,"label":)" + string() + unknown_members() +
           "}]";
  if (!video && chance(40)) out += R"(,"attributedTo":)" + string() + R"(,"partOf":)" + string();
  return out;
}

std::string PageGenerator::block() {
  const auto object = [&](std::string_view type, const std::string& members) {
    return R"({"type":")" + std::string(type) + R"(",)" + members + unknown_members() + "}";
  };
  switch (below(12)) {
    case 0: return object("heading", R"("level":)" + std::to_string(1 + below(6)) + R"(,"text":)" + string());
    case 1:
      return object("link", R"("url":)" + url() + R"(,"text":)" + string() +
                                (chance(50) ? R"(,"rel":)" + strings() : ""));
    case 2: return object("image", R"("alt":)" + string() + R"(,"url":)" + url());
    case 3:
      return object(
          "list", R"("ordered":)" + std::string(chance(50) ? "true" : "false") + R"(,"items":)" + strings());
    case 4:
      return object("code", (chance(50) ? R"("language":)" + string() + "," : "") + R"("code":)" + string());
    case 5: return object("table", R"("rows":)" + array({strings(), strings()}));
    case 6:
      return object("quote", R"("text":)" + string() + (chance(50) ? R"(,"citation":)" + string() : ""));
    case 7: return object("video", media_members(true));
    case 8: return object("audio", media_members(false));
    case 9: return object("structured", R"("format":"json-ld","data":{ "a" : )" + json(3) + "}");
    case 10:
      if (unknown_ == UnknownBlocks::none) return R"({"type":"text","text":"known"})";
      return R"({ "type" : "widget" , "deep":)" + json(3) + "}";
    default: return object("text", R"("text":)" + string());
  }
}

std::string PageGenerator::page(const std::string& url, const std::string& modified) {
  std::vector<std::string> blocks;
  for (std::uint64_t i = 1 + below(6); i > 0; --i) blocks.push_back(block());
  std::string quoted_url;
  format::append_json_string(quoted_url, url);
  std::string out = R"({"url":)" + quoted_url + R"(,"title":)" + string() + R"(,"description":)" + string();
  if (chance(30)) out += R"(,"author":)" + string();
  if (chance(30)) out += R"(,"published":"2025-12-31T23:59:59.123+05:30")";
  out += R"(,"modified":")" + modified + R"(","language":)" + (chance(50) ? R"("en")" : R"("zh-Hans-CN")");
  if (chance(30)) out += R"(,"canonical":)" + this->url();
  if (chance(30)) out += R"(,"schema":{"@context":"https://schema.org", "x" : )" + json(3) + "}";
  out += R"(,"content":)" + array(blocks);
  if (chance(20)) out += R"(,"robots":["nofollow","noarchive"])";
  return out + unknown_members() + "}";
}

std::string PageGenerator::page() {
  return page("https://example.com/page/" + std::to_string(++pages_),
              time_text(static_cast<std::int64_t>(below(100000))));
}

}  // namespace sheaf::test
