#!/usr/bin/env python3
"""The parts of the program are loaded only when a command uses them, and a part that is not installed is named.

usage: components.py --sheaf PROGRAM [--milliseconds N]     N: how long `sheaf validate` may take to start; not checked unless given
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MONDAY = ROOT / "examples/monday.scp"
# What `sheaf validate` loads: libscp, and what that needs.
LIGHT = {"libscp", "libsimdjson", "libzstd", "libz", "libdeflate", "libisal", "libbrotlidec", "libbrotlicommon", "libcrypto", "libsodium", "libfmt", "libicui18n", "libicuuc",
         "libicudata", "libxml2", "liblzma", "libcmark-gfm", "libcmark-gfm-extensions", "libyaml-0", "libstdc++", "libm", "libgcc_s", "libc", "ld-linux-x86-64", "ld-linux-aarch64"}
PARTS = {"libsheaf_shared_store.so": ("sheaf-shared-store", ["list", "--store", "postgresql://u@127.0.0.1:1/x"]),
         "libsheaf_sql_sources.so": ("sheaf-sql-sources", ["publish", "--config", "sql.toml"]),
         "libsheaf_browse.so": ("sheaf-browse", ["mcp", "--store", "copy"]),
         "libsheaf_doctor.so": ("sheaf-doctor", ["doctor", "--list"])}


def loaded(*command):
    """The libraries that a command loads, without what follows `.so` in their names."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env={**os.environ, "LD_DEBUG": "files"}, check=False)
    return {path.rpartition("/")[2].partition(".so")[0] for path in re.findall(r"calling init: (\S+)", done.stderr)}


class Components(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_commands_for_files_load_libscp_only(self):
        page = self.folder / "page.html"
        page.write_text("<title>Page</title><h1>Page</h1><p>Some words.")
        for command in (["validate", MONDAY], ["inspect", MONDAY], ["convert", MONDAY, self.folder / "copy.scp.zst"], ["extract", page, "--base", "https://a.example/"]):
            self.assertLessEqual(loaded(ARGUMENTS.sheaf, *command) - {""}, LIGHT, command)

    def test_a_part_is_loaded_by_its_commands_only(self):
        listing = loaded(ARGUMENTS.sheaf, "list", "--store", self.folder / "none")
        self.assertLessEqual({"libscp", "libsheaf", "libsheaf_commands", "librocksdb"}, listing)
        for library in ("libpq", "libmariadb", "libsqlite3", "libsheaf_browse", "libsheaf_doctor", "libsheaf_shared_store", "libsheaf_sql_sources"):
            self.assertNotIn(library, listing)
        self.assertIn("libpq", loaded(ARGUMENTS.sheaf, *PARTS["libsheaf_shared_store.so"][1]))

    def test_parts_use_nothing_that_does_not_exist(self):
        libraries = sorted(LIBRARIES.glob("*.so"))
        self.assertEqual({path.name for path in libraries}, {"libscp.so", "libsheaf.so", "libsheaf_commands.so", *PARTS})
        exported = set(re.findall(r" [TWVDBR] (\S+)", subprocess.run(["nm", "-D", ARGUMENTS.sheaf], capture_output=True, text=True, check=True).stdout))
        for library in libraries:
            done = subprocess.run(["ldd", "-r", library], capture_output=True, text=True, check=False)
            missing = set(re.findall(r"undefined symbol: (\S+)", done.stdout + done.stderr))
            self.assertLessEqual(missing, exported, library)

    def test_a_part_that_is_not_installed_is_named(self):
        shutil.copytree(LIBRARIES, self.folder / "lib")
        program = self.folder / "sheaf"
        shutil.copy(ARGUMENTS.sheaf, program)
        (self.folder / "sql.toml").write_text('base = "https://a.example"\nout = "out"\n[[section]]\nname = "all"\n[[section.source]]\ntype = "sql"\n'
                                              'database = "sqlite:a.db"\nquery = "SELECT 1"\n')
        run = lambda *command: subprocess.run([program, *command], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertIn("browse", run("--help").stdout)
        for library, (package, command) in PARTS.items():
            (self.folder / "lib" / library).unlink()
            done = run(*command)
            self.assertEqual(done.returncode, 2, command)
            self.assertRegex(done.stderr, rf"^sheaf: .*lib/{library}, which is not installed: apt-get install {package}\n")
        done = run("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("publish", done.stdout)
        self.assertNotIn("browse", done.stdout)
        (self.folder / "lib/libsheaf.so").write_bytes(b"not a library")
        done = run("list", "--store", "copy")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^sheaf: `sheaf list` needs .*libsheaf_commands.so, which cannot be loaded: .*libsheaf.so")
        self.assertEqual(run("validate", MONDAY).returncode, 0)

    def test_validate_starts_quickly(self):
        if not ARGUMENTS.milliseconds:
            self.skipTest("timed only with --milliseconds")
        best = min(self.time_once() for _ in range(50))
        self.assertLess(best * 1000, ARGUMENTS.milliseconds)
        print(f"sheaf validate takes {best * 1000:.1f} ms")

    @staticmethod
    def time_once():
        begin = time.perf_counter()
        subprocess.run([ARGUMENTS.sheaf, "validate", MONDAY], stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - begin


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--sheaf", required=True, type=pathlib.Path)
    parser.add_argument("--milliseconds", type=float)
    ARGUMENTS, rest = parser.parse_known_args()
    ARGUMENTS.sheaf = ARGUMENTS.sheaf.resolve()
    LIBRARIES = ARGUMENTS.sheaf.parent / "lib"
    unittest.main(argv=["components.py", *rest])
