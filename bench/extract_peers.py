#!/usr/bin/python3
"""Compares our extraction with other extractors: one process each, the same pages, one run.

    bench/extract_peers.py --bench build/release/bench/bench_extract --work FOLDER [--json FILE] PAGES-FOLDER

Prints pages per second, and how many times as fast ours is; --json adds the rows to a file (bench/figures.py). Readability.js comes from npm into the work folder;
readability-lxml is Debian's. Peers that are not available are reported and skipped, with exit status 1. Peers get every Nth page,
so that the slowest ends; ours is measured on all of them and, for the ratio, on the same ones.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys

import figures

HERE = pathlib.Path(__file__).resolve().parent
NPM_PACKAGES = ["@mozilla/readability@0.6.0", "linkedom@0.18.12", "jsdom@26.1.0"]
GOAL = 50
SAMPLE = 120


def run_json(command, **options):
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout
    return json.loads(output.splitlines()[-1])


def sample_folder(work, pages):
    """Copies the sample to a folder. Returns the folder and the list of its files."""
    folder = work / "sample"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    files = sorted(pages.rglob("*.html"))
    step = max(1, len(files) // SAMPLE)
    names = []
    for number, file in enumerate(files[::step]):
        copy = folder / f"{number}.html"
        shutil.copy(file, copy)
        names.append(str(copy))
    (work / "sample.txt").write_text("\n".join(names) + "\n")
    return folder, work / "sample.txt"


def install_npm(work):
    """Returns whether the packages are installed."""
    if (work / "node_modules" / "jsdom").exists():
        return True
    if shutil.which("npm") is None:
        return False
    (work / "package.json").write_text('{"private": true}\n')
    done = subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", *NPM_PACKAGES], cwd=work)
    return done.returncode == 0


def peers(work, names):
    """Returns (name, command) of each extractor; the command is None if it is not installed."""
    npm = install_npm(work)
    script = work / "readability.mjs"  # next to node_modules, where node looks for its imports
    shutil.copy(HERE / "peers" / "readability.mjs", script)
    for dom in ("linkedom", "jsdom"):
        yield f"readability.js on {dom}", ["node", str(script), dom, str(names)] if npm else None
    python = "/usr/bin/python3"  # other interpreters do not find Debian's package
    lxml = subprocess.run([python, "-c", "import readability"], capture_output=True).returncode == 0
    yield "readability-lxml", [python, str(HERE / "peers" / "readability_lxml.py"), str(names)] if lxml else None


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--bench", required=True)
    arguments.add_argument("--work", required=True, type=pathlib.Path)
    arguments.add_argument("--json")
    arguments.add_argument("pages", type=pathlib.Path)
    options = arguments.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    folder, names = sample_folder(options.work.resolve(), options.pages)
    ours = run_json([options.bench, "--timings", str(folder)])
    speed = ours["pages"] / ours["extract_seconds"]
    print(f"{ours['pages']} pages of {ours['bytes'] / 1e6:.1f} MB, one process each, processor time")
    print(f"{'':<26}{'pages/s':>9}{'done':>8}{'ours is':>10}   goal {GOAL}")
    print(f"{'sheaf':<26}{speed:>9.0f}{ours['pages']:>8}")
    rows = figures.Figures("extraction")
    rows.note("sheaf extract, one process", speed, "pages/s")
    for name, command in peers(options.work.resolve(), names):
        if command is None:
            rows.at_least(f"extraction : {name}", GOAL, None, detail="not to be had here")
            print(f"{name:<26}{'-':>9}   not to be had here")
            continue
        result = run_json(command)
        theirs = result["pages"] / result["seconds"]
        ratio = speed / theirs
        rows.at_least(f"extraction : {name}", GOAL, ratio, detail=f"{speed:,.0f} : {theirs:,.1f} pages/s")
        print(f"{name:<26}{theirs:>9.1f}{result['done']:>8}{ratio:>9.0f}x   {'met' if ratio >= GOAL else 'NOT MET'}")
    rows.append_to(options.json)
    return 1 if any(row["measured"] is None for row in rows.rows) else 0


if __name__ == "__main__":
    sys.exit(main())
