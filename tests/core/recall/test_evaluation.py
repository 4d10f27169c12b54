"""Floors of the labelled evaluation: goals of the product, and far above plain BM25."""

from __future__ import annotations

from memdir.core.recall import RecallIndex
from tests.core.recall import evaluation


def test_floors() -> None:
    found = dict(evaluation.rows())
    for name, score in found.items():
        print(score.row(name))
    base, extra = found["base set, lexical"], found["extra set, lexical"]
    assert base.recall_at_1 >= 0.80
    assert base.recall_at_5 >= 0.90
    assert base.precision >= 0.50
    assert extra.recall_at_1 >= 0.80
    assert extra.recall_at_5 >= 0.88
    assert extra.precision >= 0.65
    assert extra.none is not None and extra.none >= 0.90
    for name in ("base set", "extra set"):
        ours, plain = found[f"{name}, lexical"], found[f"{name}, plain BM25"]
        assert ours.recall_at_1 >= plain.recall_at_1 + 0.1
        assert ours.recall_at_5 >= plain.recall_at_5 + 0.1
        assert ours.precision >= plain.precision + 0.2


def test_order_of_insertion_does_not_change_results() -> None:
    memories, queries = evaluation.both()
    one, other = evaluation.index(memories), evaluation.index(reversed(memories))
    assert isinstance(one, RecallIndex)
    assert all(one.search(q.query) == other.search(q.query) for q in queries)


def test_labels_name_existing_memories() -> None:
    memories, queries = evaluation.both()
    known = {m.id for m in memories}
    assert len(known) == len(memories)
    assert all(set(q.relevant) <= known for q in queries)
    assert sum(1 for q in queries if not q.relevant) >= 30
