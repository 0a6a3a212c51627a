#include "sheaf/doctor/doctor_report.h"
#include "sheaf/doctor/site_inspection.h"
#include "sheaf/lab/deployment_server.h"
#include "support/scripted_web.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace sheaf::doctor {
namespace {

/// The codes of what doctor finds in a deployment of the lab, and the requests it made.
struct Examination {
  std::vector<std::string> codes;
  std::string details;
  std::vector<std::string> unchecked;
  std::vector<lab::LoggedRequest> log;
  std::uint64_t checks = 0;
};

Examination examine(const lab::Deployment& deployment) {
  Examination result;
  test::ScriptedClock clock;  // delays pass at once
  const Instant now = sheaf::now();
  auto server = lab::DeploymentServer::start(deployment, now);
  EXPECT_TRUE(server) << server.error().message;
  if (!server) return result;
  InspectOptions options;
  options.fetch.allow_private = true;
  options.fetch.clock = &clock;
  options.fetch.allow_http = !deployment.https && deployment.name != "https-missing";
  options.clock = [now] { return now; };
  options.pages = 20;
  if (deployment.https)
    options.fetch.overrides.push_back(*http::fetch::parse_host_override(
        fmt::format("{}=http://{}", lab::kSecureHost, (*server)->address())));
  const auto facts = inspect_site(*base::Url::parse((*server)->url()), options);
  EXPECT_TRUE(facts) << facts.error().message;
  EXPECT_EQ((*server)->failure(), "");
  if (!facts) return result;
  const DoctorReport report = diagnose(*facts);
  for (const Diagnosis& finding : report.findings) {
    result.codes.emplace_back(finding.check->code);
    for (const Occurrence& place : finding.places)
      result.details += fmt::format("{} {}: {}\n", finding.check->code, place.url, place.detail);
  }
  result.unchecked = report.unchecked;
  result.checks = report.checks;
  result.log = (*server)->log();
  return result;
}

class DoctorDeployments : public testing::TestWithParam<const lab::Deployment*> {};

// Every deployment fails the check of its name, and nothing else.
TEST_P(DoctorDeployments, FailsOnlyItsCheck) {
  const lab::Deployment& deployment = *GetParam();
  const Examination found = examine(deployment);
  const std::vector<std::string> expected =
      deployment.name == "good" ? std::vector<std::string>() : std::vector{std::string(deployment.name)};
  EXPECT_EQ(found.codes, expected) << found.details;
  // Doctor is a client as well: it has to behave.
  EXPECT_EQ(fmt::format("{}", fmt::join(lab::judge_conduct(deployment, found.log), "\n")), "");
}

INSTANTIATE_TEST_SUITE_P(Lab, DoctorDeployments, testing::ValuesIn(lab::all_deployments()),
                         [](const auto& each) {
                           std::string name(each.param->name);
                           std::erase(name, '-');
                           return name;
                         });

// As WordPress does it: beside the sitemap with the pages and collections, one of archives, made for each
// request.
TEST(DoctorChecks, ASitemapOfArchivesNeedsNoFix) {
  const auto add_archives = [](lab::LabSite& site) {
    site.files["/tag.html"] = {.bytes = "<title>Tag</title>", .content_type = "text/html"};
    site.files["/archives.xml"] = {
        .bytes = fmt::format("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
                             "<url><loc>{}/tag.html</loc></url></urlset>",
                             site.base),
        .content_type = "application/xml"};
    site.text("/robots.txt") += fmt::format("Sitemap: {}/archives.xml\n", site.base);
  };
  const auto strip_validators = [](const lab::LabSite&, const lab::LabRequest& request,
                                   lab::LabResponse& response) {
    if (request.path != "/archives.xml") return;
    response.remove_header("ETag");
    response.remove_header("Last-Modified");
  };
  const lab::Deployment deployment{
      .name = "archives", .fault = "", .expected = "", .prepare = add_archives, .alter = strip_validators};
  const Examination found = examine(deployment);
  EXPECT_EQ(found.codes, std::vector<std::string>()) << found.details;
  EXPECT_TRUE(std::ranges::any_of(
      found.log, [](const lab::LoggedRequest& request) { return request.request.path == "/archives.xml"; }));
}

// A check without a deployment would be a check that nobody has seen fail. Certificates have a test of their
// own.
TEST(DoctorChecks, EveryCheckHasADeployment) {
  std::set<std::string_view> missing;
  for (const Check* check : all_checks())
    if (lab::find_deployment(check->code) == nullptr) missing.insert(check->code);
  EXPECT_EQ(missing, std::set<std::string_view>{"tls-certificate"});
  EXPECT_GE(all_checks().size(), 60U);
}

TEST(DoctorChecks, EveryDeploymentHasACheck) {
  std::set<std::string_view> codes{"good"};
  for (const Check* check : all_checks()) EXPECT_TRUE(codes.insert(check->code).second) << check->code;
  for (const lab::Deployment* deployment : lab::all_deployments())
    EXPECT_TRUE(codes.contains(deployment->name)) << deployment->name;
}

}  // namespace
}  // namespace sheaf::doctor
