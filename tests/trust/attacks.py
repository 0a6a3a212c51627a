#!/usr/bin/env python3
"""Attacks on a signed site, each on its own copy of the site and of a store that trusts its key. The pull must fail with the expected code and
message, and the copy must stay as it was. Signatures are made by Debian's minisign; skipped without it."""
import argparse, base64, json, pathlib, shutil, sys, tempfile

import signing_kit as kit
from signing_kit import edit_bytes, edit_line, public, stamp

parser = argparse.ArgumentParser()
parser.add_argument('--sheaf', required=True)
parser.add_argument('--only', help='run only the cases whose names contain this')
arguments = parser.parse_args()
SHEAF = str(pathlib.Path(arguments.sheaf).resolve())
if not kit.has_minisign():
    print('skipped: minisign is not installed')
    sys.exit(77)

CASES = []


def attack(code, message, *options, store='step1'):
    """Registers a case. `store`: the state of the copy at the start: step0 (the snapshots), step1, step2, fresh."""
    def register(function):
        CASES.append((function.__name__, function, code, message, options, store))
        return function
    return register


# The signature file. The copy lacks the newest delta of section blog.

@attack('unsigned-collection', 'is not signed: there is no')
def signature_is_missing(site, delta): site.signature(delta).unlink()

@attack('invalid-signature', 'four lines are expected')
def signature_is_empty(site, delta): site.signature(delta).write_text('')

@attack('invalid-signature', 'four lines are expected')
def signature_lacks_its_comment(site, delta):
    site.signature(delta).write_text('\n'.join(site.signature(delta).read_text().split('\n')[:2]) + '\n')

@attack('invalid-signature', 'not 100 characters of Base64')
def signature_is_cut_in_its_second_line(site, delta): edit_line(site.signature(delta), 2, lambda line: line[:60])

@attack('invalid-signature', 'not 88 characters of Base64')
def signature_is_cut_in_its_last_line(site, delta): edit_line(site.signature(delta), 4, lambda line: line[:60])

@attack('invalid-signature', 'four lines are expected')
def signature_is_a_web_page(site, delta): site.signature(delta).write_text('<!doctype html><title>404</title>')

@attack('invalid-signature', 'four lines are expected')
def signature_is_binary(site, delta): site.signature(delta).write_bytes(bytes(range(256)) * 8)

@attack('invalid-signature', 'four lines are expected')
def signature_has_a_fifth_line(site, delta):
    site.signature(delta).write_text(site.signature(delta).read_text() + 'trusted comment: section=blog\n')

@attack('invalid-signature', 'does not begin with "untrusted comment: "')
def signature_has_no_untrusted_comment(site, delta): edit_line(site.signature(delta), 1, lambda line: 'signature')

@attack('invalid-signature', 'does not begin with "trusted comment: "')
def signature_has_no_trusted_comment(site, delta): edit_line(site.signature(delta), 3, lambda line: line.replace('trusted', 'Trusted'))

@attack('invalid-signature', 'its trusted comment has control characters')
def comment_has_control_characters(site, delta): edit_line(site.signature(delta), 3, lambda line: line + '\x1b[2J')

@attack('invalid-signature', 'not 100 characters of Base64')
def signature_has_white_space(site, delta): edit_line(site.signature(delta), 2, lambda line: ' ' + line)

@attack('invalid-signature', 'not 88 characters of Base64')
def comment_signature_has_other_padding(site, delta): edit_line(site.signature(delta), 4, lambda line: line.rstrip('='))

@attack('newest-unreachable', 'more than the limit of 16384')
def signature_is_endless(site, delta): site.signature(delta).write_text('untrusted comment: ' + 'x' * 200_000)


def edited(name, old, new):
    @attack('invalid-signature', 'did not sign them together')
    def case(site, delta):
        def change(line):
            changed = line.replace(old(site, delta), new(site, delta))
            assert changed != line, line
            return changed
        edit_line(site.signature(delta), 3, change)
    CASES[-1] = (f'comment_edited_{name}', *CASES[-1][1:])


edited('section', lambda site, delta: 'section=blog', lambda site, delta: 'section=docs')
edited('type', lambda site, delta: 'type=delta', lambda site, delta: 'type=snapshot')
edited('origin', lambda site, delta: site.base, lambda site, delta: 'https://other.example')
edited('generated', lambda site, delta: f'generated={stamp(delta.generated)}', lambda site, delta: f'generated={stamp(kit.NOW)}')
edited('since', lambda site, delta: f'since={stamp(delta.since)}', lambda site, delta: f'since={stamp(kit.TIMES[0])}')
edited('checksum', lambda site, delta: delta.checksum[-8:], lambda site, delta: '00000000')
edited('added_state', lambda site, delta: 'scp-collection', lambda site, delta: 'scp-collection state=sum256:' + '0' * 64)
edited('removed', lambda site, delta: site.statement(delta), lambda site, delta: '')

@attack('invalid-signature', 'did not sign them together')
def comment_signature_is_zero(site, delta): edit_line(site.signature(delta), 4, lambda line: base64.b64encode(bytes(64)).decode())

@attack('invalid-signature', 'did not sign them together')
def comment_signature_is_of_another_file(site, delta):
    other = site.signature(site.collections[1]).read_text().split('\n')[3]
    edit_line(site.signature(delta), 4, lambda line: other)

@attack('invalid-signature', 'did not sign them together')
def file_signature_has_another_bit(site, delta): edit_line(site.signature(delta), 2, lambda line: edit_bytes(line, 40, b'\x00\x01'))

@attack('untrusted-key', 'and did not sign that one')
def key_number_is_changed(site, delta): edit_line(site.signature(delta), 2, lambda line: edit_bytes(line, 2, b'12345678'))

@attack('invalid-signature', 'without prehashing, the old algorithm')
def algorithm_is_the_old_one(site, delta): site.sign(delta, None, None, '-l')

@attack('invalid-signature', 'without prehashing, the old algorithm')
def algorithm_is_relabelled_as_the_old_one(site, delta): edit_line(site.signature(delta), 2, lambda line: edit_bytes(line, 0, b'Ed'))

@attack('invalid-signature', 'did not sign them together')
def old_algorithm_is_relabelled_as_the_new_one(site, delta):
    site.sign(delta, None, None, '-l')
    edit_line(site.signature(delta), 2, lambda line: edit_bytes(line, 0, b'ED'))
    edit_line(site.signature(delta), 3, lambda line: line.replace('type=delta', 'type=snapshot'))

@attack('invalid-signature', 'its algorithm is not known')
def algorithm_is_unknown(site, delta): edit_line(site.signature(delta), 2, lambda line: edit_bytes(line, 0, b'RS'))

@attack('invalid-signature', 'it was signed for section docs, another section')
def signature_is_that_of_another_section(site, delta):
    shutil.copy(site.signature(site.collections[5]), site.signature(delta))

@attack('invalid-signature', 'changed, truncated or replaced')
def signature_is_that_of_an_older_delta(site, delta):
    shutil.copy(site.signature(site.collections[1]), site.signature(delta))

# The file, with its own signature.

@attack('invalid-signature', 'changed, truncated or replaced')
def file_has_another_bit(site, delta):
    data = bytearray(site.file(delta).read_bytes())
    data[len(data) // 2] ^= 1
    site.file(delta).write_bytes(bytes(data))

@attack('invalid-signature', 'changed, truncated or replaced')
def file_is_cut(site, delta): site.file(delta).write_bytes(site.file(delta).read_bytes()[:-5])

@attack('invalid-signature', 'changed, truncated or replaced')
def file_is_longer(site, delta): site.file(delta).write_bytes(site.file(delta).read_bytes() + b'x')

@attack('invalid-signature', 'changed, truncated or replaced')
def file_is_empty(site, delta): site.file(delta).write_bytes(b'')

@attack('invalid-signature', 'changed, truncated or replaced')
def file_has_other_pages(site, delta):
    delta.pages[0]['content'][0]['text'] = 'forged'
    site.write(delta)

@attack('invalid-signature', 'changed, truncated or replaced')
def file_has_a_page_more(site, delta):
    delta.pages.append(site.page('blog', 99, 2))
    site.write(delta)

@attack('invalid-signature', 'changed, truncated or replaced')
def file_is_the_older_delta(site, delta): shutil.copy(site.file(site.collections[1]), site.file(delta))

@attack('invalid-signature', 'changed, truncated or replaced')
def file_is_that_of_another_section(site, delta): shutil.copy(site.file(site.collections[5]), site.file(delta))

@attack('invalid-signature', 'changed, truncated or replaced')
def file_is_compressed_anew(site, delta):
    plain = site.folder / 'plain.scp'
    kit.run(SHEAF, 'convert', site.file(delta), plain)
    kit.run(SHEAF, 'convert', plain, site.file(delta), '--level', '1')

@attack('invalid-signature', 'it was signed for section docs, another section')
def file_and_signature_are_those_of_another_section(site, delta):
    shutil.copy(site.file(site.collections[5]), site.file(delta))
    shutil.copy(site.signature(site.collections[5]), site.signature(delta))

# Signed by an attacker's own key.

def forge(site, delta):
    delta.pages[0]['content'][0]['text'] = 'forged'
    site.write(delta)
    site.sign(delta, KEYS['b'])

@attack('untrusted-key', 'and did not sign that one')
def signed_with_another_key(site, delta): forge(site, delta)

@attack('invalid-signature', 'did not sign them together')
def signed_with_another_key_under_the_number_of_the_first(site, delta):
    forge(site, delta)
    number = base64.b64decode(public(KEYS['a']))[2:10]
    edit_line(site.signature(delta), 2, lambda line: edit_bytes(line, 2, number))

@attack('untrusted-key', 'and did not sign that one')
def sitemap_states_another_key(site, delta):
    forge(site, delta)
    site.write_sitemap(key=public(KEYS['b']))

@attack('untrusted-key', 'and did not sign that one')
def sitemap_and_key_list_state_another_key(site, delta):
    forge(site, delta)
    site.write_keys([], KEYS['b'])
    site.write_sitemap(key=public(KEYS['b']))

@attack('untrusted-key', 'has no key list in which the old key signs the new one')
def key_list_is_missing(site, delta):
    forge(site, delta)
    (site.folder / '.well-known/scp-keys').unlink()
    site.write_sitemap(key=public(KEYS['b']))

@attack('untrusted-key', 'has no key list in which the old key signs the new one')
def key_list_is_on_another_host(site, delta):
    forge(site, delta)
    site.write_sitemap(key=public(KEYS['b']), key_url='http://127.0.0.1:9/.well-known/scp-keys')

@attack('untrusted-key', 'is not a key list: its first line is not')
def key_list_is_something_else(site, delta):
    (site.folder / '.well-known/scp-keys').write_text('<!doctype html>')
    site.write_sitemap(statements=1)

@attack('untrusted-key', 'is not a key list: line 3: rotation or revocation was expected')
def key_list_has_an_unknown_statement(site, delta):
    site.write_keys(['trust ' + public(KEYS['b'])])
    site.write_sitemap()

@attack('too-large', 'more than the limit of 65536')
def key_list_is_endless(site, delta):
    site.write_keys([HISTORY['a-c']] * 300)
    site.write_sitemap()

@attack('untrusted-key', 'too many lines')
def key_list_has_too_many_statements(site, delta):
    site.write_keys([HISTORY['a-c']] * 150)
    site.write_sitemap()

# Rotations and revocations.

def rotate(site, history, key):
    site.write_keys(history, key)
    site.write_sitemap(key=public(key))

@attack('untrusted-key', 'is forged: that key did not sign it')
def rotation_is_signed_by_the_new_key(site, delta):
    forge(site, delta)
    words = HISTORY['b-c'].split()
    words[1], words[2] = public(KEYS['a']), public(KEYS['b'])
    rotate(site, [' '.join(words)], KEYS['b'])

@attack('untrusted-key', 'is forged: that key did not sign it')
def rotation_names_another_successor(site, delta):
    forge(site, delta)
    words = HISTORY['a-c'].split()
    words[2] = public(KEYS['b'])
    rotate(site, [' '.join(words)], KEYS['b'])

@attack('untrusted-key', 'is forged: that key did not sign it')
def rotation_has_another_time(site, delta):
    words = HISTORY['a-c'].split()
    words[3] = stamp(kit.NOW - 100)
    rotate(site, [' '.join(words)], KEYS['c'])

@attack('untrusted-key', 'is forged: that key did not sign it')
def rotation_has_exchanged_signatures(site, delta):
    words = HISTORY['a-c'].split()
    words[4], words[5] = words[5], words[4]
    rotate(site, [' '.join(words)], KEYS['c'])

@attack('untrusted-key', 'its signatures are not 88 characters')
def rotation_is_cut(site, delta): rotate(site, [HISTORY['a-c'][:-10]], KEYS['c'])

@attack('untrusted-key', 'and did not sign that one')
def rotation_is_of_other_keys(site, delta):
    forge(site, delta)
    rotate(site, [HISTORY['b-c']], KEYS['c'])

@attack('untrusted-key', 'names two successors')
def rotation_has_two_successors(site, delta): rotate(site, [HISTORY['a-c'], HISTORY['a-d']], KEYS['c'])

@attack('untrusted-key', 'and did not sign that one')
def rotation_is_real_but_an_outsider_signs(site, delta):
    forge(site, delta)
    rotate(site, [HISTORY['a-c']], KEYS['c'])

@attack('untrusted-key', 'was revoked by its owner')
def key_is_revoked(site, delta): rotate(site, [HISTORY['revoke-a']], KEYS['a'])

@attack('untrusted-key', 'was revoked by its owner')
def revoked_key_names_a_successor(site, delta): rotate(site, [HISTORY['a-c'], HISTORY['revoke-a']], KEYS['c'])

@attack('untrusted-key', 'is forged: that key did not sign it')
def revocation_is_forged(site, delta):
    words = HISTORY['revoke-b'].split()
    words[1] = public(KEYS['a'])
    rotate(site, [' '.join(words)], KEYS['a'])

@attack('untrusted-key', 'was revoked by its owner', store='revoked')
def revocation_disappears_again(site, delta): pass

# Removed keys, signatures and collections.

@attack('unsigned-collection', 'is not signed: there is no')
def key_and_signatures_are_stripped(site, delta):
    site.write_sitemap(key=None)
    for signature in site.folder.glob('*.minisig'):
        signature.unlink()

@attack('untrusted-key', 'and did not sign that one')
def key_is_stripped_and_an_outsider_signs(site, delta):
    forge(site, delta)
    site.write_sitemap(key=None)

@attack('unsigned-collection', 'offers no collections')
def collections_are_stripped(site, delta): site.write_sitemap(collections=[], key=None)

@attack('unsigned-collection', 'offers no collections')
def sitemap_is_stripped(site, delta):
    (site.folder / 'sitemap.xml').unlink()
    (site.folder / 'robots.txt').write_text('User-agent: *\nAllow: /\n')

@attack('newest-unreachable', 'answered 404')
def all_collections_are_gone(site, delta):
    for file in site.folder.glob('*.zst'):
        file.unlink()

@attack('unsigned-collection', 'is not signed: there is no')
def new_collection_is_unsigned(site, delta):
    new = kit.Collection('blog', 'snapshot', kit.NOW, None, [site.page('blog', 0, 2)])
    site.write(new)
    site.write_sitemap(collections=[new])

# Replay: everything is validly signed with the right key.

@attack('replayed-collection', 'older than the copy', store='step2')
def old_snapshot_under_a_new_name(site, delta):
    new = kit.Collection('blog', 'snapshot', kit.NOW, None, site.collections[0].pages)
    shutil.copy(site.file(site.collections[0]), site.file(new))
    shutil.copy(site.signature(site.collections[0]), site.signature(new))
    site.write_sitemap(collections=[*site.collections, new])

@attack('replayed-collection', 'and the sitemap says')
def old_delta_in_place_of_the_new_one(site, delta):
    shutil.copy(site.file(site.collections[1]), site.file(delta))
    shutil.copy(site.signature(site.collections[1]), site.signature(delta))

@attack('stale-collection', 'older than the copy', store='step2')
def whole_site_of_an_earlier_day(site, delta): site.write_sitemap(collections=[each for each in site.collections if each.generated != kit.TIMES[2]])

# Signed with the right key, for something else.

@attack('invalid-signature', 'it was signed for https://other.example, another site')
def signed_for_another_site(site, delta): site.sign(delta, origin='https://other.example')

@attack('invalid-signature', 'it was signed for http://127.0.0.1:1, another site')
def signed_for_another_port(site, delta): site.sign(delta, origin='http://127.0.0.1:1')

@attack('invalid-signature', 'it was signed for section docs, another section')
def signed_for_another_section(site, delta): site.sign(delta, section='docs')

@attack('invalid-signature', 'its signature states type snapshot')
def signed_as_a_snapshot(site, delta): site.sign(delta, type='snapshot', since=None)

@attack('invalid-signature', 'its signature states generated')
def signed_with_another_time(site, delta): site.sign(delta, generated=stamp(kit.NOW))

@attack('invalid-signature', 'its signature states since')
def signed_with_another_beginning(site, delta): site.sign(delta, since=stamp(kit.TIMES[0]))

@attack('invalid-signature', 'its signature states checksum')
def signed_with_another_checksum(site, delta): site.sign(delta, checksum='sha256:' + '0' * 64)

@attack('invalid-signature', 'its signature states checksum no value')
def signed_without_a_checksum(site, delta): site.sign(delta, checksum=None)

@attack('invalid-signature', 'its signature states state')
def signed_with_a_state_that_the_file_lacks(site, delta): site.sign(delta, state='sum256:' + '0' * 64)

@attack('invalid-signature', 'does not begin with scp-collection')
def signed_without_a_statement(site, delta): site.sign(delta, None, 'timestamp:1700000000')

@attack('invalid-signature', 'it states section twice')
def signed_with_two_sections(site, delta): site.sign(delta, None, site.statement(delta) + ' section=docs')

@attack('invalid-signature', 'it does not state origin')
def signed_without_an_origin(site, delta): site.sign(delta, origin=None)

# The first pull, and keys that the user specifies.

@attack('untrusted-key', 'states a key that cannot be used', store='fresh')
def first_key_is_not_a_key(site, delta): site.write_sitemap(key='RWsomething')

@attack('untrusted-key', 'not a valid point of the curve', store='fresh')
def first_key_is_weak(site, delta): site.write_sitemap(key=base64.b64encode(b'Ed' + bytes(40)).decode())

@attack('untrusted-key', 'but its key list states key', store='fresh')
def first_key_is_not_that_of_the_key_list(site, delta): site.write_sitemap(key=public(KEYS['b']))

@attack('untrusted-key', 'was revoked by its owner', store='fresh')
def first_key_is_revoked(site, delta): rotate(site, [HISTORY['revoke-a']], KEYS['a'])

@attack('unsigned-collection', 'does not sign its collections', '--require-signatures', store='fresh')
def signatures_are_required(site, delta): site.write_sitemap(key=None)

@attack('untrusted-key', 'and did not sign that one', '--key', 'SITE=KEY-B', store='fresh')
def another_key_was_pinned_in_advance(site, delta): pass

@attack('unsigned-collection', 'is not signed: there is no', '--key', 'SITE=KEY-A', store='fresh')
def pinned_in_advance_but_unsigned(site, delta):
    site.write_sitemap(key=None)
    for signature in site.folder.glob('*.minisig'):
        signature.unlink()


def pull(server, folder, store, *options):
    server.folder = folder
    words = [word.replace('SITE', server.url).replace('KEY-A', public(KEYS['a'])).replace('KEY-B', public(KEYS['b'])) for word in options]
    return kit.pull_kit.Puller(SHEAF, store).pull(server.url, *words)


def contents(store):
    return {} if not store.exists() else {page['url']: page['content'][0]['text'] for page in kit.pull_kit.Puller(SHEAF, store).raw_pages()}


def run_case(server, folder, case):
    name, function, code, message, options, start = case
    shutil.rmtree(folder, ignore_errors=True)
    site = kit.SignedSite(SHEAF, folder / 'site', server.url, KEYS['a'])
    store = folder / 'store'
    if start != 'fresh':
        shutil.copytree(STORES[start], store)
    if start not in CONTENTS:
        CONTENTS[start] = contents(store)
    before = CONTENTS[start]
    function(site, site.collections[2])
    status, reports, errors = pull(server, site.folder, store, *options)
    report = reports[0] if reports else {}
    found = (report.get('failureCode'), report.get('failure', ''))
    problems = []
    if status != 1 or found[0] != code or message not in found[1]:
        problems.append(f'expected {code}: ...{message}...\n  found exit status {status}, {found[0]}: {found[1]} {errors}')
    after = contents(store)
    # In most cases section docs is not attacked and may advance; blog must not contain anything from the attack.
    forged = {url: text for url, text in after.items() if '/blog/' in url and before.get(url) != text and before}
    if start == 'fresh' and any('/blog/' in url for url in after):
        forged = after
    if forged:
        problems.append(f'the copy was changed: {forged}')
    if report.get('route') == 'html':
        problems.append('its pages were fetched one by one instead')
    return [f'{name}: {problem}' for problem in problems]


def prepare(server, folder):
    for name in 'abcd':
        KEYS[name] = kit.make_key(SHEAF, folder / f'{name}.key')
    for old, new in (('a', 'c'), ('b', 'c'), ('a', 'd')):
        shutil.copy(KEYS[old], folder / 'old.key')
        shutil.copy(f'{KEYS[old]}.pub', folder / 'old.key.pub')
        HISTORY[f'{old}-{new}'] = rotation(folder, new)
    for name in 'ab':
        shutil.copy(KEYS[name], folder / 'revoked.key')
        kit.run(SHEAF, 'keys', 'revoke', folder / 'revoked.key')
        HISTORY[f'revoke-{name}'] = (folder / 'revoked.key.history').read_text().strip()
        (folder / 'revoked.key.history').unlink()
    for step in range(3):
        site = kit.SignedSite(SHEAF, folder / f'site{step}', server.url, KEYS['a'], step + 1)
        STORES[f'step{step}'] = folder / f'store{step}'
        if step:
            shutil.copytree(STORES[f'step{step - 1}'], STORES[f'step{step}'])
        status, reports, errors = pull(server, site.folder, STORES[f'step{step}'])
        assert status == 0, (reports, errors)
    STORES['revoked'] = folder / 'store-revoked'
    shutil.copytree(STORES['step1'], STORES['revoked'])
    rotate(site, [HISTORY['revoke-a']], KEYS['a'])
    assert pull(server, site.folder, STORES['revoked'])[0] == 1


def rotation(folder, new):
    """The statement with which old.key names the key `new`: a rotation to a fresh key gives all but the new key, so it is made by rotating and
    then taking over the fresh key's files."""
    for ending in ('', '.pub', '.history'):
        (folder / f'fresh.key{ending}').unlink(missing_ok=True)
    (folder / 'old.key.history').unlink(missing_ok=True)
    kit.run(SHEAF, 'keys', 'rotate', folder / 'old.key', '--out', folder / 'fresh.key', '--no-passphrase')
    statement = (folder / 'fresh.key.history').read_text().strip()
    if f'{new}.key' not in TAKEN:
        for ending in ('', '.pub'):
            shutil.copy(folder / f'fresh.key{ending}', folder / f'{new}.key{ending}')
        TAKEN.add(f'{new}.key')
    return statement


KEYS, HISTORY, STORES, CONTENTS, TAKEN = {}, {}, {}, {}, set()


def main():
    wanted = [case for case in CASES if not arguments.only or arguments.only in case[0]]
    names = [case[0] for case in CASES]
    assert len(set(names)) == len(names) >= 60, len(names)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        server = kit.pull_kit.BadServer(folder)
        prepare(server, folder)
        problems = [problem for case in wanted for problem in run_case(server, folder / 'case', case)]
    for problem in problems:
        print(problem)
    print(f'{len(wanted)} attacks, {len(problems)} problems')
    return 1 if problems else 0


sys.exit(main())
