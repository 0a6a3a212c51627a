#!/usr/bin/env python3
"""The steps of ci/: GitHub's composite action, GitLab's job and the plain shell, run one by one as their runners would.

usage: ci_steps.py --sheaf PROGRAM
A site is published twice from empty working folders; the second run restores the collections of the live site, so it makes a delta.
"""
import argparse
import http.server
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from cases import check, run_cases  # noqa: E402

CI = pathlib.Path(__file__).resolve().parents[2] / "ci"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


class Live:
    """The live site: serves the last upload."""

    def __init__(self, folder):
        self.folder = folder / "live"
        self.folder.mkdir()
        handler = lambda *arguments: Quiet(*arguments, directory=str(self.folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def names(self):
        return sorted(re.sub(r"-2[0-9TZ]*", "", path.name) for path in (self.folder / "scp").glob("*.zst"))


class Job:
    """A job in an empty working folder, as a runner starts it."""

    def __init__(self, folder, number, live, sheaf, text):
        self.work = folder / f"work{number}"
        shutil.rmtree(self.work, ignore_errors=True)
        (self.work / "public").mkdir(parents=True)
        (self.work / "public/index.html").write_text(
            f"<!doctype html><html lang=en><title>Home</title><main><h1>Home</h1><p>{text} is a sentence that is long enough to be one.</p></main>")
        (self.work / "sheaf.toml").write_text(f'# a comment\nbase = "{live.url}"   # the site\nout = "public/scp"\n[[section]]\nname = "all"\n'
                                              '[[section.source]]\ntype = "html"\nfolder = "public"\n')
        shutil.copytree(CI, self.work / "ci")
        home = folder / f"home{number}"
        home.mkdir(exist_ok=True)
        self.environment = {"PATH": f"{pathlib.Path(sheaf).parent}:/usr/bin:/bin", "HOME": str(home), "SHEAF_UPLOAD": f"cp -r public/. {live.folder}/"}

    def run(self, script, **environment):
        done = subprocess.run(["sh", "-e", "-c", script], cwd=self.work, capture_output=True, text=True, env={**self.environment, **environment})
        check(done.returncode == 0, script, done.stdout, done.stderr)
        return done.stdout


def shell_job(job):
    return job.run("ci/sheaf-ci all")


def gitlab_job(job):
    recipe = yaml.safe_load((CI / "gitlab.yml").read_text())["publish-collections"]
    variables = {name: str(value).replace("$CI_PROJECT_DIR", str(job.work)) for name, value in recipe["variables"].items()}
    return "".join(job.run(line, **variables) for line in recipe["before_script"] + recipe["script"])


def github_job(job):
    action = yaml.safe_load((CI / "github/action.yml").read_text())
    check(action["runs"]["using"] == "composite")
    inputs = {name: str(value.get("default", "")) for name, value in action["inputs"].items()}
    inputs["upload"] = job.environment.pop("SHEAF_UPLOAD")
    path = job.work / "github-path"
    path.touch()
    out = ""
    for step in action["runs"]["steps"]:
        if "run" not in step:
            check(step["uses"].startswith("actions/"), step)
            continue
        check(step["shell"] == "sh", step)
        environment = {name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: inputs[match[1]], value) for name, value in step.get("env", {}).items()}
        check("${{" not in "".join(environment.values()), environment)
        out += job.run(step["run"], GITHUB_ACTION_PATH=str(job.work / "ci/github"), GITHUB_PATH=str(path), **environment)
        job.environment["PATH"] = ":".join([*path.read_text().split(), job.environment["PATH"]])
    return out


def test_rounds(sheaf, folder, run):
    live = Live(folder)
    run(Job(folder, 1, live, sheaf, "One"))
    check(live.names() == ["all-snapshot.scp.zst"], live.names())
    out = run(Job(folder, 2, live, sheaf, "Two"))
    check("restored 2 collections" in out, out)
    check("all-delta.scp.zst" in live.names(), live.names())
    out = run(Job(folder, 3, live, sheaf, "Two"))
    check("nothing changed" in out, out)
    live.server.shutdown()


def test_no_curl(sheaf, folder):
    """Without curl nothing could be restored, and each run would silently publish a snapshot."""
    live = Live(folder)
    job = Job(folder, 1, live, sheaf, "One")
    tools = folder / "tools"
    tools.mkdir()
    for name in ("sh", "dirname", "sed", "head", "mkdir", "mktemp"):
        (tools / name).symlink_to(shutil.which(name))
    done = subprocess.run([tools / "sh", "ci/sheaf-ci", "restore"], cwd=job.work, capture_output=True, text=True, env={**job.environment, "PATH": str(tools)})
    check(done.returncode == 2 and "curl is not installed" in done.stderr, done.returncode, done.stderr)
    live.server.shutdown()


def test_package(sheaf, folder):
    """install accepts a package and checks its SHA-256; without root it unpacks the files."""
    root = folder / "package"
    (root / "usr/bin").mkdir(parents=True)
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN/control").write_text("Package: sheaf-test\nVersion: 1\nArchitecture: all\nMaintainer: T <t@example.com>\nDescription: test\n")
    (root / "usr/bin/sheaf").write_text("#!/bin/sh\necho packaged\n")
    (root / "usr/bin/sheaf").chmod(0o755)
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", root, folder / "sheaf.deb"], check=True, capture_output=True)
    digest = subprocess.run(["sha256sum", folder / "sheaf.deb"], check=True, capture_output=True, text=True).stdout.split()[0]
    folder.chmod(0o755)
    user = {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}
    home = folder / "nobody"
    home.mkdir()
    home.chmod(0o777)
    shutil.copy(CI / "sheaf-ci", folder / "sheaf-ci")
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "SHEAF_PACKAGE": str(folder / "sheaf.deb")}
    install = lambda **more: subprocess.run([folder / "sheaf-ci", "install"], cwd=home, env={**environment, **more}, capture_output=True, text=True, **user)
    done = install(SHEAF_SHA256="0" * 64)
    check(done.returncode == 2 and "does not have the SHA-256" in done.stderr, done.stderr)
    done = install(SHEAF_PACKAGE="http://127.0.0.1/x.deb")
    check(done.returncode == 2 and "https" in done.stderr, done.stderr)
    done = install(SHEAF_PACKAGE="https://127.0.0.1/x.deb")
    check(done.returncode == 2 and "SHEAF_SHA256" in done.stderr, done.stderr)
    done = install(SHEAF_SHA256=digest)
    check(done.returncode == 0 and f"using {home}/.sheaf/usr/bin/sheaf" in done.stdout, done.stdout, done.stderr)
    done = install(SHEAF_PACKAGE="")
    check(done.returncode == 0, done.stderr)  # it is already installed
    shutil.rmtree(home / ".sheaf")
    done = install(SHEAF_PACKAGE="")
    check(done.returncode == 2 and "set SHEAF_PACKAGE or SHEAF_SOURCE" in done.stderr, done.stderr)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--sheaf", required=True, type=lambda name: str(pathlib.Path(name).resolve()))
    options = arguments.parse_args()
    tests = {"shell": lambda folder: test_rounds(options.sheaf, folder, shell_job), "gitlab": lambda folder: test_rounds(options.sheaf, folder, gitlab_job),
             "github": lambda folder: test_rounds(options.sheaf, folder, github_job), "no curl": lambda folder: test_no_curl(options.sheaf, folder),
             "package": lambda folder: test_package(options.sheaf, folder)}
    return run_cases(tests)


if __name__ == "__main__":
    sys.exit(main())
