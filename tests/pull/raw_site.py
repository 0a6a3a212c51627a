"""A site with hand-written collections, which may contain what `sheaf publish` never writes."""
import hashlib, json
from datetime import datetime, timedelta, timezone
from xml.sax.saxutils import quoteattr


def moment(days=0, seconds=0):
    """Returns the time that long after now (before, if negative), in the format of collections."""
    return (datetime.now(timezone.utc) + timedelta(days=days, seconds=seconds)).strftime('%Y-%m-%dT%H:%M:%SZ')


def state_of(pages):
    """Returns the state digest of {url: modified}."""
    total = sum(int.from_bytes(hashlib.sha256(f'{url}\n{modified}'.encode()).digest(), 'big') for url, modified in pages.items())
    return f'sum256:{total % 2**256:064x}'


class RawSite:
    """Puts routes into a BadServer: robots.txt, sitemap.xml and collections of section `all`, all plain."""

    def __init__(self, server):
        self.server, self.base, self.entries = server, server.url, {}
        self.advertise()

    def url(self, name):
        return name if '://' in name else f'{self.base}/{name}'

    def add(self, name, generated, pages, since=None, removed=(), state=None, text='Text', advertised=None):
        """`pages` is {name: modified}. A snapshot unless there is a `since`."""
        kind = 'delta' if since else 'snapshot'
        head = {'id': name, 'section': 'all', 'type': kind, 'generated': generated, 'version': '0.1'}
        if since:
            head['since'] = since
        if removed:
            head['removed'] = [self.url(each) for each in removed]
        if state:
            head['state'] = state
        lines = [json.dumps({'collection': head})]
        lines += [json.dumps({'url': self.url(each), 'title': 'A page', 'description': '', 'modified': modified, 'language': 'en',
                              'content': [{'type': 'text', 'text': f'{text}, {each}'}]}) for each, modified in pages.items()]
        body = ('\n'.join(lines) + '\n').encode()
        self.server.routes[f'/scp/{name}.scp'] = body
        values = {'section': 'all', 'url': f'{self.base}/scp/{name}.scp', 'generated': advertised or generated, 'pages': len(pages), 'size': len(body)}
        if since:
            values['since'] = since
        self.entries[name] = ('delta' if since else 'collection', values)
        self.advertise()

    def drop(self, *names):
        for name in names:
            del self.entries[name], self.server.routes[f'/scp/{name}.scp']
        self.advertise()

    def advertise(self):
        elements = ''.join(f'<scp:{element} ' + ' '.join(f'{key}={quoteattr(str(value))}' for key, value in values.items()) + '/>'
                           for element, values in self.entries.values())
        self.server.routes['/robots.txt'] = f'User-agent: *\nAllow: /\nSitemap: {self.base}/sitemap.xml\n'.encode()
        self.server.routes['/sitemap.xml'] = (
            '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
            f'xmlns:scp="https://scp-protocol.org/schemas/sitemap/1.0"><scp:version>0.1</scp:version>{elements}</urlset>').encode()
