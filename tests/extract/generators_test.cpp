// Pages with the markup of site generators that the tests cannot install. tools/fidelity builds and measures
// sites of the others.
#include "extract/block_dump.h"
#include "sheaf/extract/extract.h"
#include "sheaf/extract/generators/generated_page.h"
#include "sheaf/html/parser.h"
#include "sheaf/html/selector.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sheaf::extract {
namespace {

struct GeneratedCase {
  std::string_view name;
  std::string_view html;
  std::string_view title;
  std::string_view blocks;
};

void expect_page(const GeneratedCase& page) {
  SCOPED_TRACE(page.name);
  Extractor extractor;
  ExtractOptions options;
  options.url = "https://docs.example/guide/";
  const Extraction& extraction = extractor.extract(page.html, options);
  EXPECT_EQ(extraction.page.title, page.title);
  EXPECT_EQ(dump_blocks(extraction.page.content), page.blocks);
}

TEST(SheafOnlyGenerators, DocumentationPages) {
  const GeneratedCase pages[] = {
      {"Docusaurus",
       R"(<html><head><meta name="generator" content="Docusaurus v3.5.2"><title>Guide | Recorder</title></head><body>
<div id="__docusaurus"><nav class="navbar"><a href="/">Recorder</a></nav><aside><ul><li><a href="/a">A</a></ul></aside>
<main><nav class="theme-doc-breadcrumbs"><a href="/">Home</a></nav><article><div class="theme-doc-toc-mobile">On this page</div>
<div class="theme-doc-markdown markdown"><header><h1>Guide</h1></header><p>Short.</p>
<h2 id="a">First<a href="#a" class="hash-link" aria-label="Direct link">&#8203;</a></h2>
<div class="language-js codeBlockContainer_Ck"><div class="codeBlockTitle_Kt">a.js</div><div class="codeBlockContent_b"><pre tabindex="0" class="prism-code language-js codeBlock_b thin-scrollbar"><code class="codeBlockLines_e"><span class="token-line"><span class="token plain">let a;</span><br></span><span class="token-line"><span class="token plain">a = 1;</span><br></span></code></pre><div class="buttonGroup__atx"><button class="clean-btn">Copy</button></div></div></div>
<div class="tabs-container"><ul role="tablist" class="tabs"><li role="tab" class="tabs__item">npm</li><li role="tab" class="tabs__item">Yarn</li></ul>
<div class="margin-top--md"><div role="tabpanel"><p>Use npm.</p></div><div role="tabpanel" hidden><p>Use Yarn.</p></div></div></div>
<table><thead><tr><th>Key</th><th>Value</th></tr></thead><tbody><tr><td>a</td><td>1</td></tr></tbody></table></div>
<footer class="theme-doc-footer"><a href="/edit" class="theme-edit-this-page">Edit this page</a></footer></article>
<nav class="pagination-nav"><a href="/next">Next</a></nav></main></div></body></html>)",
       "Guide",
       "h1 Guide\ntext Short.\nh2 First\ntext a.js\ncode(js) let a;|a = 1;\ntext npm\ntext Use npm.\ntext "
       "Yarn\n"
       "text Use Yarn.\ntable Key ; Value / a ; 1\n"},
      {"MkDocs Material",
       R"(<html><head><meta name="generator" content="mkdocs-1.5.3, mkdocs-material-9.4.8"><title>Guide - Manual</title></head><body>
<header class="md-header"><a class="md-skip" href="#x">Skip to content</a></header><main class="md-main"><div class="md-sidebar"><nav><a href="..">Home</a></nav></div>
<div class="md-content"><article class="md-content__inner md-typeset"><a class="md-content__button md-icon" title="Edit this page" href="/edit">Edit</a>
<h1 id="g">Guide<a class="headerlink" href="#g" title="Permanent link">&para;</a></h1><p>One <span class="arithmatex">\(a_1 \leq b\)</span>.</p>
<div class="highlight"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre><span></span><span class="normal">1</span>
<span class="normal">2</span></pre></div></td><td class="code"><div><pre><span></span><code>a = 1
b = 2
</code></pre></div></td></tr></table></div>
<div class="tabbed-set tabbed-alternate" data-tabs="1:2"><input type="radio"><input type="radio"><div class="tabbed-labels"><label for="a">C</label><label for="b">C++</label></div>
<div class="tabbed-content"><div class="tabbed-block"><p>Plain.</p></div><div class="tabbed-block"><p>More.</p></div></div></div>
<aside class="md-source-file">Last update: today</aside></article></div></main></body></html>)",
       "Guide",
       "h1 Guide\ntext One $a_1 \\leq b$.\ncode a = 1|b = 2\ntext C\ntext Plain.\ntext C++\ntext More.\n"},
      {"Sphinx, Python's theme",
       R"(<html><head><title>io &#8212; Core tools &#8212; Python 3.12.1 documentation</title><script src="../_static/documentation_options.js?v=2"></script></head><body>
<div class="related" role="navigation"><h3>Navigation</h3><ul><li><a href="../genindex.html">index</a></ul></div>
<div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body" role="main"><section id="io">
<h1>io &#8212; Core tools<a class="headerlink" href="#io" title="Link to this heading">&#182;</a></h1>
<dl class="py function"><dt class="sig sig-object py" id="open"><span class="sig-name">open</span>(<em>file</em>)<a class="headerlink" href="#open">&#182;</a></dt>
<dd><p>Opens.</p><dl class="field-list simple"><dt class="field-odd">Parameters:</dt><dd class="field-odd"><ul class="simple"><li><p><strong>file</strong> a path</p></li></ul></dd></dl></dd></dl>
</section></div></div></div><div class="sphinxsidebar"><h3>Table of Contents</h3></div></div></body></html>)",
       "io \u2014 Core tools",
       "h1 io \u2014 Core tools\ntext open(file)|Opens.\ntext Parameters:\nlist file a path\n"},
      {"Sphinx, Django's theme",
       R"(<html><head><title>Models | Django documentation | Django</title><script id="documentation_options" src="_static/documentation_options.js"></script></head><body>
<div id="custom-doc" class="yui-t6"><div id="hd"><h1><a href="index.html">Django 3.2 documentation</a></h1><div id="global-nav"><a href="index.html">Home</a></div></div>
<div id="bd"><div id="yui-main"><div class="yui-b"><div class="yui-g" id="topics"><div class="section" id="s-models"><h1>Models<a class="headerlink" href="#models">&#182;</a></h1>
<p>A model is the single source.</p></div></div></div></div><div class="yui-b" id="sidebar"><h3>Contents</h3></div></div></div></body></html>)",
       "Models", "h1 Models\ntext A model is the single source.\n"},
      {"VitePress",
       R"(<html><head><meta name="generator" content="VitePress v1.3.4"><title>Guide | Recorder</title></head><body><div class="Layout"><a class="VPSkipLink" href="#c">Skip to content</a>
<div class="VPContent has-sidebar"><main class="main"><div class="vp-doc external-link-icon-enabled"><div><h1 id="g" tabindex="-1">Guide <a class="header-anchor" href="#g" aria-label="Permalink">&#8203;</a></h1>
<div class="vp-code-group vp-adaptive-theme"><div class="tabs"><input type="radio"><label for="t1">npm</label><input type="radio"><label for="t2">pnpm</label></div><div class="blocks">
<div class="language-sh vp-adaptive-theme active line-numbers-mode"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki"><code><span class="line"><span>npm i</span></span></code></pre><div class="line-numbers-wrapper" aria-hidden="true"><span class="line-number">1</span><br></div></div>
<div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki"><code><span class="line"><span>pnpm i</span></span></code></pre></div></div></div>
<div class="tip custom-block"><p class="custom-block-title">TIP</p><p>Be brief.</p></div></div></div></main><footer class="VPDocFooter">Last updated</footer></div></div></body></html>)",
       "Guide", "h1 Guide\ntext npm\ncode(sh) npm i\ntext pnpm\ncode(sh) pnpm i\ntext TIP\ntext Be brief.\n"},
      {"VuePress",
       R"(<html><head><meta name="generator" content="VuePress 2.0.0-rc.9"><title>Guide | Recorder</title></head><body><div class="theme-container"><header class="navbar">Recorder</header>
<main class="page"><div class="theme-default-content"><h1 id="g" tabindex="-1"><a class="header-anchor" href="#g"><span>Guide</span></a></h1><p>Text.</p>
<div class="language-bash line-numbers-mode" data-ext="sh"><pre class="language-bash"><code><span class="line">ls</span></code></pre><div class="line-numbers"><div class="line-number"></div></div></div></div>
<footer class="page-meta">Edit this page</footer><nav class="page-nav">Next</nav></main></div></body></html>)",
       "Guide", "h1 Guide\ntext Text.\ncode(bash) ls\n"},
      {"Nextra",
       R"(<html><head><title>Guide - Recorder</title></head><body><div class="nextra-nav-container"><a href="/">Recorder</a></div><div><aside class="nextra-sidebar-container"><ul><li><a href="/x">X</a></ul></aside>
<article class="nextra-body"><main><div class="nextra-breadcrumb">Docs</div><h1>Guide</h1><h2>Use<a href="#use" id="use" class="subheading-anchor" aria-label="Permalink"></a></h2>
<div class="nextra-code-block"><pre data-language="ts"><code data-language="ts"><span class="line">f()</span></code></pre><button title="Copy code">Copy</button></div></main></article></div></body></html>)",
       "Guide", "h1 Guide\nh2 Use\ncode(ts) f()\n"},
      {"mdBook",
       R"(<html><head><title>Guide - The Recorder Book</title><link rel="stylesheet" href="css/chrome.css"></head><body><div id="body-container"><nav id="sidebar"><ol><li><a href="a.html">A</a></ol></nav>
<div id="page-wrapper"><div class="page"><div id="menu-bar"><h1 class="menu-title">The Recorder Book</h1></div><div id="content" class="content"><main><h1 id="guide"><a class="header" href="#guide">Guide</a></h1>
<p>Text.</p><pre><pre class="playground"><code class="language-rust edition2021"><span class="boring">fn main() {
</span>let a = 1;
<span class="boring">}</span></code></pre></pre></main><nav class="nav-wrapper"><a rel="next" href="b.html">Next</a></nav></div></div></div></div></body></html>)",
       "Guide", "h1 Guide\ntext Text.\ncode(rust) fn main() {|let a = 1;|}\n"},
      {"GitBook",
       R"(<html><head><meta name="generator" content="GitBook 3.2.3"><title>Guide - Recorder</title></head><body><div class="book"><div class="book-summary"><nav><ul><li><a href="a.html">A</a></ul></nav></div>
<div class="book-body"><div class="book-header"><h1><a href="..">Guide to all</a></h1></div><div class="page-inner"><section class="normal markdown-section"><h1 id="g">Guide</h1><p>Text.</p>
<pre><code class="lang-bash">ls</code></pre></section></div></div></div></body></html>)",
       "Guide", "h1 Guide\ntext Text.\ncode(bash) ls\n"},
      {"Antora",
       R"(<html><head><meta name="generator" content="Antora 3.1.9"><title>Guide :: Recorder</title></head><body class="article"><header class="header"><a href="/">Recorder</a></header><div class="body"><main><div class="toolbar">Edit this Page</div>
<article class="doc"><h1 class="page">Guide</h1><div class="sect1"><h2 id="_use"><a class="anchor" href="#_use"></a>Use</h2><div class="listingblock"><div class="content"><pre class="highlightjs highlight"><code class="language-yaml hljs" data-lang="yaml">a: 1</code></pre></div></div>
<div class="admonitionblock note"><table><tr><td class="icon"><i class="fa icon-note" title="Note"></i></td><td class="content">Be brief.</td></tr></table></div></div>
<nav class="pagination"><a href="b.html">Next</a></nav></article></main></div></body></html>)",
       "Guide", "h1 Guide\nh2 Use\ncode(yaml) a: 1\ntext Note\ntext Be brief.\n"},
      {"DokuWiki",
       R"(<html><head><meta name="generator" content="DokuWiki"/><title>start [Wiki]</title></head><body><div id="dokuwiki__site"><div id="dokuwiki__header"><h1><a href="/">My Wiki</a></h1></div>
<div id="dokuwiki__content"><div class="page group"><div id="dw__toc"><h3>Table of Contents</h3></div><h1 class="sectionedit1" id="w">Welcome</h1><div class="level1"><p>Text.</p></div>
<div class="secedit editbutton_section"><form><button>Edit</button></form></div></div><div class="docInfo">start.txt</div></div></div></body></html>)",
       "Welcome", "h1 Welcome\ntext Text.\n"},
      {"MediaWiki",
       R"(<html><head><meta name="generator" content="MediaWiki 1.39.1"><title>Cup - Wiki</title></head><body><div id="content"><h1 id="firstHeading" class="firstHeading"><span class="mw-page-title-main">Cup</span></h1>
<div id="bodyContent"><div id="siteSub">From Wiki</div><div id="mw-content-text"><div class="mw-parser-output"><p>A cup is small.<sup class="reference"><a href="#cite_note-1">[1]</a></sup></p>
<div id="toc" class="toc"><h2>Contents</h2></div><h2><span class="mw-headline" id="U">Use</span><span class="mw-editsection">[<a href="/e">edit</a>]</span></h2><p>To drink.</p>
<ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><a href="#r">^</a></span> <span class="reference-text">A book.</span></li></ol></div></div><div id="catlinks" class="catlinks">Category</div></div></div></body></html>)",
       "Cup", "h1 Cup\ntext A cup is small.[1]\nh2 Use\ntext To drink.\nordered A book.\n"},
  };
  for (const GeneratedCase& page : pages) expect_page(page);
}

TEST(SheafOnlyGenerators, BlogsShopsAndForums) {
  const GeneratedCase pages[] = {
      {"Hugo, PaperMod: a post",
       R"(<html><head><meta name="generator" content="Hugo 0.121.0"><title>On cups | Notes</title></head><body class="list"><header class="header"><nav><a href="/">Notes</a></nav></header><main class="main">
<article class="post-single"><header class="post-header"><div class="breadcrumbs"><a href="/">Home</a></div><h1 class="post-title">On cups</h1><div class="post-meta"><span title="2024-05-01">May 1, 2024</span>&nbsp;&middot;&nbsp;3 min</div></header>
<figure class="entry-cover"><img src="cover.jpg" alt="Cups" width="800" height="400"></figure><div class="post-content"><p>Cups are small.</p></div>
<footer class="post-footer"><ul class="post-tags"><li><a href="/t">tag</a></ul><nav class="paginav"><a href="/n">Next</a></nav></footer><div id="disqus_thread"><p>First comment here!</p></div></article></main></body></html>)",
       "On cups", "h1 On cups\nimage https://docs.example/guide/cover.jpg Cups\ntext Cups are small.\n"},
      {"Hugo, PaperMod: the list of posts",
       R"(<html><head><meta name="generator" content="Hugo 0.121.0"><title>Notes</title></head><body class="list"><main class="main">
<article class="post-entry"><header class="entry-header"><h2 class="entry-hint-parent">On cups</h2></header><div class="entry-content"><p>Cups are small.</p></div><footer class="entry-footer">May 1</footer><a class="entry-link" href="/c"></a></article>
<article class="post-entry"><header class="entry-header"><h2>On pots</h2></header><div class="entry-content"><p>Pots are large.</p></div><a class="read-more" href="/p">Read more</a></article></main></body></html>)",
       "Notes", "h2 On cups\ntext Cups are small.\nh2 On pots\ntext Pots are large.\n"},
      {"Hugo, Docsy",
       R"(<html><head><meta name="generator" content="Hugo 0.110.0"><title>Guide | Recorder</title></head><body class="td-page"><aside class="td-sidebar"><ul><li><a href="/a">A</a></ul></aside><aside class="td-page-meta">Edit this page</aside>
<main><nav class="td-breadcrumbs">Docs</nav><div class="td-content"><h1>Guide</h1><div class="lead">In short.</div><h2 id="u">Use<a class="td-heading-self-link" href="#u"></a></h2><div class="alert alert-info"><h4 class="alert-heading">Note</h4><p>Be brief.</p></div>
<div class="text-muted mt-5 pt-3 border-top">Last modified May 1</div></div></main></body></html>)",
       "Guide", "h1 Guide\ntext In short.\nh2 Use\nh4 Note\ntext Be brief.\n"},
      {"Jekyll, minima: the list of posts",
       R"(<html><head><meta name="generator" content="Jekyll v4.3.1"><title>Notes</title></head><body><header class="site-header"><a href="/">Notes</a></header><main class="page-content"><div class="home"><h2 class="post-list-heading">Posts</h2>
<ul class="post-list"><li><span class="post-meta">May 1</span><h3><a class="post-link" href="/c">On cups</a></h3><p>Cups are small.</p></li></ul><p class="rss-subscribe">subscribe</p></div></main></body></html>)",
       "Notes", "h2 Posts\nh3 On cups\ntext Cups are small.\n"},
      {"Ghost",
       R"(<html><head><meta name="generator" content="Ghost 5.70"><title>On cups</title></head><body><div class="gh-viewport"><header class="gh-head"><a href="/">Notes</a></header><main><article class="gh-article post"><header class="gh-article-header">
<h1 class="gh-article-title">On cups</h1><p class="gh-article-excerpt">All of them.</p><div class="gh-article-meta">Jane, 3 min read</div><figure class="gh-article-image"><img src="/c.jpg" alt="Cups"></figure></header>
<section class="gh-content"><p>Cups are small.</p></section><div class="gh-comments">Comments</div></article></main><section class="read-more"><article class="post-card"><h2 class="post-card-title">Pots</h2></article></section></div></body></html>)",
       "On cups",
       "h1 On cups\ntext All of them.\nimage https://docs.example/c.jpg Cups\ntext Cups are small.\n"},
      {"WooCommerce",
       R"(<html><head><meta name="generator" content="WordPress 6.4"><meta name="generator" content="WooCommerce 8.4.0"><title>Cup - Shop</title></head><body class="product-template-default single single-product woocommerce woocommerce-page">
<nav class="woocommerce-breadcrumb"><a href="/">Home</a></nav><div id="product-1" class="product type-product"><div class="woocommerce-product-gallery"><div class="woocommerce-product-gallery__image"><a href="/b.jpg"><img src="/b.jpg" alt="Blue cup" width="600" height="600"></a></div><div class="woocommerce-product-gallery__image"><img src="/r.jpg" alt="Red cup" width="600" height="600"></div></div>
<div class="summary entry-summary"><h1 class="product_title entry-title">Cup</h1><p class="price">$12.00</p><div class="woocommerce-product-details__short-description"><p>A small cup.</p></div><form class="cart"><button class="button">Add to cart</button></form></div>
<div class="woocommerce-tabs wc-tabs-wrapper"><ul class="tabs wc-tabs" role="tablist"><li role="tab">Description</li><li role="tab">Additional information</li></ul><div class="woocommerce-Tabs-panel woocommerce-Tabs-panel--description panel" role="tabpanel"><p>It holds coffee.</p></div>
<div class="woocommerce-Tabs-panel woocommerce-Tabs-panel--additional_information panel" role="tabpanel"><table class="woocommerce-product-attributes shop_attributes"><tr><th>Weight</th><td>200 g</td></tr><tr><th>Colour</th><td>Blue</td></tr></table></div><div id="reviews" class="woocommerce-Tabs-panel--reviews"><p>Nice!</p></div></div>
<section class="related products"><h2>Related products</h2><ul class="products"><li><h2>Pot</h2></li></ul></section></div></body></html>)",
       "Cup",
       "image https://docs.example/b.jpg Blue cup\nimage https://docs.example/r.jpg Red cup\nh1 Cup\ntext "
       "$12.00\n"
       "text A small cup.\ntext Description\ntext It holds coffee.\ntext Additional information\n"
       "table Weight ; 200 g / Colour ; Blue\n"},
      {"WooCommerce: a list of products",
       R"(<html><head><meta name="generator" content="WooCommerce 8.4.0"><title>Cups - Shop</title></head><body class="archive tax-product_cat woocommerce woocommerce-page"><header class="woocommerce-products-header"><h1>Cups</h1></header><p class="woocommerce-result-count">Showing all</p>
<ul class="products columns-4"><li class="product"><a href="/p"><h2>Blue cup</h2><span class="price">$12</span></a><a class="button add_to_cart_button" href="?a">Add to cart</a></li><li class="product"><a href="/q"><h2>Red cup</h2></a></li></ul></body></html>)",
       "Cups", "h1 Cups\nh2 Blue cup\nlink https://docs.example/p $12\nh2 Red cup\n"},
      {"Discourse",
       R"(<html><head><meta name="generator" content="Discourse 3.2.0"><title>Which cup? - Forum</title></head><body class="crawler"><header><a href="/">Forum</a></header><div id="main-outlet"><div id="topic-title"><h1><a href="/t/1">Which cup?</a></h1><div class="topic-category">General</div></div>
<div class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator">jane</span>
<span class="crawler-post-infos"><time class="post-time" datetime="2024-05-01T10:00:00Z">May 1, 2024, 10:00am</time> <span itemprop="position">1</span></span></div><div class="post"><p>Which one is best?</p></div></div>
<div class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator">joe</span></div><div class="post"><p>The blue one.</p></div><div class="post-likes">3 Likes</div></div></div></body></html>)",
       "Which cup?",
       "h1 Which cup?\ntext jane May 1, 2024, 10:00am\ntext Which one is best?\ntext joe\ntext The blue "
       "one.\n"},
      {"phpBB",
       R"(<html><head><title>Which cup? - Forum</title></head><body id="phpbb" class="nojs viewtopic"><div id="wrap"><div id="page-header"><h1>Forum of cups</h1></div><h2 class="topic-title"><a href="./v.php?t=1">Which cup?</a></h2>
<div class="post"><dl class="postprofile"><dt>jane</dt><dd>Posts: 12</dd></dl><div class="postbody"><ul class="post-buttons"><li>Quote</li></ul><p class="author">by jane</p><div class="content">Which one is best?</div><div class="signature">Cups!</div></div></div>
<div class="post"><div class="postbody"><p class="author">by joe</p><div class="content">The blue one.</div></div></div></div></body></html>)",
       "Which cup?",
       "h2 Which cup?\ntext by jane\ntext Which one is best?\ntext by joe\ntext The blue one.\n"},
  };
  for (const GeneratedCase& page : pages) expect_page(page);
}

TEST(SheafOnlyGenerators, WordPressCommentsAndReadMoreLinksAreNotContent) {
  Extractor extractor;
  ExtractOptions options;
  options.url = "https://notes.example/cups";
  const std::string page =
      R"(<html><head><meta name="generator" content="WordPress 6.4.2"><title>On cups</title></head><body class="single-post"><article class="post hentry"><h1 class="entry-title">On cups</h1><div class="entry-content">
<p>Cups are small vessels from which people drink coffee or tea, and they have been made of clay for thousands of years.</p>
<p>They were found in the oldest towns of the valley, beside ovens, and most of them had been painted by the same hand.</p></div></article>
<div id="comments" class="comments-area"><h2>2 thoughts</h2><ol><li><p>I have never read anything about cups that was as good as this, and I have read a lot about them, thank you very much!</p></li>
<li><p>My grandmother had a cup that looked just like the one in the second picture, and she drank her tea from it every day.</p></li></ol></div></body></html>)";
  const std::string blocks = dump_blocks(extractor.extract(page, options).page.content);
  EXPECT_NE(blocks.find("Cups are small vessels"), std::string::npos);
  EXPECT_EQ(blocks.find("as good as this"), std::string::npos);
  EXPECT_EQ(blocks.find("grandmother"), std::string::npos);
}

TEST(SheafOnlyGenerators, APageIsKnownByItsTemplatesNotByItsWords) {
  html::Document document;
  const std::string_view page =
      "<html><head><meta name=description content='docusaurus'></head><body><main>docusaurus</main>";
  html::parse(page, {}, document);
  EXPECT_EQ(find_generated(document).generator, nullptr);
}

// Accordions are lists of tabs to a screen reader, too, and have their panels inside.
TEST(SheafOnlyGenerators, AListOfTabsWithItsPanelsInsideIsContent) {
  EXPECT_EQ(dump_blocks("<div role=tablist><div><button role=tab>What is it?</button></div><div "
                        "role=tabpanel>A cup.</div></div>"),
            "text What is it?\ntext A cup.\n");
  EXPECT_EQ(dump_blocks("<ul role=tablist><li role=tab>One<li role=tab>Two</ul><div "
                        "role=tabpanel>1</div><div role=tabpanel>2</div>"),
            "text One\ntext 1\ntext Two\ntext 2\n");
}

TEST(SheafOnlyGenerators, WhatTheUserSelectsCountsAlone) {
  Extractor extractor;
  const auto selector = html::Selector::compile("#mine");
  ExtractOptions options;
  options.url = "https://docs.example/";
  options.content = &*selector;
  const std::string page =
      "<html><head><meta name=generator content='VitePress v1.0'></head><body><div "
      "class=vp-doc><p>Theirs.</p>"
      "<p id=mine>Mine.</p></div>";
  EXPECT_EQ(dump_blocks(extractor.extract(page, options).page.content), "text Mine.\n");
}

}  // namespace
}  // namespace sheaf::extract
