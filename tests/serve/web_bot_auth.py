#!/usr/bin/env python3
"""Web Bot Auth: `sheaf pull --identity` signs, `sheaf serve --verify-agents` verifies, and npm's web-bot-auth is tested on both sides.

usage: web_bot_auth.py --sheaf PROGRAM --tools FOLDER [TEST...]    FOLDER: where web-bot-auth is, or will be installed
The tests with npm's package are skipped where node is missing or npm cannot fetch it.
"""
import argparse, http.client, json, os, pathlib, shutil, subprocess, sys, tempfile, threading, time, unittest
import http.server

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'pull'), str(HERE.parent / 'support')]
import npm_packages
import site_fixture
from pull_kit import BadServer, Puller, Site

SHEAF = TOOLS = None
PACKAGE = 'web-bot-auth@0.1.3'
TIMEOUT = 120
DIRECTORY = '/.well-known/http-message-signatures-directory'


def node(*words, text=''):
    done = subprocess.run(['node', str(HERE / 'web_bot_auth.mjs'), *words], input=text, capture_output=True, text=True, timeout=TIMEOUT,
                          env={**os.environ, 'WEB_BOT_AUTH': str(TOOLS)})
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout.strip()


def sheaf(*words, code=0):
    done = subprocess.run([SHEAF, *map(str, words)], capture_output=True, text=True, timeout=TIMEOUT)
    if done.returncode != code:
        raise AssertionError(f'{words}: exit status {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout + done.stderr


def wait_for(question):
    """Calls the function until it returns true; only a hang takes long."""
    end = time.monotonic() + TIMEOUT
    while not question():
        if time.monotonic() > end:
            raise AssertionError('nothing came of it')
        time.sleep(0.02)


class WithAgent(unittest.TestCase):
    """A crawler whose key directory is on our server, and a site that verifies it."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.agent = self.enterContext(BadServer())
        self.identity = self.folder / 'me'
        sheaf('identity', 'create', self.identity, '--agent', self.agent.url)
        self.directory = (self.identity / 'directory.json').read_bytes()
        self.agent.routes[DIRECTORY] = self.directory
        self.public = self.folder / 'public'
        self.public.mkdir()
        (self.public / 'a.txt').write_text('hello\n')
        self.folder.chmod(0o755)
        self.log = self.folder / 'access.log'

    def serve(self, *options):
        return self.enterContext(site_fixture.Server(SHEAF, self.public, '--access-log', str(self.log), '--log-format', 'json', *options))

    def lines(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def get(self, server, headers, path='/a.txt'):
        connection = http.client.HTTPConnection('127.0.0.1', server.address[1], timeout=TIMEOUT)
        connection.request('GET', path, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer, body

    def identity_of(self, server, headers, path='/a.txt'):
        """Returns the identity that the log has for a request; each request has its own query."""
        mark = f'{path}?{len(self.lines())}-{time.monotonic_ns()}'
        self.get(server, headers, mark)
        wait_for(lambda: any(line['target'] == mark for line in self.lines()))
        return next(line for line in self.lines() if line['target'] == mark).get('identity')

    def wait_until_known(self, sign):
        """The first signed request makes the server fetch the directory."""
        server = self.server
        wait_for(lambda: self.identity_of(server, sign()) is not None)


class IdentityCommand(WithAgent):
    def test_the_files(self):
        self.assertEqual((self.identity / 'key.jwk').stat().st_mode & 0o777, 0o600)
        [key] = json.loads(self.directory)['keys']
        self.assertEqual((key['kty'], key['crv']), ('OKP', 'Ed25519'))
        shown = json.loads(sheaf('identity', 'show', self.identity, '--json'))
        self.assertEqual((shown['agent'], shown['keyId']), (self.agent.url, key['kid']))

    def test_what_is_wrong_is_said(self):
        self.assertIn('a key is never replaced', sheaf('identity', 'create', self.identity, '--agent', self.agent.url, code=2))
        self.assertIn('needs --agent', sheaf('identity', 'create', self.folder / 'new', code=2))
        (self.identity / 'key.jwk').chmod(0o644)
        self.assertIn('chmod 600', sheaf('identity', 'show', self.identity, code=1))
        (self.identity / 'key.jwk').chmod(0o600)
        (self.identity / 'directory.json').write_text('{"keys":[]}')
        self.assertIn('does not have the key of this identity', sheaf('identity', 'show', self.identity, code=1))
        (self.identity / 'key.jwk').write_text('{}')
        self.assertIn('is not a private Ed25519 key', sheaf('identity', 'show', self.identity, code=1))


class PullSigns(WithAgent):
    def setUp(self):
        super().setUp()
        self.web = self.enterContext(BadServer())
        self.site = Site(SHEAF, self.folder / 'site', self.web.url)
        self.site.write('a.html', 'One')
        self.site.publish()
        self.web.folder = self.site.public

    def test_every_request_is_signed_with_its_own_nonce(self):
        Puller(SHEAF, self.folder / 'store').pull(self.web.url, '--identity', self.identity)
        inputs = [headers['signature-input'] for _, headers in self.web.log]
        self.assertGreaterEqual(len(inputs), 3)
        self.assertEqual(len(set(inputs)), len(inputs))
        for _, headers in self.web.log:
            self.assertEqual(headers['signature-agent'], f'"{self.agent.url}"')
            self.assertIn('tag="web-bot-auth"', headers['signature-input'])

    def test_without_the_option_nothing_is_sent(self):
        Puller(SHEAF, self.folder / 'store').pull(self.web.url)
        for _, headers in self.web.log:
            self.assertFalse([name for name in headers if name.startswith('signature')])

    def test_a_server_of_ours_verifies_a_pull_of_ours(self):
        self.server = self.serve('--verify-agents', '--allow-private')
        url = f'http://127.0.0.1:{self.server.address[1]}'
        site = Site(SHEAF, self.folder / 'other', url)
        site.write('a.html', 'One')
        site.publish()
        shutil.copytree(site.public, self.public, dirs_exist_ok=True)
        for number in range(3):
            code, reports, errors = Puller(SHEAF, self.folder / f'store{number}').pull(url, '--identity', self.identity)
            self.assertEqual(code, 0, (reports, errors))
        wait_for(lambda: any(line.get('identity') == self.agent.url for line in self.lines()))
        self.assertEqual(len(self.agent.asked(DIRECTORY)), 1)

    def test_a_bad_identity_is_explained(self):
        code, _, errors = Puller(SHEAF, self.folder / 'store').pull(self.web.url, '--identity', self.folder / 'nothing')
        self.assertEqual(code, 2)
        self.assertIn('key.jwk', errors)
        self.assertEqual(self.web.log, [])


class OwnDirectory(WithAgent):
    def test_serve_hosts_the_directory_and_signs_it(self):
        server = self.serve('--identity', str(self.identity))
        answer, body = self.get(server, {}, DIRECTORY)
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.getheader('content-type'), 'application/http-message-signatures-directory+json')
        self.assertEqual(json.loads(body), json.loads(self.directory))
        self.assertIn('"@authority";req', answer.getheader('signature-input'))
        self.assertIn('tag="http-message-signatures-directory"', answer.getheader('signature-input'))

    def test_without_the_option_there_is_none(self):
        self.assertEqual(self.get(self.serve(), {}, DIRECTORY)[0].status, 404)


class WithNpm(WithAgent):
    def setUp(self):
        if npm_packages.fetch(TOOLS, PACKAGE) is None:
            self.skipTest('web-bot-auth cannot be fetched, or node is missing')
        super().setUp()
        self.jwk = json.loads((self.identity / 'key.jwk').read_text())

    def sign(self, agent=None, url=None):
        return json.loads(node('sign', url or f'http://127.0.0.1:{self.server.address[1]}/a.txt', agent or self.agent.url, json.dumps(self.jwk)))

    def test_their_signature_is_verified_by_us(self):
        self.server = self.serve('--verify-agents', '--allow-private')
        self.wait_until_known(self.sign)
        self.assertEqual(self.identity_of(self.server, self.sign()), self.agent.url)
        # Requests with a refused signature are served anyway, without an identity in the log.
        once = self.sign()
        self.assertEqual(self.identity_of(self.server, once), self.agent.url)
        self.assertIsNone(self.identity_of(self.server, once), 'a replay')
        self.assertIsNone(self.identity_of(self.server, self.sign(url='http://other.example/a.txt')), 'another host')
        wrong = self.sign()
        wrong['Signature'] = self.sign()['Signature']
        self.assertIsNone(self.identity_of(self.server, wrong), 'another signature')
        other = self.sign()
        other['Signature-Agent'] = '"http://127.0.0.1:9"'
        self.assertIsNone(self.identity_of(self.server, other), 'another agent')
        self.assertIsNone(self.identity_of(self.server, {}))
        self.assertEqual(len(self.agent.asked(DIRECTORY)), 1)

    def test_private_agents_are_not_asked(self):
        self.server = self.serve('--verify-agents')
        for _ in range(3):
            self.assertIsNone(self.identity_of(self.server, self.sign()))
        self.assertEqual(self.agent.log, [])

    def test_our_signature_is_verified_by_them(self):
        web = self.enterContext(BadServer())
        site = Site(SHEAF, self.folder / 'site', web.url)
        site.write('a.html', 'One')
        site.publish()
        web.folder = site.public
        Puller(SHEAF, self.folder / 'store').pull(web.url, '--identity', self.identity)
        public = {name: value for name, value in self.jwk.items() if name != 'd'}
        requests = [json.dumps({'url': web.url + path, 'jwk': public, 'headers': {
            name: headers[name] for name in ('signature', 'signature-input', 'signature-agent')}}) for path, headers in web.log]
        self.assertGreaterEqual(len(requests), 3)
        self.assertEqual(node('verify', text='\n'.join(requests)).splitlines(), ['verified'] * len(requests))
        moved = json.loads(requests[0])
        moved['url'] = 'http://other.example/robots.txt'
        self.assertIn('not verified', node('verify', text=json.dumps(moved)))

    def test_both_give_a_key_the_same_id(self):
        self.assertEqual(node('thumbprint', json.dumps(self.jwk)), json.loads(self.directory)['keys'][0]['kid'])


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--tools', required=True, type=pathlib.Path)
    arguments, rest = parser.parse_known_args()
    SHEAF, TOOLS = str(pathlib.Path(arguments.sheaf).resolve()), arguments.tools.resolve()
    unittest.main(argv=[sys.argv[0], *rest], verbosity=1)
