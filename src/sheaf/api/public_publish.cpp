#include "sheaf/publish/config/config.h"
#include "sheaf/publish/publisher.h"
#include <sheaf/publish.h>

#include <algorithm>
#include <utility>

namespace sheaf {
class Publisher::Impl {
 public:
  explicit Impl(publish::PublishConfig site) : config(std::move(site)) {}

  publish::PublishConfig config;
};

Publisher::Publisher(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Publisher::~Publisher() = default;
Publisher::Publisher(Publisher&&) noexcept = default;
Publisher& Publisher::operator=(Publisher&&) noexcept = default;

Result<Publisher> Publisher::from_config(const std::filesystem::path& file) {
  SHEAF_TRY_ASSIGN(auto config, publish::read_config(file));
  return Publisher(std::make_unique<Impl>(std::move(config)));
}

Result<Publisher> Publisher::for_folder(const std::filesystem::path& folder, const std::string& base,
                                        const std::filesystem::path& out, const std::string& section) {
  SHEAF_TRY_ASSIGN(auto config, publish::config_for_folder(folder, base, out, section));
  return Publisher(std::make_unique<Impl>(std::move(config)));
}

void Publisher::set_state_folder(const std::filesystem::path& folder) { impl_->config.state = folder; }

Result<PublishReport> Publisher::run(const PublishOptions& options) const {
  return publish::publish(impl_->config, options);
}

}  // namespace sheaf
