#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/finding.h"
#include <sheaf/validate.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::format {

using sheaf::ValidateOptions;
using sheaf::ValidationReport;

/// Reads a collection up to its end or the first fatal finding, and reports all findings.
ValidationReport validate(std::unique_ptr<base::ByteSource> source, const ValidateOptions& options);

}  // namespace sheaf::format
