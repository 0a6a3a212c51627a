#pragma once

#include "sheaf/base/error.h"
#include "sheaf/quality/quality_report.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

// The records of the quality report's lists on disk.
namespace sheaf::quality {

/// A measured page. Views into the bytes that it was decoded from.
struct MeasuredPage {
  std::string_view section;
  std::string_view url;
  std::string_view title;
  std::uint64_t chars = 0;
  std::optional<std::uint64_t> share = {};  ///< thousandths of the page's text that were kept
  bool near_empty = false;
  bool has_own_title = true;
};

std::string encode(const MeasuredPage& page);
std::string encode(const SkippedPage& page);
base::Result<MeasuredPage> decode_page(std::string_view bytes);
base::Result<SkippedPage> decode_skipped(std::string_view bytes);

/// Builds JSON and hands it on in pieces, so that a report of any length needs little memory.
class JsonStream {
 public:
  explicit JsonStream(const std::function<base::Result<void>(std::string_view)>& sink) : sink_(sink) {}

  JsonStream& begin_object(std::string_view key = {});
  JsonStream& end_object();
  JsonStream& begin_array(std::string_view key);
  JsonStream& end_array();
  JsonStream& string(std::string_view key, std::string_view value);
  JsonStream& element(std::string_view value);
  JsonStream& number(std::string_view key, std::uint64_t value);
  JsonStream& thousandths(std::string_view key, std::uint64_t value);
  void null(std::string_view key);

  base::Result<void> flush_if_large();
  base::Result<void> finish();

 private:
  void begin(std::string_view key);

  const std::function<base::Result<void>(std::string_view)>& sink_;
  std::string text_;
  bool first_ = true;
};

}  // namespace sheaf::quality
