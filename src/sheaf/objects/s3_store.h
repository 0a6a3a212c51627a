#pragma once

#include "sheaf/objects/object_store.h"
#include "sheaf/objects/s3_credentials.h"
#include "sheaf/objects/s3_settings.h"

#include <memory>

namespace sheaf::objects {

/// A bucket of S3 or of a compatible store.
std::unique_ptr<ObjectStore> s3_store(const S3Settings& settings, S3Account account);

}  // namespace sheaf::objects
