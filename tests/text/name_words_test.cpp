#include "sheaf/text/text_words.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::text {
namespace {

using words::Beyond;

template <Beyond beyond = Beyond::letters>
std::vector<std::string> words_of(PaddedText name) {
  std::vector<std::string> found;
  each_name_word<beyond>(name, [&found](std::string_view word) { found.emplace_back(word); });
  return found;
}

using Words = std::vector<std::string>;

TEST(NameWords, ArePartedByAllButLettersAndByCapitalsAfterSmallOnes) {
  EXPECT_EQ(words_of("post-content"), Words({"post", "content"}));
  EXPECT_EQ(words_of("postContent post_2body"), Words({"post", "Content", "post", "body"}));
  EXPECT_EQ(words_of("HTMLBody bodyHTML"), Words({"HTMLBody", "body", "HTML"}));
  EXPECT_EQ(words_of("--"), Words());
  EXPECT_EQ(words_of(""), Words());
}

TEST(NameWords, BytesBeyondAsciiAreSmallLettersOrNone) {
  EXPECT_EQ(words_of("\u00FCber-uns"), Words({"\u00FCber", "uns"}));
  EXPECT_EQ(words_of("t\u00FCR"), Words({"t\u00FC", "R"}));
  EXPECT_EQ(words_of<Beyond::between_words>("\u00FCber-uns"), Words({"ber", "uns"}));
}

TEST(NameWords, ContinueAcrossBlocks) {
  for (std::size_t before = 0; before < 140; ++before) {
    for (const std::size_t size : {1U, 2U, 15U, 16U, 17U, 63U, 64U, 65U, 130U}) {
      const std::string word(size, 'a');
      std::string name(before, '-');
      name.append(word).append("Bc ").append(word);
      EXPECT_EQ(words_of(name), Words({word, "Bc", word})) << before << ' ' << size;
    }
  }
}

TEST(NameWords, TextAfterTheNameIsIgnored) {
  const std::string memory = "entry-titleAndMoreLettersOfOtherAttributes";
  for (std::size_t size = 0; size <= memory.size(); ++size) {
    const std::string alone = memory.substr(0, size);
    EXPECT_EQ(words_of(PaddedText(memory).prefix(size)), words_of(std::string_view(alone)));
  }
}

}  // namespace
}  // namespace sheaf::text
