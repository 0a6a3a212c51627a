#include "sheaf/trust/key_history.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::trust {
namespace {

constexpr Instant kThen{1'800'000'000, 0};

class KeyHistoryTest : public testing::Test {
 protected:
  SecretKey a_ = SecretKey::generate();
  SecretKey b_ = SecretKey::generate();
  SecretKey c_ = SecretKey::generate();
};

TEST_F(KeyHistoryTest, IsReadAsItWasWritten) {
  const KeyList list{b_.public_key(),
                     {make_rotation(a_, b_.public_key(), kThen), make_revocation(a_, kThen)}};
  const auto read = parse_key_list(to_string(list));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, list);
  for (const KeyStatement& statement : read->history) EXPECT_TRUE(verify(statement));
}

TEST_F(KeyHistoryTest, RotationsAreFollowedToTheLastKey) {
  const std::vector<KeyStatement> history = {make_rotation(b_, c_.public_key(), kThen),
                                             make_rotation(a_, b_.public_key(), kThen)};
  const auto path = follow_history(a_.public_key(), history);
  ASSERT_TRUE(path);
  EXPECT_EQ(path->key, c_.public_key());
  EXPECT_EQ(path->rotations, 2);
  EXPECT_EQ(follow_history(c_.public_key(), history)->rotations, 0);
}

TEST_F(KeyHistoryTest, ACircleEnds) {
  const std::vector<KeyStatement> history = {make_rotation(a_, b_.public_key(), kThen),
                                             make_rotation(b_, a_.public_key(), kThen)};
  EXPECT_TRUE(follow_history(a_.public_key(), history));
}

TEST_F(KeyHistoryTest, ForgedStatementsAreRefused) {
  KeyStatement forged = make_rotation(c_, b_.public_key(), kThen);
  forged.key = a_.public_key();
  EXPECT_NE(follow_history(a_.public_key(), {forged}).error().message.find("rotation of key"),
            std::string::npos);
  KeyStatement edited = make_rotation(a_, b_.public_key(), kThen);
  edited.successor = c_.public_key();
  EXPECT_NE(follow_history(a_.public_key(), {edited}).error().message.find("is forged"), std::string::npos);
  KeyStatement later = make_rotation(a_, b_.public_key(), kThen);
  later.at.seconds += 1;
  EXPECT_FALSE(verify(later));
  KeyStatement revocation = make_revocation(c_, kThen);
  revocation.key = a_.public_key();
  EXPECT_NE(follow_history(a_.public_key(), {revocation}).error().message.find("revocation of key"),
            std::string::npos);
  // A rotation is not a revocation, although both are signed.
  KeyStatement other = make_rotation(a_, a_.public_key(), kThen);
  other.event = KeyEvent::revocation;
  other.successor.reset();
  EXPECT_FALSE(verify(other));
}

TEST_F(KeyHistoryTest, ForgedStatementsOfOtherKeysDoNotMatter) {
  KeyStatement forged = make_rotation(c_, b_.public_key(), kThen);
  forged.key = b_.public_key();
  const auto path = follow_history(a_.public_key(), {forged});
  ASSERT_TRUE(path);
  EXPECT_EQ(path->key, a_.public_key());
}

TEST_F(KeyHistoryTest, ARevokedKeyNamesNoSuccessor) {
  const auto path = follow_history(a_.public_key(),
                                   {make_rotation(a_, b_.public_key(), kThen), make_revocation(a_, kThen)});
  ASSERT_TRUE(path);
  EXPECT_EQ(path->key, a_.public_key());
  EXPECT_EQ(path->revoked, kThen);
}

TEST_F(KeyHistoryTest, TwoSuccessorsAreRefused) {
  const auto path = follow_history(a_.public_key(), {make_rotation(a_, b_.public_key(), kThen),
                                                     make_rotation(a_, c_.public_key(), kThen)});
  ASSERT_FALSE(path);
  EXPECT_NE(path.error().message.find("names two successors"), std::string::npos);
}

TEST_F(KeyHistoryTest, OtherTextsAreRefusedWithTheLine) {
  const std::string good = to_string(KeyList{a_.public_key(), {make_rotation(b_, a_.public_key(), kThen)}});
  const auto message = [](const std::string& text) {
    const auto list = parse_key_list(text);
    return list ? std::string("accepted") : list.error().message;
  };
  EXPECT_EQ(message(good), "accepted");
  EXPECT_EQ(message(good + "\n\n"), "accepted");
  EXPECT_EQ(message(""), "its first line is not \"scp-keys 1\"");
  EXPECT_EQ(message("scp-keys 2\nkey x\n"), "its first line is not \"scp-keys 1\"");
  EXPECT_EQ(message("scp-keys 1\nKey x\n"), "line 2: key was expected");
  EXPECT_TRUE(message("scp-keys 1\nkey x\n").starts_with("line 2: this is not a public key"));
  EXPECT_TRUE(message(good + "rotations x\n").starts_with("line 4: rotation or revocation was expected"));
  EXPECT_TRUE(message(good + "rotation x\n").starts_with("line 4: a rotation has 6 words"));
  EXPECT_TRUE(message(good + "revocation RW x y z\n").starts_with("line 4: this is not a public key"));
  std::string many = good;
  for (std::size_t i = 0; i <= kMaxStatements; ++i) many += to_string(make_revocation(a_, kThen)) + "\n";
  EXPECT_TRUE(message(many).contains("too many lines") || message(many).contains("more than 100"));
}

}  // namespace
}  // namespace sheaf::trust
