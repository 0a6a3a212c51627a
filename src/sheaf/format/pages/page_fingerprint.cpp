#include "sheaf/format/pages/page_fingerprint.h"

#include "sheaf/base/sha256.h"
#include "sheaf/format/pages/page_encoder.h"

#include <algorithm>
#include <string>

namespace sheaf::format {

PageFingerprint fingerprint_of(const Page& page) {
  Page timeless = page;
  timeless.modified = {};
  std::string line;
  encode_page(timeless, line);
  const base::Digest digest = base::sha256(line);
  PageFingerprint result{};
  std::copy_n(digest.begin(), result.size(), result.begin());
  return result;
}

}  // namespace sheaf::format
