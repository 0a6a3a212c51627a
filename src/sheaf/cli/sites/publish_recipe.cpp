#include "sheaf/cli/sites/publish_recipe.h"

#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/publish/recipes/recipe.h"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>

#include <filesystem>

namespace sheaf::cli {
namespace {

namespace fs = std::filesystem;

enum class Paths : std::uint8_t { absolute, as_given };

/// Returns the arguments that repeat the user's command, without the program's name.
std::vector<std::string> words_of(const RecipeRequest& request, Paths paths) {
  const auto path = [&](const std::string& given) {
    return paths == Paths::as_given ? given : fs::absolute(given).lexically_normal().string();
  };
  std::vector<std::string> words = {"publish"};
  const auto add = [&](const std::string& option, const std::string& value) {
    if (value.empty()) return;
    words.push_back(option);
    words.push_back(value);
  };
  if (request.folder.empty()) {
    add("--config", path(request.config_file));
  } else {
    words.push_back(path(request.folder));
    add("--base", request.base);
    add("--out", path(request.out));
    add("--section", request.section);
  }
  if (!request.state.empty()) add("--state", path(request.state));
  return words;
}

std::string owner_of(const fs::path& folder) {
  struct stat status{};
  if (stat(folder.c_str(), &status) != 0) return {};
  const passwd* user = getpwuid(status.st_uid);  // NOLINT(concurrency-mt-unsafe): there is one thread
  return user == nullptr ? std::string() : std::string(user->pw_name);
}

}  // namespace

ExitStatus print_recipe(const publish::PublishConfig& config, const RecipeRequest& request) {
  const auto recipe = publish::parse_recipe(request.name);
  if (!recipe)
    return report_failure(
        {base::Errc::invalid_argument, fmt::format("there is no recipe for {}; there are: {}", request.name,
                                                   fmt::join(publish::kRecipeNames, ", "))});
  publish::RecipeFacts facts;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  facts.command = {error ? std::string("sheaf") : program.string()};
  facts.command_in_repo = {"sheaf"};
  for (std::string& word : words_of(request, Paths::absolute)) facts.command.push_back(std::move(word));
  for (std::string& word : words_of(request, Paths::as_given))
    facts.command_in_repo.push_back(std::move(word));
  facts.folder = fs::current_path();
  facts.user = owner_of(facts.folder);
  const auto text = publish::make_recipe(*recipe, config, facts);
  if (!text) return report_failure(text.error());
  print_text("{}", *text);
  return ExitStatus::yes;
}

}  // namespace sheaf::cli
