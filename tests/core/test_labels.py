"""Reasons and uses in the words people write."""

from __future__ import annotations

import pytest

from memdir.core.labels import has_how, has_motive, has_why


@pytest.mark.parametrize(
    "text",
    ["**Why:** x", "**Why**: x", "## Why\nx", "Why: x", "- Why — x", "**WHY:**", "*Why:* x", "**Reason:** x", "Rationale: x", "**为什么：** x", "原因：x",
     "**なぜ:** x", "理由: x", "**이유:** x", "Warum: x", "**Begründung:** x", "Pourquoi : x", "**Por qué:** x", "Motivo: x", "**Почему:** x", "**Why (2026):** x"],
)  # fmt: skip
def test_why(text: str) -> None:
    assert has_why(text)


@pytest.mark.parametrize(
    "text",
    ["that is why it failed", "whyever", "no reasons given here", "", "anyhow", "The reason was legal"],
)
def test_no_why(text: str) -> None:
    assert not has_why(text)


@pytest.mark.parametrize(
    "text",
    ["**How to apply:** x", "### How to apply\nx", "How: x", "**When to apply:** x", "**Apply:** x", "**如何应用：** x", "做法：x", "**適用:** x", "**적용:** x",
     "**Anwendung:** x", "Comment appliquer : x", "**Cómo aplicar:** x", "**How to apply (in tests):** x", "**Action:** x"],
)  # fmt: skip
def test_how(text: str) -> None:
    assert has_how(text)


@pytest.mark.parametrize(
    "text", ["this is how it works", "apply it", "somehow: x", "", "the application is slow"]
)
def test_no_how(text: str) -> None:
    assert not has_how(text)


@pytest.mark.parametrize(
    "text",
    [
        "because of x",
        "so that x",
        "due to x",
        "因为没人",
        "ので",
        "때문에",
        "weil es",
        "parce que",
        "porque",
        "Why: x",
        "until 2026",
    ],
)
def test_motive(text: str) -> None:
    assert has_motive(text)


@pytest.mark.parametrize("text", ["Jobs are rows in PostgreSQL.", "任务在数据库里。", ""])
def test_no_motive(text: str) -> None:
    assert not has_motive(text)


def test_only_the_body_counts() -> None:
    text = "Why: header\nbody"
    assert not has_why(text, text.index("body"))
