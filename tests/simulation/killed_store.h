#pragma once

#include "sheaf/store/page_store.h"
#include "sheaf/store/section_writer.h"

#include <atomic>
#include <memory>
#include <utility>

namespace sheaf::simulation {

/// Thrown in place of a process that is killed.
struct Killed {};

/// A store whose process is killed at a certain write: before it, or just after it. After that, the process
/// can do nothing more.
class KilledStore final : public store::PageStore {
 public:
  /// `writes`: twice the number of the write, less one if it is killed before it; 0: never.
  KilledStore(store::PageStore& store, std::uint32_t writes)
      : store_(store), left_((writes + 1) / 2), writes_it_(writes % 2 == 0) {}

  [[nodiscard]] bool is_killed() const { return killed_; }
  void kill() { killed_ = true; }

  base::Result<std::vector<store::SectionState>> sections(std::string_view site) const override {
    return store_.sections(site);
  }
  base::Result<std::optional<store::SectionState>> section(std::string_view site,
                                                           std::string_view section) const override {
    return store_.section(site, section);
  }
  base::Result<std::optional<store::StoredPage>> get(std::string_view url,
                                                     std::string_view site) const override {
    return store_.get(url, site);
  }
  base::Result<std::optional<store::StoredPage>> find(std::string_view url,
                                                      std::string_view site) const override {
    return store_.find(url, site);
  }
  base::Result<std::optional<store::StoredPage>> get(std::string_view site, std::string_view section,
                                                     std::string_view url) const override {
    return store_.get(site, section, url);
  }
  base::Result<std::optional<store::StoredPage>> find(std::string_view site, std::string_view section,
                                                      std::string_view url) const override {
    return store_.find(site, section, url);
  }
  base::Result<void> get_many(const store::PageRequests& requests,
                              const store::FoundPageUse& use) const override {
    return store_.get_many(requests, use);
  }
  base::Result<void> each_page(
      const store::PageFilter& filter,
      const std::function<base::Result<bool>(const store::StoredPage&)>& use) const override {
    return store_.each_page(filter, use);
  }
  base::Result<store::FeedCursor> newest_change() const override { return store_.newest_change(); }
  base::Result<void> changes(
      const store::FeedCursor& since,
      const std::function<base::Result<bool>(const store::StoreChange&)>& use) const override {
    return store_.changes(since, use);
  }
  base::Result<void> refresh() override { return store_.refresh(); }

  base::Result<store::ApplySummary> apply(std::string_view site, std::string_view section,
                                          std::unique_ptr<base::ByteSource> collection,
                                          const store::ApplyOptions& options) override {
    return write([&] { return store_.apply(site, section, std::move(collection), options); });
  }
  base::Result<void> settle(std::string_view site, std::string_view section) override {
    return write([&] { return store_.settle(site, section); });
  }
  base::Result<PageChanges> commit(store::SectionEdit& edit) override {
    return write([&] { return store_.commit(edit); });
  }
  base::Result<std::uint64_t> drop_section(std::string_view site, std::string_view section,
                                           Instant now) override {
    return write([&] { return store_.drop_section(site, section, now); });
  }

  base::Result<std::optional<std::string>> note(std::string_view site, std::string_view name) const override {
    return store_.note(site, name);
  }
  base::Result<void> each_note(
      std::string_view site, std::string_view prefix,
      const std::function<base::Result<bool>(std::string_view name, std::string_view value)>& use)
      const override {
    return store_.each_note(site, prefix, use);
  }
  base::Result<std::optional<store::SectionRecord>> section_record(std::string_view site,
                                                                   std::string_view section) const override {
    return store_.section_record(site, section);
  }
  base::Result<std::unique_ptr<store::SectionWriter>> write_section(std::string_view site,
                                                                    std::string_view section) override {
    return store_.write_section(site, section);
  }
  base::Result<store::GcSummary> gc(const store::GcOptions& options) override { return store_.gc(options); }
  base::Result<bool> pack(std::uint64_t worth, unsigned threads,
                          const store::StoreProgressSink& progress) override {
    return store_.pack(worth, threads, progress);
  }
  base::Result<store::RepairSummary> repair(std::string_view site) override { return store_.repair(site); }
  base::Result<store::VerifySummary> verify(unsigned threads,
                                            const store::StoreProgressSink& progress) const override {
    return store_.verify(threads, progress);
  }
  base::Result<std::uint64_t> disk_bytes() const override { return store_.disk_bytes(); }

 private:
  template <class Write>
  auto write(const Write& write) -> decltype(write()) {
    if (killed_) throw Killed{};
    if (left_ == 0) return write();
    --left_;
    if (left_ > 0) return write();
    killed_ = true;
    if (writes_it_) static_cast<void>(write());
    throw Killed{};
  }

  store::PageStore& store_;
  std::atomic<std::uint32_t> left_;
  std::atomic<bool> killed_ = false;
  const bool writes_it_;
};

}  // namespace sheaf::simulation
