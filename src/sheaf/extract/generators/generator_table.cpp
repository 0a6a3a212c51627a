#include "sheaf/extract/generators/generator_table.h"

#include <array>

namespace sheaf::extract {
namespace {

constexpr std::string_view kWordPressChrome =
    "#comments .comments-area .wp-block-comments .comment-respond #respond .sharedaddy "
    ".jp-relatedposts .post-navigation .posts-navigation .nav-links .navigation .pagination "
    ".addtoany_share_save_container .yarpp .yarpp-related .wp-block-post-navigation-link "
    ".wp-block-query-pagination .more-link .read-more .wp-block-read-more .screen-reader-text "
    ".skip-link .widget-area .elementor-location-header .elementor-location-footer .wp-block-post-date "
    ".wp-block-post-terms .wp-block-post-author .wp-block-post-excerpt__more-link "
    ".wp-block-post-excerpt__more-text";

// docs/extraction.md, "Site generators", says how a row is read and how the pages were checked.
constexpr auto kGenerators = std::to_array<Generator>({
    {.name = "Docusaurus",
     .meta = "docusaurus",
     .marks = "#__docusaurus",
     .content = ".theme-doc-markdown | article | main",
     .chrome = ".hash-link .clean-btn .theme-doc-breadcrumbs .theme-doc-toc-mobile .theme-doc-footer "
               ".pagination-nav "
               ".theme-edit-this-page .theme-doc-version-badge .theme-doc-version-banner "
               ".theme-blog-footer-edit-meta-row .avatar nav time .theme-last-updated"},
    {.name = "MkDocs Material",
     .meta = "mkdocs-",
     .content = ".md-content__inner",
     .chrome = ".headerlink .md-content__button .md-source-file .md-source-date .md-feedback .md-tags "
               ".linenos .md-clipboard .md-annotation__index .md-post__meta .md-post__action"},
    {.name = "Read the Docs",  // the theme, of MkDocs and of Sphinx
     .marks = ".wy-body-for-nav .wy-grid-for-nav",
     .content = "%articleBody | .rst-content",
     .chrome = ".headerlink .viewcode-link .copybtn .linenos .wy-breadcrumbs .rst-footer-buttons "
               ".sphinx-tabs-hidden footer @navigation @contentinfo"},
    {.name = "Sphinx",
     .meta = "docutils",
     .marks = "script/documentation_options.js script/doctools.js link/genindex.html",
     .content = "article.bd-article | .bd-content | article@main | div.body | #yui-main | @main",
     .chrome = ".headerlink .viewcode-link .copybtn .linenos .prev-next-area .prev-next-footer .bd-toc "
               ".bd-header-article .toc-drawer .related .nav .browse-horizontal .heading-link"},
    {.name = "MkDocs",
     .marks = "li.navitem .bs-sidebar",
     .content = "@main",
     .chrome = ".headerlink .linenos"},
    {.name = "VitePress",
     .meta = "vitepress",
     .marks = ".VPContent .VPNav",
     .content = ".vp-doc | .VPHome",
     .chrome = ".header-anchor .copy .lang .line-numbers-wrapper .VPDocFooter .vp-doc-footer"},
    {.name = "VuePress",
     .meta = "vuepress",
     .marks = ".theme-container .vp-theme-container",
     .content = ".theme-default-content | .vp-page",
     .chrome = ".line-numbers .line-numbers-wrapper .page-meta .page-edit .page-nav .vp-page-nav "
               ".vp-page-meta .vp-copy-code-button"},
    {.name = "Starlight",
     .meta = "starlight",
     .content = ".sl-markdown-content #_top",
     .chrome = ".sl-anchor-link .copy .pagination-links .sr-only .sl-banner"},
    {.name = "GitBook",
     .meta = "gitbook|honkit",
     .marks = ".book-summary",
     .content = ".markdown-section | main",
     .chrome = ".anchor .page-footer nav @navigation"},
    {.name = "Nextra",
     .marks = ".nextra-nav-container .nextra-navbar .nextra-sidebar-container .nextra-banner",
     .content = "main",
     .chrome = "button .nextra-breadcrumb .subheading-anchor .nextra-toc .nextra-copy-icon .nextra-feedback "
               ".print:_hidden ._sr-only"},
    {.name = "mdBook",
     .marks = "link/chrome.css #mdbook-help-container #sidebar-toggle-anchor #body-container",
     .content = "main",
     .chrome = ".nav-chapters .nav-wrapper .nav-wide-wrapper .buttons"},
    {.name = "Doxygen",
     .meta = "doxygen",
     .content = ".contents",
     .chrome = ".dynheader .dyncontent .permalink .levels .lineno .toc .navpath .memSeparator .mlabels",
     .title = "div.title"},
    {.name = "Javadoc",
     .meta = "javadoc",
     .content = "main | .contentContainer",
     .chrome = ".sub-nav .anchor-link .copy .toc nav .table-tabs"},
    {.name = "rustdoc",
     .meta = "rustdoc",
     .content = "#main-content",
     .chrome =
         ".out-of-band .srclink .src-link a.src .anchor .doc-anchor #copy-path #search-form rustdoc-toolbar "
         ".since .rightside .rust-logo .test-arrow .hideme .notable-traits .tooltip .sidebar .notable"},
    {.name = "Antora",
     .meta = "antora",
     .content = "article.doc",
     .chrome = ".anchor .toolbar .toc .pagination .breadcrumbs .source-toolbox .edit-this-page"},
    {.name = "AsciiDoc",
     .meta = "asciidoc",
     .content = "#content #header #footnotes",
     .chrome = "#footer #toc .anchor"},
    {.name = "DocBook",
     .meta = "docbook",
     .content =
         "#docContent | div.book | div.article | div.part | div.reference | div.chapter | div.appendix | "
         "div.preface | div.refentry | div.glossary | div.bibliography | div.index | div.sect1 | div.section",
     .chrome = ".navheader .navfooter .spirit-nav"},
    {.name = "Apache's manuals",
     .marks = "link/manual-print.css",
     .content = "#page-content",
     .chrome = ".toplang .bottomlang .lang-toggle #quickview .top .permalink #comments_section"},
    {.name = "DokuWiki",
     .meta = "dokuwiki",
     .marks = "#dokuwiki__site #dokuwiki__top",
     .content = ".page | #dokuwiki__content",
     .chrome = "#dw__toc .toc .secedit .docInfo .editbutton_section .btn_secedit .breadcrumbs"},
    {.name = "MediaWiki",
     .meta = "mediawiki",
     .marks = "#mw-page-base #mw-head-base .mw-page-container",
     .content = "#mw-content-text #firstHeading | .mw-parser-output",
     .chrome =
         ".mw-editsection .editsection .toc #toc .navbox .vertical-navbox .catlinks .printfooter .noprint "
         ".mw-jump-link .mw-empty-elt .sistersitebox .ambox .mw-indicators .navigation-not-searchable "
         ".t-navbar .t-example-live-link .coliru-btn .shortdescription .portalbox .authority-control "
         ".mw-cite-backlink .metadata",
     .title = "#firstHeading"},
    {.name = "WooCommerce, a list of products",
     .marks =
         "body.post-type-archive-product body.tax-product_cat body.tax-product_tag body.woocommerce-shop",
     .content = "ul.products .woocommerce-products-header .term-description",
     .chrome = ".onsale .add_to_cart_button .button .star-rating form .woocommerce-result-count"},
    {.name = "WooCommerce",
     .meta = "woocommerce",
     .marks = "body.woocommerce-page body.woocommerce",
     .content = ".woocommerce-Tabs-panel--description .woocommerce-Tabs-panel--additional_information "
                ".entry-summary .woocommerce-product-gallery",
     .chrome = "ul.tabs .related .upsells .up-sells .cross-sells #reviews form .woocommerce-product-rating "
               ".onsale .add_to_cart_button .button .woocommerce-result-count .woocommerce-ordering "
               ".woocommerce-breadcrumb .star-rating .posted_in .tagged_as .flex-control-nav",
     .title = ".product_title"},
    {.name = "WordPress, a list of posts",
     .marks = "body.blog body.archive body.search-results",
     .chrome = kWordPressChrome,
     .sure =
         "h1.entry-title h2.entry-title h3.entry-title .wp-block-post-title .wp-block-post-excerpt__excerpt "
         "a.post-thumbnail a.post-thumbnail-inner .wp-block-post-featured-image h1.page-title "
         ".wp-block-button__link"},
    {.name = "WordPress",
     .meta = "wordpress|elementor",
     .marks =
         "#wp-block-library-css #wp-block-library-inline-css #wp-emoji-styles-inline-css body.wp-singular "
         "body.wp-embed-responsive body.wp-custom-logo body.single-post body.page-template-default",
     .chrome = kWordPressChrome,
     .sure = ".wp-block-button__link h1.elementor-heading-title .elementor-accordion-title "
             ".elementor-toggle-title .e-n-accordion-item-title",
     .lead =
         "h1.entry-title h1.wp-block-post-title figure.post-thumbnail div.post-thumbnail "
         ".wp-block-post-featured-image | .entry-content .wp-block-post-content | .wp-block-template-part"},
    {.name = "Ghost",
     .meta = "ghost",
     .content = ".gh-content .gh-article-title .gh-article-excerpt .gh-article-image | "
                ".post-full-content .post-full-title .post-full-image | .post-card-title .post-card-excerpt",
     .chrome = ".gh-article-meta .gh-comments .gh-subscribe .post-card-meta .gh-post-upgrade-cta "
               ".subscribe-form .post-full-comments .reading-time"},
    {.name = "Discourse",
     .meta = "discourse",
     .content = ".crawler-post #topic-title | .cooked #topic-title",
     .chrome = ".position %position .post-likes .crawler-linkback-list .post-menu-area .topic-category "
               ".discourse-tags"},
    {.name = "phpBB",
     .marks = "body#phpbb",
     .content = ".postbody .topic-title",
     .chrome = ".signature .post-buttons .profile-icons .notice .back2top .online .posting-icons .unread",
     .title = ".topic-title"},
    {.name = "Jekyll",
     .meta = "jekyll",
     .content = "article.post | .home | #main-content .main-content | .page__content",
     .chrome =
         ".post-meta .u-url .anchor-heading .pager .rss-subscribe .page__meta .page__share "
         ".page__related .pagination .feed-subscribe .disqus_thread #disqus_thread .giscus .reading-time "
         ".archive__item-readmore .read-more"},
    {.name = "Hugo",
     .meta = "hugo",
     // Docsy, Book, Geekdoc, Learn; PaperMod, Stack, LoveIt, Mainroad, Ananke
     .content =
         ".td-content | .book-article | article.markdown | .gdoc-markdown | #body-inner | "
         "article.post-single | article.main-article | article.single | article.post | "
         "article.post-entry article.first-entry .page-header | .article-list--compact .section-term | "
         "div.nested-copy-line-height h1.athelas",
     .chrome =
         ".td-heading-self-link .td-page-meta .td-page-meta__lastmod .book-toc .anchor "
         ".post-meta .post-footer .post-tags .post__meta .post__footer .breadcrumbs .toc "
         ".paginav .share-buttons .entry-footer .entry-link .article-footer .article-time .article-category "
         ".article-tags .related-content .pagination .authorbox .post-nav .post-author .post-info "
         ".read-more .more-link #comments .comments .disqus-container #disqus_thread .giscus .utterances "
         ".edit-page .gdoc-page__anchor .gdoc-page__edit .reading-time .copy-code .footline "
         ".headline-hash .heading-mark .td-breadcrumbs .text-muted .feedback--title .feedback--question "
         ".feedback--response .pa0 .mt6 .instapaper_ignoref .article-copyright"},
});

}  // namespace

std::span<const Generator> known_generators() { return kGenerators; }

}  // namespace sheaf::extract
