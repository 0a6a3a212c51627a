#include "publish/site_reader.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/site/sitemap.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <variant>

namespace sheaf::test {

struct SiteReader::Offer {
  std::string file;
  model::CollectionType type;
  Instant generated;
  Instant since;
  std::uint64_t pages;
  std::uint64_t size;
};

std::vector<SiteReader::Offer> SiteReader::read_offers() {
  std::vector<Offer> offers;
  auto source = base::open_source(sitemap_.string());
  if (!source) {
    faults_.push_back(source.error().message);
    return offers;
  }
  const auto sitemap = site::read_advertised(**source);
  if (!sitemap) {
    faults_.push_back(sitemap.error().message);
    return offers;
  }
  for (const site::SitemapFinding& finding : sitemap->findings)
    faults_.push_back("sitemap: " + finding.message);
  for (const site::AdvertisedCollection& each : sitemap->advertised.collections) {
    const std::string file = each.url.substr(each.url.rfind('/') + 1);
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(collections_ / file, error);
    if (error || size != each.size)
      faults_.push_back(file + " is not there, or not of the size the sitemap says");
    if (each.section != section_ || error) continue;
    if (!each.generated || !each.expires || !each.pages)
      faults_.push_back(file + ": the sitemap lacks a field");
    offers.push_back({file, each.type, each.generated.value_or(Instant{}), each.since.value_or(Instant{}),
                      each.pages.value_or(0), size});
  }
  std::ranges::stable_sort(offers, {}, &Offer::generated);
  return offers;
}

void SiteReader::update(std::optional<Instant> now) {
  used_snapshot_ = false;
  const std::vector<Offer> offers = read_offers();
  const bool misdated =
      generated_ && now && generated_->seconds > now->seconds + 3600 &&
      std::ranges::all_of(offers, [this](const Offer& offer) { return offer.generated < *generated_; });
  if (misdated) generated_.reset();
  // Deltas, as far as they lead on without a gap.
  if (generated_) {
    for (const Offer& offer : offers)
      if (offer.type == model::CollectionType::delta && offer.generated > *generated_ &&
          offer.since <= *generated_)
        apply(offer);
  }
  const bool behind = std::ranges::any_of(
      offers, [this](const Offer& offer) { return !generated_ || offer.generated > *generated_; });
  if (!behind) return;
  const auto snapshot = std::ranges::find_if(offers.rbegin(), offers.rend(), [](const Offer& offer) {
    return offer.type == model::CollectionType::snapshot;
  });
  if (snapshot == offers.rend()) {
    faults_.emplace_back("no snapshot is offered");
    return;
  }
  used_snapshot_ = true;
  apply(*snapshot);
  for (const Offer& offer : offers) {
    if (offer.type != model::CollectionType::delta || offer.generated <= *generated_) continue;
    if (offer.since > *generated_) faults_.push_back("there is a gap before " + offer.file);
    apply(offer);
  }
}

void SiteReader::apply(const Offer& offer) {
  auto source = base::open_source((collections_ / offer.file).string());
  if (!source) return faults_.push_back(source.error().message);
  auto reader =
      format::CollectionReader::open(std::move(*source), {}, [this, &offer](const format::Finding& finding) {
        faults_.push_back(offer.file + ": " + finding.message);
      });
  if (!reader) return faults_.push_back(offer.file + ": " + reader.error().message);
  if (reader->head().generated_at != offer.generated)
    faults_.push_back(offer.file + ": another time than the sitemap's");
  std::map<std::string, Page> found;
  std::map<std::string, std::string> modified;
  std::uint64_t count = 0;
  while (true) {
    const auto more = reader->next();
    if (!more) return faults_.push_back(offer.file + ": " + more.error().message);
    if (!*more) break;
    ++count;
    const sheaf::Page& page = reader->page();
    Page kept{{}, page.modified_at};
    for (const Block& block : page.content)
      if (const auto* text = std::get_if<TextBlock>(&block.kind); text != nullptr && kept.text.empty())
        kept.text = text->text;
    found.emplace(page.url, std::move(kept));
    modified.emplace(page.url, page.modified);
  }
  if (count != offer.pages) faults_.push_back(offer.file + ": not as many pages as the sitemap says");
  if (offer.type == model::CollectionType::snapshot) {
    // By the rules pages learnt from later deltas would stay; a test always has older ones.
    pages_ = found;
    modified_texts_ = modified;
  } else {
    for (auto& [url, page] : found) {
      const auto known = pages_.find(url);
      if (known != pages_.end() && page.modified <= known->second.modified) continue;  // as the drafts demand
      pages_[url] = page;
      modified_texts_[url] = modified[url];
    }
    for (const std::string& url : reader->head().removed) {
      pages_.erase(url);
      modified_texts_.erase(url);
    }
  }
  generated_ = offer.generated;
  check_state(reader->head().state.value_or(""), offer.file);
}

void SiteReader::check_state(const std::string& stated, const std::string& file) {
  format::StateDigest digest;
  for (const auto& [url, modified] : modified_texts_) digest.add(url, modified);
  if (!digest.matches(stated)) faults_.push_back(file + ": the state does not add up");
}

}  // namespace sheaf::test
