#include "sheaf/lab/deployment_server.h"

#include <gtest/gtest.h>

namespace sheaf::lab {
namespace {

LoggedRequest asked_for(std::string path) {
  return {.request = {.path = std::move(path), .headers = {{"User-Agent", "Bot"}}}, .status = 200};
}

TEST(LabConduct, AClientThatBehaves) {
  const std::vector<LoggedRequest> log = {asked_for("/robots.txt"), asked_for("/sitemap.xml")};
  EXPECT_TRUE(judge_conduct(*find_deployment("good"), log).empty());
}

TEST(LabConduct, NoRequestIsNotGoodConduct) {
  EXPECT_EQ(judge_conduct(*find_deployment("good"), {}), std::vector<std::string>{"there was no request"});
}

TEST(LabConduct, RobotsComesFirst) {
  const std::vector<LoggedRequest> log = {asked_for("/sitemap.xml")};
  EXPECT_EQ(judge_conduct(*find_deployment("good"), log),
            std::vector<std::string>{"the first request was for /sitemap.xml, not for robots.txt"});
}

TEST(LabConduct, AUserAgentIsSent) {
  std::vector<LoggedRequest> log = {asked_for("/robots.txt")};
  log.front().request.headers.clear();
  EXPECT_EQ(judge_conduct(*find_deployment("good"), log),
            std::vector<std::string>{"a request had no User-Agent"});
}

TEST(LabConduct, ForbiddenPathsAreNotRequested) {
  const std::vector<LoggedRequest> log = {asked_for("/robots.txt"), asked_for("/private/a")};
  EXPECT_EQ(judge_conduct(*find_deployment("good"), log),
            std::vector<std::string>{"/private/a was requested, which robots.txt forbids"});
}

TEST(LabConduct, NothingIsRequestedForEver) {
  std::vector<LoggedRequest> log(kMaxRepeats + 1, asked_for("/robots.txt"));
  EXPECT_EQ(judge_conduct(*find_deployment("good"), log),
            std::vector<std::string>{"/robots.txt was requested more than 20 times"});
  log.clear();
  for (std::uint64_t i = 0; i <= kMaxRequests; ++i)
    log.push_back(asked_for("/robots.txt?" + std::to_string(i)));
  EXPECT_EQ(judge_conduct(*find_deployment("good"), log),
            std::vector<std::string>{"201 requests for a site of eight pages"});
}

TEST(LabConduct, TheRulesOfADeployment) {
  const std::vector<LoggedRequest> blocked = {asked_for("/robots.txt"), asked_for("/scp/all.scp.zst")};
  EXPECT_EQ(judge_conduct(*find_deployment("robots-blocks-collection"), blocked).size(), 1U);
  EXPECT_EQ(
      judge_conduct(*find_deployment("robots-unavailable"), blocked),
      std::vector<std::string>{"/scp/all.scp.zst was requested, although robots.txt could not be read"});
  std::vector<LoggedRequest> many = {asked_for("/robots.txt")};
  for (int i = 0; i < 13; ++i) many.push_back(asked_for("/scp/" + std::to_string(i) + ".scp.gz"));
  EXPECT_EQ(judge_conduct(*find_deployment("collection-missing"), many),
            std::vector<std::string>{"13 requests for paths with .scp.gz; 12 are enough"});
}

}  // namespace
}  // namespace sheaf::lab
