#!/usr/bin/env python3
"""Kills an update of the search index between any two changes to the file system, and checks what is left.

usage: index_kills.py --sheaf PROGRAM --fill PROGRAM --shim LIBRARY [--points N] [--seed N]

A store is indexed for the first time; then a delta with new, changed and removed pages is applied and the index is updated.
Both steps run on a copy, with SIGKILL before the Nth call that changes the file system, each for half of the points, chosen
by the seed. After a kill a search either works or says that there is no index. The next update, undisturbed, must
leave an index that finds exactly the pages of the store, each by its current words and not by old ones.

Then the same updates run out of disk at a write: they must end with an error that says so, and the next one must complete the index.
"""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

SITE = "https://example.com"
PAGES = 90


def write_collection(path, generated, pages, since=None, removed=()):
    """pages: (name, modified, words)."""
    head = {"id": "x", "section": "blog", "type": "delta" if since else "snapshot", "generated": generated, "version": "0.1"}
    if since:
        head["since"] = since
    if removed:
        head["removed"] = [f"{SITE}/{name}" for name in removed]
    with path.open("w") as out:
        out.write(json.dumps({"collection": head}) + "\n")
        for name, modified, words in pages:
            noise = " ".join(random.Random(name + words).choices([f"word{n}" for n in range(3000)], k=300))
            out.write(json.dumps({"url": f"{SITE}/{name}", "title": f"Page {name}", "description": "", "modified": modified,
                                  "language": "en", "content": [{"type": "text", "text": f"{words} {noise}"}]}) + "\n")


class Runner:
    def __init__(self, options):
        self.sheaf, self.fill, self.shim = options.sheaf, options.fill, options.shim

    def index(self, store, **environment):
        env = {"PATH": "/usr/bin:/bin", **environment}
        if environment:
            env["LD_PRELOAD"] = self.shim
        return subprocess.run([self.sheaf, "index", "--store", str(store), "--json"], env=env, capture_output=True, text=True)

    def found(self, store, query):
        """Returns URL and time of each page that matches, or None if there is no index."""
        result = subprocess.run([self.sheaf, "search", query, "--store", str(store), "--limit", "100", "--json"],
                                capture_output=True, text=True)
        if result.returncode == 2 and ("no search index" in result.stderr or "is empty" in result.stderr or "has no page" in result.stderr):
            return None
        if result.returncode not in (0, 1):
            raise SystemExit(f"search {query}: {result.stderr}")
        return sorted((hit["url"], hit["modified"]) for hit in json.loads(result.stdout)["results"])

    def listed(self, store):
        result = subprocess.run([self.sheaf, "list", "--store", str(store), "--json"], capture_output=True, text=True, check=True)
        return sorted((page["url"], page["modified"]) for page in map(json.loads, result.stdout.splitlines()))

    def check(self, store, what):
        pages = self.listed(store)
        if self.found(store, "site:example.com") != pages:
            raise SystemExit(f"{what}: the index does not have the pages of the store")
        # Words that one version of a page has and another version does not have.
        for word in ("yesterday", "today"):
            expected = [page for page in pages if (page[1] > "2026-01-02") == (word == "today")]
            if self.found(store, word) != expected:
                raise SystemExit(f"{what}: {word} finds something else than the store has")


def strike_everywhere(runner, folder, name, ready, options, points):
    """Returns the number of kills and of full disks."""
    trial, done, count_file = folder / "trial", folder / "done", folder / "count"

    def fresh(path):
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(ready, path)

    def complete(what):
        result = runner.index(trial)
        if result.returncode != 0:
            raise SystemExit(f"{what}: the next update failed: {result.stdout}{result.stderr}")
        runner.check(trial, what)

    fresh(done)
    result = runner.index(done, SHEAF_FAULT_COUNT=str(count_file))
    if result.returncode != 0:
        raise SystemExit(f"{name}: failed undisturbed: {result.stderr}")
    runner.check(done, f"{name}, undisturbed")
    calls = int(count_file.read_text())
    kills = full = 0
    for point in sorted(random.Random(options.seed).sample(range(1, calls + 1), min(calls, points))):
        fresh(trial)
        code = runner.index(trial, SHEAF_FAULT_KILL_AT=str(point)).returncode
        if code not in (0, -9):
            raise SystemExit(f"{name}, point {point}: ended with {code} instead of being killed")
        kills += code == -9
        runner.found(trial, "today OR yesterday")
        complete(f"{name}, killed at {point}")
    for point in sorted(random.Random(options.seed + 1).sample(range(1, calls + 1), min(calls, max(points // 5, 2)))):
        fresh(trial)
        result = runner.index(trial, SHEAF_FAULT=f"write /search/ {point}+ ENOSPC")
        if result.returncode not in (0, 2) or (result.returncode == 2 and "no space left on" not in result.stderr.lower()):
            raise SystemExit(f"{name}, disk full at {point}: ended with {result.returncode}: {result.stderr}")
        full += result.returncode == 2
        complete(f"{name}, disk full at {point}")
    print(f"{name}: {kills} kills and {full} full disks survived, of {calls} points")
    return kills, full


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("sheaf", "fill", "shim"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--points", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    runner = Runner(options)
    with tempfile.TemporaryDirectory(prefix="sheaf-index-kills-") as name:
        folder = pathlib.Path(name)
        first = [(f"p{n}", "2026-01-01T00:00:00Z", "yesterday") for n in range(PAGES)]
        write_collection(folder / "first.scp", "2026-01-02T00:00:00Z", first)
        changed = [(f"p{n}", "2026-01-03T00:00:00Z", "today") for n in [*range(0, 30), *range(PAGES, PAGES + 8)]]
        write_collection(folder / "delta.scp", "2026-01-04T00:00:00Z", changed, since="2026-01-02T00:00:00Z",
                         removed=[f"p{n}" for n in range(30, 45)])
        store = folder / "store"
        subprocess.run([options.fill, store, SITE, folder / "first.scp"], check=True, capture_output=True)
        totals = [strike_everywhere(runner, folder, "first index", store, options, options.points // 2)]
        runner.index(store)
        subprocess.run([options.fill, store, SITE, folder / "delta.scp"], check=True, capture_output=True)
        totals.append(strike_everywhere(runner, folder, "update", store, options, options.points - options.points // 2))
    kills = sum(total[0] for total in totals)
    print(f"{kills} kills, {sum(total[1] for total in totals)} full disks")
    return 0 if kills >= options.points * 0.8 else 1


if __name__ == "__main__":
    sys.exit(main())
