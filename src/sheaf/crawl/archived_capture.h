#pragma once

#include "sheaf/warc/warc_record.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// A capture of a URL while the pages of WARC files are sorted.
namespace sheaf::crawl {

/// One capture. Texts are borrowed from whatever it was made of.
struct ArchivedCapture {
  enum class Kind : std::uint8_t {
    page,
    revisit,           ///< the URL had the content of an earlier capture of it
    revisit_of_other,  ///< the URL had the content of another one; sorted with that other URL
  };

  Kind kind = Kind::page;
  std::string_view site = {};  ///< site::site_key of the URL
  std::string_view url = {};
  Instant date = {};
  std::string_view etag = {};
  std::string_view last_modified = {};
  std::string_view content_type = {};
  std::string_view robots = {};
  std::string_view id = {};      ///< of the record; of a revisit, of the record that it refers to
  std::string_view digest = {};  ///< of the payload, as the record states it
  std::optional<Instant> refers_to_date = {};
  std::string_view body = {};  ///< of a page
};

std::string encode_capture(const ArchivedCapture& capture);
/// Borrows the bytes, which encode_capture() made.
ArchivedCapture decode_capture(std::string_view bytes);

/// Whether a revisit refers to this page: to its record, its date or its payload. One that names nothing
/// refers to every earlier capture.
bool refers_to(const ArchivedCapture& revisit, const ArchivedCapture& page);

/// The page as it was at the time of the revisit: its content with the URL, date and validators of the
/// revisit.
ArchivedCapture page_at_revisit(const ArchivedCapture& revisit, const ArchivedCapture& page);

/// Captures are sorted by site, then by the hash of the URL, then the newest first; of two with the same time
/// the one that was read last. `number` is that of the record.
std::string capture_key(std::string_view site, std::string_view url, Instant date, std::uint64_t number);
/// What the keys of all captures of a URL have in common.
std::string_view url_part(std::string_view capture_key);

}  // namespace sheaf::crawl
