#!/usr/bin/env python3
"""Shows that the simulator can fail: plants one fault after another into a copy of the sources, builds the simulator with it, and expects
it to find the fault.

usage: planted_faults.py --build FOLDER [--seeds N] [--jobs N] [NAME...]

Prints for each fault the seed and the shortest history that still fails. The exit status is 1 if a fault was not found."""

import argparse
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPIED = ["CMakeLists.txt", "CMakePresets.json", "bench", "cmake", "docs", "examples", "fuzz", "include", "python", "src", "systemd", "tests", "tools"]

# name: (file, what stands there, what is planted). Each undoes one rule that keeps a copy true.
FAULTS = {
    "an-unreadable-page-is-deleted": (
        "format/deltas/delta_rules.cpp", "if (is_only_unreadable) return UrlOutcome::stays;\n  if (mode", "if (mode"),
    "an-unreadable-page-is-not-fetched-as-html": ("pull/site_pull.cpp", "if (report_.ok) return complete_from_pages();", "if (report_.ok) return {};"),
    "a-withdrawn-section-stays": (
        "pull/site_pull.cpp", "return report_.ok ? retire_sections(offers, by_section, stored) : Result<void>();", "return {};"),
    "crawled-pages-go-when-a-section-starts": ("pull/site_pull.cpp", "if (urls_of_site_ && *urls_of_site_ > 0)", "if (false)"),
    "missing-collections-start-a-crawl": ("pull/site_pull.cpp", "const bool had_collections = !stored.empty() &&", "const bool had_collections = false &&"),
    "an-unread-sitemap-is-ok": ("pull/site_pull.cpp", "if (report_.ok && offers.unread) {", "if (false) {"),
    "an-undated-collection-is-ok": (
        "pull/collection_sync.cpp", "if (!report_.plan.undated.empty()) return undated_offered(report_.section, report_.plan.undated);", ""),
    "parts-of-two-versions-are-joined": (
        "pull/downloads.cpp", "return agree(a.etag(), b.etag()) && agree(a.last_modified(), b.last_modified());", "return true;"),
    "noindex-in-a-delta-is-ignored": ("store/apply_collection.cpp", "", ""),
    "pages-that-are-gone-stay-in-a-broken-section": ("pull/site_pull.cpp", "    SHEAF_TRY(remove_gone_pages(doubtful));\n", ""),
    "all-stands-for-newer-sections": ("offers/pull_plan.cpp", "newest_of(section) > newest_of(whole);", "false;"),
    "a-disallowed-sitemap-is-read": ("pull/discover.cpp", "rules_.judge(sitemap).allowed) return", "true) return"),
    "an-old-section-is-not-mentioned": ("offers/pull_plan.cpp", "    note_age();\n", ""),
    "the-checksum-in-the-sitemap-is-ignored": ("pull/collection_sync.cpp", 'options.checksum = offer.checksum.value_or("");', ""),
    "a-content-coding-is-not-undone": ("pull/downloads.cpp", "", ""),
    "retry-after-is-forgotten": ("pull/pull_history.cpp", "", ""),
    "the-copy-of-a-former-address-stays": ("pull/site_pull.cpp", "SHEAF_TRY(retire_former_names());", ""),
    "each-section-has-its-own-clock": ("publish/section_run.cpp", "", ""),
    "removals-come-before-additions": ("pull/site_pull.cpp", "task.losses = is_one ?", "task.losses = true ?"),
    "an-older-version-replaces-a-newer-one": ("format/deltas/delta_rules.cpp", "return replaces(*offered.modified, stored->modified) ?", "return true ?"),
    "the-change-feed-misses-dropped-sections": ("store/local/section_change.cpp", "", ""),
}


def copy_sources(folder):
    for name in COPIED:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            subprocess.run(["rsync", "-a", "--delete", f"{source}/", f"{target}/"], check=True) if shutil.which("rsync") else \
                shutil.copytree(source, target, dirs_exist_ok=True)
        elif source.exists():
            shutil.copy2(source, target)


