#!/usr/bin/env python3
"""A site lives, is published, served and pulled, and everything that can be killed is killed now and then.

usage: soak.py --sheaf PROGRAM [--minutes N] [--rounds N] [--seed N]

Each round: some pages are written, changed, removed; `sheaf publish` runs, perhaps killed on the way and then run again; a file of the site may
be damaged for a while; `sheaf serve` may be restarted; two stores are pulled, one by collections and one page by page, perhaps killed on the way.
At the end of the round, with nothing disturbed any more, both stores must be equal to the site and verify. The seed decides everything but when
exactly a kill strikes. Ends with a line of figures; the first round that is wrong ends it with status 1 and says how to repeat it.
"""
import argparse, pathlib, random, subprocess, sys, tempfile, time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pull_kit import Puller, Site, site_fixture

WORDS = 'amber basalt cedar drift ember flint grove harbour inlet juniper kelp lichen marrow nettle ochre pebble quarry'.split()


class Soak:
    def __init__(self, sheaf, folder, seed):
        self.sheaf, self.folder, self.chance = sheaf, folder, random.Random(seed)
        self.figures = dict(rounds=0, pages_changed=0, publish_kills=0, pull_kills=0, damages=0, restarts=0)
        public = folder / 'site/public'
        public.mkdir(parents=True)
        self.server = site_fixture.Server(sheaf, public)
        self.port = self.server.address[1]
        self.site = Site(sheaf, folder / 'site', self.server.url)
        self.number = 0
        self.pullers = [Puller(sheaf, folder / 'by-collections'), Puller(sheaf, folder / 'by-pages', '--html', 'only')]
        for _ in range(60):
            self.write_new()
        self.site.write('index.html', 'The front page')

    def sentence(self):
        return ' '.join(self.chance.choices(WORDS, k=self.chance.randint(5, 200))).capitalize()

    def write_new(self):
        self.number += 1
        self.site.write(f'{self.chance.choice(["blog", "docs", "shop"])}/p{self.number}.html', self.sentence())

    def edit(self):
        files = sorted(self.site.public.rglob('p*.html'))
        changed = self.chance.sample(files, min(len(files), self.chance.randint(0, 12)))
        for file in changed:
            if self.chance.random() < 0.2 and len(files) > 30:
                file.unlink()
            else:
                self.site.write(str(file.relative_to(self.site.public)), self.sentence())
        for _ in range(self.chance.randint(0, 4)):
            self.write_new()
        self.figures['pages_changed'] += len(changed)
        urls = ''.join(f'<url><loc>{url}</loc></url>' for url in sorted(self.site.pages()))
        sitemap = self.site.public / 'sitemap.xml'
        scp = [line for line in sitemap.read_text().splitlines() if '<scp:' in line] if sitemap.exists() else []
        sitemap.write_text('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:scp="https://scp-protocol.org/schemas/sitemap/1.0">\n'
                           + '\n'.join(scp) + f'\n{urls}</urlset>\n')

    def killed(self, command, cwd, longest):
        """Runs a command and kills it with SIGKILL after a random time, unless it ends before that."""
        process = subprocess.Popen(list(map(str, command)), cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(self.chance.random() * longest)
            return False
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return True

    def publish(self):
        if self.chance.random() < 0.4:
            self.figures['publish_kills'] += self.killed(
                [self.sheaf, 'publish', 'public', '--base', self.site.base, '--out', 'public/scp'], self.site.folder, 0.15)
        self.site.publish(*['--snapshot'] * (self.chance.random() < 0.2))

    def pull_disturbed(self):
        for puller in self.pullers:
            if self.chance.random() < 0.5:
                self.figures['pull_kills'] += self.killed(
                    [self.sheaf, 'pull', self.site.base, '--store', puller.store, '--allow-private', '--delay', '0', *puller.options], self.folder, 0.3)

    def pull_damaged(self):
        """Pulls while a file is broken; regardless of the pull's result, the store must stay intact."""
        files = sorted((self.site.public / 'scp').glob('[!.]*.scp.*'))  # files left by a killed publish begin with a dot
        broken = self.chance.sample(files, min(3, len(files)))
        kept = {file: file.read_bytes() for file in broken}
        for file, body in kept.items():
            at = self.chance.randrange(len(body))
            file.write_bytes(body[:at] if self.chance.random() < 0.5 else body[:at] + bytes([body[at] ^ 0x55]) + body[at + 1:])
        self.pullers[0].pull(self.site.base, '--html', 'never')
        for file, body in kept.items():
            file.write_bytes(body)
        self.figures['damages'] += 1

    def restart_server(self):
        self.server.stop()
        self.server = site_fixture.Server(self.sheaf, self.site.public, listen=('--listen', f'127.0.0.1:{self.port}'))
        self.figures['restarts'] += 1

    def round(self):
        """Runs one round. Returns the faults at its end; empty if there are none."""
        self.edit()
        self.publish()
        if self.chance.random() < 0.3:
            self.pull_damaged()
        self.pull_disturbed()
        if self.chance.random() < 0.2:
            self.restart_server()
        for puller in self.pullers:
            code, reports, errors = puller.pull(self.site.base, '--allow-shrink')
            if code != 0:
                return f'pull into {puller.store.name}: status {code}: {reports} {errors}'
            if puller.pages() != self.site.pages():
                ours, theirs = puller.pages(), self.site.pages()
                return f'{puller.store.name} is not the site: {sorted(set(ours.items()) ^ set(theirs.items()))[:4]}'
            if fault := puller.faults():
                return f'{puller.store.name} does not verify: {fault}'
        self.figures['rounds'] += 1
        return ''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--minutes', type=float, default=60)
    parser.add_argument('--rounds', type=int, default=10**9)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix='sheaf-soak-') as name:
        pathlib.Path(name).chmod(0o755)
        soak = Soak(str(pathlib.Path(options.sheaf).resolve()), pathlib.Path(name), options.seed)
        try:
            while time.monotonic() - begun < options.minutes * 60 and soak.figures['rounds'] < options.rounds:
                if fault := soak.round():
                    print(f'round {soak.figures["rounds"] + 1}: {fault}\nrepeat with --seed {options.seed}')
                    return 1
        finally:
            soak.server.stop()
    print(f'{time.monotonic() - begun:.0f} s: ' + ', '.join(f'{count} {name.replace("_", " ")}' for name, count in soak.figures.items()))
    return 0


if __name__ == '__main__':
    sys.exit(main())
