"""memdir check: targets, formats, exit codes, fixes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memdir.cli.reports.text_report import width
from tests.sample import Sample, make_sample


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    return make_sample(tmp_path)


def rows(sample: Sample, *args: str) -> list[dict[str, object]]:
    result = sample.memdir("check", "--format", "json", *args)
    assert result.err == ""
    found: list[dict[str, object]] = json.loads(result.out)
    return found


def names(sample: Sample, *args: str) -> set[tuple[str, str]]:
    return {(Path(str(r["path"])).name, str(r["rule"])) for r in rows(sample, *args)}


def test_the_sample_has_its_faults(sample: Sample) -> None:
    found = names(sample)
    assert {
        ("feedback_commit_style.md", "description-vague"),
        ("feedback_commit_style.md", "type-unknown"),
        ("feedback_no_summary.md", "frontmatter-invalid-yaml"),
        ("feedback_no_summary.md", "feedback-without-how-to-apply"),
        ("feedback_logging.md", "frontmatter-missing"),
        ("project_auth_rewrite.md", "frontmatter-cut-by-comment"),
        ("project_auth_rewrite.md", "citation-broken"),
        ("project_freeze.md", "relative-date"),
        ("reference_port_codes.md", "type-missing"),
        ("project_berth_api.md", "deadline-passed"),
        ("project_structure.md", "derivable-content"),
        ("project_tide_tables.md", "citation-drifted"),
        ("reference_staging.md", "secret-in-memory"),
        ("reference_port_codes.md", "invisible-characters"),
        ("reference_port_codes.md", "broken-wikilink"),
        ("reference_tracker.md", "broken-link"),
        ("MEMORY.md", "index-over-line-limit"),
        ("MEMORY.md", "index-broken-link"),
        ("MEMORY.md", "index-duplicate-entry"),
        ("MEMORY.md", "index-holds-content"),
        ("MEMORY.md", "index-entry-too-long"),
        ("project_berth_api.md", "index-orphan"),
        ("user_mara.md", "user-memory-in-team"),
        ("反馈_代码评审.md", "relative-date"),
    } <= found
    assert ("project_old_berths.md", "index-orphan") not in found, "reached through a second-level index"
    assert ("feedback_real_db.md", "citation-broken") not in found


def test_json_shape(sample: Sample) -> None:
    row = next(r for r in rows(sample) if r["rule"] == "type-unknown" and "commit_style" in str(r["path"]))
    assert row == {
        "rule": "type-unknown",
        "severity": "warning",
        "path": str(sample.memory / "feedback_commit_style.md"),
        "range": {"start": {"line": 3, "character": 6}, "end": {"line": 3, "character": 13}},
        "message": "Unknown type “feedbak”: the types are user, feedback, project, reference.",
        "fix": {"title": "Change the type to feedback", "safe": False},
        "url": "https://memdir.dev/rules/type-unknown",
    }


def test_exit_codes(sample: Sample) -> None:
    assert sample.memdir("check").code == 1
    assert sample.memdir("check", "--exit-zero").code == 0
    clean = sample.memory / "project_old_tides.md"
    assert sample.memdir("check", str(clean), "--select", "type-missing").code == 0
    assert sample.memdir("check", "nowhere.md").code == 2
    assert "no such file" in sample.memdir("check", "nowhere.md").err
    assert (
        sample.memdir("check", "--select", "type-mising").err.rstrip().endswith("Did you mean type-missing?")
    )
    assert sample.memdir("check", "--now", "tomorrow").code == 2
    assert sample.memdir("check", "--format", "xml").code == 2
    assert sample.memdir("check", "README.md").code == 2


def test_paths_choose_what_is_reported(sample: Sample) -> None:
    one = names(sample, str(sample.memory / "project_freeze.md"))
    assert {name for name, _ in one} == {"project_freeze.md"}
    team = rows(sample, str(sample.memory / "team"))
    assert team
    assert all("/memory/team/" in str(r["path"]) for r in team)
    assert names(sample, str(sample.memory)) <= names(sample)
    assert names(sample, str(sample.repo)) == names(sample)
    assert names(sample, "--all-projects") == names(sample, str(sample.memory))


def test_select_and_ignore(sample: Sample) -> None:
    assert {r for _, r in names(sample, "--select", "type-missing,type-unknown")} == {
        "type-missing",
        "type-unknown",
    }
    assert "type-unknown" not in {r for _, r in names(sample, "--ignore", "type-unknown")}


def test_text_shows_place_source_and_fix(sample: Sample) -> None:
    result = sample.memdir(
        "check", str(sample.memory / "feedback_commit_style.md"), "--select", "type-unknown"
    )
    shown = "~/.claude/projects/" + sample.memory.parent.name + "/memory/feedback_commit_style.md"
    assert result.out.splitlines() == [
        f"{shown}:4:7: warning type-unknown Unknown type “feedbak”: the types are user, feedback, project, reference.",
        "    4 | type: feedbak",
        "      |       ^^^^^^^",
        "      = fix (look at it first): Change the type to feedback",
        "",
        "Found 1 warning in 1 file. 1 more with --fix --unsafe-fixes.",
    ]


def test_carets_stand_under_wide_characters(sample: Sample) -> None:
    out = sample.memdir(
        "check", str(sample.memory / "反馈_代码评审.md"), "--select", "relative-date"
    ).out.splitlines()
    source = next(line for line in out if "昨天" in line and " | " in line)
    carets = out[out.index(source) + 1]
    assert width(carets[: carets.index("^")]) == width(source[: source.index("昨天")])
    assert carets.count("^") == 4


def test_chinese(sample: Sample) -> None:
    out = sample.memdir(
        "check", str(sample.memory / "project_freeze.md"), environ={"LC_ALL": "zh_CN.UTF-8"}
    ).out
    assert "警告" in out
    assert "发现" in out


def test_sarif_and_github(sample: Sample) -> None:
    log = json.loads(sample.memdir("check", "--format", "sarif").out)
    run = log["runs"][0]
    assert log["version"] == "2.1.0"
    assert len(run["results"]) == len(rows(sample))
    first = run["results"][0]
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == first["ruleId"]
    github = sample.memdir("check", "--format", "github").out.splitlines()
    assert len(github) == len(rows(sample))
    assert all(line.startswith(("::error file=", "::warning file=", "::notice file=")) for line in github)


def test_diff_writes_nothing(sample: Sample) -> None:
    before = {p: p.read_bytes() for p in sample.memory.rglob("*.md")}
    result = sample.memdir("check", "--fix", "--diff")
    assert result.code == 1
    assert '+description: "Stop after the answer: no summary of the diff at the end"' in result.out
    assert {p: p.read_bytes() for p in sample.memory.rglob("*.md")} == before


def test_fix_then_undo_is_byte_for_byte(sample: Sample) -> None:
    before = {p: p.read_bytes() for p in sample.memory.rglob("*.md")}
    fixable = [r for r in rows(sample) if r["fix"] and r["fix"]["safe"]]  # type: ignore[index]  # JSON
    assert fixable
    fixed = sample.memdir("check", "--fix")
    assert "memdir undo" in fixed.out
    assert not [r for r in rows(sample) if r["fix"] and r["fix"]["safe"]]  # type: ignore[index]  # JSON
    changed = [p for p in before if p.read_bytes() != before[p]]
    assert changed
    assert sample.memdir("undo").code == 0
    assert {p: p.read_bytes() for p in sample.memory.rglob("*.md")} == before


def test_a_mistake_in_the_configuration_is_a_finding_in_it(sample: Sample) -> None:
    (sample.repo / "memdir.toml").write_text("stale_dais = 3\n")
    found = [r for r in rows(sample) if r["rule"] == "config-invalid"]
    assert [r["path"] for r in found] == [str(sample.repo / "memdir.toml")]


def test_project_settings_that_move_memory_are_a_finding(sample: Sample) -> None:
    settings = sample.repo / ".claude/settings.json"
    settings.write_text('{\n "autoMemoryDirectory": "~/.ssh"\n}\n')
    (row,) = [r for r in rows(sample) if r["rule"] == "settings-project-directory"]
    assert row["path"] == str(settings)
    assert row["range"]["start"]["line"] == 1  # type: ignore[index]  # JSON


def test_index_command(sample: Sample) -> None:
    data = json.loads(sample.memdir("index", "--json").out)
    assert (data["truncated"], data["limits"]) == ("lines", {"lines": 200, "utf16": 25000})
    assert data["text"].count("\n") == 199
    assert [e["target"] for e in data["lost"]][-1] == "reference_port_codes.md"
    lost = sample.memdir("index", "--lost").out
    assert "Port codes (reference_port_codes.md)" in lost
    assert sample.memdir("index", "--loaded").out == data["text"] + "\n"


def test_rules_command(sample: Sample) -> None:
    listed = json.loads(sample.memdir("rules", "--json").out)
    assert {"name", "severity", "fix", "summary", "rationale", "examples", "url"} == set(listed[0])
    page = sample.memdir("rules", "type-unknown").out
    assert page.startswith("type-unknown (warning, fix (look at it first))")
    assert sample.memdir("rules", "type-unknwon").code == 2


def test_help_lists_every_command(sample: Sample, capsys: pytest.CaptureFixture[str]) -> None:
    assert sample.memdir("--help").code == 0
    shown = capsys.readouterr().out
    from memdir.cli.main import COMMANDS

    assert all(name in shown for name in COMMANDS)
    for name in COMMANDS:
        assert sample.memdir(name, "--help").code == 0


def test_no_form_prints_a_secret(sample: Sample) -> None:
    path = sample.memory / "reference_staging.md"
    key = "AKIA" + "QZ3TX5YVN7RMW2KP"  # made up
    path.write_text(f"---\nname: Staging\ntype: reference\n---\nKey {key} opens it yesterday.\n")
    for args in (["--format", f] for f in ("text", "json", "sarif", "github")):
        out = sample.memdir("check", str(path), *args).out
        assert "secret-in-memory" in out
        assert key not in out
    diff = sample.memdir(
        "check", str(path), "--fix", "--unsafe-fixes", "--diff", "--ignore", "secret-in-memory"
    ).out
    assert "Staging" in diff
    assert key not in diff
