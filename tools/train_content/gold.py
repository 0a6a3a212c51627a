"""Decides which runs of a page are content, from a gold text or from segments that must and must not be there."""

import collections
import re

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD = re.compile(f"[{CJK}]|[^\\W{CJK}]+")
SHINGLE = 4  # number of consecutive words that identify a place in a text
WEAK_WEIGHT = 0.05


def words(text):
    """Splits a text into words. A Chinese or Japanese character is a word."""
    return [w.casefold() for w in WORD.findall(text or "")]


def norm(text):
    return re.sub(r"\s+", " ", text).strip()


def shares_in_gold(run_words, gold):
    """Of each run the share of its words that stand in a row with others as they do in the gold text. A text that a page
    has more often than the gold counts where its neighbours are in the gold, too."""
    order = [(i, w) for i, run in enumerate(run_words) for w in run]
    page = [w for _, w in order]
    size = min(SHINGLE, len(gold), len(page))
    if size == 0:
        return [0.0] * len(run_words)
    known = collections.Counter(tuple(gold[i : i + size]) for i in range(len(gold) - size + 1))
    hit = [False] * len(page)
    for i in range(len(page) - size + 1):
        if tuple(page[i : i + size]) in known:
            hit[i : i + size] = [True] * size
    hits = [0] * len(run_words)
    for (run, _), yes in zip(order, hit):
        hits[run] += yes
    shares = [n / len(run) if run else 0.0 for n, run in zip(hits, run_words)]
    drop_surplus(run_words, shares, gold)
    return shares


def drop_surplus(run_words, shares, gold):
    """Of runs with the same words, only as many count as the gold text has. Those next to other content are preferred."""
    same = collections.defaultdict(list)
    for i, run in enumerate(run_words):
        if run and shares[i] > 0.5:
            same[tuple(run)].append(i)
    repeated = {run: at for run, at in same.items() if len(at) > 1}
    if not repeated:
        return
    sizes = {len(run) for run in repeated}
    in_gold = collections.Counter()
    for size in sizes:
        for i in range(len(gold) - size + 1):
            row = tuple(gold[i : i + size])
            if row in repeated:
                in_gold[row] += 1
    unique = [shares[i] > 0.5 and len(same[tuple(run)]) == 1 for i, run in enumerate(run_words)]

    def company(i):
        return sum(unique[j] * len(run_words[j]) / (1 + abs(i - j)) for j in range(max(0, i - 6), min(len(unique), i + 7)))

    for run, at in repeated.items():
        for i in sorted(at, key=lambda i: (-company(i), i))[max(1, in_gold[run]) :]:
            shares[i] = 0.0


# --- segments ---------------------------------------------------------------------------------------


def runs_with(texts, segment):
    """Returns the indices of the runs that contain a segment, or that it spans."""
    found = [i for i, text in enumerate(texts) if segment in text]
    if found:
        shares = [len(segment) / len(texts[i]) for i in found]
        # A short word may occur in many runs; if it is most of one run, that run was meant.
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


def segment_labels(page, texts, wanted, unwanted):
    """(label, weight) of each run: 1 where a wanted segment is, 0 where an unwanted one is, -1 where nothing is known.
    Runs under the same parent as examples of one kind only are weak examples, content only between two of them."""
    labels, weights = [-1] * len(texts), [0.0] * len(texts)
    for segments, label in ((wanted, 1), (unwanted, 0)):
        for segment in segments:
            found = runs_with(texts, norm(segment))
            for i in found:
                if label == 0 and labels[i] == 1:
                    continue
                labels[i] = label
                weights[i] = min(2, weights[i] + (1 if len(found) == 1 else 0.5 / len(found)))
    at_parent = ({}, {})
    parents = [page["parents"][run["region"]] for run in page["runs"]]
    for i, parent in enumerate(parents):
        if labels[i] >= 0:
            at_parent[labels[i]].setdefault(parent, []).append(i)
    for i, parent in enumerate(parents):
        bad, good = (parent in kind for kind in at_parent)
        if labels[i] >= 0 or bad == good:
            continue
        if good and not min(at_parent[1][parent]) <= i <= max(at_parent[1][parent]):
            continue
        labels[i] = int(good)
        weights[i] = WEAK_WEIGHT
    return labels, weights
