#include "sheaf/pull/site_pin.h"

#include "sheaf/base/record.h"
#include "sheaf/base/url.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/pull/pull.h"
#include "sheaf/trust/signed_collection.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::pull {
namespace {

constexpr std::string_view kPinNote = "trust/pin";
constexpr std::uint64_t kPinVersion = 1;
constexpr std::size_t kMaxFormer = 20;

std::string signature_note(std::string_view section) { return fmt::format("trust/signature/{}", section); }

void write_key(base::RecordWriter& record, const trust::PublicKey& key) {
  record.digest(key.number).digest(key.key);
}

trust::PublicKey read_key(base::RecordReader& record) {
  trust::PublicKey key;
  key.number = record.digest<8>();
  key.key = record.digest<32>();
  return key;
}

std::unexpected<base::Error> damaged(std::string_view site, std::string_view what) {
  return base::fail(base::Errc::invalid_data,
                    fmt::format("the {} of {} in the store is damaged; pin its key again with --key {}=KEY",
                                what, site, site));
}

base::Result<void> put_note(store::PageStore& store, std::string_view site, std::string_view name,
                            const std::optional<std::string>& value) {
  store::SectionEdit edit(site, kHtmlSection);
  value ? edit.put_note(name, *value) : edit.remove_note(name);
  SHEAF_TRY(store.commit(edit));
  return {};
}

/// Why a section's signature does not prove its state; nullopt if it does.
std::optional<std::string> find_fault(const store::SectionState& section, const SectionSignature& signature,
                                      const SitePin& pin) {
  if (!pin.knows(signature.key))
    return fmt::format("it is signed with key {}, which was never pinned",
                       trust::to_string(signature.key.number));
  const auto opened = trust::open_signature(signature.text, signature.key);
  if (!opened) return opened.error().message;
  const auto site = base::Url::parse(section.site);
  if (!site) return std::string("the name of the site is not a URL");
  if (auto difference = trust::differs_from_place(opened->statement, *site, section.section))
    return difference;
  if (opened->statement.generated != section.generated)
    return fmt::format("what was signed is of {}, the copy of {}", format_time(opened->statement.generated),
                       format_time(section.generated));
  format::StateDigest state;
  state.add(section.state);
  if (!opened->statement.state.empty() && opened->statement.state != state.to_string())
    return std::string("its pages are not those that were signed: the state digest differs");
  return std::nullopt;
}

}  // namespace

std::string_view to_string(PinSource source) {
  switch (source) {
    case PinSource::first_use: return "first use";
    case PinSource::given: return "given";
    case PinSource::rotation: return "rotation";
  }
  return "first use";
}

bool SitePin::knows(const trust::PublicKey& other) const {
  return key == other || std::ranges::find(former, other) != former.end();
}

std::string encode(const SitePin& pin) {
  base::RecordWriter record;
  record.number(kPinVersion);
  write_key(record, pin.key);
  record.number(static_cast<std::uint64_t>(pin.source))
      .time(pin.since)
      .optional_time(pin.revoked)
      .number(pin.statements);
  const std::size_t kept = std::min(pin.former.size(), kMaxFormer);
  record.number(kept);
  for (std::size_t i = pin.former.size() - kept; i < pin.former.size(); ++i) write_key(record, pin.former[i]);
  return record.bytes();
}

std::optional<SitePin> decode_site_pin(std::string_view bytes) {
  base::RecordReader record(bytes);
  if (record.number() != kPinVersion) return std::nullopt;
  SitePin pin;
  pin.key = read_key(record);
  const std::uint64_t source = record.number();
  if (source > static_cast<std::uint64_t>(PinSource::rotation)) return std::nullopt;
  pin.source = static_cast<PinSource>(source);
  pin.since = record.time();
  pin.revoked = record.optional_time();
  pin.statements = record.number();
  const std::uint64_t former = record.number();
  for (std::uint64_t i = 0; i < former && record.good_so_far(); ++i) pin.former.push_back(read_key(record));
  if (!record.good() || former > kMaxFormer) return std::nullopt;
  return pin;
}

base::Result<std::optional<SitePin>> read_site_pin(const store::PageStore& store, std::string_view site) {
  SHEAF_TRY_ASSIGN(const auto bytes, store.note(site, kPinNote));
  if (!bytes) return std::nullopt;
  auto pin = decode_site_pin(*bytes);
  if (!pin) return damaged(site, "pinned key");
  return pin;
}

base::Result<void> write_site_pin(store::PageStore& store, std::string_view site,
                                  const std::optional<SitePin>& pin) {
  return put_note(store, site, kPinNote, pin ? std::optional(encode(*pin)) : std::nullopt);
}

base::Result<std::optional<SectionSignature>> read_section_signature(const store::PageStore& store,
                                                                     std::string_view site,
                                                                     std::string_view section) {
  SHEAF_TRY_ASSIGN(const auto bytes, store.note(site, signature_note(section)));
  if (!bytes) return std::nullopt;
  base::RecordReader record(*bytes);
  SectionSignature signature;
  const bool is_known = record.number() == kPinVersion;
  signature.key = read_key(record);
  signature.text = record.text();
  if (!is_known || !record.good()) return damaged(site, "signature of a section");
  return signature;
}

base::Result<void> write_section_signature(store::PageStore& store, std::string_view site,
                                           std::string_view section,
                                           const std::optional<SectionSignature>& signature) {
  if (!signature) return put_note(store, site, signature_note(section), std::nullopt);
  base::RecordWriter record;
  record.number(kPinVersion);
  write_key(record, signature->key);
  record.text(signature->text);
  return put_note(store, site, signature_note(section), record.bytes());
}

base::Result<SignatureSummary> verify_signatures(const store::PageStore& store) {
  SignatureSummary summary;
  SHEAF_TRY_ASSIGN(const auto sections, store.sections());
  for (const store::SectionState& section : sections) {
    SHEAF_TRY_ASSIGN(const auto pin, read_site_pin(store, section.site));
    if (!pin) {
      ++summary.unsigned_sections;
      continue;
    }
    SHEAF_TRY_ASSIGN(const auto signature, read_section_signature(store, section.site, section.section));
    if (!signature || section.origin != store::Origin::collections) {
      ++summary.unsigned_sections;  // stored before the site signed its collections
      continue;
    }
    if (const auto why = find_fault(section, *signature, *pin)) {
      summary.faults.push_back(fmt::format("section {} of {}: {}", section.section, section.site, *why));
    } else {
      ++summary.signed_sections;
    }
  }
  return summary;
}

}  // namespace sheaf::pull
