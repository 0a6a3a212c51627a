#include "sheaf/base/ascii.h"
#include "sheaf/publish/recipes/recipe.h"
#include "sheaf/publish/recipes/recipe_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

bool is_plain(char c) {
  constexpr std::string_view kSigns = "-_./:=@%+,";
  return base::is_alphanumeric(c) || kSigns.find(c) != std::string_view::npos;
}

template <class Quote>
std::string join_words(const std::vector<std::string>& words, Quote quote) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    line += quote(word);
  }
  return line;
}

/// The shortest interval of all sections, which decides how often to run.
site::UpdateFreq quickest(const PublishConfig& config) {
  site::UpdateFreq update = config.all.value_or(config.sections.front().update);
  for (const SectionConfig& section : config.sections)
    if (site::seconds_of(section.update) < site::seconds_of(update)) update = section.update;
  return update;
}

/// A minute that depends on the site, so that not all sites run on the hour.
unsigned minute_of(const PublishConfig& config) {
  unsigned sum = 17;
  for (const char c : config.base->href()) sum = (sum * 31 + static_cast<unsigned char>(c)) % 60;
  return sum;
}

std::string cron_time(const PublishConfig& config) {
  const unsigned minute = minute_of(config);
  switch (quickest(config)) {
    case site::UpdateFreq::hourly: return fmt::format("{} * * * *", minute);
    case site::UpdateFreq::weekly: return fmt::format("{} 3 * * 1", minute);
    case site::UpdateFreq::monthly: return fmt::format("{} 3 1 * *", minute);
    case site::UpdateFreq::daily: break;
  }
  return fmt::format("{} 3 * * *", minute);
}

/// The service may read the whole system, but writes only to ReadWritePaths. It also runs the user's own
/// commands for sources and delivery, so the sandbox allows what ordinary programs need.
constexpr std::string_view kSandbox =
    "ProtectSystem=strict\n"
    "ProtectHome=read-only\n"
    "PrivateTmp=yes\n"
    "PrivateDevices=yes\n"
    "NoNewPrivileges=yes\n"
    "CapabilityBoundingSet=\n"
    "ProtectKernelTunables=yes\n"
    "ProtectKernelModules=yes\n"
    "ProtectKernelLogs=yes\n"
    "ProtectControlGroups=yes\n"
    "ProtectClock=yes\n"
    "ProtectHostname=yes\n"
    "ProtectProc=invisible\n"
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6\n"
    "RestrictNamespaces=yes\n"
    "RestrictRealtime=yes\n"
    "RestrictSUIDSGID=yes\n"
    "LockPersonality=yes\n"
    "SystemCallArchitectures=native\n"
    "SystemCallFilter=@system-service\n"
    "UMask=0022\n";

/// In a unit file a percent sign begins a specifier, so it is doubled.
std::string escape_percent(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '%' ? "%%" : std::string(1, c);
  return escaped;
}

/// Quotes a path for a list of paths, in which a dollar sign is not special.
std::string systemd_path(std::string_view path) {
  std::string text = "\"";
  for (const char c : escape_percent(path)) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

bool needs_keys(const PublishConfig& config) {
  return std::holds_alternative<objects::S3Settings>(config.delivery.to);
}

}  // namespace

std::string absolute_path(const fs::path& path) {
  // The sitemap of a configuration in the current folder has no folder in its path.
  std::string text = fs::absolute(path.empty() ? "." : path).lexically_normal().string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

std::string shell_word(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string systemd_word(std::string_view word) {
  std::string text;
  for (const char c : word) {
    if (c == '%' || c == '$') text += c;
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  const bool plain = !word.empty() && std::ranges::all_of(word, is_plain);
  return plain ? text : "\"" + text + "\"";
}

std::string systemd_recipe(const PublishConfig& config, const RecipeFacts& facts) {
  // A site in a folder that belongs to root gets a separate user.
  const bool needs_user = facts.user.empty() || facts.user == "root";
  const std::string user = needs_user ? "sheaf" : facts.user;
  std::vector<std::string> writable;  // everything that publish writes to; for the sitemap it is the folder,
                                      // because a rename replaces the file
  for (const fs::path& path : {config.state, config.out, config.sitemap.parent_path()})
    writable.push_back(absolute_path(path));
  std::string text =
      fmt::format("# Publishes {} by a timer of systemd. As root: sheaf publish --recipe systemd ... | sh\n",
                  config.base->href());
  if (needs_user)
    text += fmt::format(
        "id {0} > /dev/null 2>&1 || useradd --system --no-create-home --shell /usr/sbin/nologin {0}\n", user);
  text += fmt::format("install -d -o {} {}\n", user, join_words(writable, shell_word));
  // Earlier runs as root may have left files.
  if (needs_user)
    text += fmt::format("chown -R {} {} {}\n", user, shell_word(writable[0]), shell_word(writable[1]));
  text += fmt::format(
      "cat > /etc/systemd/system/sheaf-publish.service <<'END'\n"
      "[Unit]\n"
      "Description=Publish the collections of {}\n"
      "Wants=network-online.target\n"
      "After=network-online.target\n"
      "\n"
      "[Service]\n"
      "Type=oneshot\n"
      "User={}\n"
      "WorkingDirectory={}\n"
      "ExecStart={}\n",
      config.base->href(), user, escape_percent(facts.folder.string()),
      join_words(facts.command, systemd_word));
  if (needs_keys(config))
    text +=
        "# A file of lines AWS_ACCESS_KEY_ID=... and AWS_SECRET_ACCESS_KEY=..., for root alone; or ~/.aws of "
        "the user.\n"
        "EnvironmentFile=-/etc/sheaf-publish.env\n";
  text += fmt::format("Nice=10\nReadWritePaths={}\n", join_words(writable, systemd_path));
  text += kSandbox;
  text += fmt::format(
      "END\n"
      "cat > /etc/systemd/system/sheaf-publish.timer <<'END'\n"
      "[Unit]\n"
      "Description=Publish the collections of {}, {}\n"
      "\n"
      "[Timer]\n"
      "OnCalendar={}\n"
      "RandomizedDelaySec=5m\n"
      "Persistent=true\n"
      "\n"
      "[Install]\n"
      "WantedBy=timers.target\n"
      "END\n"
      "systemctl daemon-reload\n"
      "systemctl enable --now sheaf-publish.timer\n",
      config.base->href(), site::to_string(quickest(config)), site::to_string(quickest(config)));
  return text;
}

std::string cron_recipe(const PublishConfig& config, const RecipeFacts& facts) {
  std::string line =
      fmt::format("cd {} && {}", shell_word(facts.folder.string()), join_words(facts.command, shell_word));
  // In a crontab, a percent sign ends the command.
  std::string escaped;
  for (const char c : line) escaped += c == '%' ? "\\%" : std::string(1, c);
  return fmt::format(
      "# (crontab -l; sheaf publish --recipe cron ...) | crontab -\n"
      "{} {} > /dev/null\n",
      cron_time(config), escaped);
}

std::string github_recipe(const PublishConfig& config, const RecipeFacts& facts) {
  const auto in_repo = [&](const std::filesystem::path& path) {
    return std::filesystem::absolute(path).lexically_normal().lexically_relative(facts.folder).string();
  };
  std::string text = fmt::format(
      "# Steps of a job in .github/workflows/, after the one that builds the site and before the one that\n"
      "# uploads it. The job runs in `container: debian:12` or `debian:13`. sheaf is built from its "
      "sources\n"
      "# (half an hour the first time, then kept in the cache): set the variable SHEAF_SOURCE of the "
      "repository\n"
      "# (Settings, Actions, Variables) to the URL for `git clone`.\n"
      "- name: Fetch sheaf as it was built last\n"
      "  uses: actions/cache@v4\n"
      "  with:\n"
      "    path: ~/sheaf\n"
      "    key: sheaf-program-${{{{ runner.os }}}}-${{{{ runner.arch }}}}\n"
      "- name: Install sheaf\n"
      "  env:\n"
      "    SHEAF_SOURCE: ${{{{ vars.SHEAF_SOURCE }}}}\n"
      "  run: |\n"
      "    command -v git > /dev/null || {{ apt-get update -qq && apt-get install -y -qq git "
      "ca-certificates; }}\n"
      "    if [ ! -x ~/sheaf/dev ]; then\n"
      "      git clone --depth 1 \"${{SHEAF_SOURCE:?set this variable to the URL of the sources of "
      "sheaf}}\" "
      "~/sheaf\n"
      "    fi\n"
      "    ~/sheaf/dev build\n"
      "    echo ~/sheaf/build/release >> \"$GITHUB_PATH\"\n"
      "- name: Fetch what was published last\n"
      "  uses: actions/cache@v4\n"
      "  with:\n"
      "    path: |\n"
      "      {}\n"
      "      {}\n"
      "    key: sheaf-state-${{{{ github.run_id }}}}-${{{{ github.run_attempt }}}}\n"
      "    restore-keys: sheaf-state-\n"
      "- name: Publish the collections of {}\n"
      "  run: {}\n",
      in_repo(config.state), in_repo(config.out), config.base->href(),
      join_words(facts.command_in_repo, shell_word));
  if (needs_keys(config))
    text +=
        "  env:\n"
        "    AWS_ACCESS_KEY_ID: ${{ secrets.AWS_ACCESS_KEY_ID }}\n"
        "    AWS_SECRET_ACCESS_KEY: ${{ secrets.AWS_SECRET_ACCESS_KEY }}\n";
  return text;
}

std::optional<Recipe> parse_recipe(std::string_view name) {
  const auto* found = std::ranges::find(kRecipeNames, name);
  if (found == kRecipeNames.end()) return std::nullopt;
  return static_cast<Recipe>(found - kRecipeNames.begin());
}

namespace {

/// A recipe is a script or a configuration file, which a line feed in a path would continue with a line of
/// its own. The systemd recipe is piped to a shell of root.
base::Result<void> check_printable(const PublishConfig& config, const RecipeFacts& facts) {
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  std::vector<std::pair<std::string_view, std::string>> texts = {
      {"the current folder", facts.folder.string()},
      {"the folder for the state", config.state.string()},
      {"the folder for the collections", config.out.string()},
      {"the path of the sitemap", config.sitemap.string()}};
  for (const auto* command : {&facts.command, &facts.command_in_repo})
    for (const std::string& word : *command) texts.emplace_back("an argument", word);
  for (const auto& [what, text] : texts)
    if (std::ranges::any_of(text, is_control))
      return base::fail(
          base::Errc::refused,
          fmt::format("a recipe cannot contain control characters such as a line feed: {} has one", what));
  return {};
}

}  // namespace

base::Result<std::string> make_recipe(Recipe recipe, const PublishConfig& config, const RecipeFacts& facts) {
  SHEAF_TRY(check_printable(config, facts));
  switch (recipe) {
    case Recipe::systemd: return systemd_recipe(config, facts);
    case Recipe::cron: return cron_recipe(config, facts);
    case Recipe::github: return github_recipe(config, facts);
    case Recipe::github_pages: return github_pages_recipe(config, facts);
    case Recipe::nginx: return nginx_recipe(config);
    case Recipe::caddy: return caddy_recipe(config);
    case Recipe::apache: return apache_recipe(config);
    case Recipe::htaccess: return htaccess_recipe(config);
    case Recipe::netlify:
    case Recipe::cloudflare: return headers_file_recipe(config);
    case Recipe::vercel: return vercel_recipe(config);
    case Recipe::s3: return s3_recipe(config);
  }
  return base::fail(base::Errc::invalid_argument, "there is no such recipe");
}

}  // namespace sheaf::publish
