#pragma once

#include "sheaf/format/json/json_writer.h"

namespace sheaf::mcp {

using format::json_string;
using JsonBuilder = format::JsonWriter;

}  // namespace sheaf::mcp
