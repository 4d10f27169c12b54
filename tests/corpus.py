"""Memory directories in the shapes of real ones, with the frequencies counted over 115 public directories.

Deterministic: the same shape gives the same files. Everything in them is ordinary; a rule that reports much of it floods.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

FACTS = {
    "en": [
        ("Integration tests must hit a real database, burned by mocks in Q4", "Integration tests run against PostgreSQL in a container.", "mocked tests passed while the migration failed", "use the `db` fixture in `tests/conftest.py`"),
        ("Prefer one bundled pull request for refactors in this area", "Refactors go into one pull request.", "splitting it was churn", "bundle call-site changes with the change itself"),
        ("No closing summaries, the diff is read anyway", "Stop after the answer.", "the person reads the diff", "leave out the last paragraph"),
        ("Structured logs only because the collector drops free text", "Use `log.info(event, **fields)`.", "an alarm stayed silent for nine days", "flag `print` in review"),
        ("Merges are frozen until 2026-03-20 for the mobile release", "The mobile team cuts its branch on 2026-03-20.", "the last cut took half-merged changes", "flag merges that can't wait"),
        ("Session tokens are rewritten because legal flagged their storage", "The rewrite is driven by compliance, as of 2026-03-05.", "legal flagged how tokens were stored", "prefer compliance over ergonomics"),
    ],
    "zh": [
        ("集成测试必须连接真实数据库，第四季度吃过模拟的亏", "集成测试连接容器里的数据库。", "模拟测试通过而迁移失败", "使用 `db` 夹具"),
        ("评审意见先说结论再说理由", "评审意见先说结论。", "长评论没人读", "第一行写结论"),
        ("移动版发布前冻结合并，到 2026-03-20", "移动团队 2026-03-20 切分支。", "上次带走了半成品", "标出不能等的合并"),
    ],
    "ja": [
        ("結合テストは本物のデータベースで行う", "結合テストはコンテナのデータベースで行う。", "モックでは移行の失敗に気づかなかった", "`db` フィクスチャを使う"),
        ("レビューは結論から書く", "レビューは結論から書く。", "長いコメントは読まれない", "最初の行に結論を書く"),
    ],
    "ko": [
        ("통합 테스트는 실제 데이터베이스로 한다", "통합 테스트는 컨테이너의 데이터베이스로 한다.", "목으로는 실패를 몰랐다", "`db` 픽스처를 쓴다"),
        ("리뷰는 결론부터 쓴다", "리뷰는 결론부터 쓴다.", "긴 댓글은 읽지 않는다", "첫 줄에 결론을 쓴다"),
    ],
    "de": [
        ("Integrationstests laufen gegen eine echte Datenbank", "Integrationstests laufen im Container.", "mit Attrappen fiel die Migration nicht auf", "die Fixture `db` verwenden"),
        ("Änderungen an der Anmeldung nur mit der Rechtsabteilung", "Die Anmeldung wird aus rechtlichen Gründen umgebaut.", "die Rechtsabteilung hat es verlangt", "vorher fragen"),
    ],
    "fr": [
        ("Les tests d’intégration utilisent une vraie base de données", "Les tests tournent dans un conteneur.", "les simulacres cachaient l’échec", "utiliser la fixture `db`"),
    ],
}  # fmt: skip
INDEX_SHAPES = (
    "- [{title}]({path}) — {hook}", "- [{title}]({path}) - {hook}", "- [{title}]({path}): {hook}", "- **[{title}]({path})** — {hook}", "- [{title}](./{path}) -- {hook}",
    "- [{title}]({path})", "* [{title}]({path}) — {hook}", "- {path} — {hook}", "- `{path}` — {hook}", "[{title}]({path}) — {hook}", "1. [{title}]({path}) — {hook}", "| [{title}]({path}) | {hook} |",
)  # fmt: skip
SOURCES = {f"src/app/module_{i}.py": (120, "2026-01-10") for i in range(20)} | {
    "tests/conftest.py": (40, "2026-01-05"),
    "docs/plan.md": (80, "2026-01-05"),
}


@dataclass(frozen=True)
class Shape:
    """How one directory is written."""

    name: str
    language: str = "en"
    nested: float = 0.27  # share of files with `metadata: type`
    entry: str = INDEX_SHAPES[0]
    sections: bool = False
    newline: str = "\n"
    bom: bool = False
    project_share: float = 0.4
    second_level: bool = False


SHAPES = (
    *(Shape(f"index {i}", entry=entry, sections=i % 2 == 0) for i, entry in enumerate(INDEX_SHAPES)),
    *(Shape(language, language=language) for language in FACTS),
    Shape("nested", nested=1.0),
    Shape("flat", nested=0.0),
    Shape("CRLF", newline="\r\n"),
    Shape("byte-order marks", bom=True),
    Shape("second level", second_level=True),
    Shape("projects", project_share=0.9),
)


@dataclass
class Corpus:
    """`files`: relative path -> content, `written`: relative path -> day of the last change."""

    files: dict[str, bytes] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)


def build(shape: Shape, count: int = 100) -> Corpus:
    """A directory of `count` memories and its index."""
    rng = random.Random(shape.name)
    corpus = Corpus()
    rows: list[tuple[str, str]] = []
    stems: list[str] = []
    for i in range(count):
        kind = rng.choices(
            ["feedback", "project", "reference", "user"],
            [0.6 * (1 - shape.project_share), shape.project_share, 0.18, 0.07],
        )[0]
        description, lead, why, how = FACTS[shape.language][i % len(FACTS[shape.language])]
        stem = (
            f"{kind}_{rng.choice(['tests', 'auth', 'deploy', 'logs', 'api'])}_{i}"
            if rng.random() < 0.8
            else f"note-{i}"
        )
        stems.append(stem)
        rel = stem + ".md"
        corpus.files[rel] = _encode(shape, _memory(rng, shape, kind, i, description, lead, why, how, stems))
        corpus.written[rel] = rng.choice(["2026-03-10", "2026-03-01", "2026-02-20"])
        title = f"{description[:20].strip()} {i}"
        rows.append((kind, shape.entry.format(title=title, path=rel, hook=description)))
    _write_index(shape, corpus, rows)
    return corpus


def _memory(
    rng: random.Random,
    shape: Shape,
    kind: str,
    i: int,
    description: str,
    lead: str,
    why: str,
    how: str,
    stems: list[str],
) -> str:
    name = rng.choice([f"{description[:24].strip()} {i}", f"kebab-name-{i}", f"snake_name_{i}"])
    header = [f"name: {name}", f"description: {description} ({i})"]
    if rng.random() < shape.nested:
        header += [
            "metadata: ",
            "  node_type: memory",
            f"  type: {kind}",
            f"  originSessionId: {i:08d}-aaaa-4bbb-8ccc-dddddddddddd",
        ]
    else:
        header.append(f"type: {kind}")
    if rng.random() < 0.1:
        header.append(
            rng.choice(["status: stable", "tags: [a, b]", "relates_to: note-1", "modified: 2026-03-01"])
        )
    body = [lead]
    if (kind == "feedback" and rng.random() < 0.94) or (kind == "project" and rng.random() < 0.33):
        body += [f"**Why:** {why}.", f"**How to apply:** {how}."]
    for _ in range(rng.randint(0, 4)):
        body.append(
            rng.choice(
                [
                    f"See `src/app/module_{rng.randrange(20)}.py` for the shape.",
                    f"The check is in `src/app/module_{rng.randrange(20)}.py:{rng.randint(1, 120)}`.",
                    f"Related: [[{rng.choice(stems)}]].",
                    f"More in [the note]({rng.choice(stems)}.md).",
                    "Board: https://grafana.internal/d/api-latency (as of 2026-03-05).",
                    "```bash\nmake test && pytest -x tests/unit\n```",
                    f"- one point about it\n- another point, see #{rng.randint(1, 999)}",
                    "> “we do this every Monday”, at the next session start",
                    "| Port | Metres |\n| --- | --- |\n| Lindau | 1.20 |",
                    "## Details\n\nThe rest is known to the team.",
                    "Commit `3c4d5e6` shows it. PASS: 12 tests.",
                ]
            )
        )
    return "---\n" + "\n".join(header) + "\n---\n\n" + "\n\n".join(body) + "\n"


def _write_index(shape: Shape, corpus: Corpus, rows: list[tuple[str, str]]) -> None:
    parts = ["# Memory", ""]
    kept = rows
    if shape.second_level:
        kept, old = rows[:60], rows[60:]
        corpus.files["archive.md"] = _encode(
            shape,
            "---\nname: Archive\ndescription: Older decisions, one line each, not loaded\ntype: reference\n---\n\n"
            + "\n".join(r for _, r in old)
            + "\n",
        )
        corpus.written["archive.md"] = "2026-03-01"
        kept = [*kept, ("reference", "- [Archive](archive.md) — older decisions")]
    if shape.entry.startswith("|"):
        parts += ["| Memory | What |", "| --- | --- |"]
    if shape.sections:
        for kind in ("feedback", "project", "reference", "user"):
            parts += ["", f"## {kind.title()}", ""]
            if shape.entry.startswith("|"):
                parts += ["| Memory | What |", "| --- | --- |"]
            parts += [row for k, row in kept if k == kind]
    else:
        parts += [row for _, row in kept]
    corpus.files["MEMORY.md"] = _encode(shape, "\n".join(parts) + "\n")
    corpus.written["MEMORY.md"] = "2026-03-10"


def _encode(shape: Shape, text: str) -> bytes:
    return (b"\xef\xbb\xbf" if shape.bom else b"") + text.replace("\n", shape.newline).encode()
