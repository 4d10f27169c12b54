#!/usr/bin/env python3
"""gen.py N SEED DIR [--no-git] : deterministic agent-memory corpus.

DIR/                 git repo (one commit, fixed dates)
  CLAUDE.md, .claude/{settings.json,agents/,skills/,commands/}
  src/**.py          citation targets (50 files)
  memory/MEMORY.md   index: first min(N,190) entries
  memory/*.md        N topic files, ~0.5-3 KB, frontmatter name/description/type

About 12 % of the topic files carry one seeded defect; DIR/defects.json lists them.
Same N+SEED -> same bytes, names and mtimes.
"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

TYPES = ["feedback", "project", "reference", "user"]
WEIGHTS = [40, 35, 18, 7]
TOPICS = [
    "testing",
    "auth",
    "deploy",
    "logging",
    "style",
    "review",
    "migrations",
    "caching",
    "api",
    "cli",
    "docs",
    "release",
    "lint",
    "build",
    "ci",
    "database",
    "metrics",
    "security",
    "frontend",
    "billing",
    "search",
    "queue",
    "config",
    "errors",
    "packaging",
    "perf",
    "onboarding",
    "oncall",
    "infra",
    "types",
]
SUBJ = [
    "the integration suite",
    "the staging cluster",
    "the import pipeline",
    "the retry helper",
    "the release script",
    "the payments service",
    "the schema migration",
    "the nightly job",
    "the feature flag",
    "the event consumer",
    "the admin dashboard",
    "the cache layer",
    "the token refresher",
    "the CLI entry point",
    "the config loader",
]
VERB = [
    "must run against a real database",
    "should never mock the clock",
    "needs the feature flag turned on first",
    "fails quietly when the queue is full",
    "is owned by the platform team",
    "gets rebuilt from scratch on every tag",
    "uses the shared connection pool",
    "writes its report to the artifacts bucket",
    "is frozen for the mobile release",
    "reads settings from the environment only",
    "keeps the old column until the backfill is done",
    "has to stay under two seconds",
    "is checked by hand before a deploy",
    "retries three times with jitter",
]
WHY = [
    "mocked tests passed while the production migration failed",
    "legal flagged the way session tokens were stored",
    "the last rewrite broke two downstream consumers",
    "reviewers asked for one bundled change instead of many small ones",
    "the on-call rotation was paged for a false alarm",
    "a silent default hid a missing setting for a whole quarter",
    "the vendor rate limit is lower than documented",
    "we lost a day to a flaky fixture",
]
HOW = [
    "prefer the real service in a container over a stub",
    "ask before adding a new dependency in this area",
    "run the full suite locally, then open the change",
    "keep the diff small and say which call sites moved",
    "check the dashboard before touching the request path",
    "write the decision down next to the code",
    "link the ticket in the commit body",
    "stop and report when the check cannot run",
]
REL = [
    "yesterday",
    "last week",
    "next Thursday",
    "two days ago",
    "this sprint",
    "recently",
    "last month",
    "tomorrow",
]
ABS = ["2026-01-14", "2026-02-03", "2026-03-05", "2026-04-21", "2025-11-30", "2026-05-02"]
URLS = [
    "https://grafana.internal/d/api-latency",
    "https://linear.app/acme/project/INGEST",
    "https://docs.python.org/3/library/asyncio.html",
    "https://github.com/acme/platform/issues/1842",
    "https://wiki.acme.dev/runbooks/deploy",
]
DEFECTS = [
    "missing_type",
    "bad_type",
    "missing_description",
    "no_frontmatter",
    "bad_yaml",
    "broken_link",
    "stale_citation",
    "dup_name",
    "long_description",
    "unclosed_frontmatter",
]
BASE = 1_767_225_600  # 2026-01-01 UTC; mtimes lie in the 400 days before


def sent(r):
    s = f"{r.choice(SUBJ)} {r.choice(VERB)}"
    return s[0].upper() + s[1:] + "."


def src_files(root, r):
    out = []
    for i in range(50):
        p = f"src/app/{r.choice(TOPICS)}_{i}.py"
        n = r.randint(80, 400)
        body = "".join(f"def fn_{i}_{j}(x):\n    return x + {j}\n\n" for j in range(n // 3 + 1))
        f = root / p
        f.parent.mkdir(parents=True, exist_ok=True)
        f.write_text(body)
        out.append((p, n))
    return out


def body(r, kind, srcs, names, defect):
    out = []
    lead = sent(r)
    if kind == "feedback":
        lead = lead[:-1] + f" — {r.choice(['no exceptions', 'unless asked', 'always', 'in this repo only'])}."
    out.append(lead + "\n")
    if r.random() < 0.35:
        out.append(f"Agreed {r.choice(REL)} with the team; the freeze started on {r.choice(ABS)}.\n")
    if kind in ("feedback", "project") or r.random() < 0.2:
        out.append(f"**Why:** {r.choice(WHY)}.\n")
        out.append(f"**How to apply:** {r.choice(HOW)}.\n")
    target = r.choice([0, 0, 350, 700, 1200, 1900, 2300])
    n = 0
    while n < target:
        k = r.random()
        if k < 0.12:
            p = f"## {r.choice(TOPICS).title()} notes\n"
        elif k < 0.35:
            p = "\n".join(f"- {sent(r)}" for _ in range(r.randint(2, 5))) + "\n"
        elif k < 0.5:
            s, ln = r.choice(srcs)
            p = f"See `{s}:{r.randint(1, ln)}` for the current shape; {sent(r)[0].lower()}{sent(r)[1:]}\n"
        elif k < 0.62:
            t = r.choice(names)
            p = f"Related: [{t}]({t}.md).\n" if r.random() < 0.5 else f"Related: [[{t}]].\n"
        elif k < 0.7:
            p = f"Board: {r.choice(URLS)} (checked {r.choice(ABS)}).\n"
        elif k < 0.76:
            p = f"```bash\nmake {r.choice(TOPICS)} && pytest -x tests/{r.choice(TOPICS)}\n```\n"
        elif k < 0.82:
            p = f"Changed {r.choice(REL)}: {sent(r)}\n"
        else:
            p = " ".join(sent(r) for _ in range(r.randint(1, 3))) + "\n"
        out.append(p)
        n += len(p) + 1
    if r.random() < 0.5:
        s, ln = r.choice(srcs)
        out.append(f"Code: `{s}:{r.randint(1, ln)}`.\n")
    if defect == "broken_link":
        out.append(f"More in [the old note](gone_{r.randint(1, 999)}.md).\n")
    if defect == "stale_citation":
        out.append(f"Was at `src/app/removed_{r.randint(1, 99)}.py:{r.randint(1, 300)}`.\n")
    return "\n".join(out)


def main():
    n, seed, root = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    r = random.Random(f"{seed}-{n}")
    mem = root / "memory"
    mem.mkdir(parents=True, exist_ok=True)
    srcs = src_files(root, r)
    kinds = [r.choices(TYPES, WEIGHTS)[0] for _ in range(n)]
    names = [f"{k}_{r.choice(TOPICS)}_{i}" for i, k in enumerate(kinds, 1)]
    defects, entries = {}, []
    for i, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        d = r.choice(DEFECTS) if r.random() < 0.12 else None
        title = name.replace("_", " ").title()
        desc = sent(r)[:-1] + f" ({r.choice(TOPICS)})"
        if r.random() < 0.1:
            desc = f'"{desc}: quoted"'
        if d:
            defects[f"{name}.md"] = d
        fm = {"name": name.replace("_", "-"), "description": desc, "type": kind}
        if d == "missing_type":
            del fm["type"]
        elif d == "bad_type":
            fm["type"] = r.choice(["feedbak", "note", "Project", "misc"])
        elif d == "missing_description":
            del fm["description"]
        elif d == "dup_name" and i:
            fm["name"] = names[i - 1].replace("_", "-")
        elif d == "long_description":
            fm["description"] = " ".join(sent(r) for _ in range(6)).replace(":", "")
        elif d == "bad_yaml":
            fm["description"] = "[unclosed: list"
        text = (
            ""
            if d == "no_frontmatter"
            else "---\n"
            + "".join(f"{k}: {v}\n" for k, v in fm.items())
            + ("" if d == "unclosed_frontmatter" else "---\n\n")
        )
        text += body(r, kind, srcs, names, d)
        f = mem / f"{name}.md"
        f.write_text(text)
        t = BASE - r.randint(0, 400 * 86400)
        os.utime(f, (t, t))
        entries.append(f"- [{title}]({name}.md) — {desc.strip(chr(34))[:90]}")
    (mem / "MEMORY.md").write_text("# Memory index\n\n" + "\n".join(entries[:190]) + "\n")
    os.utime(mem / "MEMORY.md", (BASE, BASE))
    (root / "defects.json").write_text(json.dumps(defects, indent=0))
    (root / "CLAUDE.md").write_text(
        "# Project\n\nUse `make test`. You should always run the linter.\n\n"
        "- Memory: @memory/MEMORY.md\n- Never push to main.\n- See `src/app`.\n"
    )
    c = root / ".claude"
    for d in ("agents", "commands", "skills/release"):
        (c / d).mkdir(parents=True, exist_ok=True)
    (c / "settings.json").write_text(
        json.dumps(
            {
                "permissions": {"allow": ["Bash(make test:*)"]},
                "hooks": {
                    "PostToolUse": [
                        {"matcher": "Edit", "hooks": [{"type": "command", "command": "make lint"}]}
                    ]
                },
            },
            indent=2,
        )
    )
    (c / "agents" / "reviewer.md").write_text(
        "---\nname: reviewer\ndescription: Reviews changes before merge\nmodel: sonnet\n---\n\nReview the diff.\n"
    )
    (c / "commands" / "ship.md").write_text("---\ndescription: Ship it\n---\n\nRun the release.\n")
    (c / "skills/release/SKILL.md").write_text(
        "---\nname: release\ndescription: Cut a release. Use when the user asks to publish a version.\n---\n\n# Release\n\nRun `make release`.\n"
    )
    if "--no-git" not in sys.argv:
        env = dict(
            os.environ,
            GIT_AUTHOR_DATE="2026-01-01T00:00:00Z",
            GIT_COMMITTER_DATE="2026-01-01T00:00:00Z",
            GIT_CONFIG_GLOBAL="/dev/null",
            GIT_CONFIG_NOSYSTEM="1",
        )
        g = [
            "git",
            "-C",
            str(root),
            "-c",
            "user.name=gen",
            "-c",
            "user.email=gen@example.invalid",
            "-c",
            "init.defaultBranch=main",
        ]
        for a in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "corpus"]):
            subprocess.run(g + a, check=True, env=env)


main()
