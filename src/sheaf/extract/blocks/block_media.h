#pragma once

#include "sheaf/extract/blocks/block_links.h"
#include "sheaf/extract/metadata/metadata.h"
#include "sheaf/html/dom.h"
#include <sheaf/page.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sheaf::extract {

/// Makes blocks of the videos and recordings of one page: `video` and `audio` elements, and frames with the
/// players of known hosts. Takes facts that the markup lacks from the page's structured data.
class MediaReader {
 public:
  MediaReader(const html::Document& document, const Metadata& metadata, LinkResolver& links, Arena& arena)
      : document_(&document), metadata_(&metadata), links_(&links), arena_(&arena) {}

  /// `caption` is the text of the figure's caption; it becomes the name if there is no better one
  /// (used_caption()). Returns nullopt if there is no valid URL or no name.
  std::optional<BlockKind> read_element(html::NodeId element, std::string_view caption);
  /// The same for an `iframe`, `embed` or `object`. Also returns nullopt if it is not a known player.
  std::optional<BlockKind> read_frame(html::NodeId frame, std::string_view caption);
  /// Whether the caption became the name of the last block.
  [[nodiscard]] bool used_caption() const { return used_caption_; }

 private:
  enum class Kind : std::uint8_t { video, audio };

  void add_source(std::string_view reference, std::string_view type, Kind kind);
  void read_children(html::NodeId element, Kind kind);
  void add_caption(html::NodeId track);
  const MediaObject* find_object(Kind kind, std::string_view address, std::string_view id);
  void describe(html::NodeId element, const MediaObject* object, Media& media);
  Text choose_name(html::NodeId element, const MediaObject* object, std::string_view caption);
  std::optional<BlockKind> finish(html::NodeId element, Kind kind, const MediaObject* object,
                                  std::string_view caption);

  const html::Document* document_;
  const Metadata* metadata_;
  LinkResolver* links_;
  Arena* arena_;
  std::vector<MediaLink> sources_;
  std::vector<Caption> captions_;
  bool used_caption_ = false;
  bool used_only_object_[2] = {false, false};
};

}  // namespace sheaf::extract
