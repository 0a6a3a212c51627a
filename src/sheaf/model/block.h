#pragma once

#include <sheaf/page.h>

// Blocks are part of the public vocabulary; the modules know them as model::Block.
namespace sheaf::model {

using sheaf::AudioBlock;
using sheaf::Block;
using sheaf::BlockKind;
using sheaf::Caption;
using sheaf::Chapter;
using sheaf::CodeBlock;
using sheaf::HeadingBlock;
using sheaf::ImageBlock;
using sheaf::Inline;
using sheaf::InlineKind;
using sheaf::LinkBlock;
using sheaf::List;
using sheaf::ListBlock;
using sheaf::Media;
using sheaf::MediaLink;
using sheaf::MediaUrl;
using sheaf::Member;
using sheaf::Members;
using sheaf::OptionalText;
using sheaf::QuoteBlock;
using sheaf::StructuredBlock;
using sheaf::TableBlock;
using sheaf::Text;
using sheaf::TextBlock;
using sheaf::type_name;
using sheaf::UnknownBlock;
using sheaf::VideoBlock;

}  // namespace sheaf::model
