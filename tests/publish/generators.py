#!/usr/bin/env python3
"""Tests real sites of Hugo and MkDocs: builds them, configures them with `sheaf publish --init`, publishes, changes, publishes again.

usage: generators.py --sheaf PROGRAM
Exit status 77 if neither is installed.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile


def check(condition, *complaint):
    if not condition:
        raise SystemExit(" ".join(map(str, complaint)))


def run(*command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True)
    check(done.returncode == 0, command, done.stdout, done.stderr)
    return done.stdout


def pages_of(sheaf, folder, section):
    """URL -> first text, from the section's only snapshot."""
    snapshot, = (folder / "scp").glob(f"{section}-snapshot-*.zst")
    pages = {}
    for line in run(sheaf, "inspect", snapshot, "--pages", "--content", "--json", folder=folder).splitlines():
        page = json.loads(line)
        if "url" in page:
            pages[page["url"]] = page
    return pages


def hugo(sheaf, root):
    site = root / "hugo"
    run("hugo", "new", "site", site, folder=root)
    config = next(path for path in (site / "hugo.toml", site / "config.toml") if path.exists())
    config.write_text('baseURL = "https://hugo.example/"\nlanguageCode = "en"\ntitle = "A blog"\n')
    layouts = site / "layouts/_default"
    layouts.mkdir(parents=True, exist_ok=True)
    head = '<!doctype html><html lang="en"><head><title>{{ .Title }}</title><link rel="canonical" href="{{ .Permalink }}"></head>'
    (layouts / "single.html").write_text(head + "<body><nav>Menu</nav><main><article><h1>{{ .Title }}</h1>{{ .Content }}</article></main></body>")
    (layouts / "list.html").write_text(head + "<body><main><h1>{{ .Title }}</h1>{{ range .Pages }}<p>{{ .Title }} is here.</p>{{ end }}</main></body>")
    for number in range(15):
        post = site / f"content/posts/post-{number}.md"
        post.parent.mkdir(parents=True, exist_ok=True)
        post.write_text(f"---\ntitle: Post {number}\ndate: 2024-01-0{number % 9 + 1}\ndraft: {'true' if number == 14 else 'false'}\n---\n"
                        f"This is what post {number} has to say, in a sentence that is long enough.\n")
    run("hugo", folder=site)
    said = run(sheaf, "publish", "--init", folder=site)
    check("found Hugo" in said and "18 pages" in said, said)
    return site, site / "public", "all", site / "content/posts/post-3.md", ["hugo"], "https://hugo.example/posts/post-3/", 18


def mkdocs(sheaf, root):
    site = root / "mkdocs"
    (site / "docs").mkdir(parents=True)
    (site / "mkdocs.yml").write_text("site_name: Manual\nsite_url: https://mkdocs.example/manual/\n")
    for name in ("index", "install", "usage"):
        (site / f"docs/{name}.md").write_text(f"# {name}\n\nThe page {name} explains what has to be explained about it, at some length.\n")
    run("mkdocs", "build", folder=site)
    said = run(sheaf, "publish", "--init", folder=site)
    check("found MkDocs" in said, said)
    # The error page is skipped: three pages are published.
    return site, site / "site", "all", site / "docs/usage.md", ["mkdocs", "build"], "https://mkdocs.example/manual/usage/", 3


def check_site(sheaf, site, output, section, page, build, url, count):
    report = json.loads(run(sheaf, "publish", "--json", folder=site))
    pages = pages_of(sheaf, output, section)
    check(url in pages, url, "is not among", sorted(pages))
    check(next(each for each in report["sections"] if each["section"] == section)["pages"] == count, report)
    # The generator's sitemap is not changed: --init chose a separate sitemap for the collections.
    sitemap = (output / "sitemap.xml").read_text()
    check("<loc>" in sitemap and "scp" not in sitemap, sitemap)
    ours = (output / "sitemap-scp.xml").read_text()
    check(f"{section}-snapshot-" in ours, ours)
    # Another build with one change: one page is reported as changed, although every file is new.
    before = {path.name for path in (output / "scp").iterdir()}
    page.write_text(page.read_text() + "\nAnd here is one more thing that was not there before.\n")
    run(*build, folder=site)
    report = json.loads(run(sheaf, "publish", "--json", folder=site))
    changed = {each["section"]: each["changed"] for each in report["sections"]}
    check(changed[section] == 1 and sum(changed.values()) == 1, report)
    check("-delta-" in (output / "sitemap-scp.xml").read_text())
    # MkDocs empties its output folder in every build: the snapshot is put back, and a delta is enough.
    written = {file["name"] for each in report["sections"] for file in each["files"]}
    check(written and all("-delta-" in name for name in written), written)
    check(before | written == {path.name for path in (output / "scp").iterdir()}, before, written)
    refused = subprocess.run([sheaf, "publish", "--init"], cwd=site, capture_output=True, text=True)
    check(refused.returncode != 0 and "was not changed" in refused.stderr, refused)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--sheaf", required=True, type=lambda name: str(pathlib.Path(name).resolve()))
    options = arguments.parse_args()
    done = 0
    for program, make in (("hugo", hugo), ("mkdocs", mkdocs)):
        if not shutil.which(program):
            print(f"skipped {program}: it is not installed")
            continue
        with tempfile.TemporaryDirectory() as folder:
            check_site(options.sheaf, *make(options.sheaf, pathlib.Path(folder)))
        print("ok", program)
        done += 1
    return 0 if done else 77


if __name__ == "__main__":
    sys.exit(main())
