#pragma once

#include "sheaf/browse/publish_preview.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/publisher.h"

namespace sheaf::cli {

/// Reads the sources of `sheaf publish` for the web app, as --dry-run does: nothing is written.
browse::PreviewReader preview_sources(publish::PublishConfig config, publish::PublishOptions options);

}  // namespace sheaf::cli
