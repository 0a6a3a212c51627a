#!/usr/bin/env python3
"""Access policies end to end: `sheaf serve --policy` decides, `sheaf pull` meets 402, waits or pays, and keeps what sites say about use.

usage: policy.py --sheaf PROGRAM [TEST...]
"""
import argparse, http.client, json, pathlib, signal, socket, subprocess, sys, tempfile, time, unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'pull')]
import site_fixture
from pull_kit import BadServer, Puller, Site

SHEAF = None
TIMEOUT = 120
DIRECTORY = '/.well-known/http-message-signatures-directory'


def sheaf(*words, code=0):
    done = subprocess.run([SHEAF, *map(str, words)], capture_output=True, text=True, timeout=TIMEOUT)
    if done.returncode != code:
        raise AssertionError(f'{words}: exit status {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout + done.stderr


class WithSite(unittest.TestCase):
    """A published site and a policy for it."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.folder.chmod(0o755)
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            self.port = free.getsockname()[1]
        self.url = f'http://127.0.0.1:{self.port}'
        self.site = Site(SHEAF, self.folder / 'site', self.url)
        for name in 'abc':
            self.site.write(f'{name}.html', name.upper())
        self.site.publish()
        (self.site.public / 'robots.txt').write_text(f'User-agent: *\nContent-Usage: train-ai=n\nSitemap: {self.url}/sitemap.xml\n')
        [self.collection] = ['/' + str(path.relative_to(self.site.public)) for path in self.site.public.rglob('*.scp.zst')]
        self.policy = self.folder / 'policy.toml'
        self.log = self.folder / 'access.log'

    def serve(self, policy, *options):
        self.policy.write_text(policy)
        self.server = self.enterContext(site_fixture.Server(
            SHEAF, self.site.public, '--policy', str(self.policy), '--access-log', str(self.log), '--log-format', 'json', *options,
            listen=('--listen', f'127.0.0.1:{self.port}')))
        return self.server

    def ask(self, path, method='GET', **headers):
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=TIMEOUT)
        connection.request(method, path, headers={name.replace('_', '-'): value for name, value in headers.items()})
        answer = connection.getresponse()
        body = answer.read().decode(errors='replace')
        connection.close()
        return answer, body

    def status(self, path, **headers):
        return self.ask(path, **headers)[0].status


class Rules(WithSite):
    def test_the_first_rule_that_applies_decides(self):
        self.serve('''
[[rule]]
claimed = ["BadBot"]
action = "deny"
message = "write to crawl@example.com"
[[rule]]
sections = ["*"]
action = "price"
price = "USD 0.01"
''')
        answer, body = self.ask('/a.html', User_Agent='BadBot/1.0')
        self.assertEqual((answer.status, body), (403, '403 Forbidden: this file is not for you; write to crawl@example.com\n'))
        self.assertEqual(answer.getheader('Cache-Control'), 'no-store')
        self.assertEqual(self.status('/robots.txt', User_Agent='BadBot/1.0'), 200)
        self.assertEqual(self.status('/a.html', User_Agent='Mozilla/5.0'), 200)
        for method in ('GET', 'HEAD'):
            answer, body = self.ask(self.collection, method)
            self.assertEqual((answer.status, answer.getheader('crawler-price')), (402, 'USD 0.01'))
        answer, _ = self.ask(self.collection, crawler_max_price='USD 1.00')
        self.assertEqual((answer.status, answer.getheader('crawler-error')),
                         (402, 'only a verified agent can be charged: sign the request (Web Bot Auth)'))

    def test_quotas_are_counted(self):
        self.serve('''
[[rule]]
claimed = ["Few"]
action = "allow"
requests = 3
per = "day"
[[rule]]
claimed = ["Little"]
action = "allow"
bytes = "1B"
per = "day"
''')
        self.assertEqual([self.status('/a.html', User_Agent='Few') for _ in range(5)], [200, 200, 200, 429, 429])
        answer, body = self.ask('/a.html', User_Agent='Few')
        self.assertIn('your quota is 3 requests per day', body)
        self.assertLessEqual(int(answer.getheader('Retry-After')), 86400)
        self.assertEqual(self.status('/a.html', User_Agent='Little'), 200)
        # The bytes count when the response has ended, and the client may see its end before the server counts.
        end = time.monotonic() + TIMEOUT
        while self.status('/a.html', User_Agent='Little') != 429:
            self.assertLess(time.monotonic(), end)
        self.assertEqual(self.status('/a.html', User_Agent='Another'), 200)

    def test_young_collections_can_be_kept_back(self):
        self.serve('[[rule]]\naction = "allow"\nmin_age = "7d"\n')
        answer, body = self.ask(self.collection)
        self.assertEqual(answer.status, 403)
        self.assertIn('you may have it from', body)
        self.assertEqual(self.status('/a.html'), 200)

    def test_usage_is_stated_with_every_file(self):
        self.serve('[usage]\ncontent_usage = "train-ai=n"\nlicense = "https://example.com/license.xml"\n')
        answer, _ = self.ask(self.collection)
        self.assertEqual(answer.getheader('Content-Usage'), 'train-ai=n')
        self.assertEqual(answer.getheader('Link'), '<https://example.com/license.xml>; rel="license"; type="application/rsl+xml"')
        answer, _ = self.ask(self.collection, If_None_Match=answer.getheader('ETag'))
        self.assertEqual((answer.status, answer.getheader('Content-Usage')), (304, None))

    def test_a_faulty_file_stops_the_start(self):
        self.policy.write_text('[[rule]]\naction = "allwo"\n')
        said = sheaf('serve', self.site.public, '--listen', '127.0.0.1:0', '--policy', self.policy, code=2)
        self.assertIn(f'{self.policy}:2: a rule needs an `action`', said)


class Reloads(WithSite):
    def complaints(self, text):
        site_fixture.wait_until(lambda: text in self.server.complaints(), text)

    def test_sighup_replaces_the_policy_and_keeps_connections(self):
        self.serve('[[rule]]\nclaimed = ["Bot"]\naction = "deny"\n')
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=TIMEOUT)

        def status():
            connection.request('GET', '/a.html', headers={'User-Agent': 'Bot'})
            answer = connection.getresponse()
            answer.read()
            return answer.status

        self.assertEqual(status(), 403)
        first = connection.sock
        self.policy.write_text('[[rule]]\nclaimed = ["Bot"]\naction = "allow"\n')
        self.server.send_signal(signal.SIGHUP)
        self.complaints('is in use: 1 rule')
        self.assertEqual(status(), 200)
        self.policy.write_text('[[rule]]\nclaimed = ["Bot"]\n\naction = 3\n')
        self.server.send_signal(signal.SIGHUP)
        self.complaints(f'keeping the current policy: {self.policy}:4: `action` must be a text in quotes')
        self.assertEqual(status(), 200)
        self.policy.unlink()
        self.server.send_signal(signal.SIGHUP)
        self.complaints(f'keeping the current policy: cannot open {self.policy}')
        self.assertEqual(status(), 200)
        self.assertIs(connection.sock, first)
        connection.close()


class Explanations(WithSite):
    def explain(self, request, code):
        return sheaf('serve', self.site.public, '--policy', self.policy, '--explain-policy', request, code=code)

    def test_rules_are_explained(self):
        self.policy.write_text('''
[[rule]]
name = "partners"
verified = ["https://good.example"]
action = "allow"
requests = 100
per = "hour"
[[rule]]
name = "the rest"
sections = ["all"]
action = "price"
price = "USD 0.05"
''')
        self.assertEqual(self.explain(f'{self.collection} verified=https://good.example', 0),
                         f'{self.policy}:2: "partners" applies: allow, up to 100 requests in 3600 seconds\nserved\n')
        self.assertEqual(self.explain('/a.html claimed=SomeBot', 0),
                         f'{self.policy}:2: "partners" does not apply: the client is not verified as https://good.example\n'
                         f'{self.policy}:8: "the rest" does not apply: the file is not a collection\n'
                         'no rule applies: the file is served\nserved\n')
        said = self.explain(self.collection, 1)
        self.assertIn(f'{self.policy}:8: "the rest" applies: price\nrefused: 402 Payment Required: this file costs USD 0.05', said)
        self.assertIn('  crawler-price: USD 0.05\n', said)
        self.assertIn('served, and charged USD 0.05', self.explain(f'{self.collection} verified=https://other.example price=USD0.05', 0))
        self.assertIn('every client gets this file', self.explain('/robots.txt', 0))
        self.assertIn('"verify=x" is not part of a request', self.explain('/a verify=x', 2))
        self.assertIn('the request has no path', self.explain('claimed=x', 2))


PRICE = '[[rule]]\nsections = ["*"]\naction = "price"\nprice = "USD 0.05"\nmessage = "ask us"\n'


class PullMeetsPrices(WithSite):
    def setUp(self):
        super().setUp()
        self.agent = self.enterContext(BadServer())
        self.identity = self.folder / 'me'
        sheaf('identity', 'create', self.identity, '--agent', self.agent.url)
        self.agent.routes[DIRECTORY] = (self.identity / 'directory.json').read_bytes()
        self.puller = Puller(SHEAF, self.folder / 'store')

    def lines(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def pay_command(self, text):
        program = self.folder / 'pay'
        program.write_text('#!/bin/sh\n' + text)
        program.chmod(0o755)
        return program

    def test_an_offer_is_reported_and_the_site_waits(self):
        self.serve(PRICE)
        for _ in range(4):  # a section that fails is crawled from the third time on, but not this one
            code, [report], _ = self.puller.pull(self.url)
            self.assertEqual((code, report['ok'], report['failureCode']), (1, False, 'payment-required'))
            self.assertEqual(report['offer']['price'], 'USD 0.05')
            self.assertEqual(report['offer']['url'], self.url + self.collection)
            self.assertIn('ask us', report['offer']['text'])
            self.assertIn('--max-price', report['failure'])
            self.assertEqual(report['route'], 'collections')
        site_fixture.wait_until(lambda: len(self.lines()) >= 10, 'the log')
        self.assertEqual([line for line in self.lines() if line['target'].endswith('.html')], [], 'pages were crawled instead')
        status = json.loads(self.puller.run('status', '--json', '--site', self.url).stdout)
        self.assertEqual(status['terms'][0]['offer']['price'], 'USD 0.05')
        sites = self.folder / 'sites.txt'
        sites.write_text(self.url + '\n')
        code, reports, errors = self.puller.pull('--list', sites, '--once')
        self.assertEqual(code, 1, errors)
        status = json.loads(self.puller.run('status', '--json', '--list', str(sites)).stdout)
        self.assertEqual(status['sites'][0]['failureCode'], 'payment-required')
        self.assertIn('asks for payment', self.puller.run('status', '--list', str(sites)).stdout)
        # The site is due again after a day.
        code, reports, _ = self.puller.pull('--list', sites, '--once')
        self.assertEqual(reports[-1]['summary']['notDue'], 1)

    def test_a_price_is_accepted_by_a_command(self):
        self.serve(PRICE, '--verify-agents', '--allow-private')
        pay = self.pay_command(f'echo "$@" >> {self.folder}/paid\necho "X-Receipt: 42"\n')
        options = ('--identity', self.identity, '--max-price', 'USD 0.05', '--pay-command', pay)
        code, [report], errors = self.puller.pull(self.url, *options)
        self.assertEqual((code, report['ok']), (0, True), (report, errors))
        self.assertEqual(report['paid'], 'USD 0.05')
        self.assertNotIn('offer', report)
        self.assertEqual((self.folder / 'paid').read_text(), f'{self.url} {self.url}{self.collection} USD 0.05\n')
        self.assertEqual(len(self.puller.pages()), 3)
        site_fixture.wait_until(lambda: any('charged' in line for line in self.lines()), 'the charge in the log')
        [charged] = [line for line in self.lines() if 'charged' in line]
        self.assertEqual((charged['charged'], charged['identity'], charged['status']), ('USD 0.05', self.agent.url, 200))
        # Nothing is new, so nothing is paid, and the offer is deleted.
        code, [report], _ = self.puller.pull(self.url, *options)
        self.assertEqual((code, report.get('paid')), (0, None))
        self.assertNotIn('asks for payment', self.puller.run('status').stdout)

    def test_what_cannot_be_accepted_is_explained(self):
        self.serve(PRICE)
        for options, command, message in (
                (('--max-price', 'USD 0.04'), 'exit 0', '--max-price is USD 0.04 for a site, of which USD 0.00 is spent'),
                (('--max-price', 'EUR 9'), 'exit 0', '--max-price is in EUR'),
                (('--max-price', 'USD 1'), 'exit 3', 'with status 3'),
                (('--max-price', 'USD 1'), 'echo "Host: other.example"', 'not a header field for the request'),
                (('--max-price', 'USD 1'), 'exit 0', 'only a verified agent can be charged')):
            code, [report], _ = self.puller.pull(self.url, *options, '--pay-command', self.pay_command(command + '\n'))
            self.assertEqual((code, report['failureCode']), (1, 'payment-required'))
            self.assertIn(message, report['failure'])
        code, _, errors = self.puller.pull(self.url, '--max-price', 'much', '--pay-command', 'true')
        self.assertEqual(code, 2)
        self.assertIn('--max-price much: give a currency and an amount', errors)

    def test_other_places_that_cost_something(self):
        web = self.enterContext(BadServer())
        pay = lambda request: request.send(402, b'pay us', crawler_price='USD 2.00')
        for route, message in (('/robots.txt', '/robots.txt costs USD 2.00'), ('/sitemap.xml', '/sitemap.xml costs USD 2.00')):
            web.routes = {route: pay, '/': b'<p>hello</p>'}
            web.log.clear()
            code, [report], _ = Puller(SHEAF, self.folder / ('store' + route[1:3])).pull(web.url)
            self.assertEqual((code, report['failureCode']), (1, 'payment-required'), report)
            self.assertIn(message, report['failure'])
            self.assertNotIn('/', [path for path, _ in web.log])
        pages = {f'/{i}.html': pay for i in range(20)}
        web.routes = {'/': b'<p>' + b''.join(b'<a href="/%d.html">x</a> ' % i for i in range(20)) + b'</p>', **pages}
        web.log.clear()
        code, [report], _ = Puller(SHEAF, self.folder / 'crawl').pull(web.url, '--connections', '1')
        self.assertEqual((code, report['failureCode']), (1, 'payment-required'), report)
        self.assertIn('not paid for', report['failure'])
        self.assertLess(len([path for path, _ in web.log if path in pages]), 12, 'most pages were not requested')

    def test_a_payment_stays_on_its_origin(self):
        web, other = self.enterContext(BadServer()), self.enterContext(BadServer())
        site = Site(SHEAF, self.folder / 'elsewhere', web.url)
        site.write('a.html', 'One')
        site.publish()
        web.folder = site.public
        [path] = ['/' + str(path.relative_to(site.public)) for path in site.public.rglob('*.scp.zst')]
        other.folder = site.public

        def answer(request):
            if 'crawler-exact-price' in request.headers:
                return request.send(302, b'', Location=other.url + path)
            request.send(402, b'', crawler_price='USD 0.10')
        web.routes[path] = answer
        self.puller.pull(web.url, '--max-price', 'USD 1', '--pay-command', self.pay_command('echo "X-Token: secret"\n'))
        sent = [headers for asked, headers in other.log if asked == path]
        self.assertTrue(sent)
        for headers in sent:
            self.assertFalse({'x-token', 'crawler-exact-price'} & set(headers))


class UsagePreferences(WithSite):
    def test_pull_keeps_them_verbatim(self):
        self.serve('[usage]\ncontent_usage = "train-ai=n, search=y"\nlicense = "https://example.com/license.xml"\n')
        puller = Puller(SHEAF, self.folder / 'store')
        for _ in range(2):  # a pull that fetches nothing does not forget them
            self.assertEqual(puller.pull(self.url)[0], 0)
            [terms] = json.loads(puller.run('status', '--json').stdout)['terms']
            self.assertEqual(terms['robots'], ['User-agent: *', 'Content-Usage: train-ai=n'])
            self.assertEqual(terms['headers'], ['Content-Usage: train-ai=n, search=y',
                                                'Link: <https://example.com/license.xml>; rel="license"; type="application/rsl+xml"'])
        self.assertIn('states what its pages may be used for:\n  User-agent: *\n  Content-Usage: train-ai=n\n', puller.run('status').stdout)
        shown = json.loads(puller.run('get', f'{self.url}/a.html', '--json').stdout)
        self.assertEqual(shown['usage'], terms['robots'] + terms['headers'])

    def test_publish_writes_them_to_robots_txt(self):
        config = self.folder / 'sheaf.toml'
        robots = self.site.public / 'robots.txt'
        config.write_text(f'base = "{self.url}"\nout = "{self.site.public}/scp"\n[usage]\ncontent_signal = "search=yes, ai-train=no"\n'
                          f'[[section]]\nname = "all"\n[[section.source]]\ntype = "html"\nfolder = "{self.site.public}"\n')
        done = subprocess.run([SHEAF, 'publish'], cwd=self.folder, capture_output=True, text=True, timeout=TIMEOUT)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        self.assertIn('robots.txt lacks the preferences of [usage]: --write-robots adds them', done.stdout + done.stderr)
        before = robots.read_text()
        done = subprocess.run([SHEAF, 'publish', '--write-robots'], cwd=self.folder, capture_output=True, text=True, timeout=TIMEOUT)
        self.assertNotIn('lacks', done.stdout + done.stderr)
        self.assertEqual(robots.read_text(), before.replace('User-agent: *\n', 'User-agent: *\nContent-Signal: search=yes, ai-train=no\n'))


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    arguments, rest = parser.parse_known_args()
    SHEAF = str(pathlib.Path(arguments.sheaf).resolve())
    unittest.main(argv=[sys.argv[0], *rest], verbosity=1)
