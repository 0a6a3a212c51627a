#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"

#include <gtest/gtest.h>

namespace sheaf::base {
namespace {

TEST(SpecSha256, KnownDigests) {
  EXPECT_EQ(to_hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(to_hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  Sha256 sha;
  sha.update("a");
  sha.update("bc");
  EXPECT_EQ(to_hex(sha.finish()), to_hex(sha256("abc")));
  sha.update("abc");  // it starts over
  EXPECT_EQ(to_hex(sha.finish()), to_hex(sha256("abc")));
}

}  // namespace
}  // namespace sheaf::base
