#include "sheaf/pull/crash_notes.h"

#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

namespace sheaf::pull {
namespace {

constexpr std::int64_t kDaySeconds = 86'400;

class CrashNotesOfSites : public testing::Test {
 protected:
  /// A process that dies while it pulls a site: its notes are copied while they say so.
  void crash(const base::Url& site, Instant now) {
    const CrashNotes::Pull pull(next_process(now), site);
    std::filesystem::copy(dir_.path() / "in-flight", dir_.path() / "copy");
    died_ = true;
  }
  CrashNotes& next_process(Instant now) {
    if (std::exchange(died_, false)) {
      std::filesystem::remove_all(dir_.path() / "in-flight");
      std::filesystem::rename(dir_.path() / "copy", dir_.path() / "in-flight");
    }
    notes_ = std::make_unique<CrashNotes>(dir_.path(), now);
    return *notes_;
  }

  const base::Url site_ = *base::Url::parse("https://a.example/");
  const base::Url other_ = *base::Url::parse("https://b.example/");
  const Instant now_{1'800'000'000, 0};
  test::TempDir dir_;
  bool died_ = false;
  std::unique_ptr<CrashNotes> notes_;
};

TEST_F(CrashNotesOfSites, TwoCrashesSkipASiteForADay) {
  crash(site_, now_);
  EXPECT_TRUE(next_process(now_).is_suspect(site_));
  EXPECT_FALSE(notes_->is_suspect(other_));
  EXPECT_FALSE(notes_->skip(site_, now_)) << "once may be bad luck";
  crash(site_, now_);
  const auto skipped = next_process(now_).skip(site_, now_);
  ASSERT_TRUE(skipped);
  EXPECT_EQ(skipped->failure.code, FailureCode::crashed);
  EXPECT_EQ(skipped->retry_after, std::chrono::days(1));
  EXPECT_NE(skipped->failure.message.find("sheaf pull https://a.example"), std::string::npos);
  EXPECT_TRUE(next_process(now_).skip(site_, {now_.seconds + kDaySeconds - 1, 0}))
      << "also by later processes";
  EXPECT_FALSE(notes_->skip(site_, {now_.seconds + kDaySeconds, 0})) << "it gets another chance";
  EXPECT_FALSE(notes_->skip(site_, {now_.seconds - 1, 0})) << "the clock was wrong";
  EXPECT_FALSE(notes_->skip(other_, now_));
}

TEST_F(CrashNotesOfSites, APullThatEndsClearsTheStrikes) {
  crash(site_, now_);
  crash(site_, now_);
  next_process(now_);
  {
    const CrashNotes::Pull stopped(*notes_, site_);
  }
  EXPECT_TRUE(next_process(now_).skip(site_, now_)) << "a pull that was stopped says nothing";
  {
    CrashNotes::Pull pull(*notes_, site_);
    pull.complete();
  }
  EXPECT_FALSE(next_process(now_).is_suspect(site_));
  EXPECT_TRUE(std::filesystem::is_empty(dir_.path() / "in-flight"));
}

TEST_F(CrashNotesOfSites, ANoteThatCannotBeReadIsAStrike) {
  next_process(now_);
  std::ofstream(dir_.path() / "in-flight" / "https___a.example") << "?";
  EXPECT_TRUE(next_process(now_).is_suspect(site_));
  EXPECT_FALSE(notes_->skip(site_, now_));
}

}  // namespace
}  // namespace sheaf::pull
