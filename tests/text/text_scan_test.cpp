// Counting and splitting texts block by block, compared with doing so byte by byte.
#include "sheaf/extract/outline/run_text.h"
#include "sheaf/text/padded_text.h"
#include "sheaf/text/scan.h"
#include "sheaf/text/text_compare.h"
#include "sheaf/text/text_counts.h"
#include "sheaf/text/text_words.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::text {
namespace {

/// A text of bytes that matter, at the very end of its memory, so that reading beyond it is an error that
/// AddressSanitizer sees.
class ExactText {
 public:
  explicit ExactText(std::string_view text) : memory_(text.begin(), text.end()) {}
  [[nodiscard]] std::string_view view() const { return {memory_.data(), memory_.size()}; }
  /// Its first bytes, with the rest as padding.
  [[nodiscard]] PaddedText prefix(std::size_t size) const { return PaddedText(view()).prefix(size); }

 private:
  std::vector<char> memory_;
};

std::vector<std::string> random_texts() {
  constexpr std::string_view kPieces[] = {" ",         "\n",
                                          "\t",        "\v",
                                          "\x01",      "a",
                                          "Z",         "word",
                                          "Word2",     ".",
                                          "!",         "?",
                                          ",",         ";",
                                          "@",         "7",
                                          "12",        "\u00E9",
                                          "\u3002",    "\uFF0C",
                                          "\u4E2D",    "-",
                                          "<",         "[",
                                          "`",         "averyveryverylongwordthatgoesonandon",
                                          "\U0001F600"};
  std::mt19937 random(7);
  std::vector<std::string> texts = {""};
  for (int i = 0; i < 4000; ++i) {
    std::string text;
    const auto pieces = random() % 60;
    for (std::size_t piece = 0; piece < pieces; ++piece) text += kPieces[random() % std::size(kPieces)];
    texts.push_back(text);
  }
  texts.emplace_back(1000, '.');
  texts.emplace_back(300, ' ');
  return texts;
}

TEST(SheafOnlyTextCounts, BlocksCountAsBytesDo) {
  for (const std::string& text : random_texts()) {
    const TextCounts want = count_text_portable(text);
    const ExactText exact(text);
    // The bytes after the text are read but do not count.
    const ExactText more(text + " more. Text, 123 with @ everything that counts in it");
    for (const scan::Level level : {scan::Level::portable, scan::Level::avx2, scan::Level::avx512}) {
      if (level > scan::best_level()) break;
      EXPECT_EQ(count_text(level, exact.view()), want) << text;
      EXPECT_EQ(count_text(level, more.prefix(text.size())), want) << text;
    }
    for (const PaddedText same : {PaddedText(exact.view()), more.prefix(text.size())}) {
      const TextCounts chars = count_chars(same);
      EXPECT_EQ(chars.chars, want.chars) << text;
      EXPECT_EQ(chars.word_gaps, want.word_gaps) << text;
    }
  }
}

TEST(SheafOnlyTextCounts, Counts) {
  const std::string_view text = "Two words, 3 Marks!\u3002 \u4E2D @x";
  const TextCounts counts = count_text(text);
  EXPECT_EQ(counts.chars, 22U);  // U+3002 and U+4E2D count two each
  EXPECT_EQ(counts.word_gaps, 5U);
  EXPECT_EQ(counts.marks, 2U);
  EXPECT_EQ(counts.commas, 1U);
  EXPECT_EQ(counts.digits, 1U);
  EXPECT_EQ(counts.capitals, 2U);
  EXPECT_EQ(counts.handles, 1U);
}

std::vector<std::uint32_t> words_of(PaddedText text) {
  std::vector<std::uint32_t> words;
  each_word(text, [&](std::uint32_t word) {
    words.push_back(word);
    return true;
  });
  return words;
}

std::vector<std::uint32_t> words_by_hand(std::string_view text) {
  std::vector<std::uint32_t> words;
  std::string word;
  for (const char c : std::string(text) + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(hash_text_word(word));
      word.clear();
    }
  }
  return words;
}

TEST(SheafOnlyTextWords, EveryWordOnceWhereverItsBlocksLie) {
  for (const std::string& text : random_texts()) {
    const ExactText exact(text);
    EXPECT_EQ(words_of(exact.view()), words_by_hand(text)) << text;
    const ExactText more(text + "more of it 2");
    EXPECT_EQ(words_of(more.prefix(text.size())), words_by_hand(text)) << text;
  }
}

TEST(SheafOnlyTextWords, CaseDoesNotCountAndSizeDoes) {
  EXPECT_EQ(hash_text_word("Read"), hash_text_word("rEAD"));
  EXPECT_NE(hash_text_word("read"), hash_text_word("reads"));
  const std::string sixteen(16, 'a');
  EXPECT_NE(hash_text_word(sixteen), hash_text_word(sixteen + "a"));
}

TEST(SheafOnlyTextWords, StopsWhenTheCallbackReturnsFalse) {
  const std::string_view text = "one two three";
  int seen = 0;
  each_word(text, [&](std::uint32_t) { return ++seen < 2; });
  EXPECT_EQ(seen, 2);
}

TEST(SheafOnlyTextScan, TwoDigits) {
  for (const std::string& text : random_texts()) {
    bool want = false;
    for (std::size_t i = 1; i < text.size(); ++i)
      want = want || (std::isdigit(static_cast<unsigned char>(text[i])) != 0 &&
                      std::isdigit(static_cast<unsigned char>(text[i - 1])) != 0);
    const ExactText exact(text);
    EXPECT_EQ(scan::has_two_digits(exact.view()), want) << text;
    const ExactText more(text + "12 and 34 after it, where it does not count");
    EXPECT_EQ(scan::has_two_digits(more.prefix(text.size())), want) << text;
  }
}

TEST(SheafOnlyTextScan, WhiteSpaceAtTheEnd) {
  for (std::size_t size = 1; size < 40; ++size) {
    for (std::size_t spaces = 0; spaces < 40; ++spaces) {
      const std::string text = std::string(size, 'x') + std::string(spaces, '\n');
      const ExactText exact(text);
      const char* const begin = exact.view().data();
      EXPECT_EQ(scan::trim_end(exact.view()), begin + size);
      const ExactText more(text + "more text behind it");
      const char* const first = more.view().data();
      EXPECT_EQ(scan::trim_end(more.prefix(text.size())), first + size);
    }
  }
}

TEST(SheafOnlyTextScan, WhiteSpaceAround) {
  for (std::size_t before = 0; before < 40; ++before) {
    for (std::size_t size = 0; size < 40; ++size) {
      for (std::size_t after = 0; after < 40; ++after) {
        const std::string words =
            size == 0 ? "" : "x" + std::string(size - 1, size % 2 == 0 ? 'y' : ' ') + "z";
        const std::string text = std::string(before, '\n') + words + std::string(after, ' ');
        const ExactText exact(text);
        EXPECT_EQ(scan::trim(exact.view()).view(), words);
        const ExactText more(text + "more text behind it");
        EXPECT_EQ(scan::trim(more.prefix(text.size())).view(), words);
      }
    }
  }
}

TEST(SheafOnlyTextScan, WhiteSpaceAtTheFront) {
  constexpr std::string_view kSpaces = " \n\t\r\f";
  std::mt19937 random(11);
  for (std::size_t size = 0; size < 70; ++size) {
    std::string space;
    for (std::size_t i = 0; i < size; ++i) space += kSpaces[random() % kSpaces.size()];
    for (const std::string_view rest : {"", "x", "\v", "\x01", "\x08", "\x0E", "\x85", "a text after it"}) {
      const std::string text = space + std::string(rest);
      const ExactText exact(text);
      EXPECT_EQ(scan::skip_space(PaddedText(exact.view())) - exact.view().data(),
                static_cast<std::ptrdiff_t>(size))
          << text;
      const ExactText more(text + "    and more, where it does not count");
      const char* const begin = more.view().data();
      EXPECT_EQ(scan::skip_space(more.prefix(text.size())) - begin, static_cast<std::ptrdiff_t>(size))
          << text;
    }
  }
}

TEST(SheafOnlyTextScan, TheFirstWhiteSpace) {
  for (std::size_t size = 0; size < 70; ++size) {
    for (const std::string_view other : {"x", "\v", "\x01", "\x08", "\x0E", "\x85", "\xA0"}) {
      std::string word;
      while (word.size() < size) word += other;
      for (const std::string_view rest : {"", " ", "\n", "\tmore", "\r", "\f \n"}) {
        const std::string text = "a " + word + std::string(rest);
        const ExactText exact(text);
        const ExactText more(text + " and more, where it does not count");
        for (const PaddedText padded : {PaddedText(exact.view()), more.prefix(text.size())})
          EXPECT_EQ(scan::find_space(padded, padded.data() + 2) - padded.data(),
                    static_cast<std::ptrdiff_t>(2 + word.size()))
              << text;
      }
    }
  }
}

TEST(SheafOnlyPaddedText, PartsKeepThePaddingOfTheWhole) {
  const std::string_view memory = "0123456789abcdef";
  const PaddedText text = PaddedText::inside(memory.substr(2, 6), memory);
  EXPECT_TRUE(text.can_read(text.data(), 14));
  EXPECT_FALSE(text.can_read(text.data(), 15));
  const PaddedText part = text.from(text.data() + 2).prefix(3);
  EXPECT_EQ(part.view(), "456");
  EXPECT_TRUE(part.can_read(part.data(), 12));
  EXPECT_FALSE(part.can_read(part.data(), 13));
  EXPECT_FALSE(PaddedText(memory).can_read(memory.data(), memory.size() + 1));
}

TEST(SheafOnlyPaddedText, ALongPaddingIsNotedAsFarAsItCanBe) {
  const std::string memory(300'000, 'x');
  const PaddedText text = PaddedText::inside(std::string_view(memory).substr(0, 200'000), memory);
  EXPECT_EQ(text.size(), 200'000U);
  EXPECT_TRUE(text.can_read(text.data(), 200'000 + 64));
  EXPECT_FALSE(text.can_read(text.data(), 300'001));
  const PaddedText part = text.prefix(10);
  EXPECT_EQ(part.view(), "xxxxxxxxxx");
  EXPECT_TRUE(part.can_read(part.data(), 64));
  EXPECT_FALSE(text.from(text.end()).can_read(text.end(), 100'001));
}

TEST(SheafOnlyPaddedText, CopiesWithoutReadingBehindThePadding) {
  for (std::size_t size = 0; size <= 2 * kCopyPadding; ++size) {
    const std::string text(size, 'x');
    const ExactText exact(text);
    const ExactText more(text + "more text");
    for (const PaddedText from : {PaddedText(exact.view()), more.prefix(size)}) {
      const auto to = std::make_unique<char[]>(size + kCopyPadding);
      copy_padded(from, to.get());
      EXPECT_EQ(std::string_view(to.get(), size), text);
    }
  }
}

TEST(SheafOnlyTextScan, CopiesWithWhiteSpaceAsItShows) {
  const auto copy = [](auto how, PaddedText text, std::size_t room) {
    // Exactly this many bytes of space after the text.
    const auto memory = std::make_unique<char[]>(text.size() + room);
    const scan::Collapsed copied = how(text, memory.get());
    return std::pair(std::string(memory.get(), copied.end), copied.ends_in_space);
  };
  const auto copies = [&copy](PaddedText text) {
    const auto narrow = copy(scan::copy_collapsed_narrow, text, 16);
    EXPECT_EQ(copy(scan::copy_collapsed, text, scan::kCopyRoom), narrow) << text.view();
    return narrow;
  };
  EXPECT_EQ(copies(""), std::pair(std::string(), false));
  for (const std::string& random : random_texts()) {
    const std::string text = "x" + random;
    std::string want;
    bool space = false;
    for (const char c : text) {
      if (!is_space(c)) want += space ? std::string(" ") + c : std::string(1, c);
      space = is_space(c);
    }
    const ExactText exact(text);
    EXPECT_EQ(copies(exact.view()), std::pair(want, space)) << text;
    const ExactText more(text + "  \n  and more, where it does not count");
    EXPECT_EQ(copies(more.prefix(text.size())), std::pair(want, space)) << text;
  }
}

TEST(SheafOnlyTextHash, SearchesForASlotEnd) {
  constexpr std::size_t kSlots = 1024;
  EXPECT_EQ(find_slot(kSlots + 7, kSlots, [](std::size_t at) { return at == 7; }), 7U);
  EXPECT_EQ(find_slot(1020, kSlots, [](std::size_t at) { return at == 3; }), 3U) << "it goes on at the front";
  int asked = 0;
  const auto never = [&](std::size_t) {
    ++asked;
    return false;
  };
  EXPECT_LT(find_slot(0, kSlots, never), kSlots);
  EXPECT_LT(asked, 100) << "a page whose classes all collide costs no more time";
}

TEST(SheafOnlyTextHash, EveryByteAndTheSizeCount) {
  for (std::size_t size = 0; size < 40; ++size) {
    const std::string text(size, 'a');
    EXPECT_EQ(hash_text(ExactText(text).view()), hash_text(ExactText(text).view()));
    EXPECT_NE(hash_text(ExactText(text).view()), hash_text(text + "a"));
    for (std::size_t i = 0; i < size; ++i) {
      std::string other = text;
      other[i] = 'b';
      EXPECT_NE(hash_text(ExactText(text).view()), hash_text(other)) << size << " " << i;
    }
  }
}

TEST(SheafOnlyRunText, PiecesMakeOneText) {
  extract::RunText text;
  text.start({});
  const auto add = [](extract::RunText& to, std::string_view piece, bool parted, std::uint8_t spans) {
    to.add(piece, parted, spans);
  };
  EXPECT_TRUE(text.empty());
  add(text, "See", true, 0);
  add(text, "the manual", true, extract::kInLink);
  add(text, "'s", false, 0);
  add(text, "last", true, extract::kInBold);
  add(text, "page.", true, extract::kInBold | extract::kInItalic);
  EXPECT_EQ(text.text(), "See the manual's last page.");
  extract::TextRun run;
  text.judge(run);
  EXPECT_EQ(run.words, 5U);
  EXPECT_EQ(run.chars, 28U);  // one space for each word
  EXPECT_EQ(run.link_chars, 11U);
  EXPECT_EQ(run.bold_chars, 11U);
  EXPECT_EQ(run.italic_chars, 6U);
  EXPECT_TRUE(run.ends_sentence);

  extract::RunText whole;
  whole.start({});
  add(whole, "See the manual's last page.", false, extract::kInLink);
  extract::TextRun same;
  whole.judge(same);
  EXPECT_EQ(same.link_chars, same.chars);
  EXPECT_FALSE(whole.is_joined());

  EXPECT_TRUE(text.is_joined());
  const std::size_t place = text.place();
  text.end_run();
  EXPECT_TRUE(text.empty());
  add(text, "And", false, 0);
  add(text, "more", true, 0);
  EXPECT_EQ(text.text(), "And more");
  EXPECT_EQ(text.find(place, 27), "See the manual's last page.");
}

}  // namespace
}  // namespace sheaf::text
