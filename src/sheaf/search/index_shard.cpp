#include "sheaf/search/index_shard_internal.h"

#include <utility>

namespace sheaf::search {
namespace {

// Terms of documents that Xapian holds in maps before it writes them to its tables. With more terms, the maps
// do not fit into the processor's cache, and lookups in them take most of the time.
constexpr std::uint64_t kMaxHeldTerms = 100'000;
// Xapian would commit after 10,000 changes, but no commits other than ours may happen: see IndexWriter.
constexpr std::uint64_t kMaxHeldChanges = 5'000;
// Terms of pages that wait for the thread: some hundred small pages, or one large page.
constexpr std::uint64_t kMaxWaitingTerms = 20'000;

}  // namespace

IndexShard::IndexShard(Xapian::WritableDatabase database)
    : database_(std::move(database)), thread_([this] { work(); }) {}

IndexShard::~IndexShard() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  filled_.notify_one();
  thread_.join();
}

void IndexShard::put(std::unique_ptr<XapianPage> page, bool is_new, Xapian::docid fresh) {
  const std::uint64_t terms = page->terms;
  // std::function requires a copyable callable.
  push({[this, shared = std::shared_ptr<XapianPage>(std::move(page)), is_new, fresh] {
          write(*shared, is_new, fresh);
        },
        terms});
}

void IndexShard::remove(const std::string& key) {
  push({[this, key] {
    count_change(0);
    database_.delete_document(key);
  }});
}

void IndexShard::begin_commit() {
  push({[this] {
    database_.commit();
    held_terms_ = changes_ = 0;
  }});
}

void IndexShard::begin_compact(const std::filesystem::path& target) {
  push({[this, target] { database_.compact(target.string(), Xapian::DBCOMPACT_NO_RENUMBER); }});
}

Xapian::WritableDatabase& IndexShard::idle_database() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return (tasks_.empty() && !is_busy_) || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  return database_;
}

void IndexShard::push(Task task) {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return waiting_terms_ < kMaxWaitingTerms || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  waiting_terms_ += task.terms;
  tasks_.push_back(std::move(task));
  if (!is_busy_) filled_.notify_one();
}

void IndexShard::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    filled_.wait(lock, [this] { return is_stopped_ || !tasks_.empty(); });
    if (is_stopped_) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    is_busy_ = true;
    lock.unlock();
    std::exception_ptr failure;
    try {
      task.run();
    } catch (...) {
      failure = std::current_exception();
    }
    task.run = {};
    lock.lock();
    is_busy_ = false;
    waiting_terms_ -= task.terms;
    if (failure) {
      failure_ = failure;
      tasks_.clear();
    }
    // A caller that waits for room is not woken for each page.
    if (tasks_.empty() || waiting_terms_ < kMaxWaitingTerms / 2) done_.notify_one();
  }
}

void IndexShard::write(const XapianPage& page, bool is_new, Xapian::docid fresh) {
  count_change(page.terms);
  Xapian::docid number = fresh;
  if (!is_new) {
    const auto found = database_.postlist_begin(page.key);
    if (found != database_.postlist_end(page.key)) number = *found;
  }
  database_.replace_document(number, page.document);
}

/// Makes Xapian write the changes that it holds to its tables, without the cost of a commit: it does so
/// before it lists all terms.
void IndexShard::count_change(std::uint64_t terms) {
  if (held_terms_ >= kMaxHeldTerms || changes_ >= kMaxHeldChanges) {
    static_cast<void>(database_.allterms_begin());
    held_terms_ = 0;
    changes_ = 1;  // Xapian also counts from 1 after this
  }
  held_terms_ += terms;
  ++changes_;
}

}  // namespace sheaf::search
