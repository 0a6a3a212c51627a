#pragma once

#include "sheaf/browse/publish_preview.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/publisher.h"

namespace sheaf::cli {

/// Returns a reader of the sources of `sheaf publish` for the web app. Like --dry-run, it writes nothing.
browse::PreviewReader preview_sources(publish::PublishConfig config, PublishOptions options);

}  // namespace sheaf::cli
