#!/usr/bin/env python3
"""Shows that the simulator can fail: plants one fault after another in a copy of the sources, builds the simulator, and expects it to find
the fault.

usage: planted_faults.py --build FOLDER [--seeds N] [--jobs N] [NAME...]

Prints for each fault the seed and the shortest history that still fails. The exit status is 1 if a fault was not found."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# name: (file below src/sheaf, what stands there, what is planted). Each undoes one rule that keeps a copy true.
FAULTS = {
    'an unreadable page is deleted': (
        'format/deltas/delta_rules.cpp', 'if (is_only_unreadable) return UrlOutcome::stays;\n  const bool is_snapshot', 'const bool is_snapshot'),
    'an unreadable page is not fetched as HTML': (
        'pull/pull_offers.cpp', 'if (site.report.ok) return complete_from_pages(site);', 'if (site.report.ok) return {};'),
    'a section that is offered no more stays': (
        'pull/pull_offers.cpp', 'SHEAF_TRY(retire_sections(site, offers, by_section, stored));', ''),
    'crawled pages go when a section starts': (
        'pull/missing_pages.cpp', 'return crawled && pass &&', 'return false && crawled && pass &&'),
    'missing collections start a crawl at once': (
        'pull/pull_offers.cpp', 'const bool had_collections =', 'const bool had_collections = false &&'),
    'an unread sitemap is ok': ('pull/pull_offers.cpp', 'if (site.report.ok && offers.unread) {', 'if (false) {'),
    'an undated collection is ok': (
        'pull/collection_sync.cpp', 'if (!report_.plan.undated.empty()) return undated_offered(report_.section, report_.plan.undated);', ''),
    'the rest of another version is appended': (
        'pull/downloads.cpp', 'return agree(a.etag(), b.etag()) && agree(a.last_modified(), b.last_modified());',
        'return agree("", a.etag() + b.etag());'),
    'a snapshot between deltas brings removed pages back': (
        'format/deltas/delta_rules.cpp', 'const bool may_insert = mode != ApplyMode::old_snapshot;', 'const bool may_insert = true;'),
    'noindex in a delta is ignored': (
        'store/apply_collection.cpp', 'if (is_delta()) SHEAF_TRY(note_removal(page.url));', ''),
    'gone pages of a broken section stay': ('pull/missing_pages.cpp', 'return remove_gone_pages(site, doubtful);', 'return {};'),
    'all stands for newer sections': ('offers/pull_plan.cpp', 'newest_of(section) > newest_of(whole);', 'false;'),
    'a disallowed sitemap is requested': ('pull/discover.cpp', 'rules_.judge(sitemap).allowed) return', 'true) return'),
    'nothing is said of an old section': ('offers/pull_plan.cpp', '    note_age();\n', ''),
    'the checksum in the sitemap is ignored': (
        'pull/collection_sync.cpp', 'options.checksum = offer.checksum.value_or("");', ''),
    'a content coding is not undone': (
        'pull/downloads.cpp', 'if (!request.is_collection) return {};', 'if (request.limit > 0) return {};'),
    'Retry-After is forgotten': ('pull/pull_history.cpp', 'edit.put_note(kRetryNote, ', 'edit.put_note("nothing", '),
    'the copy of a former address stays': ('pull/site_pull.cpp', 'SHEAF_TRY(retire_former_names());', ''),
    'removals do not wait for a page that moved and cannot be read': (
        'pull/section_pulls.cpp', 'if (!may_remove) return {};', ''),
    'each section has a clock of its own': ('publish/section_run.cpp', '    if (newest)\n      verdict', '    if (false)\n      verdict'),
    'pages are removed before they arrive elsewhere': (
        'pull/section_pulls.cpp', 'task.losses = is_one ?', 'task.losses = true ?'),
    'an older page replaces a newer one': (
        'format/deltas/delta_rules.h', 'return offered > stored;', 'return offered != stored;'),
    'a site that is lost during its turn is forgotten': (
        'pull/fleet_feed.cpp', 'if (number < part_of_.size() && member.due <=', 'if (false && member.due <='),
    'the change feed misses dropped pages': (
        'store/section_writer.cpp', 'SectionWriter::Feed::report)\n', 'SectionWriter::Feed::omit)\n'),
}


def copy_sources(folder):
    """Files that did not change keep their times, so that they are not compiled again."""
    tracked = subprocess.run(['git', 'ls-files'], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split('\n')
    for name in filter(None, tracked):
        source, target = ROOT / name, folder / name
        if not source.is_file() or (target.exists() and target.read_bytes() == source.read_bytes()):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def build(folder):
    if not (folder / 'build/build.ninja').exists():
        subprocess.run(['cmake', '--preset', 'plain', '-B', folder / 'build', '-DCMAKE_CXX_COMPILER=clang++-19'], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
    made = subprocess.run(['cmake', '--build', folder / 'build', '--target', 'simulate'], capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit(made.stdout[-4000:])
    return folder / 'build/simulate'


def check_places(folder):
    for name, before, _ in FAULTS.values():
        found = (folder / 'src/sheaf' / name).read_text().count(before)
        if found != 1:
            sys.exit(f'{name} has {found} times, and not once:\n{before}')


def plant(folder, fault):
    name, before, after = fault
    file = folder / 'src/sheaf' / name
    text = file.read_text()
    file.write_text(text.replace(before, after))
    return lambda: file.write_text(text)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('--build', type=pathlib.Path, required=True)
    parser.add_argument('--seeds', type=int, default=100000)
    parser.add_argument('--jobs', default='2')
    parser.add_argument('names', nargs='*')
    arguments = parser.parse_args()
    folder = arguments.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    copy_sources(folder)
    check_places(folder)
    missed = []
    for name in arguments.names or FAULTS:
        restore = plant(folder, FAULTS[name])
        try:
            found = subprocess.run([build(folder), str(arguments.seeds), '--jobs', arguments.jobs], capture_output=True, text=True)
        finally:
            restore()
        print(f'== {name}\n{re.sub("  replay it:.*", "", found.stdout)}', flush=True)
        if found.returncode != 1:
            missed.append(name)
    print(f'{len(arguments.names or FAULTS)} faults planted, {len(missed)} not found' + ''.join(f'\n  {name}' for name in missed))
    return 1 if missed else 0


if __name__ == '__main__':
    sys.exit(main())
