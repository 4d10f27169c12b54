"""Failures of the service that the caller is told about."""

from __future__ import annotations

from collections.abc import Mapping


class ServiceError(Exception):
    """An answer other than success: status, code (see `memdir.team.protocol`), a sentence, and machine-readable detail."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        headers: Mapping[str, str] | None = None,
        **detail: object,
    ) -> None:
        super().__init__(f"{status} {code}")
        self.status = status
        self.code = code
        self.message = message
        self.headers = dict(headers or {})
        self.detail = detail

    def body(self) -> dict[str, object]:
        """The JSON answer."""
        return {"error": {"code": self.code, "message": self.message, **self.detail}}
