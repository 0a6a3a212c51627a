#include "sheaf/encoding/encoding_sniffer.h"

#include <gtest/gtest.h>

#include <span>
#include <string>

namespace sheaf::encoding {
namespace {

using namespace std::string_view_literals;

struct Case {
  std::string_view bytes;
  std::string_view encoding;  // empty: none found
};

void check(std::span<const Case> cases) {
  for (const Case& row : cases) {
    const auto found = prescan(row.bytes);
    EXPECT_EQ(found ? name(*found) : "", row.encoding) << row.bytes;
  }
}

// HTML, "prescan a byte stream to determine its encoding".
constexpr Case kMeta[] = {
    {"", ""},
    {"<p>text", ""},
    {"<meta charset=koi8-r>", "koi8-r"},
    {"<meta charset=\"koi8-r\">", "koi8-r"},
    {"<meta charset='koi8-r'>", "koi8-r"},
    {"<META CHARSET=KOI8-R>", "koi8-r"},
    {"<meta charset = koi8-r >", "koi8-r"},
    {"<meta charset\n=\t\"koi8-r\">", "koi8-r"},
    {"<meta charset=koi8-r/>", ""},  // the slash belongs to an unquoted value
    {"<meta charset=koi8-r />", "koi8-r"},
    {"<meta charset=\" koi8-r \">", "koi8-r"},
    {"<meta/charset=koi8-r>", "koi8-r"},
    {"<meta/charset=\"koi8-r\"/>", "koi8-r"},
    {"<meta\fcharset=koi8-r>", "koi8-r"},
    {"<meta x charset=koi8-r>", "koi8-r"},
    {"<meta x=1 charset=koi8-r>", "koi8-r"},
    {"<meta x='>' charset=koi8-r>", "koi8-r"},
    {"<meta =x charset=koi8-r>", "koi8-r"},
    {"<meta = charset=koi8-r>", "koi8-r"},
    {"<meta charset=bogus><meta charset=koi8-r>", "koi8-r"},
    {"<meta charset=bogus>", ""},
    {"<meta charset=>", ""},
    {"<meta charset>", ""},
    {"<meta charset=koi8-r", ""},  // cut
    {"<meta charset='koi8-r", ""},
    {"<meta charset='koi8-r'", ""},
    {"<meta charset=koi8-r charset=big5>", "koi8-r"},
    {"<meta charset=bogus charset=big5>", ""},
    {"<metacharset=koi8-r>", ""},
    {"<meta>charset=koi8-r>", ""},
    {"<metax charset=koi8-r>", ""},
    {"< meta charset=koi8-r>", ""},
    {"</meta charset=koi8-r>", ""},
    {"<<meta charset=koi8-r>", "koi8-r"},
    {"<a<meta charset=koi8-r>", ""},  // part of the name of the first tag
    {"x<meta charset=koi8-r>y", "koi8-r"},
    {"<meta charset=utf-16>", "utf-8"},
    {"<meta charset=utf-16be>", "utf-8"},
    {"<meta charset=x-user-defined>", "windows-1252"},
    {"<meta charset=latin1>", "windows-1252"},
    {"<meta charset=iso-2022-kr>", "replacement"},
};

constexpr Case kPragma[] = {
    {"<meta http-equiv=content-type content='text/html; charset=big5'>", "big5"},
    {"<meta content='text/html; charset=big5' http-equiv=Content-Type>", "big5"},
    {"<meta content='text/html; charset=big5'>", ""},
    {"<meta http-equiv=refresh content='text/html; charset=big5'>", ""},
    {"<meta http-equiv=content-type content='text/html'>", ""},
    {"<meta http-equiv=content-type content='text/html; charset=bogus'>", ""},
    {"<meta http-equiv=content-type content='charset=big5' charset=koi8-r>", "koi8-r"},
    {"<meta charset=koi8-r http-equiv=content-type content='charset=big5'>", "koi8-r"},
    {"<meta charset=bogus http-equiv=content-type content='charset=big5'>", ""},
    {"<meta http-equiv=content-type content='charset=big5' charset=bogus>", ""},
    {"<meta content='charset=big5' charset=koi8-r>", "koi8-r"},
    {"<meta http-equiv=content-type content='charset=big5' content='charset=koi8-r'>", "big5"},
    {"<meta http-equiv=x http-equiv=content-type content='charset=big5'>", ""},
    {"<meta http-equiv=content-type content='charset=utf-16'>", "utf-8"},
    {"<meta http-equiv=content-type content='charset=x-user-defined'>", "windows-1252"},
    {"<meta http-equiv=content-type content=charset=big5>", "big5"},
    {"<meta http-equiv='content-type' content=text/html;charset=big5>", "big5"},
    {"<meta http-equiv=' content-type' content='charset=big5'>", ""},
};

constexpr Case kAround[] = {
    {"<!-- <meta charset=koi8-r> --><meta charset=big5>", "big5"},
    {"<!--><meta charset=koi8-r>", "koi8-r"},
    {"<!---><meta charset=koi8-r>", "koi8-r"},
    {"<!-- > --!> <meta charset=koi8-r>", ""},
    {"<!-- never closed <meta charset=koi8-r>", ""},
    {"<!- <meta charset=koi8-r>", ""},
    {"<!- ><meta charset=koi8-r>", "koi8-r"},
    {"<!doctype html><meta charset=koi8-r>", "koi8-r"},
    {"<!doctype html \"<meta charset=big5>\"><meta charset=koi8-r>", "koi8-r"},
    {"<?php echo 1 ?><meta charset=koi8-r>", "koi8-r"},
    {"<? <meta charset=big5> ?><meta charset=koi8-r>", "koi8-r"},
    {"</ <meta charset=big5><meta charset=koi8-r>", "koi8-r"},
    {"<a title='<meta charset=big5>'><meta charset=koi8-r>", "koi8-r"},
    {"<a title=\"><meta charset=big5>", ""},
    {"</a title='<meta charset=big5>'><meta charset=koi8-r>", "koi8-r"},
    {"<html><head><title>t</title><meta name=x><meta charset=koi8-r>", "koi8-r"},
    {"<script>'<meta charset=koi8-r>'</script>", "koi8-r"},  // the prescan knows no scripts
    {"<title><meta charset=koi8-r></title>", "koi8-r"},
    {"<", ""},
    {"</", ""},
    {"<!", ""},
    {"<m", ""},
    {"<meta", ""},
    {"<meta ", ""},
    {"<meta charset", ""},
    {"<meta charset=", ""},
};

constexpr Case kXml[] = {
    {"<?xml version='1.0' encoding='koi8-r'?><html>", "koi8-r"},
    {"<?xml version=\"1.0\" encoding=\"koi8-r\"?>", "koi8-r"},
    {"<?xml encoding = \"koi8-r\"?>", "koi8-r"},
    {"<?xml version='1.0' encoding='koi8-r'?><meta charset=big5>", "big5"},
    {"<?xml version='1.0' encoding='utf-16'?>", "utf-8"},
    {"<?xml version='1.0' encoding='x-user-defined'?>", "x-user-defined"},
    {"<?xml version='1.0' encoding='bogus'?>", ""},
    {"<?xml version='1.0' encoding=' koi8-r'?>", ""},
    {"<?xml version='1.0' encoding=koi8-r?>", ""},
    {"<?xml version='1.0' encoding='koi8-r?>", ""},
    {"<?xml version='1.0' encoding='koi8-r'", ""},
    {"<?xml version='1.0'?> encoding='koi8-r'>", ""},
    {" <?xml version='1.0' encoding='koi8-r'?>", ""},
    {"<?XML version='1.0' encoding='koi8-r'?>", ""},
    {"<\0?\0x\0m\0l\0"sv, "utf-16le"},
    {"\0<\0?\0x\0m\0l"sv, "utf-16be"},
    {"<\0?\0y\0"sv, ""},
};

TEST(SpecPrescan, Meta) { check(kMeta); }
TEST(SpecPrescan, Pragma) { check(kPragma); }
TEST(SpecPrescan, WhatSurroundsIt) { check(kAround); }
TEST(SpecPrescan, XmlDeclaration) { check(kXml); }

TEST(SpecPrescan, OnlyTheFirst1024Bytes) {
  const std::string_view meta = "<meta charset=koi8-r>";
  const std::string before(1024 - meta.size(), ' ');
  EXPECT_EQ(prescan(before + std::string(meta)), Encoding::koi8_r);
  EXPECT_EQ(prescan(before + " " + std::string(meta)), std::nullopt);
  // A comment that ends beyond the limit hides what follows as well as what it holds.
  EXPECT_EQ(prescan("<!--" + std::string(1100, ' ') + "--><meta charset=koi8-r>"), std::nullopt);
}

// HTML, "extracting a character encoding from a meta element".
TEST(SpecPrescan, MetaContent) {
  constexpr Case kContents[] = {
      {"", ""},
      {"charset", ""},
      {"charset=", ""},
      {"charset= ", ""},
      {"charset=koi8-r", "koi8-r"},
      {"CharSet=KOI8-R", "koi8-r"},
      {"text/html; charset=koi8-r; x=y", "koi8-r"},
      {"text/html; charset = koi8-r", "koi8-r"},
      {"text/html; charset=koi8-r x", "koi8-r"},
      {"charset=\"koi8-r\"", "koi8-r"},
      {"charset='koi8-r' x", "koi8-r"},
      {"charset=\" koi8-r \"", "koi8-r"},
      {"charset=\"koi8-r", ""},
      {"charset='koi8-r\"", ""},
      {"charset=koi8-r\"", ""},
      {"charset charset=koi8-r", "koi8-r"},
      {"charsetcharset=koi8-r", "koi8-r"},
      {"xcharset=koi8-r", "koi8-r"},
      {"charset;charset=koi8-r", "koi8-r"},
      {"charset=bogus;charset=koi8-r", ""},
      {"charset=;charset=koi8-r", ""},
      {"charset=utf-16", "utf-16le"},
  };
  for (const Case& row : kContents) {
    const auto found = encoding_of_meta_content(row.bytes);
    EXPECT_EQ(found ? name(*found) : "", row.encoding) << row.bytes;
  }
}

TEST(SpecPrescan, ByteOrderMarks) {
  EXPECT_EQ(encoding_of_bom("\xEF\xBB\xBF"), Encoding::utf_8);
  EXPECT_EQ(encoding_of_bom("\xFE\xFF"), Encoding::utf_16be);
  EXPECT_EQ(encoding_of_bom("\xFF\xFE\x00\x00"sv), Encoding::utf_16le);  // not UTF-32, which the web has not
  EXPECT_EQ(encoding_of_bom("\xEF\xBB"), std::nullopt);
  EXPECT_EQ(encoding_of_bom(" \xEF\xBB\xBF"), std::nullopt);
  EXPECT_EQ(encoding_of_bom(""), std::nullopt);
  EXPECT_EQ(without_bom("\xEF\xBB\xBF\xEF\xBB\xBFx", Encoding::utf_8), "\xEF\xBB\xBFx");
  EXPECT_EQ(without_bom("\xEF\xBB\xBFx", Encoding::windows_1252), "\xEF\xBB\xBFx");
  EXPECT_EQ(without_bom("\xFE\xFFx", Encoding::utf_16le), "\xFE\xFFx");
}

}  // namespace
}  // namespace sheaf::encoding
