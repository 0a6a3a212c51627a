#include "sheaf/publish/config/wordpress_settings.h"

#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::publish {
namespace {

/// Otherwise a setting after the limit would be ignored, here the prefix of the tables.
TEST(WordPressSettings, AFileOverOneMebibyteIsRefused) {
  const test::TempDir folder;
  std::string text = "<?php\n";
  for (const std::string name : {"DB_NAME", "DB_USER", "DB_PASSWORD", "DB_HOST"})
    text += "define('" + name + "', 'x');\n";
  const std::string prefix = "$table_prefix = 'blog_';\n";
  const auto settings = read_wordpress_settings(folder.write("wp-config.php", text + prefix));
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->prefix, "blog_");
  text += "//" + std::string(std::size_t{1} << 20U, '-') + "\n" + prefix;
  const auto cut = read_wordpress_settings(folder.write("wp-config.php", text));
  ASSERT_FALSE(cut) << cut->prefix;
  EXPECT_TRUE(cut.error().message.contains("longer than 1048576 bytes")) << cut.error().message;
}

}  // namespace
}  // namespace sheaf::publish
