#!/usr/bin/env python3
"""Trains the model that tells content from the rest of a page, and writes it as C++.

    train.py --dump build/release/tools/dump_runs --pages FOLDER --docs FOLDER [--cv] [--out FILE]

--pages has cases.json and html/*.html.gz: saved pages of news sites, blogs, companies and offices, and for each a few
segments of text that belong to its content and a few that do not (the format is that of trafilatura's evaluation data).
--docs is a folder of unpacked documentation packages (tools/fetch_docs); the generators' own markup says what is
content there. Neither is part of this project; what lands in it are the numbers of the model.

Two models come out: one for pages of manuals, references and wikis (the feature `manual`), one for all others.

A run of text that holds a segment is an example. Its neighbours under the same parent element are weak examples. Runs of
documentation pages are examples of little weight, so that tables, code and lists count as content where they do.

--cv trains five times on four fifths of the sites, and scores each fifth with the model that has not seen it: the figure
to believe. The output depends on nothing but the input: seeds are fixed, pages are sampled by a hash of their names.
Needs python3-sklearn.
"""

import argparse
import gzip
import json
import re
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from urllib.parse import urlparse

import numpy
from sklearn.ensemble import GradientBoostingClassifier

TREES = 96
DEPTH = 3
CHECKPOINTS = (6, 12, 24, 48)
FOLDS = 5
WEAK_WEIGHT = 0.05
DOCS_WEIGHT = 0.01
MANUAL_WEIGHT = 40  # in the manuals' own model
MANUAL = 0  # the feature that says which model a page gets
DOCS_PAGES = 50  # of each family
DOCS_RUNS = 80  # of each page
DOCS_BYTES = 150_000

# Where the content of a documentation page is, by what its elements are called: the outermost match decides, inner
# ones may decide otherwise. None: not used.
DOCS = {
    "share/doc/git-doc/": [(r"div#content|div#header", 1), (r"div#toc\b", None), (r"div#footer", 0)],
    "share/doc/apache2-doc/": [(r"div#page-content", 1), (r"div#(quickview|comments_section)|div\.(toplang|bottomlang|top)\b", 0),
                               (r"div#(page-header|path|footer)", 0)],
    "share/doc/rust-doc/html/book": [(r"^main", 1), (r"^nav|div#menu-bar", 0)],
    "share/doc/rust-doc/html/reference": [(r"^main", 1), (r"^nav|div#menu-bar", 0)],
    "share/doc/rust-doc/html/std": [(r"section#main-content", 1), (r"^nav|\.sub\b|search-", 0)],
    "share/doc/rust-doc/html/core": [(r"section#main-content", 1), (r"^nav|\.sub\b|search-", 0)],
    "share/doc/postgresql": [(r"body#docContent", 1), (r"\.(navheader|navfooter)", 0), (r"\.toc\b", None)],
    "share/cppreference": [(r"div#content\b", 1), (r"t-navbar|#siteSub|#contentSub|editsection|printfooter|catlinks|t-example-live", 0),
                           (r"#toc", None), (r"footer", 0)],
    "share/doc/libeigen3": [(r"div#doc-content|div\.(header|contents)\b", 1), (r"#(nav|side-nav|top|titlearea|projectlogo)|nav|footer", 0)],
    "libstdc++/user": [(r"div#doc-content|div\.(header|contents)\b", 1), (r"#(nav|side-nav|top|titlearea|projectlogo)|nav|footer", 0)],
    "libstdc++/manual": [(r"^body", 1), (r"\.(navheader|navfooter)", 0), (r"\.toc\b", None)],
    "share/doc/mkdocs": [(r"\.col-md-9", 1), (r"navbar|bs-sidebar|^footer|modal|\.col-md-3", 0)],
    "share/gtk-doc": [(r"div\.(refentry|chapter|part|book|index|sect1|glossary)\b", 1), (r"\bnavigation|div\.footer", 0), (r"\.toc\b", None)],
    "share/doc/python-django-doc": [(r"div#yui-main", 1), (r"div#(hd|ft|sidebar|global-nav)|div\.nav\b|sphinxsidebar", 0)],
    "share/doc/python3": [(r"div\.body", 1), (r"^nav|related|sphinxsidebar|div\.footer|mobile-nav|clearer", 0)],
}


def norm(text):
    return re.sub(r"\s+", " ", text).strip()


class Pages:
    """Pages as dump_runs sees them: `runs` with text and region, `parents` and `names` of regions; X their features."""

    def __init__(self, dump, paths):
        with tempfile.TemporaryDirectory() as folder:
            features = Path(folder) / "features.bin"
            done = subprocess.run([dump, features], input="\n".join(map(str, paths)) + "\n", text=True, check=True,
                                  stdout=subprocess.PIPE)
            self.pages = [json.loads(line) for line in done.stdout.split("\n") if line]
            raw = numpy.fromfile(features, dtype=numpy.float32)
        first = 0
        for page in self.pages:
            page["first"] = first
            first += len(page["runs"])
            for run in page["runs"]:
                run["text"] = norm(run["text"])
        self.X = raw.reshape(first, -1)

    def __len__(self):
        return len(self.X)


# --- examples from annotated segments ------------------------------------------------------------


def runs_with(texts, segment):
    """Indices of the runs that hold a segment, or of those it spans."""
    found = [i for i, text in enumerate(texts) if segment in text]
    if found:
        shares = [len(segment) / len(texts[i]) for i in found]
        # A short word may stand in many runs; where it is most of one, that one was meant.
        return [i for i, share in zip(found, shares) if share > 0.25] if len(found) > 1 and max(shares) > 0.5 else found
    at = " ".join(texts).find(segment)
    if at < 0:
        return []
    start = 0
    for i, text in enumerate(texts):
        if start < at + len(segment) and start + len(text) > at:
            found.append(i)
        start += len(text) + 1
    return found


def segment_examples(data, cases):
    """(label, weight) of every run; label -1 where nothing is known."""
    labels = numpy.full(len(data), -1)
    weights = numpy.zeros(len(data))
    for page, case in zip(data.pages, cases):
        texts = [run["text"] for run in page["runs"]]
        for key, label in (("with", 1), ("without", 0)):
            for segment in case[key]:
                found = runs_with(texts, norm(segment))
                for i in found:
                    at = page["first"] + i
                    if label == 0 and labels[at] == 1:
                        continue
                    labels[at] = label
                    weights[at] = min(2, weights[at] + (1 if len(found) == 1 else 0.5 / len(found)))
        add_neighbours(page, labels, weights)
    return labels, weights


def add_neighbours(page, labels, weights):
    """Weak examples: runs under the same parent as examples of one kind only; content only between two of them."""
    parents = page["parents"]
    at_parent = ({}, {})
    for i, run in enumerate(page["runs"]):
        label = labels[page["first"] + i]
        if label >= 0:
            at_parent[label].setdefault(parents[run["region"]], []).append(i)
    for i, run in enumerate(page["runs"]):
        at = page["first"] + i
        parent = parents[run["region"]]
        bad, good = (parent in kind for kind in at_parent)
        if labels[at] >= 0 or bad == good:
            continue
        if good and not min(at_parent[1][parent]) <= i <= max(at_parent[1][parent]):
            continue
        labels[at] = int(good)
        weights[at] = WEAK_WEIGHT


# --- examples from documentation -------------------------------------------------------------------


def docs_paths(roots):
    """Of each family the pages whose names hash lowest."""
    chosen = []
    everything = [page for root in roots for page in root.rglob("*.html")]
    for family in DOCS:
        pages = [p for p in everything if family in str(p) and 0 < p.stat().st_size < DOCS_BYTES]
        pages.sort(key=lambda p: zlib.crc32(str(p)[str(p).index(family) :].encode()))
        chosen += pages[:DOCS_PAGES]
    return chosen


def docs_examples(data):
    labels = numpy.full(len(data), -1)
    weights = numpy.zeros(len(data))
    for page in data.pages:
        rules = next(rules for family, rules in DOCS.items() if family in page["file"])
        answers = [0] * len(page["parents"])
        for region, parent in enumerate(page["parents"]):
            answers[region] = answers[parent] if region else 0
            for pattern, answer in rules:
                if re.search(pattern, page["names"][region]):
                    answers[region] = answer
        order = sorted(range(len(page["runs"])), key=lambda i: zlib.crc32(f"{page['file']} {i}".encode()))
        for i in order[:DOCS_RUNS]:
            answer = answers[page["runs"][i]["region"]]
            if answer is not None:
                labels[page["first"] + i] = answer
                weights[page["first"] + i] = DOCS_WEIGHT
    return labels, weights


# --- the model -------------------------------------------------------------------------------------


def train(X, labels, weights):
    model = GradientBoostingClassifier(n_estimators=TREES, learning_rate=0.15, max_depth=DEPTH, subsample=0.5,
                                       max_features=0.15, min_samples_leaf=8, random_state=1)
    known = labels >= 0
    return model.fit(X[known], labels[known], sample_weight=weights[known])


def scores(data, cases, kept):
    """Precision, recall and F1 over all segments."""
    tp = fp = fn = 0
    for page, case in zip(data.pages, cases):
        keep = kept[page["first"] : page["first"] + len(page["runs"])]
        text = " ".join(run["text"] for run, yes in zip(page["runs"], keep) if yes)
        there = [norm(s) in text for s in case["with"]]
        tp += sum(there)
        fn += len(there) - sum(there)
        fp += sum(norm(s) in text for s in case["without"])
    return tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn)


def cross_validate(data, labels, weights, cases, extra):
    sites = [".".join(urlparse(case["url"]).netloc.split(".")[-2:]) for case in cases]
    order = sorted(set(sites), key=lambda site: zlib.crc32(site.encode()))
    fold_of = {site: i % FOLDS for i, site in enumerate(order)}
    folds = numpy.concatenate([numpy.full(len(page["runs"]), fold_of[site]) for page, site in zip(data.pages, sites)])
    values = numpy.zeros(len(data))
    for fold in range(FOLDS):
        inside = folds != fold
        model = train(numpy.vstack([data.X[inside], extra[0]]), numpy.concatenate([labels[inside], extra[1]]),
                      numpy.concatenate([weights[inside], extra[2]]))
        values[folds == fold] = model.decision_function(data.X[folds == fold])
    return values


def flat_tree(tree):
    """A tree of full depth: split features and thresholds level by level, then the leaves."""
    features, thresholds, leaves = [], [], []

    def visit(node, level, at):
        split = tree.children_left[node] >= 0
        if level == DEPTH:
            leaves.append((at, tree.value[node][0][0]))
            return
        features.append((level, at, tree.feature[node] if split else 0))
        # A split that a shallow tree lacks sends everything to the left, where the leaf's value is.
        thresholds.append((level, at, tree.threshold[node] if split else 3.0e38))
        visit(tree.children_left[node] if split else node, level + 1, at * 2)
        visit(tree.children_right[node] if split else node, level + 1, at * 2 + 1)

    visit(0, 0, 0)
    return [f for *_, f in sorted(features)], [t for *_, t in sorted(thresholds)], [v for _, v in sorted(leaves)]


def checkpoints(model, X):
    """(trees, bound, scale): beyond the bound the score after so many trees has its final sign, all but one in 500; scale
    is what it then grows by."""
    partial = numpy.full(len(X), float(numpy.log(model.init_.class_prior_[1] / model.init_.class_prior_[0])))
    final = model.decision_function(X)
    found = []
    for i, (estimator,) in enumerate(model.estimators_, 1):
        partial += model.learning_rate * estimator.predict(X)
        if i not in CHECKPOINTS:
            continue
        order = numpy.argsort(-abs(partial))
        turned = numpy.cumsum((partial[order] > 0) != (final[order] > 0)) / numpy.arange(1, len(X) + 1)
        last = numpy.nonzero(turned <= 0.002)[0].max()
        clear = order[: last + 1]
        found.append((i, float(abs(partial[order[last]])), float((final[clear] / partial[clear]).mean())))
        print(f"after {i} trees {len(clear) / len(X):.2f} of the runs are clear")
    return found


def number(value):
    text = f"{value:.6g}"
    return text + ("F" if "." in text or "e" in text else ".0F")


def model_lines(name, model, X):
    share = model.init_.class_prior_[1]
    lines = [f"const ContentModel {name} = {{{number(numpy.log(share / (1 - share)))}, {{{{"]
    lines += [f"    {{{trees}, {number(bound)}, {number(scale)}}}," for trees, bound, scale in checkpoints(model, X)]
    lines.append("}}, {{")
    for (estimator,) in model.estimators_:
        features, thresholds, leaves = flat_tree(estimator.tree_)
        leaves = [value * model.learning_rate for value in leaves]
        lines.append(f"    {{{{{', '.join(map(str, features))}}}, {{{', '.join(map(number, thresholds))}}}, {{{', '.join(map(number, leaves))}}}}},")
    return lines + ["}}};", ""]


def write_models(models, out):
    lines = ["// Written by tools/train_content/train.py; do not edit.", '#include "sheaf/html/content_model.h"', "",
             "namespace sheaf::html {", "", "// clang-format off"]
    for name, (model, X) in models.items():
        lines += model_lines(name, model, X)
    out.write_text("\n".join(lines + ["// clang-format on", "", "}  // namespace sheaf::html", ""]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dump", required=True, help="the program dump_runs")
    parser.add_argument("--pages", required=True, type=Path, help="folder with cases.json and html/")
    parser.add_argument("--docs", required=True, type=Path, nargs="+", help="folders of unpacked documentation packages")
    parser.add_argument("--cv", action="store_true", help="report the cross-validated score")
    parser.add_argument("--out", type=Path, help="where to write the model")
    args = parser.parse_args()

    cases = json.loads((args.pages / "cases.json").read_text())
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for case in cases:
            paths.append(Path(folder) / Path(case["file"]).stem)
            paths[-1].write_bytes(gzip.decompress((args.pages / case["file"]).read_bytes()))
        data = Pages(args.dump, paths)
    docs = Pages(args.dump, docs_paths(args.docs))
    labels, weights = segment_examples(data, cases)
    docs_labels, docs_weights = docs_examples(docs)
    known = docs_labels >= 0
    manual = docs.X[:, MANUAL] > 0
    extra = (docs.X[known & ~manual], docs_labels[known & ~manual], docs_weights[known & ~manual])
    print(f"{len(data)} runs of {len(cases)} pages, {int((labels >= 0).sum())} examples; "
          f"{int(known.sum())} from {len(docs.pages)} pages of documentation, {docs_labels[known].mean():.2f} of them content, "
          f"{manual.mean():.2f} of manuals")
    docs.X[:, MANUAL] = 0  # tells which model to ask, and nothing else
    is_manual = data.X[:, MANUAL] > 0
    data.X[:, MANUAL] = 0
    # Articles teach the manuals' model what comments and teasers are: there are technical blogs.
    manual_model = train(numpy.vstack([docs.X[known & manual], data.X]), numpy.concatenate([docs_labels[known & manual], labels]),
                         numpy.concatenate([docs_weights[known & manual] * MANUAL_WEIGHT, weights]))
    right = (manual_model.decision_function(docs.X[known & manual]) > 0) == docs_labels[known & manual]
    print(f"manuals: {right.mean():.4f} of the runs right")
    if args.cv:
        values = cross_validate(data, labels, weights, cases, extra)
        values[is_manual] = manual_model.decision_function(data.X[is_manual])
        for threshold in (-0.5, -0.25, 0, 0.25, 0.5):
            print("cross-validated, threshold %5.2f: P=%.4f R=%.4f F1=%.4f" % (threshold, *scores(data, cases, values > threshold)))
    if args.out:
        model = train(numpy.vstack([data.X, extra[0]]), numpy.concatenate([labels, extra[1]]), numpy.concatenate([weights, extra[2]]))
        values = model.decision_function(data.X)
        values[is_manual] = manual_model.decision_function(data.X[is_manual])
        print("on what it was trained on: P=%.4f R=%.4f F1=%.4f" % scores(data, cases, values > 0))
        write_models({"kArticleModel": (model, data.X), "kManualModel": (manual_model, docs.X[manual])}, args.out)


if __name__ == "__main__":
    sys.exit(main())
