#include "sheaf/objects/command_store.h"

#include "sheaf/base/child_process.h"
#include "sheaf/base/hex.h"
#include "sheaf/base/sha256.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace sheaf::objects {
namespace {

class CommandStore final : public ObjectStore {
 public:
  explicit CommandStore(CommandSettings settings) : settings_(std::move(settings)) {}

  base::Result<void> put(const std::string& name, const std::filesystem::path& file,
                         const ObjectLabel& label) override {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(file, error);
    return base::run_command(filled(settings_.put, {{"{file}", whole.string()},
                                                    {"{name}", name},
                                                    {"{type}", label.content_type},
                                                    {"{encoding}", label.content_encoding},
                                                    {"{cache}", label.cache_control}}),
                             name);
  }

  base::Result<void> remove(const std::string& name) override {
    if (settings_.remove.empty()) return {};
    return base::run_command(filled(settings_.remove, {{"{name}", name}}), name);
  }

  [[nodiscard]] bool is_readable() const override { return false; }
  base::Result<std::optional<ObjectInfo>> head(const std::string& /*name*/) override { return std::nullopt; }
  base::Result<std::optional<std::string>> get(const std::string& /*name*/,
                                               std::uint64_t /*limit*/) override {
    return std::nullopt;
  }
  base::Result<void> list(const std::string& /*prefix*/, const Visitor& /*visit*/) override {
    return base::fail(base::Errc::invalid_argument, "a command cannot list objects");
  }
  base::Result<bool> put_new(const std::string& /*name*/, std::string_view /*bytes*/,
                             const ObjectLabel& /*label*/) override {
    return base::fail(base::Errc::invalid_argument, "a command cannot tell whether an object exists");
  }

  [[nodiscard]] std::string identity() const override {
    base::Sha256 sha;
    for (const std::string& word : settings_.put) sha.update(fmt::format("{}:{}", word.size(), word));
    return base::to_hex(sha.finish());
  }
  [[nodiscard]] std::string name() const override { return fmt::format("`{}`", settings_.put.front()); }

 private:
  static std::vector<std::string> filled(const std::vector<std::string>& words,
                                         const base::Placeholders& values) {
    std::vector<std::string> result;
    result.reserve(words.size());
    for (const std::string& word : words) result.push_back(base::fill_placeholders(word, values));
    return result;
  }

  CommandSettings settings_;
};

}  // namespace

std::unique_ptr<ObjectStore> command_store(const CommandSettings& settings) {
  return std::make_unique<CommandStore>(settings);
}

}  // namespace sheaf::objects
