"""When a memory was written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memdir.core.document import Document
from memdir.core.staleness import Written, parse_time, written

TOKYO = timezone(timedelta(hours=9))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-03-05", (datetime(2026, 3, 5, tzinfo=UTC), True)),
        ("2026/3/5", (datetime(2026, 3, 5, tzinfo=UTC), True)),
        ("2026.03.05", (datetime(2026, 3, 5, tzinfo=UTC), True)),
        ("2026-03-05T10:20:30Z", (datetime(2026, 3, 5, 10, 20, 30, tzinfo=UTC), False)),
        ("2026-03-05 10:20", (datetime(2026, 3, 5, 10, 20, tzinfo=UTC), False)),
        ("2026-03-05T10:20:30.123+09:00", (datetime(2026, 3, 5, 10, 20, 30, 123000, tzinfo=TOKYO), False)),
        ("2026-02-30", None),
        ("March 5", None),
        ("yesterday", None),
        ("20260305", None),
        ("", None),
        ("2026-03-05 or so", None),
    ],
)
def test_parse_time(value: str, expected: tuple[datetime, bool] | None) -> None:
    assert parse_time(value) == expected


def test_a_day_counts_in_the_zone_of_the_reader() -> None:
    assert parse_time("2026-03-05", TOKYO) == (datetime(2026, 3, 5, tzinfo=TOKYO), True)


def test_the_header_comes_first_and_in_order() -> None:
    def of(header: str, mtime: float | None = 0.0) -> Written | None:
        return written(Document("/m/a.md", "a.md", f"---\nname: a\n{header}---\n", mtime))

    at = datetime(2026, 3, 5, tzinfo=UTC)
    assert of("created: 2026-01-01\nmodified: 2026-03-05\n") == Written(at, "modified", True)
    assert of("created: 2026-01-01\nmetadata:\n  updated: 2026-03-05\n") == Written(at, "updated", True)
    assert of("modified: soon\ncreated: 2026-03-05\n") == Written(at, "created", True)
    assert of("", 86_400.0) == Written(datetime(1970, 1, 2, tzinfo=UTC), "mtime")
    assert of("", None) is None
    assert of("", 1e20) is None
