#include "sheaf/pull/price_offer.h"

#include "sheaf/base/record.h"
#include "sheaf/http/message/crawler_price.h"
#include "sheaf/pull/pull.h"

#include <fmt/format.h>

namespace sheaf::pull {
namespace {

constexpr std::uint64_t kOfferVersion = 1;
constexpr std::size_t kOfferFieldBytes = 200;
constexpr std::size_t kOfferTextBytes = 500;

/// At most `most` bytes of ASCII in one line.
std::string one_line(std::string_view text, std::size_t most) {
  std::string line;
  for (const char c : text.substr(0, most)) {
    if (c >= 0x20 && c <= 0x7E)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace

PriceOffer read_offer(const http::fetch::FetchHead& head, std::string_view body, Instant when) {
  return {.url = head.url,
          .price = one_line(head.header(http::message::kPriceField), kOfferFieldBytes),
          .reason = one_line(head.header(http::message::kPriceErrorField), kOfferFieldBytes),
          .text = one_line(body, kOfferTextBytes),
          .when = {when.seconds, 0}};
}

std::string describe(const PriceOffer& offer) {
  const auto price = http::message::parse_crawler_price(offer.price);
  std::string text = fmt::format("{} {}", offer.url,
                                 price ? fmt::format("costs {}", to_string(*price))
                                       : std::string("must be paid for, but no valid price is stated"));
  if (!offer.reason.empty()) text += fmt::format(" ({})", offer.reason);
  return text;
}

std::string encode(const PriceOffer& offer) {
  base::RecordWriter record;
  record.number(kOfferVersion).text(offer.url).text(offer.price).text(offer.reason).text(offer.text);
  record.time(offer.when);
  return record.bytes();
}

std::optional<PriceOffer> decode_offer(std::string_view bytes) {
  base::RecordReader record(bytes);
  if (record.number() != kOfferVersion) return std::nullopt;
  PriceOffer offer;
  offer.url = record.text();
  offer.price = record.text();
  offer.reason = record.text();
  offer.text = record.text();
  offer.when = record.time();
  if (!record.good()) return std::nullopt;
  return offer;
}

base::Result<std::optional<PriceOffer>> read_offer_note(const store::PageStore& store,
                                                        std::string_view site) {
  SHEAF_TRY_ASSIGN(const auto bytes, store.note(site, kOfferNote));
  return bytes ? decode_offer(*bytes) : std::nullopt;
}

base::Result<void> write_offer_note(store::PageStore& store, std::string_view site,
                                    const std::optional<PriceOffer>& offer) {
  SHEAF_TRY_ASSIGN(auto before, read_offer_note(store, site));
  if (before && offer) before->when = offer->when;
  if (before == offer) return {};
  store::SectionEdit edit(site, kHtmlSection);
  offer ? edit.put_note(kOfferNote, encode(*offer)) : edit.remove_note(kOfferNote);
  SHEAF_TRY(store.commit(edit));
  return {};
}

}  // namespace sheaf::pull
