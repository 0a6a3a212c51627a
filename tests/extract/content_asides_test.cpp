#include "sheaf/extract/content/content_asides.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::extract {
namespace {

TextRun line(std::string_view text, std::uint32_t links) {
  TextRun run;
  run.text = text;
  run.chars = static_cast<std::uint32_t>(text.size());
  run.links = links;
  return run;
}

TEST(SheafOnlyContentAsides, LinesThatLeadToOtherArticles) {
  for (const std::string_view text :
       {"Lea también: Impiden ingreso a un reportero", "READ MORE: The best apps", "Related: What is it?",
        "Lesen Sie auch: Was der Minister sagt", "\u00C0 lire aussi : Un autre article",
        "Читайте также: Другая статья", "MIRA: Madre se acerca"})
    EXPECT_TRUE(is_aside(line(text, 1))) << text;
}

TEST(SheafOnlyContentAsides, RequestsToReaders) {
  for (const std::string_view text :
       {"Subscribe now to our edition for the full story.", "Sign up for our newsletter.",
        "Síguenos en Facebook y Twitter.", "Follow us on Twitter @example", "Suscríbete a nuestro canal"})
    EXPECT_TRUE(is_aside(line(text, 0))) << text;
}

TEST(SheafOnlyContentAsides, CreditsOfPictures) {
  for (const std::string_view text : {"Foto: Ingo Pertramer", "Crédits photos : Bestimage", "Photo: AP"})
    EXPECT_TRUE(is_aside(line(text, 0))) << text;
  EXPECT_FALSE(is_aside(line("Photo of the day: a whale", 0)));
  EXPECT_FALSE(is_aside(line("Photo: " + std::string(100, 'x'), 0)));
}

TEST(SheafOnlyContentAsides, LinesOfTheText) {
  for (const std::string_view text :
       {"Related work is discussed in section 2.", "Read more about this in the book: it is good.",
        "Mira is a star in the constellation of the whale.", "Subscribers pay more.", "Lea", "", "a", ":",
        "Sign up for the race before noon.", "Mira said: no"})
    EXPECT_FALSE(is_aside(line(text, 1))) << text;
  // Nothing to lead to, or more than a line.
  EXPECT_FALSE(is_aside(line("Related: nothing", 0)));
  EXPECT_FALSE(is_aside(line("Related: " + std::string(400, 'x'), 1)));
}

}  // namespace
}  // namespace sheaf::extract
