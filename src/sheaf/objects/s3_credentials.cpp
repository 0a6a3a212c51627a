#include "sheaf/objects/s3_credentials.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/byte_source.h"

#include <fmt/format.h>

namespace sheaf::objects {
namespace {

constexpr std::size_t kProfileBytes = std::size_t{1} << 20U;

std::string get(const Environment& environment, const std::string& name) {
  return environment ? environment(name).value_or("") : std::string();
}

base::Result<std::string> read_file(const std::string& path) {
  auto opened = base::open_source(path);
  if (!opened && opened.error().code == base::Errc::not_found) return std::string();
  SHEAF_TRY_ASSIGN(const auto source, std::move(opened));
  SHEAF_TRY_ASSIGN(std::string text, base::read_up_to(*source, kProfileBytes));
  if (text.size() > kProfileBytes)
    return base::fail(base::Errc::invalid_argument, fmt::format("{} is too large for a file of keys", path));
  return text;
}

/// The two files in ~/.aws and the selected profile.
class Profile {
 public:
  static base::Result<Profile> read(const std::string& name, const Environment& environment) {
    Profile profile;
    profile.name_ = name;
    const std::string folder = get(environment, "HOME") + "/.aws/";
    std::string credentials = get(environment, "AWS_SHARED_CREDENTIALS_FILE");
    std::string config = get(environment, "AWS_CONFIG_FILE");
    if (credentials.empty()) credentials = folder + "credentials";
    if (config.empty()) config = folder + "config";
    SHEAF_TRY_ASSIGN(profile.credentials_, read_file(credentials));
    SHEAF_TRY_ASSIGN(profile.config_, read_file(config));
    return profile;
  }

  [[nodiscard]] std::string value(std::string_view key) const {
    if (const auto found = ini_value(credentials_, name_, key)) return *found;
    const std::string section = name_ == "default" ? name_ : "profile " + name_;
    return ini_value(config_, section, key).value_or("");
  }

 private:
  std::string name_;
  std::string credentials_;
  std::string config_;
};

/// Takes the keys from variables. Returns false if neither is set. If only one is set, that is an error, not
/// a reason to look elsewhere.
base::Result<bool> take_variables(const Environment& environment, S3Account& account) {
  account.access_key = get(environment, "AWS_ACCESS_KEY_ID");
  account.secret_key = get(environment, "AWS_SECRET_ACCESS_KEY");
  account.session_token = get(environment, "AWS_SESSION_TOKEN");
  if (account.access_key.empty() != account.secret_key.empty())
    return base::fail(base::Errc::invalid_argument,
                      "only one of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY is set; set both or none");
  return !account.access_key.empty();
}

base::Result<void> take_profile(const Profile& profile, const std::string& name, S3Account& account) {
  account.access_key = profile.value("aws_access_key_id");
  account.secret_key = profile.value("aws_secret_access_key");
  account.session_token = profile.value("aws_session_token");
  if (!account.access_key.empty() && !account.secret_key.empty()) return {};
  return base::fail(base::Errc::invalid_argument,
                    fmt::format("there are no credentials for the storage: set AWS_ACCESS_KEY_ID and "
                                "AWS_SECRET_ACCESS_KEY, or put them into ~/.aws/credentials under [{}]",
                                name));
}

}  // namespace

std::optional<std::string> ini_value(std::string_view text, std::string_view section, std::string_view key) {
  std::optional<std::string> found;
  bool inside = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = base::trim_xml_space(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      const std::size_t close = line.find(']');
      inside = close != std::string_view::npos && base::trim_xml_space(line.substr(1, close - 1)) == section;
      continue;
    }
    const std::size_t equals = line.find('=');
    if (inside && equals != std::string_view::npos && base::trim_xml_space(line.substr(0, equals)) == key)
      found = base::trim_xml_space(line.substr(equals + 1));
  }
  return found;
}

base::Result<S3Account> find_s3_account(const S3Settings& settings, const Environment& environment) {
  S3Account account;
  std::string name = settings.profile.empty() ? get(environment, "AWS_PROFILE") : settings.profile;
  if (name.empty()) name = "default";
  SHEAF_TRY_ASSIGN(const Profile profile, Profile::read(name, environment));
  bool found = false;
  if (settings.profile.empty()) {
    SHEAF_TRY_ASSIGN(found, take_variables(environment, account));
  }
  if (!found) SHEAF_TRY(take_profile(profile, name, account));

  for (const std::string& region :
       {settings.region, get(environment, "AWS_REGION"), get(environment, "AWS_DEFAULT_REGION"),
        profile.value("region"), std::string("us-east-1")})
    if (account.region.empty()) account.region = region;
  for (const std::string& endpoint : {settings.endpoint, get(environment, "AWS_ENDPOINT_URL_S3"),
                                      get(environment, "AWS_ENDPOINT_URL"), profile.value("endpoint_url")})
    if (account.endpoint.empty()) account.endpoint = endpoint;
  return account;
}

}  // namespace sheaf::objects
