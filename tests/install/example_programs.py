"""Runs the programs of examples/library for real: one packs a site, the other pulls it from `sheaf serve` and prints what changed. Used by the
tests of the installed tree and of the packages."""
import pathlib, re, shutil, subprocess, sys, time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PUBLIC_HEADERS = {f'sheaf/{header.name}' for header in (ROOT / 'include/sheaf').glob('*')}
sys.path.insert(0, str(ROOT / 'tests/serve'))
import site_fixture

PAGES = 67  # of the example site, without the noindex page


def call(*command, **how):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **how)
    if done.returncode != 0:
        sys.exit(f'{" ".join(map(str, command))}\n{done.stdout}\nexit status {done.returncode}')
    return done.stdout


def check(condition, complaint):
    if not condition:
        sys.exit(complaint)


def pack(program, sheaf, site, base):
    out = call(program, site, base, 'all')
    for codec in ('zst', 'gz'):
        check(re.search(rf'all\.scp\.{codec}: \d+ pages, \d+ bytes\n', out), f'pack said:\n{out}')
        call(sheaf, 'validate', '--strict', site / f'all.scp.{codec}')
    return int(re.search(r'(\d+) pages', out)[1])


def check_programs(collect, packer, sheaf, folder):
    """`folder` is an empty folder to work in."""
    folder.chmod(0o755)  # started as root, `sheaf serve` switches to another user
    site = folder / 'site'
    shutil.copytree(ROOT / 'examples/site', site)
    with site_fixture.Server(sheaf, site) as server:
        base = server.url
        for file in site.rglob('*.*'):
            if file.suffix in ('.html', '.xml', '.txt'):
                file.write_text(file.read_text().replace('https://tarnvane.example', base))
        before = (site / 'sitemap.xml').read_text()
        check(pack(packer, sheaf, site, f'{base}/') == PAGES, 'pack did not pack every page')
        sitemap = (site / 'sitemap.xml').read_text()
        check(before.count('<loc>') == sitemap.count('<loc>') and sitemap.count('<scp:collection ') == 2, f'the sitemap is wrong:\n{sitemap}')

        run = lambda: call(collect, '--allow-private', folder / 'copy', base).splitlines()
        lines = run()
        check(len(lines) == PAGES and all(line.startswith(f'added    {base}/') for line in lines), f'the first run of collect said:\n{lines}')
        check(f'added    {base}/docs/units.html  Units' in lines, f'there is no title:\n{lines}')
        check(run() == [], 'a second run of collect reported changes that did not exist')

        time.sleep(1.1)  # collections are distinguished by their time in seconds
        (site / 'blog/thirty-years.html').unlink()
        page = site / 'docs/units.html'
        page.write_text(page.read_text().replace('2024-11-12', '2026-06-01').replace('<title>', '<title>Corrected: ', 1))
        pack(packer, sheaf, site, f'{base}/')
        lines = sorted(run())
        check(len(lines) == 2 and lines[0].startswith(f'changed  {base}/docs/units.html  ') and lines[1] == f'removed  {base}/blog/thirty-years.html',
              f'after the changes collect said:\n{lines}')
    for wrong, complaint in [([folder / 'copy'], 'usage'), ([folder / 'copy', 'ftp://x.example'], 'ftp://x.example')]:
        done = subprocess.run([str(collect), *map(str, wrong)], capture_output=True, text=True)
        check(done.returncode == 2 and complaint in done.stderr, f'collect {wrong}: {done}')
    done = subprocess.run([str(packer), str(folder / 'nothing'), 'https://e.example/', 'all'], capture_output=True, text=True)
    check(done.returncode == 2 and 'nothing' in done.stderr, f'pack of no folder: {done}')
