#include "sheaf/crawl/site_template.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sheaf::crawl {
namespace {

using extract::FrameText;

// Keys have two free bits.
FrameText link(std::uint64_t number) { return {.key = number << 8U, .is_link = true, .is_kept = true}; }
FrameText text(std::uint64_t number, bool is_kept = false) {
  return {.key = number << 8U, .is_link = false, .is_kept = is_kept};
}

/// A page's own text, which no other has.
FrameText own(std::size_t page) { return text(1000 + page, true); }

/// Pages of a site; `of` gives the texts of each beside its own.
template <class TextsOf>
TemplateSample sample_of(std::size_t pages, const TextsOf& of, bool backwards = false) {
  TemplateSample sample;
  for (std::size_t i = 0; i < pages; ++i) {
    const std::size_t page = backwards ? pages - 1 - i : i;
    if (!sample.offer("page-" + std::to_string(page))) continue;
    std::vector<FrameText> texts = of(page);
    texts.push_back(own(page));
    std::ranges::sort(texts, {}, &FrameText::key);
    sample.add(texts);
  }
  return sample;
}

std::vector<std::uint64_t> frame_of(const LearnedTemplate& learned) {
  return learned.frame ? learned.frame->profile().frame() : std::vector<std::uint64_t>();
}

std::vector<FrameText> menu(std::size_t /*page*/) { return {link(1), link(2)}; }

TEST(TemplateLearning, WhatMostPagesHaveIsTheTemplate) {
  const auto learned = learn_from_sample(sample_of(20, menu), nullptr);
  EXPECT_EQ(frame_of(learned), (std::vector<std::uint64_t>{link(1).key, link(2).key}));
  EXPECT_EQ(learned.offered, 20U);
  EXPECT_EQ(learned.sampled, 20U);
}

TEST(TemplateLearning, AShortSiteHasNone) {
  EXPECT_EQ(learn_from_sample(sample_of(kMinPages - 1, menu), nullptr).frame, nullptr);
  EXPECT_NE(learn_from_sample(sample_of(kMinPages, menu), nullptr).frame, nullptr);
  EXPECT_EQ(learn_from_sample(TemplateSample(), nullptr).frame, nullptr);
}

TEST(TemplateLearning, AMenuOfAPartOfTheSiteIsNotThatOfTheSite) {
  const auto half = [](std::size_t page) {
    return page % 2 == 0 ? std::vector<FrameText>{link(1)} : std::vector<FrameText>{};
  };
  EXPECT_EQ(learn_from_sample(sample_of(40, half), nullptr).frame, nullptr);
}

TEST(TemplateLearning, TextsThatAreTakenForContentStayUnlessNearlyAllPagesHaveThem) {
  const auto most = [](std::size_t page) {
    std::vector<FrameText> texts = {text(3, true)};
    if (page % 4 != 0) texts.push_back(text(1, true));           // "Part of the git(1) suite"
    if (page % 4 != 0) texts.push_back(text(2, page % 3 == 0));  // a footer that the model mostly recognises
    return texts;
  };
  const auto learned = learn_from_sample(sample_of(40, most), nullptr);
  EXPECT_EQ(frame_of(learned), (std::vector<std::uint64_t>{text(2).key, text(3).key}));
}

TEST(TemplateLearning, TheSamplePagesDoNotDependOnTheirOrder) {
  const auto forth = learn_from_sample(sample_of(2000, menu), nullptr);
  const auto back = learn_from_sample(sample_of(2000, menu, true), nullptr);
  EXPECT_EQ(forth.sampled, TemplateSample::kMaxPages);
  EXPECT_EQ(forth.save(), back.save());
}

TEST(TemplateLearning, OnePageMoreChangesTheSampleByOnePageAtMost) {
  const auto pages_in = [](std::size_t pages) {
    std::vector<std::uint64_t> keys;
    for (const TemplateSample::Count& count :
         sample_of(pages, [](std::size_t) { return std::vector<FrameText>(); }).count())
      keys.push_back(count.key);
    return keys;
  };
  const auto before = pages_in(1000);
  const auto after = pages_in(1001);
  std::vector<std::uint64_t> gone;
  std::ranges::set_difference(before, after, std::back_inserter(gone));
  EXPECT_EQ(before.size(), TemplateSample::kMaxPages);
  EXPECT_LE(gone.size(), 1U);
}

TEST(TemplateLearning, PagesThatATemplateCannotChangeTakeTheirPlace) {
  TemplateSample sample;
  std::size_t asked = 0;
  for (std::size_t i = 0; i < 5000; ++i)
    if (sample.offer("page-" + std::to_string(i))) {
      sample.add(std::nullopt);
      ++asked;
    }
  EXPECT_EQ(sample.pages(), 0U);
  EXPECT_LT(asked, 2000U) << "not every page of a large site is parsed for it";
  EXPECT_EQ(learn_from_sample(sample, nullptr).frame, nullptr);
}

TEST(TemplateLearning, TextsOfTheTemplateNeedFewerPagesToStay) {
  const auto first = learn_from_sample(sample_of(20, menu), nullptr);
  const auto fewer = sample_of(40, [](std::size_t page) {
    return page % 2 == 0 ? std::vector<FrameText>{link(1), link(7)} : std::vector<FrameText>{};
  });
  EXPECT_EQ(frame_of(learn_from_sample(fewer, &first)), std::vector<std::uint64_t>{link(1).key});
  EXPECT_EQ(frame_of(learn_from_sample(fewer, nullptr)), std::vector<std::uint64_t>());
}

TEST(TemplateLearning, WhenItIsLearnedAgain) {
  const auto first = learn_from_sample(sample_of(20, menu), nullptr);
  EXPECT_EQ(judge_template(first, sample_of(21, menu)), Relearn::no);
  EXPECT_EQ(judge_template(first, sample_of(39, menu)), Relearn::no);
  EXPECT_EQ(judge_template(first, sample_of(40, menu)), Relearn::grown);
  const auto other = [](std::size_t) { return std::vector<FrameText>{link(8), link(9)}; };
  EXPECT_EQ(judge_template(first, sample_of(21, other)), Relearn::layout);
  EXPECT_EQ(judge_template(first, sample_of(5, other)), Relearn::no) << "too few pages to learn from";
  const auto large = learn_from_sample(sample_of(300, menu), nullptr);
  EXPECT_EQ(judge_template(large, sample_of(900, menu)), Relearn::no) << "a full sample says all there is";
  const auto short_site = learn_from_sample(sample_of(3, menu), nullptr);
  EXPECT_EQ(judge_template(short_site, sample_of(9, menu)), Relearn::no);
  EXPECT_EQ(judge_template(short_site, sample_of(10, menu)), Relearn::grown);
}

TEST(TemplateLearning, IsSavedAndLoaded) {
  const auto learned = learn_from_sample(sample_of(20, menu), nullptr);
  const auto loaded = LearnedTemplate::load(learned.save());
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->offered, 20U);
  EXPECT_EQ(loaded->sampled, 20U);
  EXPECT_EQ(frame_of(*loaded), frame_of(learned));
  EXPECT_EQ(loaded->frame->id(), learned.frame->id());
  const auto none = LearnedTemplate::load(LearnedTemplate{.offered = 3, .sampled = 3}.save());
  ASSERT_TRUE(none);
  EXPECT_EQ(none->frame, nullptr);
}

TEST(TemplateLearning, DamagedOrNewerBytesAreNone) {
  const std::string bytes = learn_from_sample(sample_of(20, menu), nullptr).save();
  EXPECT_FALSE(LearnedTemplate::load(""));
  EXPECT_FALSE(LearnedTemplate::load("\x02" + bytes.substr(1)));
  EXPECT_FALSE(LearnedTemplate::load(bytes + "x"));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(LearnedTemplate::load(bytes.substr(0, size))) << size;
}

}  // namespace
}  // namespace sheaf::crawl
