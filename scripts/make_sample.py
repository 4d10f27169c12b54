#!/usr/bin/env python3
"""Builds the sample: a small git repository and the memory an agent kept of it.

    make_sample.py DIR [--small-index]

DIR/harbour            the repository (three commits, fixed dates)
DIR/home               a home directory; the memory lies in DIR/home/.claude/projects/<slug>/memory
DIR/sample.json        where things are, for scripts and tests

The faults in it are those of real memory directories, in about their proportions. With --small-index the pasted
runbook is left out of MEMORY.md, so that nothing of the index is lost. Same DIR, same bytes.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "server"))

from memdir.core.slug import slug

NOW = datetime(2026, 3, 11, 12, 0, tzinfo=UTC)
# A made-up key in the shape of a real one, put together here so that scanners of this repository stay quiet.
FAKE_KEY = "AKIA" + "IOSFODNN7" + "EXAMPLE"[::-1].replace("E", "Q")

SOURCES = {
    "README.md": "# Harbour\n\nBerth planning for small ports.\n",
    "CLAUDE.md": "# Harbour\n\n- Run `make test` before a commit.\n- Never push to main.\n- Tides come from @docs/tides.md.\n",
    "docs/tides.md": "# Tides\n\nAll times are UTC. Heights are metres above chart datum.\n",
    "src/harbour/__init__.py": "",
    "src/harbour/berths.py": "".join(
        f"def berth_{i}(ship):\n    return ship.length < {i * 10}\n\n\n" for i in range(1, 12)
    ),
    "src/harbour/tides.py": "".join(f"TIDE_{i} = {i}.{i}\n" for i in range(1, 60)),
    "src/harbour/api.py": "".join(f"def route_{i}():\n    return {i}\n\n\n" for i in range(1, 20)),
    "tests/test_berths.py": "def test_berth():\n    assert True\n",
    ".claude/agents/reviewer.md": "---\nname: reviewer\ndescription: Reviews changes before merge\nmemory: project\n---\n\nReview the diff.\n",
    ".claude/agent-memory/reviewer/MEMORY.md": "- [Naming](naming.md) — names of berths are never abbreviated\n",
    ".claude/agent-memory/reviewer/naming.md": "---\nname: Naming\ndescription: Reviewers ask for full berth names, no abbreviations\ntype: feedback\n---\nNames of berths are written out.\n\n**Why:** The port authority rejected a report with short names.\n\n**How to apply:** Flag abbreviations in review.\n",
}

TOPICS: dict[str, tuple[str, str]] = {
    # file -> (day of the last change, text)
    "user_role.md": (
        "2026-03-10",
        "---\nname: Role and background\ndescription: Backend developer, ten years of Go, new to this Python code and to React\ntype: user\n---\nExplain frontend terms by their backend counterpart. Short answers, no summary at the end.\n",
    ),
    "feedback_real_db.md": (
        "2026-02-20",
        "---\nname: Real database in tests\ndescription: Integration tests must hit a real PostgreSQL, burned by mocks in Q4\ntype: feedback\n---\nIntegration tests run against PostgreSQL in a container, never against mocks.\n\n**Why:** Mocked tests passed while the production migration failed.\n\n**How to apply:** Use the `db` fixture; ask before adding a fake. See `tests/test_berths.py:1`.\n",
    ),
    "feedback_bundled_pr.md": (
        "2026-02-25",
        "---\nname: One bundled pull request\ndescription: Refactors go into one pull request, not many small ones\ntype: feedback\n---\nFor refactors in this area one bundled pull request is preferred.\n\n**Why:** Splitting it was churn; confirmed after the tide rewrite.\n\n**How to apply:** Bundle call-site changes with the change itself. Related: [[real-database-in-tests]].\n",
    ),
    "feedback_no_summary.md": (
        "2026-03-01",
        "---\nname: No closing summaries\ndescription: Stop after the answer: no summary of the diff at the end\ntype: feedback\n---\nDon't summarise what was just done.\n\n**Why:** The person reads the diff.\n",
    ),
    "feedback_commit_style.md": (
        "2026-01-08",
        "---\nname: Commit style\ndescription: testing stuff\ntype: feedbak\n---\nCommits say why, in the imperative.\n\n**Why:** Release notes are made from them.\n\n**How to apply:** Look at `git log` first.\n",
    ),
    "project_freeze.md": (
        "2026-03-04",
        "---\nname: Merge freeze\ndescription: Merge freeze for the mobile release cut\ntype: project\nmodified: 2026-03-04\n---\nMerging is frozen until Thursday; the mobile team cuts its release branch then. Agreed yesterday with Mara.\n\n**Why:** The last cut took half-merged tide changes with it.\n\n**How to apply:** Flag merges that can't wait.\n",
    ),
    "project_auth_rewrite.md": (
        "2026-01-20",
        "---\nname: Auth rewrite\ndescription: Issue #482: session tokens are rewritten because legal flagged their storage\ntype: project\n---\nThe rewrite of the session layer is driven by compliance, not by tech debt.\n\n**Why:** Legal flagged how session tokens were stored.\n\n**How to apply:** Prefer compliance over ergonomics. Code: `src/harbour/session.py:40`.\n",
    ),
    "project_tide_tables.md": (
        "2026-02-02",
        "---\nname: Tide tables\ndescription: Tide tables are bought from the hydrographic office, licence ends in June\nmetadata: \n  type: project\n  node_type: memory\n---\nThe tables in `src/harbour/tides.py:12` come with a licence until 2026-06-30.\n\n**Why:** The free source was wrong by 20 cm in spring.\n\n**How to apply:** Don't replace them by a formula.\n",
    ),
    "project_berth_api.md": (
        "2026-03-08",
        "---\nname: Berth API\ndescription: The berth API keeps version 1 until the port of Lindau has moved\ntype: project\n---\nVersion 1 stays until 2026-03-01, the day Lindau moves.\n",
    ),
    "project_structure.md": (
        "2026-02-11",
        "---\nname: Project structure\ndescription: Where things are in the repository\ntype: project\n---\n## Layout\n\n```\nsrc/harbour/\n├── __init__.py\n├── api.py\n├── berths.py\n└── tides.py\ntests/\n└── test_berths.py\n```\n\n- `src/harbour/api.py` has the routes\n- `src/harbour/berths.py` has the berth rules\n- `src/harbour/tides.py` has the tables\n",
    ),
    "project_decision_queue.md": (
        "2026-02-14",
        "---\nname: Queue decision\ndescription: PostgreSQL is the queue; no broker before 50 ports\ntype: decision\n---\nJobs are rows in PostgreSQL.\n\n**Why:** Nobody on call knows a broker.\n\n**How to apply:** Say no to a broker unless the port count passed 50.\n",
    ),
    "reference_dashboards.md": (
        "2026-02-27",
        "---\nname: Dashboards\ndescription: Grafana board for API latency that on-call watches\ntype: reference\n---\nhttps://grafana.example.com/d/harbour-latency is what on-call watches; check it before touching the request path.\n",
    ),
    "reference_tracker.md": (
        "2026-01-15",
        "---\nname: Tracker\ndescription: Pipeline faults are tracked in the Linear project TIDE\ntype: reference\n---\nFaults of the import are in Linear, project TIDE. More in [the runbook](runbook_import.md).\n",
    ),
    "reference_staging.md": (
        "2026-02-18",
        f"---\nname: Staging access\ndescription: How to reach the staging bucket\ntype: reference\n---\nBucket harbour-staging, key {FAKE_KEY} (test data, not a real key).\n",
    ),
    "reference_port_codes.md": (
        "2026-03-02",
        "---\nname: Port codes\ndescription: Port codes follow UN/LOCODE; the list is bought from UNECE\n---\nCodes\u200b follow UN/LOCODE. See also [[tide-tables]] and [[harbour-masters]].\n",
    ),
    "反馈_代码评审.md": (
        "2026-03-05",
        "---\nname: 代码评审\ndescription: 评审意见先说结论，再说理由\ntype: feedback\n---\n评审意见先说结论。昨天和 Mara 约定，下周二前改完模板。\n\n**Why:** 长评论没人读。\n\n**How to apply:** 第一行写结论。\n",
    ),
    "feedback_logging.md": (
        "2026-02-21",
        "# Logging\n\nStructured logs only, no print.\n\n**Why:** The collector drops free text.\n\n**How to apply:** Use `log.info(event, **fields)`.\n",
    ),
    "feedback_names.md": (
        "2026-02-22",
        "---\nname: Dashboards\ndescription: Names of berths are written out in full, in code and in reports\ntype: feedback\n---\nNo abbreviations of berth names.\n\n**Why:** A report was rejected.\n\n**How to apply:** Write them out.\n",
    ),
    "project_archive_2025.md": (
        "2026-01-03",
        "---\nname: Archive 2025\ndescription: Older decisions on berths and tides, one line each\ntype: project\n---\n- [Old berth rules](project_old_berths.md) — replaced in October\n- [Old tide source](project_old_tides.md) — wrong by 20 cm\n",
    ),
    "project_old_berths.md": (
        "2025-10-10",
        "---\nname: Old berth rules\ndescription: Berth rules before October 2025, kept for the Lindau contract\ntype: project\n---\nLindau's contract still names the old lengths.\n\n**Why:** The contract was signed before the change.\n\n**How to apply:** Don't delete the old table.\n",
    ),
    "project_old_tides.md": (
        "2025-10-12",
        "---\nname: Old tide source\ndescription: The free tide source was wrong by 20 cm in spring 2025\ntype: project\n---\nDon't go back to it.\n\n**Why:** Two ships touched ground.\n\n**How to apply:** Refuse to use it as a fallback.\n",
    ),
    "team/project_release_train.md": (
        "2026-03-06",
        "---\nname: Release train\ndescription: Releases leave every second Tuesday, cut on the Friday before\ntype: project\n---\nThe next cut is on 2026-03-20.\n\n**Why:** Ports need a week for their own tests.\n\n**How to apply:** Don't promise a fix between trains.\n",
    ),
    "team/feedback_reviews.md": (
        "2026-03-03",
        "---\nname: Two reviewers\ndescription: Changes to berth rules need two reviewers, one from operations\ntype: feedback\n---\nAsk operations too.\n\n**Why:** A wrong rule let a ship into a berth too short for it.\n\n**How to apply:** Name both reviewers in the pull request.\n",
    ),
    "team/user_mara.md": (
        "2026-03-03",
        "---\nname: Mara\ndescription: Mara leads operations and prefers a call to a long thread\ntype: user\n---\nCall her before changing berth rules.\n",
    ),
}

INDEX_HEAD = """# Memory

## How to work
- [Real database in tests](feedback_real_db.md) — integration tests hit PostgreSQL, never mocks
- [One bundled pull request](feedback_bundled_pr.md) — refactors go in one piece
- [No closing summaries](feedback_no_summary.md) — stop after the answer
- [Commit style](feedback_commit_style.md) — why, in the imperative
- [代码评审](反馈_代码评审.md) — 先结论，后理由
- [Berth names](feedback_names.md) — written out in full
- [Logging](feedback_logging.md) — structured logs only, because the collector of the operations team drops every line that is free text, which was found out the hard way when the alarm for the tide import stayed silent for nine days in a row
- [Logging](feedback_logging.md) — structured logs only

## Person
- [Role and background](user_role.md) — Go developer, new to Python and React
"""
INDEX_TAIL = """
## Project
- [Merge freeze](project_freeze.md) — mobile release cut
- [Auth rewrite](project_auth_rewrite.md) — compliance, not tech debt
- [Tide tables](project_tide_tables.md) — licence ends in June
- [Queue decision](project_decision_queue.md) — PostgreSQL is the queue
- [Structure](project_structure.md) — where things are
- [Archive 2025](project_archive_2025.md) — older decisions

## Where to look
- [Dashboards](reference_dashboards.md) — latency board that on-call watches
- [Tracker](reference_trackers.md) — Linear project TIDE
- [Staging access](reference_staging.md) — staging bucket
- [Port codes](reference_port_codes.md) — UN/LOCODE
"""
RUNBOOK = "\n## Import runbook\n" + "".join(
    f"\nStep {i}: {what}\n{how}\n"
    for i, (what, how) in enumerate(
        [
            (
                f"check the tide import of day {d}",
                "Compare the counts in the log with the counts of the office, then look at the gaps.",
            )
            for d in range(1, 59)
        ],
        1,
    )
)
TEAM_INDEX = "- [Release train](project_release_train.md) — every second Tuesday\n- [Two reviewers](feedback_reviews.md) — berth rules\n- [Mara](user_mara.md) — operations\n"
LOG = "- 09:12 Started on the berth API; Lindau asks for a date\n- 11:40 Mara: freeze until Thursday\n- 16:05 User said: don't mock the tide client\n"


def git(repo: Path, *args: str, date: str) -> None:
    env = {
        **os.environ,
        "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_DATE": date,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        env.pop(name, None)
    identity = [
        "-c",
        "user.name=Sample",
        "-c",
        "user.email=sample@example.com",
        "-c",
        "init.defaultBranch=main",
    ]
    subprocess.run(["git", "-C", str(repo), *identity, *args], check=True, env=env, stdout=subprocess.DEVNULL)


def write(path: Path, text: str, day: str | None = None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    if day:
        seconds = datetime.fromisoformat(day + "T10:00:00+00:00").timestamp()
        os.utime(path, (seconds, seconds))


def transcript(repo: Path) -> str:
    """A finished session in the client's JSON lines: a correction, a decision, a deadline."""
    base = {
        "sessionId": "11111111-2222-4333-8444-555555555555",
        "cwd": str(repo),
        "gitBranch": "main",
        "version": "2.1.332",
        "isSidechain": False,
    }
    turns = [
        ("user", "The tide test mocks the HTTP client. Don't do that: record real answers and replay them."),
        ("assistant", "Understood. I replace the mock by recorded answers of the office."),
        ("user", "Yes, exactly. And remember: the licence of the tables ends on 2026-06-30, Mara renews it."),
        ("assistant", "Noted. The recorded answers are in tests/recorded/."),
    ]
    lines, parent = [], None
    for i, (role, text) in enumerate(turns):
        uuid = f"00000000-0000-4000-8000-{i:012d}"
        message: dict[str, object] = {
            "role": role,
            "content": text if role == "user" else [{"type": "text", "text": text}],
        }
        if role == "assistant":
            message["usage"] = {
                "input_tokens": 4000 + 3000 * i,
                "output_tokens": 60,
                "cache_read_input_tokens": 0,
                "cache_creation_input_tokens": 0,
            }
        lines.append(
            json.dumps(
                {
                    **base,
                    "type": role,
                    "uuid": uuid,
                    "parentUuid": parent,
                    "timestamp": f"2026-03-10T09:{i:02d}:00.000Z",
                    "message": message,
                }
            )
        )
        parent = uuid
    return "\n".join(lines) + "\n"


def build(target: Path, small_index: bool) -> dict[str, str]:
    if target.exists():
        if not (target / "sample.json").exists() and any(target.iterdir()):
            raise SystemExit(f"{target} is not empty and holds no sample; name another directory")
        shutil.rmtree(target)
    repo, home = target / "harbour", target / "home"
    for name, text in SOURCES.items():
        write(repo / name, text)
    git(repo, "init", "-q", date="2025-09-01T09:00:00Z")
    git(repo, "add", "-A", date="2025-09-01T09:00:00Z")
    git(repo, "commit", "-q", "-m", "Start berth planning", date="2025-09-01T09:00:00Z")
    write(
        repo / "src/harbour/tides.py",
        SOURCES["src/harbour/tides.py"].replace("TIDE_12 = 12.12", "TIDE_12 = 12.40"),
    )
    git(repo, "commit", "-qam", "Correct tide twelve", date="2026-02-20T09:00:00Z")
    project = home / ".claude/projects" / slug(os.path.realpath(repo))
    memory = project / "memory"
    for name, (day, text) in TOPICS.items():
        write(memory / name, text, day)
    write(memory / "MEMORY.md", INDEX_HEAD + ("" if small_index else RUNBOOK) + INDEX_TAIL, "2026-03-10")
    write(memory / "team/MEMORY.md", TEAM_INDEX, "2026-03-06")
    write(memory / "logs/2026/03/2026-03-10.md", LOG, "2026-03-10")
    write(
        project / "11111111-2222-4333-8444-555555555555.jsonl",
        transcript(Path(os.path.realpath(repo))),
        "2026-03-10",
    )
    where = {
        "repo": str(repo),
        "home": str(home),
        "config": str(home / ".claude"),
        "memory": str(memory),
        "now": NOW.isoformat(),
    }
    (target / "sample.json").write_text(json.dumps(where, indent=1) + "\n")
    return where


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the sample project and its memory.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--small-index", action="store_true", help="an index within its limits")
    args = parser.parse_args()
    print(json.dumps(build(args.directory.absolute(), args.small_index), indent=1))


if __name__ == "__main__":
    main()
