#pragma once

#include "sheaf/warc/warc_record.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// A capture of a URL, as WarcPages sorts them on disk.
namespace sheaf::crawl {

/// One capture. The texts are views of the data that it was made from.
struct ArchivedCapture {
  enum class Kind : std::uint8_t {
    page,
    revisit,           ///< its content is that of an earlier capture of the same URL
    revisit_of_other,  ///< its content is that of another URL; sorted with the captures of that URL
  };

  Kind kind = Kind::page;
  std::string_view site = {};  ///< site::site_key of the URL
  std::string_view url = {};
  Instant date = {};
  std::string_view etag = {};
  std::string_view last_modified = {};
  std::string_view content_type = {};
  std::string_view robots = {};
  std::string_view id = {};      ///< of the record; in a revisit, of the record that it refers to
  std::string_view digest = {};  ///< of the payload, as the record states it
  std::optional<Instant> refers_to_date = {};
  std::string_view body = {};  ///< of a page
};

std::string encode_capture(const ArchivedCapture& capture);
/// `bytes` must come from encode_capture(); the result has views of them.
ArchivedCapture decode_capture(std::string_view bytes);

/// Whether a revisit refers to this page, by its record ID, date or payload digest. A revisit that has none
/// of them refers to every earlier capture of the URL.
bool refers_to(const ArchivedCapture& revisit, const ArchivedCapture& page);

/// The page as it was at the time of the revisit: its content with the URL, date and validators of the
/// revisit.
ArchivedCapture page_at_revisit(const ArchivedCapture& revisit, const ArchivedCapture& page);

/// The key by which captures are sorted: by site, then by the hash of the URL, then newest first. Of two
/// captures with the same time, the one that was read last comes first. `number` is the number of the record.
std::string capture_key(std::string_view site, std::string_view url, Instant date, std::uint64_t number);
/// The part of the key that all captures of a URL share.
std::string_view url_part(std::string_view capture_key);

}  // namespace sheaf::crawl
