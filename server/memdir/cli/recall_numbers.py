"""The numbers behind `memdir recall --stats`: what the records say, and what descriptions are worth by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memdir.cli.env import CliEnv
from memdir.core.i18n import Message, msg

if TYPE_CHECKING:
    from memdir.core.recall_stats import RecallStats
    from memdir.store.workspace import Workspace

_SHOWN = 20


def show_stats(workspace: Workspace, env: CliEnv, *, as_json: bool) -> int:
    """Print them; gives the exit code, 0."""
    from memdir.agent.recall_service import records_for
    from memdir.core.recall.selftest import self_test
    from memdir.core.recall_stats import stats

    store = workspace.stores[0]
    store.refresh()
    present = [d.rel for d in store.directory.topics()]
    found = stats(records_for(workspace, env.state_dir).read())
    tested = self_test(store.directory.topics())
    if as_json:
        import json

        data = stats_json(found, present)
        data |= {"unfound_by_own_text": list(tested.unfound), "found_by_others_text": list(tested.greedy)}
        env.out(json.dumps(data, ensure_ascii=False, indent=2))
        return 0
    if found.recalls:
        _recorded(found, present, env)
    else:
        env.out(env.text(msg("No recall has been recorded here yet.")))
    _listed(env, msg("Not found by their own text (the description uses other words):"), tested.unfound)
    _listed(env, msg("Found by the text of many others (the description is too general):"), tested.greedy)
    return 0


def _recorded(found: RecallStats, present: list[str], env: CliEnv) -> None:
    lines = [
        msg("{count} recalls, {answered} with a result ({coverage} coverage), {model} by a model.", count=found.recalls, answered=found.answered, coverage=_percent(found.coverage), model=found.by_model),
        msg("{offered} memories considered each time, {chosen} chosen in all.", offered=f"{found.offered:.0f}", chosen=found.chosen),
        msg("{median} ms in the middle, {p95} ms at worst in 19 of 20; {late} came too late.", median=f"{found.median_ms or 0:.0f}", p95=f"{found.p95_ms or 0:.0f}", late=found.late),
        msg("Judged: {right} right, {wrong} wrong ({precision} precision).", right=found.right, wrong=found.wrong, precision=_percent(found.precision)),
    ]  # fmt: skip
    for line in lines:
        env.out(env.text(line))
    for template, count in found.fallbacks.items():
        env.out(
            env.text(
                msg(
                    "Words instead of a model, {count} times: {reason}",
                    count=count,
                    reason=_bare(template, env),
                )
            )
        )
    for title, rels in (
        (msg("Never recalled:"), found.never(present)),
        (msg("Nearly always recalled:"), found.always(present)),
    ):
        rows = []
        for rel in rels:
            one = found.memories[rel]
            counted = msg("{file}  ({chosen} of {offered})", file=rel, chosen=one.chosen, offered=one.offered)
            rows.append(env.text(counted))
        _listed(env, title, rows)


def _listed(env: CliEnv, title: Message, lines: Sequence[str]) -> None:
    from memdir.cli.reports.text_report import printable

    if lines:
        env.out(env.text(title))
        for line in lines[:_SHOWN]:
            env.out("   " + printable(line))
        if len(lines) > _SHOWN:
            env.out("   …")


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"


def _bare(template: str, env: CliEnv) -> str:
    """A recorded reason, whose arguments were not recorded, in the reader's language."""
    import re

    names = re.findall(r"\{(\w+)\}", template)
    try:
        return env.text(Message(template, tuple((n, "…") for n in names)))
    except (IndexError, KeyError, ValueError):
        return template


def stats_json(found: RecallStats, present: list[str]) -> dict[str, Any]:
    """The numbers as plain data; `present` are the memories that exist."""
    return {
        "recalls": found.recalls,
        "answered": found.answered,
        "by_model": found.by_model,
        "late": found.late,
        "considered": round(found.offered, 1),
        "chosen": found.chosen,
        "coverage": found.coverage,
        "precision": found.precision,
        "right": found.right,
        "wrong": found.wrong,
        "median_ms": found.median_ms,
        "p95_ms": found.p95_ms,
        "tokens": dict(zip(("input", "cache_read", "cache_write", "output"), found.tokens, strict=True)),
        "fallbacks": dict(found.fallbacks),
        "never": found.never(present),
        "always": found.always(present),
        "memories": {
            rel: {"offered": m.offered, "chosen": m.chosen, "right": m.right, "wrong": m.wrong}
            for rel, m in sorted(found.memories.items())
            if rel in present
        },
    }
