#!/usr/bin/env python3
"""Trains the models that distinguish content from the rest of a page, and writes them as C++.

    tools/fetch_docs build/docs
    tools/fetch_docs build/more-docs libeigen3-doc libstdc++-12-doc mkdocs-doc libglib2.0-doc libgtk-3-doc python-django-doc
    ninja -C build/release dump_runs
    tools/train_content/train.py --dump build/release/tools/dump_runs --gold FOLDER --segments FOLDER \
        --docs build/docs/html build/more-docs/html --out src/sheaf/extract/content/content_model_data.cpp

--gold has cases.json and html/*.html.gz: saved pages of several kinds and for each the whole text that is its content.
--segments has the same with a few segments of text that belong to the content and a few that do not (the format is that
of trafilatura's evaluation data). --docs are folders of unpacked documentation packages (tools/fetch_docs); the
generators' own markup says what is content there. None is part of this project; what lands in it are numbers.

Each page is used twice: whole, and as the rest that the program judges after it has found the flows of the page
(content_flow.h), by scores of models that were trained on whole pages. There are two models. The first judges each run of text by its form and place, the second also by its words and by what
the first says of its surroundings. Both are trained five times on four fifths of the sites and asked about the fifth
they have not seen: the second learns from such answers of the first, and the report is of such answers of the second,
after all steps that follow in the program. It is the figure to believe. With --out both are trained once more on all
pages and written. The output depends on nothing but the input: seeds are fixed, pages are sampled by hashes.
Takes about ten minutes of one core. Needs python3-sklearn.
"""

import argparse
import collections
import gzip
import json
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from urllib.parse import urlparse

import numpy

import docs_pages
import gold
import scoring
import trees

FOLDS = 5
# The weight of a page of each source. Pages of other sources are only used for measuring, never for training.
SOURCES = {"wcxb": 1, "fundus": 0.5, "harvest": 1, "zhweb": 1, "segments": 1, "docs": 0.3}
# What counts for each model, of a page: a segment, and any run beside its share of the words. The second model is to
# tell the short texts that much of what is around content is made of.
SEGMENT_WEIGHT = {"form": 0.07, "context": 0.15}
LEAST_OF_RUN = {"form": 0.002, "context": 0.005}
SURE = 1.5  # first scores beyond this are final
UNSURE = 3.0  # the second model learns from runs with first scores up to this: it is asked about few others
MOST_OF_RUN = 0.3  # the largest share of a page's weight for a single run
MOST_NOT_CONTENT = 1.5  # the largest weight, in pages, of all non-content runs of a page
THIN = 0.01  # runs with a lower weight are sampled, and the weight of the sampled runs is increased
FEWEST_WORDS = 50


class Page:
    """A page as dump_runs describes it, and what is known of its content: labels and weights of its runs; `gold` the
    words of its content, or `wanted` and `unwanted` segments, to be measured by."""

    def __init__(self, described, source, site, kind="unknown"):
        self.source, self.site, self.kind = source, site, kind
        self.texts = [gold.norm(run["text"]) for run in described["runs"]]
        self.words = [gold.words(text) for text in self.texts]
        self.gold, self.wanted, self.unwanted = None, [], []
        self.labels = numpy.full(len(self.texts), -1)
        self.weights = {}  # by model

    def weigh(self, shares, wanted):
        """Weighs each run by its share of the words of the content, as F1 does. Runs that are not content get the same weight."""
        sizes = numpy.array([len(words) for words in self.words], dtype=float)
        certain = 0.2 + 0.8 * abs(numpy.array(shares) - 0.5) * 2
        for name, least in LEAST_OF_RUN.items():
            weights = numpy.minimum(sizes / max(FEWEST_WORDS, wanted), MOST_OF_RUN) + least
            for label, most in ((0, MOST_NOT_CONTENT), (1, 1.0)):
                weights[self.labels == label] *= min(1, most / max(weights[self.labels == label].sum(), 1e-9))
            self.weights[name] = numpy.where(self.labels < 0, 0, weights * certain * SOURCES.get(self.source, 0))


def gold_page(case, described):
    page = Page(described, case["source"], case["site"], case.get("kind") or "unknown")
    text = gold.words(case["text"])
    page.gold = collections.Counter(text)
    shares = numpy.array(gold.shares_in_gold(page.words, text))
    page.labels = (shares > 0.5).astype(int)
    page.weigh(shares, len(text))
    return page


def segments_page(case, described):
    page = Page(described, "segments", ".".join(urlparse(case["url"]).netloc.split(".")[-2:]))
    page.wanted, page.unwanted = case["with"], case["without"]
    labels, weights = gold.segment_labels(described, page.texts, case["with"], case["without"])
    page.labels = numpy.array(labels)
    page.weights = {name: numpy.array(weights) * each for name, each in SEGMENT_WEIGHT.items()}
    return page


def docs_page(family, described):
    page = Page(described, "docs", family, "documentation")
    page.labels = numpy.array(docs_pages.labels(family, described), dtype=int)
    page.weigh(page.labels.clip(0, 1), sum(len(w) for w, label in zip(page.words, page.labels) if label == 1))
    return page


class Dump:
    """Runs the program dump_runs on a list of pages."""

    def __init__(self, program, lines):
        self.program, self.input = program, "\n".join(lines) + "\n"

    def run(self, *words):
        return subprocess.run([self.program, *words], input=self.input, text=True, check=True, stdout=subprocess.PIPE).stdout

    @staticmethod
    def stored(folder, name, scores):
        """The path of a file with the scores; "-" without scores."""
        if scores is None:
            return "-"
        scores.astype(numpy.float32).tofile(f"{folder}/{name}")
        return f"{folder}/{name}"

    def features(self, scores=None):
        """Of whole pages, or of their rests by the scores."""
        with tempfile.TemporaryDirectory() as folder:
            out = self.run("runs", self.stored(folder, "scores", scores), f"{folder}/x")
            described = [json.loads(line) for line in out.split("\n") if line]
            runs = sum(len(page["runs"]) for page in described)
            return described, numpy.fromfile(f"{folder}/x", dtype=numpy.float32).reshape(runs, -1)

    def context(self, form, scores=None):
        with tempfile.TemporaryDirectory() as folder:
            self.run("context", self.stored(folder, "scores", scores), self.stored(folder, "form", form), f"{folder}/x")
            return numpy.fromfile(f"{folder}/x", dtype=numpy.float32).reshape(len(form), -1)

    def select(self, scores=None, rest=None):
        """Returns one row of decisions per page. Without scores, the built-in model decides."""
        with tempfile.TemporaryDirectory() as folder:
            out = self.run("select", self.stored(folder, "scores", scores), self.stored(folder, "rest", rest))
        return [[c == "1" for c in line] for line in out.split("\n")[:-1]]


class Rest:
    """What is left of a page without the inside of its flows, with the labels of the whole page."""

    def __init__(self, page, described):
        places = numpy.array(described["places"], dtype=int)
        self.site, self.texts = page.site, [page.texts[i] for i in places]
        self.labels = page.labels[places]
        self.weights = {name: weights[places] for name, weights in page.weights.items()}


def read_cases(root, folder):
    """Returns the cases, and one line per case for dump_runs."""
    cases = json.loads((root / "cases.json").read_text())
    lines = []
    for case in cases:
        path = folder / f"{root.name}-{Path(case['file']).stem}"
        path.write_bytes(gzip.decompress((root / case["file"]).read_bytes()))
        lines.append(f"{path}\t{case['url']}")
    return cases, lines


def read_pages(args, folder):
    gold_cases, lines = read_cases(args.gold, folder)
    segment_cases, more = read_cases(args.segments, folder)
    docs = docs_pages.find_pages(args.docs)
    dump = Dump(args.dump, lines + more + [str(path) for path, _ in docs])
    described, X = dump.features()
    makers = [lambda d, c=c: gold_page(c, d) for c in gold_cases] + [lambda d, c=c: segments_page(c, d) for c in segment_cases]
    makers += [lambda d, f=f: docs_page(f, d) for _, f in docs]
    pages = [make(each) for make, each in zip(makers, described)]
    return dump, pages, X


def thinned(weights):
    taken = numpy.minimum(1, weights / THIN)
    sampled = numpy.random.RandomState(1).rand(len(weights)) < taken
    return numpy.where(sampled, weights / numpy.maximum(taken, 1e-9), 0)


class Examples:
    """Returns labels, weights and folds of all runs of all pages."""

    def __init__(self, pages):
        sites = sorted({page.site for page in pages}, key=lambda site: zlib.crc32(site.encode()))
        fold_of = {site: i % FOLDS for i, site in enumerate(sites)}
        self.folds = numpy.concatenate([numpy.full(len(page.texts), fold_of[page.site]) for page in pages])
        self.labels = numpy.concatenate([page.labels for page in pages])
        self.weights = {name: thinned(numpy.concatenate([page.weights[name] for page in pages])) for name in LEAST_OF_RUN}

    def limit_context(self, form):
        self.weights["context"] = numpy.where(abs(form) <= UNSURE, self.weights["context"], 0)

    def fit(self, name, X, without=None):
        weights = self.weights[name]
        rows = weights > 0
        if without is not None:
            rows &= self.folds != without
        return trees.fit(name, X[rows], self.labels[rows], weights[rows])

    def unseen_scores(self, name, X):
        """Scores each run by a model that has not seen its site."""
        found = numpy.zeros(len(X), dtype=numpy.float32)
        for fold in range(FOLDS):
            found[self.folds == fold] = trees.scores(self.fit(name, X, fold), X[self.folds == fold])
            print(f"{name} model, fold {fold + 1} of {FOLDS}", flush=True)
        return found


def combined(form, context):
    """The scores as the program has them: the second model is asked where the first is not sure."""
    return numpy.where(abs(form) > SURE, form, context)


def cross_validate(examples, X, words_from, context_of):
    """Returns the scores of both models, each by models that have not seen the site, and all features."""
    form = examples.unseen_scores("form", X[:, :words_from])
    both = numpy.hstack([X, context_of(form)])
    examples.limit_context(form)
    return form, examples.unseen_scores("context", both), both


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dump", required=True, help="the program dump_runs")
    parser.add_argument("--gold", required=True, type=Path, help="folder with cases.json and html/, with whole texts")
    parser.add_argument("--segments", required=True, type=Path, help="folder with cases.json and html/, with segments")
    parser.add_argument("--docs", required=True, type=Path, nargs="+", help="folders of unpacked documentation packages")
    parser.add_argument("--scores", type=Path, help="where to keep the scores of whole pages, or take them from")
    parser.add_argument("--built-in", action="store_true", help="only report the model that is built in, which has seen these pages")
    parser.add_argument("--out", type=Path, help="where to write the models")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        dump, pages, X = read_pages(args, Path(folder))
        if args.built_in:
            return scoring.report(pages, dump.select())
        words_from = int(dump.run("words"))
        if args.scores and args.scores.exists():
            first = numpy.load(args.scores)
        else:
            first = combined(*cross_validate(Examples(pages), X, words_from, dump.context)[:2])
            if args.scores:
                numpy.save(args.scores, first)
        described, of_rests = dump.features(first)
        examples = Examples(pages + [Rest(page, rest) for page, rest in zip(pages, described)])
        whole, X = len(X), numpy.vstack([X, of_rests])
        print(f"{len(X)} runs, {int((examples.weights['form'] > 0).sum())} examples", flush=True)
        form, context, both = cross_validate(
            examples, X, words_from, lambda form: numpy.vstack([dump.context(form[:whole]), dump.context(form[whole:], first)]))
        scoring.report(pages, dump.select(first, combined(form, context)[whole:]))
        if args.out:
            sample = numpy.arange(0, len(X), 7)
            form_model = examples.fit("form", X[:, :words_from])
            context_model = examples.fit("context", both)
            asked = sample[abs(form[sample]) <= SURE]
            trees.write({"Form": (form_model, X[sample, :words_from]), "Context": (context_model, both[asked])}, SURE, args.out)


if __name__ == "__main__":
    sys.exit(main())
