"""How good a choice of runs is: word F1 against gold texts, F1 of segments that must and must not be there."""

import collections
import statistics

from gold import norm


def page_score(page, kept):
    """(P, R, F1) of the words of the kept runs."""
    ours = collections.Counter()
    for words, yes in zip(page.words, kept):
        if yes:
            ours.update(words)
    hits, total, wanted = (ours & page.gold).total(), ours.total(), page.gold.total()
    if not total and not wanted:
        return 1.0, 1.0, 1.0
    return hits / total if total else 0.0, hits / wanted if wanted else 0.0, 2 * hits / (total + wanted)


def segment_score(pages, kept):
    tp = fp = fn = 0
    for page, keep in zip(pages, kept):
        text = " ".join(text for text, yes in zip(page.texts, keep) if yes)
        there = sum(norm(s) in text for s in page.wanted)
        tp += there
        fn += len(page.wanted) - there
        fp += sum(norm(s) in text for s in page.unwanted)
    return tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn)


def report(pages, kept):
    """kept: of each page a row of yes and no. Prints a line for each kind and source."""
    groups = collections.defaultdict(list)
    segments = []
    for page, keep in zip(pages, kept):
        if page.gold is not None:
            score = page_score(page, keep)
            for name in ("kind " + page.kind, "source " + page.source, "all"):
                groups[name].append(score)
        elif page.wanted:
            segments.append((page, keep))
    print(f"{'word F1 by page':<24}{'pages':>6}{'P':>8}{'R':>8}{'F1':>8}")
    for name, rows in sorted(groups.items(), key=lambda group: (group[0] == "all", group[0])):
        print(f"{name:<24}{len(rows):>6}" + "".join(f"{statistics.mean(column):>8.3f}" for column in zip(*rows)))
    if segments:
        print(f"{'segments':<24}{len(segments):>6}" + "".join(f"{value:>8.3f}" for value in segment_score(*zip(*segments))))
