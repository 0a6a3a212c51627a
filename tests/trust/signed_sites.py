#!/usr/bin/env python3
"""Keys, signed publishing and pulling, with Debian's minisign on the other side: it verifies what sheaf signs, and the other way around.

usage: signed_sites.py --sheaf PROGRAM [TEST...]
"""
import argparse, json, os, pathlib, shutil, subprocess, sys, tempfile, unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import signing_kit as kit
from signing_kit import public
from pull_kit import BadServer, Puller, Site

SHEAF = None
PASSPHRASE = 'correct horse'


def sheaf(*words, code=0, **more):
    done = subprocess.run([SHEAF, *map(str, words)], capture_output=True, text=True, timeout=kit.pull_kit.TIMEOUT, **more)
    if done.returncode != code:
        raise AssertionError(f'{words}: exit status {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout + done.stderr


class WithFolder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))


@unittest.skipUnless(kit.has_minisign(), 'minisign is not installed')
class KeysOfBothPrograms(WithFolder):
    def verify(self, file, key):
        return kit.run('minisign', '-V', '-m', file, '-p', key)

    def test_minisign_signs_with_our_key(self):
        key = kit.make_key(SHEAF, self.folder / 'ours.key')
        file = self.folder / 'file'
        file.write_text('some bytes')
        kit.minisign(key, file, 'a comment')
        self.assertIn('a comment', self.verify(file, f'{key}.pub'))

    def test_we_read_keys_of_minisign_without_passphrase(self):
        key = self.folder / 'theirs.key'
        kit.run('minisign', '-G', '-W', '-p', f'{key}.pub', '-s', key)
        shown = json.loads(sheaf('keys', 'show', f'{key}.pub', '--json'))
        self.assertEqual(shown['publicKey'], public(key))
        # minisign writes the number without leading zeros.
        self.assertIn(shown['keyNumber'].lstrip('0'), pathlib.Path(f'{key}.pub').read_text())
        pathlib.Path(f'{key}.pub').rename(self.folder / 'elsewhere.pub')
        self.assertEqual(json.loads(sheaf('keys', 'show', key, '--json')), shown)

    def test_passphrases_work_both_ways(self):
        """Each key derivation takes a gigabyte and some seconds, as in minisign."""
        environment = {**os.environ, 'SHEAF_KEY_PASSPHRASE': PASSPHRASE}
        ours = self.folder / 'ours.key'
        sheaf('keys', 'create', '--out', ours, env=environment)
        self.assertEqual(ours.stat().st_mode & 0o777, 0o600)
        file = self.folder / 'file'
        file.write_text('some bytes')
        kit.run('minisign', '-S', '-s', ours, '-m', file, '-t', 'x', input=PASSPHRASE + '\n')
        self.verify(file, f'{ours}.pub')
        theirs = self.folder / 'theirs.key'
        kit.run('minisign', '-G', '-p', self.folder / 'their.pub', '-s', theirs, input=f'{PASSPHRASE}\n{PASSPHRASE}\n')
        shown = json.loads(sheaf('keys', 'show', theirs, '--json', env=environment))
        self.assertEqual(shown['publicKey'], (self.folder / 'their.pub').read_text().splitlines()[1])
        wrong = sheaf('keys', 'show', theirs, code=1, env={**os.environ, 'SHEAF_KEY_PASSPHRASE': 'wrong'})
        self.assertIn('the passphrase of the secret key is wrong', wrong)

    def test_minisign_verifies_what_we_publish(self):
        key = kit.make_key(SHEAF, self.folder / 'site.key')
        site = Site(SHEAF, self.folder / 'site', 'https://signed.example')
        site.write('a.html', 'One')
        site.publish('--sign-key', str(key))
        files = sorted((site.public / 'scp').glob('*.scp.*'))
        collections = [file for file in files if file.suffix != '.minisig']
        self.assertEqual(len(collections), 2)
        for file in collections:
            said = self.verify(file, f'{key}.pub')
            self.assertIn('Trusted comment: scp-collection origin=https://signed.example section=all type=snapshot generated=', said)
            self.assertIn('checksum=sha256:', said)
            self.assertIn('state=sum256:', said)
            self.assertIn('signature valid', sheaf('validate', '--key', public(key), file))

    def test_a_command_signs(self):
        key = kit.make_key(SHEAF, self.folder / 'site.key')
        site = Site(SHEAF, self.folder / 'site', 'https://signed.example')
        site.write('a.html', 'One')
        settings = self.folder / 'site' / 'sheaf.toml'
        words = ['minisign', '-S', '-s', str(key), '-m', '{file}', '-x', '{signature}', '-t', '{comment}']
        text = (f'base = "https://signed.example"\nout = "public/scp"\n[signing]\ncommand = {json.dumps(words)}\npublic_key = "{key}.pub"\n'
                '[[section]]\nname = "all"\n[[section.source]]\ntype = "html"\nfolder = "public"\n')
        settings.write_text(text)
        sheaf('publish', '-c', settings)
        for file in (site.public / 'scp').glob('*.zst'):
            self.verify(file, f'{key}.pub')
        # A command that signs something else, or with another key, publishes nothing.
        other = kit.make_key(SHEAF, self.folder / 'other.key')
        site.write('b.html', 'Two')
        settings.write_text(text.replace(str(key), str(other)).replace(f'{other}.pub', f'{key}.pub'))
        before = (site.public / 'sitemap.xml').read_bytes()
        self.assertIn('did not sign', sheaf('publish', '-c', settings, '--snapshot', code=1))
        self.assertEqual((site.public / 'sitemap.xml').read_bytes(), before)
        settings.write_text(text.replace('"{comment}"', '"x"'))
        self.assertIn('is not a statement', sheaf('publish', '-c', settings, code=1))
        settings.write_text(text)
        sheaf('publish', '-c', settings)
        for file in (site.public / 'scp').glob('*.zst'):
            self.verify(file, f'{key}.pub')


class Keys(WithFolder):
    def test_a_key_is_never_replaced(self):
        key = kit.make_key(SHEAF, self.folder / 'site.key')
        before = key.read_bytes()
        self.assertIn('a key is never replaced', sheaf('keys', 'create', '--out', key, '--no-passphrase', code=2))
        self.assertEqual(key.read_bytes(), before)

    def test_a_secret_key_that_others_can_read_is_refused(self):
        key = kit.make_key(SHEAF, self.folder / 'site.key')
        site = Site(SHEAF, self.folder / 'site', 'https://signed.example')
        site.write('a.html', 'One')
        key.chmod(0o644)
        said = sheaf('publish', site.public, '--base', site.base, '--out', site.public / 'scp', '--sign-key', key, code=1)
        self.assertIn('chmod 600', said)
        self.assertFalse((site.public / 'sitemap.xml').exists())

    def test_a_replaced_or_revoked_key_does_not_sign(self):
        key = kit.make_key(SHEAF, self.folder / 'site.key')
        site = Site(SHEAF, self.folder / 'site', 'https://signed.example')
        site.write('a.html', 'One')
        publish = ['publish', site.public, '--base', site.base, '--out', site.public / 'scp', '--sign-key']
        sheaf('keys', 'rotate', key, '--out', self.folder / 'new.key', '--no-passphrase')
        self.assertIn('was replaced by key', sheaf(*publish, key, code=1))
        self.assertIn('already', sheaf('keys', 'rotate', key, '--out', self.folder / 'third.key', '--no-passphrase', code=1))
        sheaf('keys', 'revoke', self.folder / 'new.key')
        self.assertIn('was revoked at', sheaf(*publish, self.folder / 'new.key', code=1))
        self.assertIn('was revoked', sheaf('keys', 'show', self.folder / 'new.key'))


class SignedDelivery(WithFolder):
    """Delivery by a command: what is sent, and in which order."""

    def setUp(self):
        super().setUp()
        self.key = kit.make_key(SHEAF, self.folder / 'site.key')
        self.public = self.folder / 'public'
        self.public.mkdir()
        self.far = self.folder / 'far'
        self.put = self.folder / 'put'
        self.put.write_text(f'#!/bin/sh\n[ -e "{self.folder}/broken" ] && exit 1\nmkdir -p "$(dirname "{self.far}/$2")"\n'
                            f'cp "$1" "{self.far}/$2"\necho "$2 $3" >> "{self.folder}/sent"\n')
        self.put.chmod(0o755)
        self.publish_page('One')

    def publish_page(self, text):
        (self.public / 'a.html').write_text(kit.pull_kit.page_html('a', text))

    def publish(self, key=None, code=0):
        settings = self.folder / 'sheaf.toml'
        settings.write_text(f'base = "https://signed.example"\nout = "public/scp"\ncompression = "zstd"\n[signing]\nkey = "{key or self.key}"\n'
                            f'[delivery]\ntype = "command"\nput = ["{self.put}", "{{file}}", "{{name}}", "{{type}}"]\n'
                            '[[section]]\nname = "all"\n[[section.source]]\ntype = "html"\nfolder = "public"\n')
        sent = self.folder / 'sent'
        sent.unlink(missing_ok=True)
        sheaf('publish', '-c', settings, '--snapshot', code=code)
        return [line.split() for line in sent.read_text().splitlines()] if sent.exists() else []

    def kinds(self, sent):
        return ['keys' if name.endswith('scp-keys') else 'signature' if name.endswith('.minisig') else
                'sitemap' if name.endswith('.xml') else 'collection' for name, _ in sent]

    def test_keys_and_signatures_come_before_collections_and_sitemap(self):
        sent = self.publish()
        self.assertEqual(self.kinds(sent), ['keys', 'signature', 'collection', 'sitemap'])
        self.assertEqual([kind for name, kind in sent if name.endswith('.minisig')], ['text/plain'])
        self.assertEqual((self.far / '.well-known/scp-keys').read_text().splitlines()[1], f'key {public(self.key)}')

    def test_a_delivery_that_failed_is_completed(self):
        (self.folder / 'broken').touch()
        self.publish(code=2)
        (self.folder / 'broken').unlink()
        self.assertIn('signature', self.kinds(self.publish()))
        for file in (self.far / 'scp').glob('*.zst'):
            self.assertTrue(file.with_name(file.name + '.minisig').exists())
            self.assertIn('signature valid', sheaf('validate', '--key', public(self.key), file))

    def test_a_new_key_sends_the_key_list_and_every_signature(self):
        self.publish()
        new = self.folder / 'new.key'
        sheaf('keys', 'rotate', self.key, '--out', new, '--no-passphrase')
        self.publish_page('Two')
        kinds = self.kinds(self.publish(key=new))
        self.assertEqual(kinds[0], 'keys')
        self.assertGreaterEqual(kinds.count('signature'), 3)
        for file in (self.far / 'scp').glob('*.zst'):
            self.assertIn('signature valid', sheaf('validate', '--key', public(new), file))


class SignedPull(WithFolder):
    def setUp(self):
        super().setUp()
        self.server = self.enterContext(BadServer())
        self.key = kit.make_key(SHEAF, self.folder / 'site.key')
        self.site = Site(SHEAF, self.folder / 'site', self.server.url)
        self.server.folder = self.site.public
        for number in range(5):
            self.site.write(f'{number}.html', 'One')
        self.puller = Puller(SHEAF, self.folder / 'store')

    def publish(self, *options, key=None):
        return self.site.publish('--sign-key', str(key or self.key), *options)

    def pull(self, *options, ok=True):
        code, [report], errors = self.puller.pull(self.server.url, *options)
        self.assertEqual(code, 0 if ok else 1, (report, errors))
        return report

    def status(self):
        return json.loads(self.puller.run('status', '--json').stdout)['signing'][0]

    def proven(self):
        done = self.puller.run('verify', '--signatures', '--json')
        return json.loads(done.stdout)['signatures']

    def test_the_first_key_is_pinned_and_reported(self):
        self.publish()
        report = self.pull()
        self.assertIn(public(self.key), ' '.join(report['notes']))
        self.assertIn('first use', ' '.join(report['notes']))
        status = self.status()
        self.assertEqual((status['signed'], status['key'], status['pinnedBy']), (True, public(self.key), 'first use'))
        self.assertIn('signed with key', self.puller.run('status').stdout)
        self.assertEqual(self.proven(), {'proven': 1, 'unsigned': 0, 'faults': []})
        self.site.write('new.html', 'Two')
        self.publish()
        self.assertEqual(self.pull()['notes'], [])
        self.assertEqual(self.proven()['proven'], 1)
        self.assertEqual(self.puller.pages(), self.site.pages())

    def test_an_unsigned_site_is_pulled_and_shown_as_unsigned(self):
        self.site.publish()
        self.pull()
        self.assertEqual(self.status()['signed'], False)
        self.assertIn(f'{self.server.url}, unsigned', self.puller.run('status').stdout)
        self.assertEqual(self.proven(), {'proven': 0, 'unsigned': 1, 'faults': []})

    def test_a_site_that_begins_to_sign_is_pinned_with_its_next_collection(self):
        self.site.publish()
        self.pull()
        self.publish()
        self.pull()
        self.site.write('new.html', 'Two')
        self.publish()
        self.pull()
        self.assertEqual(self.status()['signed'], True)
        self.assertEqual(self.proven()['proven'], 1)

    def test_signatures_are_fetched_only_with_collections(self):
        self.publish()
        self.pull()
        self.server.log.clear()
        self.pull()
        self.assertEqual([path for path, _ in self.server.log if 'minisig' in path or 'scp-keys' in path], [])

    def test_the_key_list_and_signatures_come_before_the_sitemap(self):
        self.publish()
        self.assertIn(f'key {public(self.key)}', (self.site.public / '.well-known/scp-keys').read_text())
        sitemap = (self.site.public / 'sitemap.xml').read_text()
        self.assertIn(f'publicKey="{public(self.key)}"', sitemap)
        for file in (self.site.public / 'scp').glob('*.minisig'):
            self.assertIn(file.name.removesuffix('.minisig'), sitemap)

    def test_a_rotation_is_followed(self):
        self.publish()
        self.pull()
        new = self.folder / 'new.key'
        sheaf('keys', 'rotate', self.key, '--out', new, '--no-passphrase')
        self.site.write('new.html', 'Two')
        report = self.publish(key=new)
        self.assertEqual(report['signatures'], 4)  # the new collections and, with the new key, the old ones
        pulled = self.pull()
        self.assertIn('was replaced by key', ' '.join(pulled['notes']))
        self.assertEqual((self.status()['key'], self.status()['pinnedBy']), (public(new), 'rotation'))
        self.assertEqual(self.proven()['faults'], [])
        fresh = Puller(SHEAF, self.folder / 'fresh')
        self.assertEqual(fresh.pull(self.server.url)[0], 0)

    def test_two_rotations_at_once_are_followed(self):
        self.publish()
        self.pull()
        sheaf('keys', 'rotate', self.key, '--out', self.folder / 'second.key', '--no-passphrase')
        sheaf('keys', 'rotate', self.folder / 'second.key', '--out', self.folder / 'third.key', '--no-passphrase')
        self.site.write('new.html', 'Two')
        self.publish(key=self.folder / 'third.key')
        self.pull()
        self.assertEqual(self.status()['key'], public(self.folder / 'third.key'))

    def test_a_new_key_without_a_rotation_needs_the_user(self):
        self.publish()
        self.pull()
        other = kit.make_key(SHEAF, self.folder / 'other.key')
        self.site.write('new.html', 'Two')
        self.publish(key=other)
        before = self.puller.pages()
        report = self.pull(ok=False)
        self.assertEqual(report['failureCode'], 'untrusted-key')
        self.assertIn('--key', report['failure'])
        self.assertEqual(self.puller.pages(), before)
        self.pull('--key', f'{self.server.url}={other}.pub')
        self.assertEqual((self.status()['key'], self.status()['pinnedBy']), (public(other), 'given'))
        self.assertEqual(self.puller.pages(), self.site.pages())
        self.assertEqual(self.proven()['faults'], [])

    def test_a_site_that_stops_signing_needs_the_user(self):
        self.publish()
        self.pull()
        self.site.write('new.html', 'Two')
        notes = self.site.publish('--allow-unsigned')['notes']
        self.assertIn(f'sheaf pull --key {self.server.url}=none', notes[0])
        self.assertFalse((self.site.public / '.well-known/scp-keys').exists())
        report = self.pull(ok=False)
        self.assertEqual(report['failureCode'], 'unsigned-collection')
        self.pull('--key', f'{self.server.url}=none')
        self.assertEqual(self.status()['signed'], False)
        self.assertEqual(self.puller.pages(), self.site.pages())

    def test_a_run_without_the_key_is_held_back(self):
        self.publish()
        self.site.write('new.html', 'Two')
        before = sorted(file.name for file in (self.site.public / 'scp').iterdir())
        publish = ['publish', self.site.public, '--base', self.site.base, '--out', self.site.public / 'scp']
        for lost in (False, True):
            if lost:  # then the list of keys on the site is used
                shutil.rmtree(self.site.public.with_name(self.site.public.name + '.sheaf'))
            for more in ([], ['--dry-run']):
                said = sheaf(*publish, *more, code=1)
                self.assertIn('this run has no key: clients that know the key would refuse what is published', said)
                self.assertIn('--allow-unsigned', said)
        self.assertEqual(sorted(file.name for file in (self.site.public / 'scp').iterdir()), before)
        self.publish()
        self.pull()
        self.site.publish('--allow-unsigned')
        sheaf(*publish)  # once is enough

    def test_a_site_that_signs_is_never_crawled_instead(self):
        self.publish()
        self.pull()
        before = self.puller.pages()
        for file in (self.site.public / 'scp').glob('*'):
            file.unlink()
        self.site.write('new.html', 'Two')
        (self.site.public / 'sitemap.xml').write_text((self.site.public / 'sitemap.xml').read_text().replace(
            '</urlset>', f'<url><loc>{self.server.url}/new.html</loc></url></urlset>').replace('generated="2', 'generated="2'))
        for _ in range(5):
            _, [report], _ = self.puller.pull(self.server.url)
            self.assertNotEqual(report['route'], 'html')
        self.assertEqual(self.puller.pages(), before)

    def test_a_pin_in_advance_is_compared_with_the_first_collection(self):
        self.publish()
        other = kit.make_key(SHEAF, self.folder / 'other.key')
        report = self.pull('--key', f'{self.server.url}={public(other)}', ok=False)
        self.assertEqual(report['failureCode'], 'untrusted-key')
        self.pull('--key', f'{self.server.url}={public(self.key)}')
        self.assertEqual(self.status()['pinnedBy'], 'given')

    def test_a_plan_pins_nothing(self):
        self.publish()
        self.puller.pull(self.server.url, '--plan')
        self.pull('--plan')
        self.pull()
        self.assertIn('first use', self.status()['pinnedBy'])

    def test_bad_options_are_explained(self):
        for option, message in (('nothing', 'give a site and its key'), ('a.example=RWshort', 'is neither a public key of minisign'),
                                ('a.example=missing.pub', 'nor a file with one')):
            code, _, errors = self.puller.pull(self.server.url, '--key', option)
            self.assertEqual(code, 2)
            self.assertIn(message, errors)
        code, _, errors = self.puller.pull(self.server.url, '--require-signatures', '--html', 'only')
        self.assertIn('single pages are not signed', errors)

    def test_lost_signatures_and_key_lists_are_made_again(self):
        self.publish()
        for file in (self.site.public / 'scp').glob('*.minisig'):
            file.unlink()
        shutil.rmtree(self.site.public / '.well-known')
        self.assertEqual(self.publish()['signatures'], 2)
        self.pull()
        self.assertEqual(self.publish()['signatures'], 0)

    def test_signatures_are_deleted_with_their_collections(self):
        for number in range(4):
            self.site.write('0.html', f'Version {number}')
            self.publish('--snapshot')
        names = {file.name for file in (self.site.public / 'scp').iterdir()}
        for name in names:
            if name.endswith('.minisig'):
                self.assertIn(name.removesuffix('.minisig'), names)
            else:
                self.assertIn(name + '.minisig', names)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    arguments, rest = parser.parse_known_args()
    SHEAF = str(pathlib.Path(arguments.sheaf).resolve())
    unittest.main(argv=[sys.argv[0], *rest], verbosity=1)
