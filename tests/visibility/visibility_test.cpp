#include "sheaf/visibility/folder_rules.h"
#include "sheaf/visibility/page_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::visibility {
namespace {

const Instant kNow = parse_time("2026-06-15T12:00:00Z")->instant;

struct SettingCase {
  std::string_view name;
  std::string_view value;
  Hold hold;
};

TEST(SheafOnlyVisibility, SettingsOfPages) {
  const SettingCase cases[] = {
      {"draft", "true", Hold::draft},
      {"Draft", "Yes", Hold::draft},
      {"draft", "false", Hold::none},
      {"draft", "", Hold::none},
      {"draft", "null", Hold::none},
      {"draft", "{{ env }}", Hold::unreadable},
      {"params.draft", "true", Hold::draft},
      {"is_draft", "1", Hold::draft},
      {"private", "true", Hold::secret},
      {"hidden", "on", Hold::secret},
      {"public", "false", Hold::secret},
      {"public", "true", Hold::none},
      {"publish", "false", Hold::draft},
      {"published", "false", Hold::draft},
      {"published", "true", Hold::none},
      {"published", "2026-01-01", Hold::none},
      {"published", "2027-01-01", Hold::future},
      {"published", "some day", Hold::unreadable},
      {"password", "x", Hold::secret},
      {"password", "false", Hold::none},
      {"password", "\"\"", Hold::none},
      {"status", "draft", Hold::draft},
      {"status", "private", Hold::secret},
      {"status", "Pending", Hold::draft},
      {"status", "future", Hold::future},
      {"status", "trash", Hold::secret},
      {"status", "what is this", Hold::secret},
      {"status", "publish", Hold::none},
      {"status", "deprecated", Hold::none},
      {"visibility", "public", Hold::none},
      {"visibility", "members", Hold::secret},
      {"_build.render", "never", Hold::draft},
      {"build.render", "link", Hold::draft},
      {"build.render", "always", Hold::none},
      {"build.list", "never", Hold::noindex},
      {"build.list", "local", Hold::none},
      {"permalink", "false", Hold::draft},
      {"permalink", "/about/", Hold::none},
      {"sitemap", "false", Hold::noindex},
      {"date", "2026-06-16T11:00:00Z", Hold::none},  // somewhere it is that day already
      {"date", "2026-06-17", Hold::future},
      {"date", "9999-12-31", Hold::future},
      {"date", "June 20, 2026", Hold::future},
      {"date", "07/06/2026", Hold::future},  // the 7th of June, or the 6th of July
      {"date", "soon", Hold::unreadable},
      {"expiryDate", "2026-01-01", Hold::expired},
      {"expiryDate", "2027-01-01", Hold::none},
      {"expires", "never", Hold::none},
      {"expires", "07/06/2026", Hold::expired},
      {"expires", "next spring", Hold::unreadable},
      {"title", "draft", Hold::none},
      {"tags", "private", Hold::none},
  };
  for (const auto& [name, value, hold] : cases)
    EXPECT_EQ(judge_setting(name, value, kNow).hold, hold) << name << ": " << value;
  EXPECT_EQ(judge_setting("password", "swordfish", kNow).detail.find("swordfish"), std::string::npos);
}

TEST(SheafOnlyVisibility, UnavailableAfter) {
  const std::pair<std::string_view, Hold> cases[] = {
      {"unavailable_after: 25 Jun 2010 15:00:00 PST", Hold::expired},
      {"unavailable_after: 25 Jun 2040 15:00:00 GMT", Hold::none},
      {"noarchive, UNAVAILABLE_AFTER: Saturday, 25-Jun-22 15:00:00 GMT, nosnippet", Hold::expired},
      {"unavailable_after: Saturday, 25-Jun-40 15:00:00 GMT", Hold::none},
      {"unavailable_after:2026-06-15T11:59:59Z", Hold::expired},
      {"unavailable_after: 2026-06-15T12:00:01Z", Hold::none},
      {"unavailable_after: whenever", Hold::unreadable},
      {"noindex", Hold::none},
  };
  for (const auto& [text, hold] : cases) EXPECT_EQ(judge_robots(text, kNow).hold, hold) << text;
  EXPECT_TRUE(has_end("all, unavailable_after: 2030-01-01"));
  EXPECT_FALSE(has_end("all"));
}

TEST(SheafOnlyVisibility, PathsOfFiles) {
  for (const std::string_view path :
       {"_drafts/a.html", "blog/_Drafts/a.html", "node_modules/x/readme.html", ".git/a.html", "a.draft.html"})
    EXPECT_FALSE(judge_path(path, true).is_public()) << path;
  for (const std::string_view path : {"a.html", "_static/a.html", "drafts/a.html", "private/a.html"})
    EXPECT_TRUE(judge_path(path, true).is_public()) << path;
  for (const std::string_view path : {"_partial.mdx", "_includes/a.md", "_drafts/a.md"})
    EXPECT_FALSE(judge_path(path, false).is_public()) << path;
  for (const std::string_view path : {"_index.md", "blog/_index.de.md", "_posts/2026-01-01-a.md", "a.md"})
    EXPECT_TRUE(judge_path(path, false).is_public()) << path;
}

TEST(SheafOnlyVisibility, BytesThatAreNotText) {
  std::string random;
  for (int i = 0; i < 4096; ++i) random += static_cast<char>((i * 7919) >> 3);
  for (const std::string& bytes : {std::string("%PDF-1.7 x"), std::string("\n %PDF-1.7"),
                                   std::string("\x89PNG\r\n"), random, std::string(64, '\0')})
    EXPECT_EQ(judge_bytes(bytes, "").hold, Hold::no_text);
  for (const std::string_view bytes : {"", "<p>x</p>", "a\fb\x1b", "\xFF\xFE<\0p\0", "about %PDF- files",
                                       "one\x01 control character in a text"})
    EXPECT_TRUE(judge_bytes(bytes, "").is_public()) << bytes;
  using std::string_view_literals::operator""sv;
  EXPECT_TRUE(judge_bytes("<\0p\0>\0"sv, "text/html; charset=UTF-16LE").is_public());
}

Hold judge_with(std::string_view htaccess, std::string_view path = "page.html") {
  FolderRules rules;
  rules.add_htaccess(htaccess);
  return rules.judge(path).hold;
}

TEST(SheafOnlyVisibility, HtaccessThatGuards) {
  for (const std::string_view text :
       {"Require valid-user",
        "  require   VALID-USER",
        "Require all denied",
        "Require ip 10.0.0.1",
        "AuthType Basic",
        "Satisfy Any",
        "Order deny,allow\nDeny from all",
        "Order allow,deny\nAllow from 10.0.0.1",
        "Order allow,deny",
        "<IfModule mod_auth.c>\nRequire user x\n</IfModule>",
        "<Limit GET>\nRequire user x\n</Limit>",
        "<RequireAll>\nRequire all granted\nRequire ip 10.0.0.1\n</RequireAll>",
        "<RequireAny>\nRequire ip 10.0.0.1\nRequire user x\n</RequireAny>",
        "<Files page.html>\nRequire all denied\n</Files>",
        "<Files ~ \"\\.html$\">\nRequire all denied\n</Files>",
        "<FilesMatch (>\nRequire all denied\n</FilesMatch>",
        "RewriteRule ^ - [F,L]",
        "RewriteRule ^page - [F]",
        "Redirect 403 /page.html",
        "<Files page.html>\nRequire all denied",
        "Order deny,allow\nDeny from all\n<Files index.html>\nAllow from all\n</Files>"})
    EXPECT_EQ(judge_with(text), Hold::guarded) << text;
  EXPECT_EQ(judge_with("Header always set X-Robots-Tag \"noindex, nofollow\""), Hold::noindex);
}

TEST(SheafOnlyVisibility, HtaccessThatGuardsNothing) {
  for (const std::string_view text :
       {"", "# Require valid-user", "Require all granted", "Order allow,deny\nAllow from all",
        "Order deny,allow\nDeny from 203.0.113.7", "Deny from env=bad_bot", "Options -Indexes",
        "<Files .htpasswd>\nRequire all denied\n</Files>",
        "<FilesMatch \"^\\.ht\">\nOrder allow,deny\nDeny from all\n</FilesMatch>",
        "<RequireAll>\nRequire all granted\nRequire not ip 203.0.113.7\n</RequireAll>",
        "<LimitExcept GET POST>\nRequire valid-user\n</LimitExcept>",
        "<Limit PUT>\nRequire valid-user\n</Limit>",
        "RewriteCond %{HTTP_USER_AGENT} bad\nRewriteRule ^ - [F]", "RewriteRule ^secret - [F]",
        "<IfModule mod_headers.c>\nHeader set X-Robots-Tag all\n</IfModule>"})
    EXPECT_EQ(judge_with(text), Hold::none) << text;
}

TEST(SheafOnlyVisibility, FoldersBelowInheritUnlessTheyGrant) {
  FolderRules above;
  above.add_htaccess("Require valid-user\n<Files secret.html>\nRequire all denied\n</Files>");
  FolderRules below = above;
  below.add_htaccess("Options -Indexes");
  EXPECT_EQ(below.judge("a/page.html").hold, Hold::guarded);
  FolderRules open = above;
  open.add_htaccess("<IfModule mod_authz_core.c>\nRequire all granted\n</IfModule>");
  EXPECT_TRUE(open.judge("a/page.html").is_public());
  EXPECT_EQ(open.judge("a/secret.html").hold, Hold::guarded);
  FolderRules unreadable;
  unreadable.add_unreadable(".htaccess");
  EXPECT_EQ(unreadable.judge("a.html").hold, Hold::guarded);
}

TEST(SheafOnlyVisibility, HeadersAndRedirectsOfStaticHosts) {
  FolderRules rules;
  rules.add_headers(
      "/private/*\n  Basic-Auth: a:b\nhttps://x.example/tagged/:page\n  X-Robots-Tag: noindex\n/*\n  X-A: "
      "b\n");
  rules.add_redirects("/admin/* /login 401!\n/team/*  /team/:splat 200 Role=staff\n/* /404.html 404\n");
  for (const std::string_view path : {"private/a.html", "tagged/a/index.html", "admin/a.html", "team/a.html"})
    EXPECT_FALSE(rules.judge(path).is_public()) << path;
  EXPECT_TRUE(rules.judge("a.html").is_public());
}

}  // namespace
}  // namespace sheaf::visibility
