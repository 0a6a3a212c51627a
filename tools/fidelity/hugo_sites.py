"""Builds sites of Hugo for sites.py: pages, lists and highlighted code as Hugo itself writes them, in layouts with the element
and class names of five popular themes. The themes are packaged neither by Debian nor by npm, so that only what a
theme puts around the text is written after them."""
from sample_pages import markdown_pages
from site_tools import need, png, run, write

HEAD = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">{{ hugo.Generator }}
<title>{{ .Title }} | {{ .Site.Title }}</title></head>"""
MENU = """<nav><ul><li><a href="/">Recorder notes</a></li><li><a href="/posts/">Posts</a></li><li><a href="/tags/">Tags</a></li></ul></nav>"""
FOOT = "<footer><p>Made with Hugo. All rights reserved by nobody.</p></footer></body></html>"
DATE = """<time datetime="{{ .Date.Format "2006-01-02" }}">{{ .Date.Format "January 2, 2006" }}</time>"""
COVER = """{{ with .Params.cover }}<CLASS><img src="/{{ . }}" alt="A recorder on a desk" width="800" height="400"></figure>{{ end }}"""
COMMENTS = """<div id="disqus_thread"><p>I have used this for years and never lost a record.</p></div>"""


def page(body, head=MENU, attributes=""):
    return f"{HEAD}<body{attributes}><header>{head}</header>{body}{FOOT}"


def entries(before, after, level=2):
    return "{{ range .Pages }}" + before + f"<h{level}>" + "{{ .Title }}" + f"</h{level}>" + after + "{{ end }}"


PAPERMOD = {
    "single": page(f"""<main class="main"><article class="post-single"><header class="post-header"><div class="breadcrumbs"><a href="/">Home</a>&nbsp;&raquo;&nbsp;
<a href="/posts/">Posts</a></div><h1 class="post-title entry-hint-parent">{{{{ .Title }}}}</h1><div class="post-meta">{DATE}&nbsp;&middot;&nbsp;{{{{ .ReadingTime }}}} min&nbsp;&middot;&nbsp;Jane</div></header>
{COVER.replace("<CLASS>", '<figure class="entry-cover">')}<div class="toc"><details><summary accesskey="c"><span class="details">Table of Contents</span></summary><div class="inner">{{{{ .TableOfContents }}}}</div></details></div>
<div class="post-content">{{{{ .Content }}}}</div><footer class="post-footer"><ul class="post-tags"><li><a href="/tags/a/">records</a></li></ul>
<nav class="paginav"><a class="next" href="/n/"><span class="title">Next &raquo;</span><br><span>Another post</span></a></nav></footer>{COMMENTS}</article></main>"""),
    "list": page('<main class="main"><header class="page-header"><h1>{{ .Title }}</h1></header>' + entries(
        '<article class="post-entry"><header class="entry-header">',
        '</header><div class="entry-content"><p>{{ .Summary | plainify }}...</p></div><footer class="entry-footer">' + DATE
        + '&nbsp;&middot;&nbsp;2 min</footer><a class="entry-link" aria-label="post link to {{ .Title }}" href="{{ .Permalink }}"></a></article>') + "</main>"),
}
DOCSY = {
    "single": page("""<div class="container-fluid td-outer"><div class="td-main"><div class="row"><aside class="td-sidebar"><ul><li><a href="/a/">A</a></li></ul></aside>
<aside class="td-sidebar-toc"><div class="td-page-meta"><a href="/edit">Edit this page</a><a href="/new">Create child page</a></div><div class="td-toc">{{ .TableOfContents }}</div></aside>
<main role="main"><nav aria-label="breadcrumb" class="td-breadcrumbs"><ol class="breadcrumb"><li class="breadcrumb-item"><a href="/">Documentation</a></li></ol></nav>
<div class="td-content"><h1>{{ .Title }}</h1><header class="article-meta"><p class="reading-time"><i></i>&nbsp;2 minute read&nbsp;</p></header>{{ .Content }}
<div class="d-print-none"><h2 class="feedback--title">Feedback</h2><p class="feedback--question">Was this page helpful?</p><button>Yes</button></div>
<div class="td-page-meta__lastmod">Last modified May 1, 2024</div></div></main></div></div></div>""", attributes=' class="td-page"'),
    "list": page("""<main role="main"><div class="td-content"><h1>{{ .Title }}</h1><div class="lead">All pages of the manual</div>{{ .Content }}<hr class="panel-line">
<div class="section-index">""" + """{{ range .Pages }}<div class="entry"><h5><a href="{{ .RelPermalink }}">{{ .Title }}</a></h5><p>{{ .Summary | plainify }}</p></div>{{ end }}"""
                 + "</div></div></main>", attributes=' class="td-section"'),
}
BOOK = {
    "single": page("""<main class="container flex"><aside class="book-menu"><nav><ul><li><a href="/a/">A</a></li></ul></nav></aside><div class="book-page"><header class="book-header">
<strong>{{ .Title }}</strong></header><article class="markdown book-article"><h1>{{ .Title }}</h1>{{ .Content }}</article><footer class="book-footer"><div class="flex"><a href="/edit">Edit this page</a></div></footer>
<div class="book-comments">""" + COMMENTS + """</div></div><aside class="book-toc"><div class="book-toc-content">{{ .TableOfContents }}</div></aside></main>"""),
    "list": page('<main class="container flex"><div class="book-page"><article class="markdown book-post"><h1>{{ .Title }}</h1>{{ .Content }}</article></div></main>'),
}
STACK = {
    "single": page(f"""<div class="container main-container flex"><aside class="sidebar left-sidebar"><h1 class="site-name"><a href="/">Recorder notes</a></h1><h2 class="site-description">Of a small program</h2></aside>
<main class="main full-width"><article class="main-article"><header class="article-header"><div class="article-image">{{{{ with .Params.cover }}}}<a href="/guide/"><img src="/{{{{ . }}}}" alt="A recorder on a desk" width="800" height="400"></a>{{{{ end }}}}</div>
<div class="article-details"><header class="article-category"><a href="/c/">Manuals</a></header><div class="article-title-wrapper"><h2 class="article-title"><a href="/guide/">{{{{ .Title }}}}</a></h2></div>
<footer class="article-time"><div><time class="article-time--published">May 01, 2024</time></div><div><time class="article-time--reading">2 minute read</time></div></footer></div></header>
<section class="article-content">{{{{ .Content }}}}</section><footer class="article-footer"><section class="article-tags"><a href="/t/">records</a></section><section class="article-copyright"><span>Licensed under CC BY 4.0</span></section></footer></article>
<aside class="related-content--wrapper"><h2 class="section-title">Related content</h2><div class="related-content"><article><a href="/r/"><h2 class="article-title">Other</h2></a></article></div></aside>{COMMENTS}</main></div>""", head=""),
    "list": page("""<main class="main"><header><h3 class="section-title">Section</h3><div class="section-card"><h1 class="section-term">{{ .Title }}</h1></div></header><section class="article-list--compact">"""
                 + """{{ range .Pages }}<article><a href="{{ .RelPermalink }}"><div class="article-details"><h2 class="article-title">{{ .Title }}</h2><footer class="article-time"><time>May 01, 2024</time></footer></div></a></article>{{ end }}"""
                 + "</section></main>"),
}
ANANKE = {
    "single": page(f"""<main class="pb7" role="main"><article class="flex-l flex-wrap justify-between mw8 center ph3"><header class="mt4 w-100"><aside class="instapaper_ignoref b helvetica tracked">POSTS</aside>
<div id="sharing" class="mt3 ananke-socials"><a href="/share">Share</a></div><h1 class="f1 athelas mt3 mb1">{{{{ .Title }}}}</h1><p class="tracked">By <strong>Jane</strong></p><time class="f6 mv4 dib tracked" datetime="2024-05-01">May 1, 2024</time><span class="f6 mv4 dib tracked"> - 2 minutes read </span><span class="f6 mv4 dib tracked"> - 300 words</span></header>
<div class="nested-copy-line-height lh-copy serif f4 nested-links mid-gray pr4-l w-two-thirds-l">{{{{ .Content }}}}<ul class="pa0"><li class="list di"><a href="/tags/a/" class="link f5">records</a></li></ul><div class="mt6 instapaper_ignoref">{COMMENTS}</div></div>
<aside class="w-30-l mt6-l"><div class="bg-light-gray pa3"><p class="f5 b mb3">Related</p><ul class="pa0"><li><a href="/r/">Other</a></li></ul></div></aside></article></main>"""),
    "list": page("""<main class="pb7" role="main"><article class="pa3 pa4-ns nested-copy-line-height"><section class="cf ph3 measure-wide f3"></section><section class="w-100 mw8">"""
                 + """{{ range .Pages }}<div class="relative w-100 mb4"><article class="bb b--black-10"><div class="db pv4 ph3 ph0-l dark-gray no-underline"><div class="flex-column flex-row-ns flex"><div class="blah w-100"><h1 class="f3 fw1 athelas mt0 lh-title"><a href="{{ .RelPermalink }}" class="color-inherit dim link">{{ .Title }}</a></h1><div class="f6 f5-l lh-copy nested-copy-line-height nested-links">{{ .Summary | plainify }}</div><a href="{{ .RelPermalink }}" class="ba b--moon-gray bg-light-gray br2 color-inherit dib f7 hover-bg-moon-gray link mt2 ph2 pv1">read more</a></div></div></div></article></div>{{ end }}"""
                 + "</section></article></main>"),
}
THEMES = {"papermod": PAPERMOD, "docsy": DOCSY, "book": BOOK, "stack": STACK, "ananke": ANANKE}


def build_hugo(theme):
    def build(folder, _node):
        need("hugo")
        for kind, layout in THEMES[theme].items():
            write(f"{folder}/layouts/_default/{kind}.html", layout)
        write(f"{folder}/layouts/index.html", page("<main><p>Start.</p></main>"))
        for number, (name, title, text) in enumerate(markdown_pages("plain"), 1):
            cover = 'cover = "cover.png"\n' if name == "guide" else ""
            write(f"{folder}/content/posts/{name}.md", f'+++\ntitle = "{title}"\ndate = 2024-05-0{number}\n{cover}+++\n'
                  + text.replace("(reference.md)", "(/posts/reference/)").replace("(window.png)", "(/window.png)"))
        for name in ("window.png", "cover.png"):
            write(f"{folder}/static/{name}", png())
        # Line numbers in a table, as in two of the themes.
        numbers = "true" if theme in ("stack", "ananke") else "false"
        write(f"{folder}/hugo.toml", 'baseURL = "https://docs.example/"\ntitle = "Recorder notes"\ndisableKinds = ["taxonomy", "term", "RSS"]\n'
              f"[markup.highlight]\nnoClasses = false\nlineNos = {numbers}\nlineNumbersInTable = true\n[markup.goldmark.renderer]\nunsafe = true\n")
        run(["hugo", "--quiet", "--destination", "site"], folder)
    return build


HUGO_BUILDERS = {f"hugo-{theme}": build_hugo(theme) for theme in THEMES}
