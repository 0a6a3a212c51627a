#include "sheaf/pull/page_note.h"

#include <gtest/gtest.h>

namespace sheaf::pull {
namespace {

constexpr base::Instant kNow{1'800'000'000, 0};
constexpr std::int64_t kDay = 86'400;

PageNote fetched(std::int64_t days_ago) {
  PageNote note;
  note.url = "https://example.com/a";
  note.fate = PageFate::stored;
  note.fetched = {kNow.seconds - days_ago * kDay, 0};
  note.validators = {"\"x\"", ""};
  return note;
}

TEST(PageNote, ComesBackAsItWas) {
  PageNote note = fetched(1);
  note.listed = 7;
  note.visited = 6;
  note.lastmod = base::Instant{-5, 123'456'789};
  note.validators = {"\"x\"", "Sun, 06 Nov 1994 08:49:37 GMT"};
  note.fingerprint = {1, 2, 3};
  note.modified = "2026-01-01T00:00:00Z";
  EXPECT_EQ(decode_page_note(encode(note)), note);
  EXPECT_EQ(decode_page_note(encode(PageNote{})), PageNote{});
}

TEST(PageNote, DamageIsNoticed) {
  const std::string bytes = encode(fetched(1));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_page_note(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(decode_page_note(bytes + "x"));
  std::string version = bytes;
  version[0] = 9;
  EXPECT_FALSE(decode_page_note(version));
}

TEST(PageNote, ValidatorsThatCannotBeSentAreDropped) {
  std::string bytes = encode(fetched(1));
  bytes.replace(bytes.find("\"x\""), 3, "\"\001\"");  // as versions that did not check them have stored it
  const auto note = decode_page_note(bytes);
  ASSERT_TRUE(note);
  EXPECT_TRUE(note->validators.empty());
  EXPECT_EQ(choose_visit(*note, kNow), Visit::fetch);
}

TEST(PageNote, AddressesHaveNamesOfOneLength) {
  EXPECT_EQ(note_name("https://example.com/").size(), note_name(std::string(100'000, 'x')).size());
  EXPECT_NE(note_name("https://example.com/a"), note_name("https://example.com/b"));
}

TEST(PageNote, WhatIsToBeAsked) {
  PageNote unknown;
  EXPECT_EQ(choose_visit(unknown, kNow), Visit::fetch);
  PageNote failed = fetched(1);
  failed.fate = PageFate::failed;
  EXPECT_EQ(choose_visit(failed, kNow), Visit::fetch);
  PageNote plain = fetched(1);
  EXPECT_EQ(choose_visit(plain, kNow), Visit::conditional);
  plain.validators = {};
  EXPECT_EQ(choose_visit(plain, kNow), Visit::fetch);
  plain.validators = {"", "Sun, 06 Nov 1994 08:49:37 GMT"};
  EXPECT_EQ(choose_visit(plain, kNow), Visit::conditional);
}

TEST(PageNote, ALastmodIsUsedButNotTrustedForEver) {
  PageNote note = fetched(1);
  note.lastmod = note.lastmod_then = base::Instant{1, 0};
  EXPECT_EQ(choose_visit(note, kNow), Visit::leave);
  note.lastmod = base::Instant{2, 0};
  EXPECT_EQ(choose_visit(note, kNow), Visit::conditional);
  note = fetched(8);
  note.lastmod = note.lastmod_then = base::Instant{1, 0};
  EXPECT_EQ(choose_visit(note, kNow), Visit::conditional);
  note = fetched(-1);  // the clock went back
  note.lastmod = note.lastmod_then = base::Instant{1, 0};
  EXPECT_EQ(choose_visit(note, kNow), Visit::conditional);
  note.fate = PageFate::missing;
  note.fetched = kNow;
  EXPECT_EQ(choose_visit(note, kNow), Visit::leave);
}

TEST(PageNote, ModifiedNeverGoesBack) {
  const base::Instant old{1000, 0};
  EXPECT_EQ(choose_modified(old, false, base::Instant{2000, 0}, kNow), old) << "unchanged";
  EXPECT_EQ(choose_modified(old, true, base::Instant{2000, 0}, kNow), (base::Instant{2000, 0}));
  EXPECT_EQ(choose_modified(old, true, base::Instant{500, 0}, kNow), kNow) << "earlier than what is stored";
  EXPECT_EQ(choose_modified(old, true, std::nullopt, kNow), kNow);
  EXPECT_EQ(choose_modified(old, true, base::Instant{kNow.seconds + 9, 0}, kNow), kNow) << "from the future";
  EXPECT_EQ(choose_modified(std::nullopt, true, base::Instant{500, 0}, kNow), (base::Instant{500, 0}));
  EXPECT_EQ(choose_modified(std::nullopt, true, std::nullopt, kNow), kNow);
  const base::Instant ahead{kNow.seconds + 50, 0};
  EXPECT_EQ(choose_modified(ahead, true, std::nullopt, kNow), (base::Instant{kNow.seconds + 51, 0}))
      << "our clock was ahead once";
}

}  // namespace
}  // namespace sheaf::pull
