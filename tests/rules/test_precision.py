"""On ordinary directories, in every shape seen in the field, no rule floods."""

from __future__ import annotations

from collections import Counter

import pytest

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.lint import check_document
from memdir.core.model import Severity
from memdir.core.rule import Context
from memdir.core.similarity import prepare
from tests.corpus import SHAPES, SOURCES, Shape, build
from tests.rules.world import NOW, ROOT, Repo, day

COUNT = 100
# Findings per 100 ordinary files. Hints may say more: they don't count as problems.
ALLOWED = 3
ALLOWED_HINTS = 30
# What these say is true of the samples (6 % of their feedback has no reason) or depends on the index's size.
EXPECTED = {
    "feedback-without-why": 6,
    "feedback-without-how-to-apply": 6,
    "index-entry-too-long": 5,
    "project-without-why": 45,  # a hint; two thirds of real project memories have no such line
}


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
def test_no_rule_floods(shape: Shape) -> None:
    corpus = build(shape, COUNT)
    documents = [
        Document(f"{ROOT}/{rel}", rel, content, day(corpus.written[rel]).timestamp())
        for rel, content in corpus.files.items()
    ]
    directory = Directory(ROOT, documents)
    prepare(directory)
    context = Context(directory, NOW, project=Repo(SOURCES))
    counts: Counter[str] = Counter()
    hints: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for document in documents:
        for diagnostic in check_document(document, context):
            (hints if diagnostic.severity is Severity.HINT else counts)[diagnostic.rule] += 1
            shown.setdefault(diagnostic.rule, f"{document.rel}: {diagnostic.message}")
    loud = {r: (n, shown[r]) for r, n in counts.items() if n > EXPECTED.get(r, ALLOWED)}
    loud |= {r: (n, shown[r]) for r, n in hints.items() if n > EXPECTED.get(r, ALLOWED_HINTS)}
    # the samples repeat a few sentences, so that near duplicates are what they are
    loud.pop("near-duplicate", None)
    assert not loud
