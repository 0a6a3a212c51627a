#!/usr/bin/env python3
"""Kills `sheaf publish` between any two changes to the file system, and looks what is left.

usage: publish_kills.py --sheaf PROGRAM --shim LIBRARY [--points N] [--seed N]

A site is published, then changed, then published again with SIGKILL before the Nth call that changes the file system,
for N points chosen by the seed (all of them, if there are fewer). After each kill everything that the sitemap names must
be there and be valid. After one more run, which nothing disturbs, the collections must add up to exactly the site, and
no file may lie about that nothing names.
"""
import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

BASE = "https://example.com/"


def write_page(site, name, text):
    file = site / "public" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"<!doctype html><html lang=en><title>{name}</title><main><h1>{name}</h1><p>{text}, which is what this "
                    f"page says in a sentence that is long enough.</p></main>")


def first_edition(site):
    for number in range(12):
        write_page(site, f"p{number}.html", f"Text {number}")


def second_edition(site):
    for number in (1, 4, 7):
        write_page(site, f"p{number}.html", f"Changed text {number}")
    write_page(site, "new/index.html", "A new page")
    (site / "public/p9.html").unlink()
    return {f"p{n}.html" for n in range(12)} - {"p9.html"} | {"new/"}


class Runner:
    def __init__(self, sheaf, shim):
        self.sheaf, self.shim = sheaf, shim

    def publish(self, site, snapshot=False, **environment):
        command = [self.sheaf, "publish", "public", "--base", BASE, "--out", "public/scp", "--json", "--threads", "1"]
        env = {"PATH": "/usr/bin:/bin", **environment}
        if environment:
            env["LD_PRELOAD"] = self.shim
        return subprocess.run(command + ["--snapshot"] * snapshot, cwd=site, env=env, capture_output=True, text=True)

    def run(self, *arguments):
        return subprocess.run([self.sheaf, *map(str, arguments)], capture_output=True, text=True)

    def advertised(self, site):
        """The files that the sitemap names, oldest first, snapshots before deltas."""
        sitemap = site / "public/sitemap.xml"
        if not sitemap.exists():
            return []
        return re.findall(r'url="[^"]*/([^"/]+)"', sitemap.read_text())

    def faults(self, site):
        """What is wrong with what readers can see."""
        found = []
        for name in self.advertised(site):
            result = self.run("validate", "--strict", site / "public/scp" / name)
            if result.returncode != 0:
                found.append(f"{name}: {result.stdout}{result.stderr}")
        return found

    def pages(self, site):
        """URL -> text of the newest state that the sitemap offers."""
        names = [name for name in self.advertised(site) if name.endswith(".zst")]
        snapshot = max(name for name in names if "-snapshot-" in name)
        time = snapshot.split("-snapshot-")[1]
        deltas = [name for name in names if "-delta-" in name and name.split("-delta-")[1] > time]
        folder = site / "public/scp"
        merged = site / "merged.scp"
        result = self.run("merge", *[folder / name for name in [snapshot, *sorted(deltas)]], "-o", merged)
        if result.returncode != 0:
            raise SystemExit(f"the collections do not fit together: {result.stderr}")
        pages = {}
        for line in merged.read_text().splitlines()[1:]:
            page = json.loads(line)
            pages[page["url"][len(BASE):]] = next(block["text"] for block in page["content"] if block["type"] == "text")
        merged.unlink()
        return pages


def check_after_kill(runner, site, point, code):
    if code == 0:
        return  # it came to its end before the point
    if code != -9:
        raise SystemExit(f"point {point}: ended with {code} instead of being killed")
    found = runner.faults(site)
    if found:
        raise SystemExit(f"point {point}: after the kill {found}")


def check_at_end(runner, site, point, wanted):
    result = runner.publish(site)
    if result.returncode != 0:
        raise SystemExit(f"point {point}: the next run failed: {result.stderr}")
    found = runner.faults(site)
    if found:
        raise SystemExit(f"point {point}: after the next run {found}")
    pages = runner.pages(site)
    if set(pages) != wanted:
        raise SystemExit(f"point {point}: pages {sorted(set(pages) ^ wanted)} are missing or too many")
    changed = [name for name in ("p1.html", "p4.html", "p7.html") if not pages[name].startswith("Changed")]
    if changed:
        raise SystemExit(f"point {point}: the changes of {changed} are lost")
    there = {path.name for path in (site / "public/scp").iterdir() if not path.name.startswith(".")}
    if there != set(runner.advertised(site)):
        raise SystemExit(f"point {point}: files that nothing names: {there - set(runner.advertised(site))}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--sheaf", required=True)
    arguments.add_argument("--shim", required=True)
    arguments.add_argument("--points", type=int, default=40)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    runner = Runner(str(pathlib.Path(options.sheaf).resolve()), str(pathlib.Path(options.shim).resolve()))
    killed = 0
    with tempfile.TemporaryDirectory() as folder:
        ready = pathlib.Path(folder) / "ready"
        ready.mkdir()
        first_edition(ready)
        if runner.publish(ready).returncode != 0:
            raise SystemExit("the first publish failed")
        wanted = second_edition(ready)
        # Half of the points in a run that writes a delta, half in one that writes a snapshot too.
        for snapshot in (False, True):
            trial = pathlib.Path(folder) / "trial"
            shutil.copytree(ready, trial)
            count_file = pathlib.Path(folder) / "count"
            runner.publish(trial, snapshot, SHEAF_FAULT_COUNT=str(count_file))
            check_at_end(runner, trial, "none", wanted)
            shutil.rmtree(trial)
            calls = int(count_file.read_text())
            points = sorted(random.Random(options.seed).sample(range(1, calls + 1), min(calls, options.points // 2)))
            for point in points:
                shutil.copytree(ready, trial)
                code = runner.publish(trial, snapshot, SHEAF_FAULT_KILL_AT=str(point)).returncode
                killed += code == -9
                check_after_kill(runner, trial, point, code)
                check_at_end(runner, trial, point, wanted)
                shutil.rmtree(trial)
    print(f"{killed} kills survived")
    return 0 if killed >= options.points // 2 else 1


if __name__ == "__main__":
    sys.exit(main())
