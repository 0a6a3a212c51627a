"""A small HTML tree on Python's own html.parser: independent of sheaf's parser, and enough for the pages that
documentation generators write. Not a standard-conforming parser."""
from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
BLOCK = {"address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div",
         "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6",
         "header", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "summary",
         "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"}
UNSEEN = {"script", "style", "template", "head", "title", "svg", "noscript", "select", "iframe", "rp", "textarea",
          "button"}
# A start tag that ends an open element, up to the element that holds both.
ENDS = {"li": ({"li"}, {"ul", "ol", "menu"}), "dt": ({"dt", "dd"}, {"dl"}), "dd": ({"dt", "dd"}, {"dl"}),
        "tr": ({"tr", "td", "th"}, {"table"}), "td": ({"td", "th"}, {"tr"}), "th": ({"td", "th"}, {"tr"}),
        "tbody": ({"thead", "tbody", "tr", "td", "th"}, {"table"}), "tfoot": ({"tbody", "tr", "td", "th"}, {"table"})}


class Node:
    __slots__ = ("name", "attributes", "children", "parent")

    def __init__(self, name, attributes, parent):
        self.name, self.attributes, self.parent, self.children = name, attributes, parent, []

    def words(self):
        return (self.attributes.get("class") or "").split()

    def elements(self):
        """Yields all descendants in document order."""
        stack = [c for c in reversed(self.children) if isinstance(c, Node)]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(c for c in reversed(node.children) if isinstance(c, Node))

    def ancestors(self):
        node = self.parent
        while node is not None:
            yield node
            node = node.parent


def matches(node, selector):
    """`tag`, `.class`, `#id`, `tag.class`: what the table of packages needs."""
    if "#" in selector:
        tag, identifier = selector.split("#")
        return (not tag or node.name == tag) and node.attributes.get("id") == identifier
    tag, _, word = selector.partition(".")
    return (not tag or node.name == tag) and (not word or word in node.words())


class TreeBuilder(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = self.current = Node("#root", {}, None)
        self.after_pre = False

    def end(self, names, until):
        """Closes the innermost open element of these names, unless one of `until` comes first."""
        node = self.current
        while node.parent is not None and node.name not in until:
            if node.name in names:
                self.current = node.parent
                return True
            node = node.parent
        return False

    def handle_starttag(self, name, attributes):
        if name in ENDS:
            names, until = ENDS[name]
            while self.end(names, until):
                pass
        elif name in BLOCK:
            self.end({"p"}, {"table", "td", "th", "li", "dd", "div", "section", "button"})
        if name == "a":
            self.end({"a"}, {"table", "td", "th"})
        node = Node(name, dict(attributes), self.current)
        self.current.children.append(node)
        if name not in VOID:
            self.current = node
        self.after_pre = name == "pre"

    def handle_startendtag(self, name, attributes):
        # `<a id="x"/>` is a start tag in HTML.
        self.handle_starttag(name, attributes)

    def handle_endtag(self, name):
        if name not in VOID:
            self.end({name}, {"#root"})

    def handle_data(self, data):
        if self.after_pre and data.startswith("\n"):
            data = data[1:]
        self.after_pre = False
        if data:
            self.current.children.append(data)


def parse(text):
    builder = TreeBuilder()
    builder.feed(text)
    builder.close()
    return builder.root
