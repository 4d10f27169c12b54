"""What a service instance is told: where its data is, whom it trusts, its caps. Passed to workers through the environment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from memdir.team.protocol import Limits

VARIABLE = "MEMDIR_TEAM_SERVICE"


@dataclass(frozen=True, slots=True)
class Issuer:
    """An OIDC issuer. `algorithms` are pinned: a token signed with any other is refused, whatever it says."""

    url: str
    audience: str
    algorithms: tuple[str, ...] = ("RS256", "ES256")
    subject_claim: str = "sub"


@dataclass(frozen=True, slots=True)
class ServiceConfig:
    """One instance. `rate` is requests per second and caller, `burst` how many may come at once.

    `proxies`: addresses of reverse proxies whose X-Forwarded-Proto and X-Forwarded-For are believed. `scan`: refuse
    uploads that hold secrets, whatever the client did. `open_metrics`: serve /metrics to other hosts as well.
    """

    database: str
    issuers: tuple[Issuer, ...] = ()
    limits: Limits = field(default_factory=Limits)
    rate: float = 20.0
    burst: int = 100
    proxies: tuple[str, ...] = ()
    scan: bool = True
    open_metrics: bool = False
    leeway: int = 60  # seconds by which clocks of issuer and service may differ
    body_timeout: float = 30.0  # seconds for a request body to arrive

    def to_json(self) -> str:
        """For the environment of worker processes."""
        return json.dumps(asdict(self))


def from_environ(environ: Mapping[str, str]) -> ServiceConfig:
    """Inverse of `to_json`, from the variable VARIABLE. Raises KeyError or ValueError when it is missing or broken."""
    data = json.loads(environ[VARIABLE])
    data["issuers"] = tuple(
        Issuer(**{**i, "algorithms": tuple(i["algorithms"])}) for i in data.get("issuers", ())
    )
    data["limits"] = Limits(**data.get("limits", {}))
    data["proxies"] = tuple(data.get("proxies", ()))
    return ServiceConfig(**data)
