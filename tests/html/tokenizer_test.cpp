#include "sheaf/html/tokenizer.h"

#include "sheaf/html/char_ref.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::html {
namespace {

namespace fs = std::filesystem;
namespace json = simdjson::dom;

// Tokens as lines of text, on both sides of the comparison. Neighbouring characters are one token.
class TokenLines {
 public:
  void characters(std::string_view text) { text_ += text; }
  void line(const std::string& text) {
    flush();
    lines_ += text + '\n';
  }
  std::string take() {
    flush();
    return std::move(lines_);
  }

 private:
  void flush() {
    if (!text_.empty()) lines_ += "Character " + text_ + '\n';
    text_.clear();
  }
  std::string text_;
  std::string lines_;
};

using Attributes = std::map<std::string, std::string, std::less<>>;

std::string tag_line(std::string_view name, const Attributes& attributes, bool self_closing) {
  std::string line = "StartTag " + std::string(name);
  for (const auto& [key, value] : attributes)
    line.append(" [").append(key).append("=").append(value).append("]");
  return line + (self_closing ? " /" : "");
}

std::string doctype_line(std::string_view name, std::optional<std::string_view> public_id,
                         std::optional<std::string_view> system_id, bool correct) {
  const auto text = [](std::optional<std::string_view> id) {
    return id ? '"' + std::string(*id) + '"' : "null";
  };
  return "DOCTYPE " + std::string(name) + ' ' + text(public_id) + ' ' + text(system_id) +
         (correct ? " ok" : " quirks");
}

std::string tokenize(std::string_view input, TextMode mode, std::string_view last_start_tag) {
  Document document;
  LimitsHit hit;
  const ParseLimits limits;
  Tokenizer tokenizer(input, document, limits, hit);
  if (!last_start_tag.empty()) tokenizer.set_last_start_tag(last_start_tag);
  tokenizer.set_mode(mode);
  TokenLines lines;
  Token token;
  for (tokenizer.next(token); token.kind != TokenKind::end_of_file; tokenizer.next(token)) {
    const std::string name(document.names().text(token.name));
    switch (token.kind) {
      case TokenKind::text: lines.characters(token.text); break;
      case TokenKind::null: lines.characters(std::string_view("\0", 1)); break;
      case TokenKind::comment: lines.line("Comment " + std::string(token.text)); break;
      case TokenKind::end_tag: lines.line("EndTag " + name); break;
      case TokenKind::doctype:
        lines.line(doctype_line(token.text, token.public_id, token.system_id, !token.force_quirks));
        break;
      case TokenKind::start_tag: {
        Attributes attributes;
        for (const Attribute& attribute : tokenizer.attributes(token))
          attributes.emplace(document.names().text(attribute.name), document.value(attribute));
        lines.line(tag_line(name, attributes, token.self_closing));
        break;
      }
      case TokenKind::end_of_file: break;
    }
  }
  return lines.take();
}

unsigned hex4(std::string_view digits) {
  return static_cast<unsigned>(std::stoul(std::string(digits), nullptr, 16));
}

// "doubleEscaped": \uHHHH once more. A lone surrogate becomes the three bytes UTF-8 would give it.
std::string unescape(std::string_view text, bool doubled) {
  if (!doubled) return std::string(text);
  std::string out;
  while (!text.empty()) {
    if (!text.starts_with("\\u")) {
      out += text[0];
      text.remove_prefix(1);
      continue;
    }
    std::uint32_t code = hex4(text.substr(2, 4));
    text.remove_prefix(6);
    if (code >= 0xD800 && code < 0xDC00 && text.starts_with("\\u")) {
      const unsigned low = hex4(text.substr(2, 4));
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        text.remove_prefix(6);
      }
    }
    char bytes[4];
    out.append(bytes, encode_utf8(code, bytes));
  }
  return out;
}

std::string expected_lines(json::array output, bool doubled) {
  TokenLines lines;
  const auto text = [doubled](json::element e) { return unescape(e.get_string().value(), doubled); };
  for (const json::element item : output) {
    const json::array token = item.get_array();
    const std::string_view kind = token.at(0).get_string();
    if (kind == "Character") {
      lines.characters(text(token.at(1)));
    } else if (kind == "StartTag") {
      Attributes attributes;
      const json::object fields = token.at(2).get_object();
      for (const auto field : fields) attributes.emplace(unescape(field.key, doubled), text(field.value));
      lines.line(tag_line(text(token.at(1)), attributes, token.size() > 3));
    } else if (kind == "DOCTYPE") {
      std::string parts[3];
      std::optional<std::string_view> views[3];
      for (std::size_t i = 0; i < 3; ++i) {
        if (token.at(i + 1).is_null()) continue;
        parts[i] = text(token.at(i + 1));
        views[i] = parts[i];
      }
      lines.line(doctype_line(views[0].value_or(""), views[1], views[2], token.at(4).get_bool().value()));
    } else {
      lines.line(std::string(kind) + ' ' + text(token.at(1)));
    }
  }
  return lines.take();
}

const std::map<std::string_view, TextMode> kStates = {
    {"Data state", TextMode::data},
    {"PLAINTEXT state", TextMode::plaintext},
    {"RCDATA state", TextMode::rcdata},
    {"RAWTEXT state", TextMode::rawtext},
    {"Script data state", TextMode::script_data},
    {"CDATA section state", TextMode::cdata},
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// xmlViolation.test expects the standard's "coercing an HTML DOM into an infoset"; that is not the
// tokenizer's work.
std::string coerce(std::string lines) {
  replace_all(lines, "\xEF\xBF\xBF", "\xEF\xBF\xBD");
  replace_all(lines, "\f", " ");
  replace_all(lines, "--", "- -");
  return lines;
}

std::size_t run_test(json::element test, const std::string& file, bool coerced) {
  bool doubled = false;
  if (test["doubleEscaped"].get(doubled) != simdjson::SUCCESS) doubled = false;
  const std::string input = unescape(test["input"].get_string().value(), doubled);
  const std::string expected = expected_lines(test["output"].get_array(), doubled);
  std::string_view last;
  if (test["lastStartTag"].get(last) != simdjson::SUCCESS) last = {};
  std::vector<std::string_view> states;
  json::array given;
  if (test["initialStates"].get(given) == simdjson::SUCCESS) {
    for (const json::element state : given) states.push_back(state.get_string().value());
  } else {
    states.emplace_back("Data state");
  }
  for (const std::string_view state : states) {
    const std::string found = tokenize(input, kStates.at(state), last);
    EXPECT_EQ(coerced ? coerce(found) : found, expected)
        << file << ": " << test["description"].get_string().value() << " in " << state << '\n'
        << input;
  }
  return states.size();
}

TEST(SpecTokenization, Html5lib) {
  const fs::path folder = fs::path(SHEAF_SHARED_DIR) / "html5lib" / "tokenizer";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "no html5lib test data at " << folder;
  std::size_t cases = 0;
  std::size_t runs = 0;
  json::parser parser;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".test") continue;
    const json::element root = parser.load(entry.path().string());
    json::array tests;
    bool coerced = false;
    if (root["tests"].get(tests) != simdjson::SUCCESS) {
      tests = root["xmlViolationTests"].get_array().value();
      coerced = true;
    }
    for (const json::element test : tests) {
      ++cases;
      runs += run_test(test, entry.path().filename().string(), coerced);
    }
  }
  std::printf("%zu cases, %zu runs\n", cases, runs);
  EXPECT_GE(cases, 6000U);
}

TEST(SheafOnlyTokenizer, EmptyMarkupIsPassedWithoutRecursion) {
  std::string input;
  for (int i = 0; i < 200'000; ++i) input += "</>";
  EXPECT_EQ(tokenize(input + "x", TextMode::data, ""), "Character x\n");
}

}  // namespace
}  // namespace sheaf::html
