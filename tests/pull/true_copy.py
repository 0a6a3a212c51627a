#!/usr/bin/env python3
"""`ok` and exit status 0 mean that the copy is the newest state that the site offers. Here are sites whose files, sitemaps and digests
disagree, and the results of pulls from them. Also checks what a pull does not fetch again.

usage: true_copy.py --sheaf PROGRAM
"""
import argparse, datetime, gzip, hashlib, json, pathlib, re, sys, tempfile, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pull_kit import BadServer, Puller, Site

SHEAF = None
NOW = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)


def ago(**distance):
    return (NOW - datetime.timedelta(**distance)).strftime('%Y-%m-%dT%H:%M:%SZ')


def stamp(time):
    return re.sub('[-:]', '', time)


class HandMade:
    """A site whose collections and sitemap are written here as a program other than sheaf would: without `state` and `removed`."""

    def __init__(self, server):
        self.server, self.base = server, server.url
        self.entries, self.urls = [], []
        self.write_sitemap()

    def collection(self, generated, pages, section='all', since=None, **more):
        head = {'id': f'{section}-{stamp(generated)}', 'section': section, 'type': 'delta' if since else 'snapshot', 'generated': generated}
        if since:
            head['since'] = since
        head |= {'version': '0.1', **more}
        lines = [{'collection': head}]
        for name, modified in pages.items():
            lines.append({'url': f'{self.base}/{name}', 'title': name, 'description': f'Of {name}', 'modified': modified, 'language': 'en',
                          'content': [{'type': 'text', 'text': f'{name} of {modified}'}]})
        return gzip.compress('\n'.join(json.dumps(line) for line in lines).encode() + b'\n', mtime=0)

    def offer(self, path, body, section='all', generated=None, since=None, **attributes):
        """Adds an entry to the sitemap, with the given attributes."""
        if body is not None:
            self.server.routes[path] = with_etag(body)
        attributes |= {'section': section, 'url': self.base + path}
        if generated:
            attributes['generated'] = generated
        if since:
            attributes['since'] = since
        words = ' '.join(f'{name}="{value}"' for name, value in attributes.items())
        self.entries = [each for each in self.entries if f'url="{self.base}{path}"' not in each]
        self.entries.append(f'<scp:{"delta" if since else "collection"} {words}/>')
        self.write_sitemap()

    def snapshot(self, path, generated, pages, section='all'):
        body = self.collection(generated, pages, section)
        self.offer(path, body, section, generated, size=len(body), pages=len(pages))

    def delta(self, path, since, generated, pages, **more):
        body = self.collection(generated, pages, since=since, **more)
        self.offer(path, body, 'all', generated, since, size=len(body), pages=len(pages))

    def withdraw(self, path):
        self.entries = [each for each in self.entries if f'url="{self.base}{path}"' not in each]
        self.write_sitemap()

    def write_sitemap(self):
        urls = ''.join(f'<url><loc>{self.base}/{name}</loc></url>' for name in self.urls)
        self.server.routes['/sitemap.xml'] = (
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:scp="https://scp-protocol.org/schemas/sitemap/1.0">'
            f'{"".join(self.entries)}{urls}</urlset>').encode()


def with_etag(body):
    """Serves a file like a server that supports conditional requests."""
    etag = f'"{hash(body) & 0xFFFFFFFF:x}"'

    def send(request):
        if request.headers.get('if-none-match') == etag:
            return request.send(304, b'', ETag=etag)
        return request.send(200, body, ETag=etag)
    return send


class Case(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='sheaf-true-')
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.server = self.enterContext(BadServer())
        self.site = HandMade(self.server)
        self.puller = Puller(SHEAF, self.folder / 'store', '--html', 'never')

    def pull(self, *options, code=None):
        """Runs a pull that must end with this failure code, or succeed. Returns its report."""
        status, reports, errors = self.puller.pull(self.site.base, *options)
        report = reports[0]
        self.assertEqual(report.get('failureCode'), code, (report, errors))
        self.assertEqual((status, report['ok']), (0 if code is None else 1, code is None), report)
        self.assertEqual(self.puller.faults(), '')
        return report

    def names(self):
        return sorted(url.removeprefix(self.site.base + '/') for url in self.puller.pages())

    def bodies_sent(self, path):
        """Returns the numbers of unconditional and of conditional requests for the file."""
        asked = self.server.asked(path)
        conditional = [headers for headers in asked if 'if-none-match' in headers]
        return len(asked) - len(conditional), len(conditional)


class Verdict(Case):
    """Failures that could look like success. Applied collections stay; only the result changes."""

    def test_a_state_that_does_not_add_up(self):
        body = self.site.collection(ago(days=1), {'a': ago(days=2)}, state='sum256:' + '1' * 64)
        self.site.offer('/s.gz', body, generated=ago(days=1))
        self.pull(code='state-mismatch')
        self.assertEqual(self.names(), ['a'])
        self.pull(code='state-mismatch')  # nothing new is offered, and the copy is as wrong as before

    def test_a_newer_delta_that_is_not_there(self):
        self.site.snapshot('/s.gz', ago(days=2), {'a': ago(days=3)})
        self.site.offer('/d.gz', None, 'all', ago(days=1), ago(days=2))
        report = self.pull(code='newest-unreachable')
        self.assertIn('/d.gz answered 404', report['failure'])
        self.assertEqual(self.names(), ['a'])
        self.pull(code='newest-unreachable')
        self.site.delta('/d.gz', ago(days=2), ago(days=1), {'b': ago(days=1)})
        self.pull()
        self.assertEqual(self.names(), ['a', 'b'])

    def test_a_newer_delta_that_nothing_leads_to(self):
        self.site.snapshot('/s.gz', ago(days=5), {'a': ago(days=6)})
        self.site.delta('/d.gz', ago(days=2), ago(days=1), {'b': ago(days=1)})
        report = self.pull(code='newest-unreachable')
        self.assertIn('no chain of collections leads there', report['failure'])
        self.assertEqual(self.names(), ['a'])

    def test_an_old_file_behind_a_new_entry(self):
        body = self.site.collection('2020-01-01T00:00:00Z', {'a': '2019-01-01T00:00:00Z'})
        self.site.offer('/s.gz', body, generated=ago(hours=2))
        report = self.pull(code='stale-collection')
        self.assertIn('2020-01-01T00:00:00Z', report['failure'])
        self.assertEqual(self.names(), ['a'])  # better than nothing
        self.assertEqual(self.bodies_sent('/s.gz'), (1, 0))
        self.pull(code='stale-collection')
        self.assertEqual(self.bodies_sent('/s.gz'), (1, 1))  # a conditional request, and the file was not sent again
        self.site.snapshot('/s.gz', ago(hours=2), {'b': ago(hours=3)})
        self.pull('--allow-shrink')
        self.assertEqual(self.names(), ['b'])

    def test_an_old_file_never_replaces_newer_pages(self):
        self.site.snapshot('/s.gz', ago(days=2), {'a': ago(days=3)})
        self.pull()
        body = self.site.collection('2020-01-01T00:00:00Z', {'old': '2019-01-01T00:00:00Z'})
        self.site.offer('/s.gz', body, generated=ago(hours=2))
        self.pull(code='stale-collection')
        self.assertEqual(self.names(), ['a'])

    def test_an_old_file_is_not_kept_for_the_new_one(self):
        old = self.site.collection('2020-01-01T00:00:00Z', {'a': '2019-01-01T00:00:00Z'})
        self.site.offer('/s.gz', old, generated=ago(hours=2))
        self.pull('--keep-files', code='stale-collection')
        new = self.site.collection(ago(hours=2), {'a': ago(hours=3)})
        self.site.offer('/s.gz', new, generated=ago(hours=2))  # the entry is unchanged
        self.pull('--keep-files')
        self.assertEqual(self.puller.pages(), {f'{self.site.base}/a': f'a of {ago(hours=3)}'})

    def test_an_old_file_in_one_codec_and_the_new_one_in_another(self):
        old = self.site.collection('2020-01-01T00:00:00Z', {'old': '2019-01-01T00:00:00Z', 'both': '2019-01-01T00:00:00Z'})
        self.site.offer('/s.scp.gz', old, generated=ago(hours=2))
        new = self.site.collection(ago(hours=2), {'new': ago(hours=3), 'both': ago(hours=3)})
        self.site.offer('/s.scp', gzip.decompress(new), generated=ago(hours=2))
        self.pull()
        self.assertEqual(self.names(), ['both', 'new'])

    def test_a_sitemap_that_goes_back_in_time(self):
        self.site.snapshot('/s.gz', ago(days=1), {'a': ago(days=3)})
        self.pull()
        self.site.withdraw('/s.gz')
        self.site.snapshot('/old.gz', ago(days=9), {'old': ago(days=10)})
        self.pull(code='stale-collection')
        self.assertEqual(self.names(), ['a'])

    def test_a_wrong_size(self):
        body = self.site.collection(ago(days=1), {'a': ago(days=2)})
        self.site.offer('/s.gz', body, generated=ago(days=1), size=len(body) + 1)
        self.pull(code='size-mismatch')
        self.assertEqual(self.names(), ['a'])
        self.pull(code='size-mismatch')
        self.assertEqual(self.bodies_sent('/s.gz'), (1, 0))
        self.site.offer('/s.gz', body, generated=ago(days=1), size=len(body))
        self.pull()

    def test_a_checksum_other_than_the_files_own(self):
        body = self.site.collection(ago(days=1), {'a': ago(days=2)})
        # The checksum covers the file without the member itself.
        own = 'sha256:' + hashlib.sha256(gzip.decompress(body)).hexdigest()
        body = gzip.compress(gzip.decompress(body).replace(b'"version": "0.1"', f'"version": "0.1", "checksum": "{own}"'.encode(), 1), mtime=0)
        self.site.offer('/s.gz', body, generated=ago(days=1), checksum='sha256:' + 64 * '0')
        for _ in range(2):
            self.pull(code='checksum-mismatch')
            self.assertEqual(self.names(), [])
        self.site.offer('/s.gz', body, generated=ago(days=1), checksum=own.upper().replace('SHA256', 'sha256'))
        self.pull()

    def test_a_wrong_number_of_pages(self):
        body = self.site.collection(ago(days=1), {'a': ago(days=2)})
        self.site.offer('/s.gz', body, generated=ago(days=1), pages=5)
        self.pull(code='page-count-mismatch')
        self.assertEqual(self.names(), ['a'])
        self.pull(code='page-count-mismatch')

    def test_a_skipped_page_counts_as_one_of_the_file(self):
        pages = {'a': ago(days=2), 'b': 'yesterday'}
        body = self.site.collection(ago(days=1), pages)
        self.site.offer('/s.gz', body, generated=ago(days=1), pages=2)
        self.pull(code='unreadable-page')  # and not because of the number
        self.assertEqual(self.names(), ['a'])

    def test_an_entry_from_the_future(self):
        self.site.snapshot('/s.gz', ago(days=1), {'a': ago(days=2)})
        self.site.offer('/d.gz', None, 'all', ago(days=-2000), ago(days=1))
        self.pull(code='future-collection')
        self.assertEqual(self.names(), ['a'])
        self.assertEqual(self.server.asked('/d.gz'), [])


class Validators(Case):
    """A file that was applied is not sent again."""

    def test_an_entry_that_is_a_few_seconds_off(self):
        body = self.site.collection(ago(days=1), {'a': ago(days=2)})
        self.site.offer('/s.gz', body, generated=ago(days=1, seconds=-7))
        for _ in range(3):
            self.pull()
        self.assertEqual(self.bodies_sent('/s.gz'), (1, 0))

    def test_an_entry_without_a_time(self):
        body = self.site.collection(ago(days=1), {'a': ago(days=2)})
        self.site.offer('/s.gz', body)
        self.pull()
        report = self.pull()
        self.assertEqual(report['sections'][0]['applied'], 0)
        self.assertEqual(self.bodies_sent('/s.gz'), (1, 1))
        newer = self.site.collection(ago(hours=1), {'a': ago(days=2), 'b': ago(hours=2)})
        self.site.offer('/s.gz', newer)
        self.pull()
        self.assertEqual(self.names(), ['a', 'b'])

    def test_a_file_under_one_url_that_is_replaced(self):
        self.site.snapshot('/s.gz', ago(days=3), {'a': ago(days=4)})
        self.pull()
        self.site.snapshot('/s.gz', ago(days=1), {'a': ago(days=4), 'b': ago(days=2)})
        self.pull()
        self.assertEqual(self.names(), ['a', 'b'])
        self.assertEqual(self.bodies_sent('/s.gz'), (1, 1))  # the second time it had another validator

    def test_last_modified_alone(self):
        body = self.site.collection(ago(days=1), {'a': ago(days=2)})
        date = 'Sun, 06 Nov 1994 08:49:37 GMT'

        def send(request):
            if request.headers.get('if-modified-since') == date:
                return request.send(304, b'')
            return request.send(200, body, Last_Modified=date)
        self.site.offer('/s.gz', None)
        self.server.routes['/s.gz'] = send
        self.pull()
        self.pull()
        self.assertEqual([headers.get('if-modified-since') for headers in self.server.asked('/s.gz')], [None, date])

    def test_a_validator_that_cannot_be_sent_back_is_not_kept(self):
        body = self.site.collection(ago(days=1), {'a': ago(days=2)})
        self.site.offer('/s.gz', None)
        self.server.routes['/s.gz'] = lambda request: request.send(200, body, ETag='"a\x01b"')
        for _ in range(2):
            self.pull()
        self.assertEqual(self.bodies_sent('/s.gz'), (2, 0))

    def test_a_store_that_lost_the_section_gets_the_file_again(self):
        """Validators are useful only together with the pages that they stand for."""
        self.site.snapshot('/all.gz', ago(days=1), {'a': ago(days=2)})
        self.site.snapshot('/blog.gz', ago(hours=1), {'a': ago(days=2)}, 'blog')
        self.pull()
        good = self.server.routes['/all.gz']
        self.server.routes['/all.gz'] = lambda request: request.send(404, b'')
        self.site.offer('/all2.gz', None, 'all', ago(hours=1))
        self.pull()  # blog replaces all
        self.server.routes['/all.gz'] = good
        self.site.withdraw('/all2.gz')
        self.pull()
        self.assertEqual(self.names(), ['a'])


class Deletions(Case):
    """Without a state digest, only a snapshot reveals deletions."""

    def setUp(self):
        super().setUp()
        self.site.snapshot('/s1.gz', ago(days=9), {'a': ago(days=10), 'b': ago(days=10)})
        self.pull()
        self.site.delta('/d1.gz', ago(days=9), ago(days=2), {'c': ago(days=3)})  # b was deleted, and no delta lists that
        self.site.snapshot('/s2.gz', ago(days=3), {'a': ago(days=10)})

    def test_deltas_are_followed_while_a_snapshot_was_seen_lately(self):
        self.pull()
        self.assertEqual(self.names(), ['a', 'b', 'c'])
        self.assertEqual(self.server.asked('/s2.gz'), [])

    def test_a_snapshot_that_is_due_takes_deleted_pages_away_and_no_newer_ones(self):
        self.pull()
        report = self.pull('--snapshot-every', '0s')['sections'][0]
        self.assertEqual((report['plan'], report['removed']), ('snapshot', 1))
        self.assertEqual(self.names(), ['a', 'c'])
        self.server.forget()
        self.pull('--snapshot-every', '0s')
        self.assertEqual(self.server.asked('/s2.gz'), [])  # it has nothing new to say

    def test_a_snapshot_and_a_delta_at_once(self):
        self.pull('--snapshot-every', '0s')
        self.assertEqual(self.names(), ['a', 'c'])

    def test_a_time_that_is_none(self):
        status, _, errors = self.puller.pull(self.site.base, '--snapshot-every', 'often')
        self.assertEqual(status, 2)
        self.assertIn('"often" is not a duration', errors)


class Uncompressed(Case):
    """Plain `.scp` files without compression: a snapshot, a delta, a damaged file, and a plain file next to compressed ones."""

    def offer_plain(self, path, generated, pages, since=None, cut=None, **more):
        body = gzip.decompress(self.site.collection(generated, pages, since=since, **more))[:cut]
        self.site.offer(path, body, 'all', generated, since, size=len(body))

    def test_a_snapshot_and_a_delta(self):
        self.offer_plain('/s.scp', ago(days=3), {'a': ago(days=4), 'b': ago(days=4)})
        report = self.pull()
        self.assertEqual((self.names(), report['sections'][0]['applied']), (['a', 'b'], 1))
        self.offer_plain('/d.scp', ago(days=2), {'c': ago(days=2)}, since=ago(days=3), removed=[self.site.base + '/a'])
        self.assertEqual(self.pull()['sections'][0]['plan'], 'deltas')
        self.assertEqual(self.names(), ['b', 'c'])
        self.assertEqual(self.bodies_sent('/s.scp'), (1, 0))

    def test_one_that_ends_in_the_middle(self):
        self.offer_plain('/s.scp', ago(days=3), {'a': ago(days=4), 'b': ago(days=4)}, cut=-20)
        self.pull(code='invalid-collection')
        self.assertEqual(self.names(), [])

    def test_packed_ones_are_preferred(self):
        self.offer_plain('/s.scp', ago(days=3), {'a': ago(days=4)})
        self.site.snapshot('/s.scp.gz', ago(days=3), {'a': ago(days=4)})
        self.pull()
        self.assertEqual(self.server.asked('/s.scp'), [])


class Attempts(Case):
    def test_thousands_of_files_that_are_not_there_are_not_all_asked_for(self):
        self.site.snapshot('/s.gz', ago(days=9), {'a': ago(days=10)})
        self.pull()
        for number in range(4000):
            self.site.entries.append(f'<scp:delta section="all" url="{self.site.base}/d{number}.gz" since="{ago(days=9)}" '
                                     f'generated="{ago(days=8, seconds=-number)}"/>')
        self.site.write_sitemap()
        self.server.forget()
        self.pull(code='newest-unreachable')
        self.assertEqual(len([path for path, _ in self.server.log if path.startswith('/d')]), 16)
        self.site.snapshot('/s2.gz', ago(days=1), {'a': ago(days=10), 'b': ago(days=2)})
        self.pull()
        self.assertEqual(self.names(), ['a', 'b'])


class Fallback(Case):
    """The collections of a section cannot be used."""

    def setUp(self):
        super().setUp()
        self.puller = Puller(SHEAF, self.folder / 'store')
        text = 'a sentence that is long enough to be a paragraph of a page, and says what it has to say.'
        for name in ('b1', 'b2', 'd1', 'd2', 'extra'):
            self.server.routes[f'/{name}'] = lambda request, name=name: request.send(
                200, f'<!doctype html><html lang=en><title>{name}</title><main><h1>{name}</h1><p>{name} by itself, {text}</p></main>'.encode(),
                Content_Type='text/html')
        self.site.urls = ['b1', 'b2', 'd1', 'd2']
        self.sections = {'blog': ('b1', 'b2'), 'docs': ('d1', 'd2')}
        for section, names in self.sections.items():
            self.site.snapshot(f'/{section}.gz', ago(days=1), {name: ago(days=2) for name in names}, section)

    def pages_asked(self):
        return sorted(path for path, _ in self.server.log if path.lstrip('/') in ('b1', 'b2', 'd1', 'd2', 'extra', ''))

    def break_file(self, path):
        self.server.routes[path] = lambda request: request.send(404, b'')

    def offer_all(self, pages=4):
        body = self.site.collection(ago(days=1), {name: ago(days=2) for name in ('b1', 'b2', 'd1', 'd2')})
        self.site.offer('/all.gz', body, 'all', ago(days=1), pages=pages)
        return self.server.routes['/all.gz']

    def test_the_other_sections_take_the_place_of_all(self):
        good = self.offer_all()
        self.break_file('/all.gz')
        report = self.pull()
        self.assertEqual(report['route'], 'collections')
        whole = next(each for each in report['sections'] if each['section'] == 'all')
        self.assertEqual((whole['ok'], whole['covered'], whole['failureCode']), (False, True, 'http-status'))
        self.assertEqual(self.names(), ['b1', 'b2', 'd1', 'd2'])
        self.assertEqual(self.pages_asked(), [])
        self.server.routes['/all.gz'] = good
        report = self.pull()
        self.assertEqual([each['section'] for each in report['sections'] if each['ok']], ['all'])
        self.assertEqual(self.names(), ['b1', 'b2', 'd1', 'd2'])
        status = json.loads(self.puller.run('status', '--json').stdout)
        self.assertEqual([each['section'] for each in status['sections']], ['all'], status)

    def test_old_pages_of_all_do_not_stay_beside_those_that_took_its_place(self):
        body = self.site.collection(ago(days=8), {name: ago(days=9) for name in ('b1', 'gone')})
        self.site.offer('/all.gz', body, 'all', ago(days=8))
        self.pull()
        self.site.offer('/all.gz', None, 'all', ago(days=1), pages=4)
        self.break_file('/all.gz')
        self.pull()
        self.assertEqual(self.names(), ['b1', 'b2', 'd1', 'd2'])

    def test_sections_that_have_too_few_pages_are_kept_and_the_rest_is_fetched(self):
        self.site.urls.append('extra')
        self.offer_all(pages=5)
        self.break_file('/all.gz')
        report = self.pull()
        self.assertEqual(report['route'], 'html')
        self.assertEqual(self.names(), ['b1', 'b2', 'd1', 'd2', 'extra'])
        self.assertEqual(set(self.pages_asked()), {'/', '/extra'})
        self.assertEqual(report['html']['held'], 4)

    def test_a_page_in_two_sections_counts_once(self):
        """blog and docs have four pages together, but b2 is in both: they do not have the four of `all`."""
        self.sections['docs'] = ('b2', 'd1')
        self.site.snapshot('/docs.gz', ago(days=1), {name: ago(days=2) for name in ('b2', 'd1')}, 'docs')
        self.offer_all(pages=4)
        self.break_file('/all.gz')
        report = self.pull()
        self.assertEqual(report['route'], 'html')
        self.assertEqual(self.names(), ['b1', 'b2', 'd1', 'd2'])
        self.assertEqual(set(self.pages_asked()), {'/', '/d2'})

    def test_other_pages_in_the_same_number_do_not_take_the_place_of_all(self):
        """The site does not say how many pages `all` has: then no page of the store may be lost."""
        self.site.offer('/all.gz', self.site.collection(ago(days=8), {name: ago(days=9) for name in ('b1', 'extra')}), 'all', ago(days=8))
        self.pull()
        self.site.offer('/all.gz', None, 'all', ago(days=1))
        self.break_file('/all.gz')
        report = self.pull(code='newest-unreachable')
        self.assertFalse(any(each['covered'] for each in report['sections']), report)
        self.assertIn('extra', self.names())

    def test_an_intact_section_is_not_crawled_because_another_is_broken(self):
        self.break_file('/docs.gz')
        report = self.pull()
        self.assertEqual(report['route'], 'html')
        self.assertEqual(self.names(), ['b1', 'b2', 'd1', 'd2'])
        self.assertEqual(set(self.pages_asked()), {'/', '/d1', '/d2'})
        # docs works again: the pages that were fetched one by one are removed.
        self.site.snapshot('/docs.gz', ago(days=1), {name: ago(days=2) for name in ('d1', 'd2')}, 'docs')
        self.server.forget()
        self.assertEqual(self.pull()['route'], 'collections')
        self.assertEqual(self.names(), ['b1', 'b2', 'd1', 'd2'])
        self.assertEqual(self.pages_asked(), ['/'])  # it may have links to pages that no collection has
        self.server.forget()
        self.pull()
        self.assertEqual(self.pages_asked(), [])

    def test_a_section_that_has_pages_is_given_time(self):
        self.pull()
        self.site.offer('/docs.gz', None, 'docs', ago(hours=2))
        self.break_file('/docs.gz')
        self.server.forget()
        for _ in range(2):
            report = self.pull(code='newest-unreachable')
            self.assertIn('404', report['failure'])
        self.assertEqual(self.pages_asked(), [])
        report = self.pull()
        self.assertEqual(report['route'], 'html')
        self.assertEqual(set(self.pages_asked()), {'/', '/d1', '/d2'})

    def test_a_success_in_between_starts_the_count_anew(self):
        self.pull()
        for _ in range(2):
            self.site.offer('/docs.gz', None, 'docs', ago(hours=2))
            good = self.server.routes['/docs.gz']
            self.break_file('/docs.gz')
            for _ in range(2):
                self.pull(code='newest-unreachable')
            self.server.routes['/docs.gz'] = good
            self.site.snapshot('/docs.gz', ago(days=1), {name: ago(days=2) for name in ('d1', 'd2')}, 'docs')
            self.pull()
        self.assertEqual(self.pages_asked(), [])

    def test_pages_that_are_here_and_in_doubt_are_not_fetched_one_by_one(self):
        body = self.site.collection(ago(days=1), {'d1': ago(days=2)}, 'docs')
        self.site.offer('/docs.gz', body, 'docs', ago(days=1), size=5)
        for _ in range(4):
            self.pull(code='size-mismatch')
        self.assertEqual(self.pages_asked(), [])


class Published(unittest.TestCase):
    """Collections of sheaf have a state digest, so nothing is fetched unnecessarily."""

    def test_no_snapshot_is_fetched_where_the_digest_proves_the_copy(self):
        with tempfile.TemporaryDirectory(prefix='sheaf-true-') as name:
            folder = pathlib.Path(name)
            (folder / 'site/public').mkdir(parents=True)
            with BadServer(folder / 'site/public') as server:
                site = Site(SHEAF, folder / 'site', server.url)
                for number in range(3):
                    site.write(f'p{number}.html', f'Text {number}')
                site.publish()
                puller = Puller(SHEAF, folder / 'store', '--snapshot-every', '0s')
                puller.pull(site.base)
                site.write('p1.html', 'Changed')
                site.publish('--snapshot')
                code, reports, _ = puller.pull(site.base)
                self.assertEqual((code, reports[0]['sections'][0]['plan'], reports[0]['sections'][0]['proven']), (0, 'deltas', True), reports)
                server.forget()
                code, reports, _ = puller.pull(site.base)
                self.assertEqual((code, reports[0]['requests']), (0, 2), server.log)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    known, rest = parser.parse_known_args()
    SHEAF = str(pathlib.Path(known.sheaf).resolve())
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
