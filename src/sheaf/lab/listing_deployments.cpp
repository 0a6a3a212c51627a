#include "sheaf/lab/deployment_parts_internal.h"

#include <fmt/format.h>

#include <array>
#include <random>

namespace sheaf::lab {
namespace {

constexpr std::int64_t kListingHour = 3600;

std::string& listing_of(LabSite& site) { return site.text("/sitemap.xml"); }

void restate_both(LabSite& site, const std::string& stem, std::string_view attribute,
                  std::string_view value) {
  set_sitemap_attribute(site, stem + ".scp.zst", attribute, value);
  set_sitemap_attribute(site, stem + ".scp.gz", attribute, value);
}

std::string ago(const LabSite& site, std::int64_t seconds) {
  return format_time({site.now.seconds - seconds, 0});
}

void without_version(LabSite& site) { replace_text(listing_of(site), "<scp:version>0.1</scp:version>", ""); }
void later_version(LabSite& site) {
  replace_text(listing_of(site), "<scp:version>0.1<", "<scp:version>7.0<");
}

void listed_twice(LabSite& site) {
  const std::string& text = listing_of(site);
  const std::size_t start = text.rfind('<', text.find(site.delta + ".scp.zst"));
  const std::string element = text.substr(start, text.find('>', start) + 1 - start);
  replace_text(listing_of(site), "</urlset>", "  " + element + "\n</urlset>");
}

void one_codec_named(LabSite& site) { replace_text(listing_of(site), "zstd,gzip", "zstd"); }

void insecure_offer(LabSite& site) {
  const std::string secure = site.base + site.snapshot + ".scp.gz";
  replace_text(listing_of(site), secure, "http" + secure.substr(5));
}

void dated_ahead(LabSite& site) {
  const std::string before = ago(site, kListingHour);
  const std::string later = ago(site, -48 * kListingHour);
  edit_collection(site, site.delta, [&](std::string& plain) {
    replace_text(plain, fmt::format("\"generated\":\"{}\"", before),
                 fmt::format("\"generated\":\"{}\"", later));
  });
  restate_both(site, site.delta, "generated", later);
}

void undeclared(LabSite& site) {
  std::string& text = listing_of(site);
  const std::size_t start = text.find("<scp:section");
  text.erase(start, text.find('>', start) + 1 - start);
}

void only_deltas(LabSite& site) { remove_from_sitemap(site, "-snapshot-"); }
void expired_offer(LabSite& site) {
  restate_both(site, site.snapshot, "expires", ago(site, 24 * kListingHour));
}
void abandoned(LabSite& site) { restate_both(site, site.snapshot, "expires", ago(site, -24 * kListingHour)); }
void other_count(LabSite& site) { set_sitemap_attribute(site, "name=\"all\"", "pages", "9"); }

/// With every snapshot, publish also writes the delta that leads to it; those deltas are removed from the
/// sitemap.
void only_snapshots(LabSite& site) { remove_from_sitemap(site, "-delta-"); }

void leave_gap(LabSite& site) {
  const std::string before = ago(site, 25 * kListingHour);
  const std::string later = ago(site, 23 * kListingHour);
  edit_collection(site, site.delta, [&](std::string& plain) {
    replace_text(plain, fmt::format("\"since\":\"{}\"", before), fmt::format("\"since\":\"{}\"", later));
  });
  restate_both(site, site.delta, "since", later);
}

/// Adds incompressible data that is not part of the page's text.
void swell(LabSite& site) {
  std::mt19937 random(7);
  std::string digits;
  for (int i = 0; i < 4000; ++i) digits += "0123456789abcdef"[random() % 16];
  edit_collection(site, site.delta, [&](std::string& plain) {
    replace_text(plain, "\"content\":[",
                 fmt::format(R"("schema":{{"@type":"Thing","name":"{}"}},"content":[)", digits));
  });
}

constexpr std::array kListingDeployments = {
    Deployment{"offer-version-missing", "There is no scp:version.",
               "Read the collections: they name their version.", without_version},
    Deployment{"offer-version-unknown", "scp:version is 7.0.",
               "Trust the files, or skip them and crawl pages.", later_version},
    Deployment{"offer-duplicate", "A delta is listed twice.", "Fetch it once.", listed_twice, nullptr},
    Deployment{"offer-compression", "scp:compression names zstd only, and gzip files are listed.",
               "Choose by the files, or fetch zstd.", one_codec_named},
    Deployment{"offer-insecure",
               "A collection of an https site is offered over http.",
               "Fetch the https one instead.",
               insecure_offer,
               nullptr,
               {},
               {},
               true},
    Deployment{"offer-future", "The newest delta is dated two days ahead.", "Do not apply it.", dated_ahead},
    Deployment{"section-undeclared", "There is no scp:section.", "Read its collections all the same.",
               undeclared},
    Deployment{"section-no-snapshot", "Only deltas are listed.",
               "A new client crawls pages; one that has the state applies the deltas.", only_deltas},
    Deployment{"section-expired", "The snapshot has expired.", "Fetch it all the same, and warn.",
               expired_offer},
    Deployment{"section-outdated",
               "The section is weekly, and its newest state is three weeks old.",
               "Use it, and warn.",
               abandoned,
               nullptr,
               {},
               LabHistory{.days_ago = 20}},
    Deployment{"section-page-count", "The sitemap states one page too many.",
               "Use the collections, and warn.", other_count},
    Deployment{"delta-gap", "The newest delta begins two hours after the one before ends.",
               "Do not apply it; report that the newest state cannot be reached.", leave_gap},
    Deployment{"delta-missing",
               "There are only snapshots.",
               "Fetch the newest snapshot.",
               only_snapshots,
               nullptr,
               {},
               LabHistory{.only_snapshots = true}},
    Deployment{"delta-large", "The newest delta is larger than the snapshot.", "Fetch what is cheapest.",
               swell},
};

}  // namespace

std::span<const Deployment> listing_deployments() { return kListingDeployments; }

}  // namespace sheaf::lab
