#include "sheaf/format/page_fingerprint.h"

#include "sheaf/format/page_encoder.h"
#include "sheaf/format/sha256.h"

#include <algorithm>
#include <string>

namespace sheaf::format {

PageFingerprint fingerprint_of(const model::Page& page) {
  model::Page timeless = page;
  timeless.modified = {};
  std::string line;
  encode_page(timeless, line);
  Sha256 sha;
  sha.update(line);
  const Digest digest = sha.finish();
  PageFingerprint result{};
  std::copy_n(digest.begin(), result.size(), result.begin());
  return result;
}

}  // namespace sheaf::format
