#include "sheaf/encoding/encoding.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::encoding {
namespace {

using namespace std::string_view_literals;

struct Row {
  std::string_view bytes;
  std::string_view transport;
  Encoding encoding;
  EncodingSource source;
};

// HTML, "determining the character encoding": byte order mark, transport, <meta>, then what the bytes look
// like.
TEST(SpecSniffing, Order) {
  using enum Encoding;
  using enum EncodingSource;
  const Row rows[] = {
      {"\xEF\xBB\xBFx", "koi8-r", utf_8, bom},
      {"\xEF\xBB\xBF<meta charset=koi8-r>", "", utf_8, bom},
      {"\xFE\xFF\0x"sv, "utf-8", utf_16be, bom},
      {"\xFF\xFEx\0"sv, "utf-8", utf_16le, bom},
      {"<meta charset=big5>", "koi8-r", koi8_r, transport},
      {"<meta charset=big5>", " KOI8-R ", koi8_r, transport},
      {"<meta charset=big5>", "bogus", big5, meta},
      {"<meta charset=big5>", "", big5, meta},
      {"x\0"sv, "utf-16le", utf_16le, transport},
      {"x", "x-user-defined", x_user_defined, transport},
      {"x", "iso-2022-kr", replacement, transport},
      {"<?xml version='1.0' encoding='koi8-r'?>", "", koi8_r, meta},
      {"plain", "", utf_8, utf8_valid},
      {"", "", utf_8, utf8_valid},
      {"na\u00EFve", "", utf_8, utf8_valid},
      {"\xFF\xFD\x00\x01"sv, "", windows_1252, fallback},
      {"\xEF\xBB"sv, "latin1", windows_1252, transport},
  };
  for (const Row& row : rows) {
    const Sniffed sniffed = sniff(row.bytes, row.transport);
    EXPECT_EQ(name(sniffed.encoding), name(row.encoding)) << &row - rows;
    EXPECT_EQ(sniffed.source, row.source) << &row - rows;
  }
}

class SpecDecode : public ::testing::Test {
 protected:
  Decoded decode(std::string_view bytes, const SniffOptions& options = {}) {
    return decoder_.decode(bytes, buffer_, options);
  }
  Decoder decoder_;
  std::string buffer_;
};

bool lies_in(std::string_view part, std::string_view whole) {
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

TEST_F(SpecDecode, ByteOrderMarksAreDropped) {
  EXPECT_EQ(decode("\xEF\xBB\xBFtext").text, "text");
  EXPECT_EQ(decode("\xFE\xFF\0t\0x"sv).text, "tx");
  EXPECT_EQ(decode("\xFF\xFEt\0x\0"sv).text, "tx");
  EXPECT_EQ(decode("\xEF\xBB\xBF\xEF\xBB\xBFx").text, "\uFEFFx");  // only the first
  EXPECT_EQ(decode("\xEF\xBB\xBF").text, "");
  EXPECT_EQ(decode("\xEF\xBB\xBF\xFF").text, "\uFFFD");
  // A mark of another encoding is text.
  EXPECT_TRUE(decoder_.decode_to_utf8("\xEF\xBB\xBFx", Encoding::windows_1252, buffer_));
  EXPECT_EQ(buffer_, "\u00EF\u00BB\u00BFx");
  EXPECT_TRUE(decoder_.decode_to_utf8("\xFE\xFF\0x"sv, Encoding::utf_16be, buffer_));
  EXPECT_EQ(buffer_, "x");
}

TEST_F(SpecDecode, ValidTextIsTheInputItself) {
  const std::string utf8 = "\xEF\xBB\xBF<p>na\u00EFve \U0001F600";
  EXPECT_TRUE(lies_in(decode(utf8).text, utf8));
  EXPECT_EQ(decode(utf8).text, std::string_view(utf8).substr(3));
  const std::string ascii = "<meta charset=windows-1251><p>text";
  const Decoded decoded = decode(ascii);
  EXPECT_EQ(decoded.encoding, Encoding::windows_1251);
  EXPECT_TRUE(lies_in(decoded.text, ascii));
  // Not so where ASCII bytes mean something else.
  const std::string japanese = "<meta charset=iso-2022-jp>\x1B$B\x46\x7C\x1B(B";
  EXPECT_EQ(decode(japanese).text, "<meta charset=iso-2022-jp>\u65E5");
}

// A page that lies: the declaration wins, and what does not fit it becomes U+FFFD.
TEST_F(SpecDecode, DeclaredUtf8IsReadAsUtf8) {
  const Decoded meta = decode("<meta charset=utf-8>caf\xE9 ol\xE9");
  EXPECT_EQ(meta.encoding, Encoding::utf_8);
  EXPECT_EQ(meta.source, EncodingSource::meta);
  EXPECT_EQ(meta.text, "<meta charset=utf-8>caf\uFFFD ol\uFFFD");
  EXPECT_TRUE(meta.had_errors);
  const Decoded transport = decode("caf\xE9<b>", {.transport_charset = "utf-8"});
  EXPECT_EQ(transport.source, EncodingSource::transport);
  EXPECT_EQ(transport.text, "caf\uFFFD<b>");
}

TEST_F(SpecDecode, DeclaredLegacyWinsOverValidUtf8) {
  const Decoded decoded = decode("<meta charset=latin1>caf\u00E9");
  EXPECT_EQ(decoded.encoding, Encoding::windows_1252);
  EXPECT_EQ(decoded.text, "<meta charset=latin1>caf\u00C3\u00A9");
  EXPECT_FALSE(decoded.had_errors);
  EXPECT_EQ(decode("caf\u00E9", {.transport_charset = "koi8-r"}).encoding, Encoding::koi8_r);
}

TEST_F(SpecDecode, MetaUtf16IsReadAsUtf8) {
  EXPECT_EQ(decode("<meta charset=utf-16>caf\u00E9").text, "<meta charset=utf-16>caf\u00E9");
}

TEST_F(SpecDecode, ReplacementShowsNothing) {
  const Decoded decoded = decode("<meta charset=hz-gb-2312><p>text");
  EXPECT_EQ(decoded.text, "\uFFFD");
  EXPECT_TRUE(decoded.had_errors);
}

class SheafOnlyTrustValidUtf8 : public SpecDecode {
 protected:
  Decoded trusting(std::string_view bytes, std::string_view transport = {}) {
    return decode(bytes, {.transport_charset = transport, .trust_valid_utf8 = true});
  }
};

TEST_F(SheafOnlyTrustValidUtf8, OverrulesSingleByteDeclarations) {
  const Decoded meta = trusting("<meta charset=latin1>caf\u00E9");
  EXPECT_EQ(meta.encoding, Encoding::utf_8);
  EXPECT_EQ(meta.source, EncodingSource::utf8_valid);
  EXPECT_EQ(meta.text, "<meta charset=latin1>caf\u00E9");
  EXPECT_EQ(trusting("caf\u00E9", "windows-1251").encoding, Encoding::utf_8);
}

TEST_F(SheafOnlyTrustValidUtf8, KeepsTheDeclarationElsewhere) {
  EXPECT_EQ(trusting("caf\xE9", "latin1").encoding, Encoding::windows_1252);
  EXPECT_EQ(trusting("cafe", "latin1").encoding, Encoding::windows_1252);  // ASCII proves nothing
  EXPECT_EQ(trusting("\xC4\xA3\xC4\xA3", "gbk").encoding, Encoding::gbk);  // both readings are plausible
  EXPECT_EQ(trusting("caf\u00E9", "iso-2022-kr").encoding, Encoding::replacement);
  EXPECT_EQ(trusting("\xFF\xFE\xC3\xA9", "latin1").encoding, Encoding::utf_16le);
}

class SheafOnlyCutPages : public SpecDecode {};

TEST_F(SheafOnlyCutPages, ACutCharacterAtTheEndIsStillUtf8) {
  for (const std::string_view tail : {"\xC3"sv, "\xE2"sv, "\xE2\x82"sv, "\xF0\x9F"sv, "\xF0\x9F\x98"sv}) {
    const Decoded decoded = decode("caf\u00E9 " + std::string(tail));
    EXPECT_EQ(decoded.encoding, Encoding::utf_8);
    EXPECT_EQ(decoded.source, EncodingSource::utf8_valid);
    EXPECT_EQ(decoded.text, "caf\u00E9 \uFFFD");
    EXPECT_TRUE(decoded.had_errors);
  }
}

TEST_F(SheafOnlyCutPages, ButNotIfNothingElseSaysSo) {
  EXPECT_NE(decode("caf\xC3").encoding, Encoding::utf_8);
  EXPECT_NE(decode("\xE9").encoding, Encoding::utf_8);
  EXPECT_NE(decode("\u00E9 \xE0\x80").source, EncodingSource::utf8_valid);
  EXPECT_NE(decode("\u00E9 \xFF").source, EncodingSource::utf8_valid);
}

TEST_F(SpecDecode, OneDecoderForManyPages) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(decode("<meta charset=shift_jis>\x93\xFA").text, "<meta charset=shift_jis>\u65E5");
    EXPECT_EQ(decode("\xBA\xBA", {.transport_charset = "gbk"}).text, "\u6C49");
    EXPECT_EQ(decode("\xA4\x40", {.transport_charset = "big5"}).text, "\u4E00");
    EXPECT_EQ(decode("\xEF", {.transport_charset = "koi8-r"}).text, "\u041E");
  }
}

}  // namespace
}  // namespace sheaf::encoding
