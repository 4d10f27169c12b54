"""The ASGI application: routes to handlers, errors to JSON, everything built from one configuration."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from memdir.team.protocol import API, INVALID, NOT_FOUND, UNAVAILABLE
from memdir.team.service.accounts import Accounts
from memdir.team.service.auth import Authenticator
from memdir.team.service.config import ServiceConfig, from_environ
from memdir.team.service.database import Database
from memdir.team.service.errors import ServiceError
from memdir.team.service.handlers import Handler, Handlers
from memdir.team.service.metrics import Metrics
from memdir.team.service.middleware import Guarded, log
from memdir.team.service.oidc import Fetch, Verifier, fetch
from memdir.team.service.openapi import describe
from memdir.team.service.storage import Storage
from memdir.team.service.throttle import Throttle


def utc_now() -> datetime:
    return datetime.now(UTC)


def create_app(
    config: ServiceConfig,
    *,
    database: Database | None = None,
    now: Callable[[], datetime] = utc_now,
    clock: Callable[[], float] = time.monotonic,
    get: Fetch = fetch,
) -> Starlette:
    """The application for `config`. `now` is wall time (tokens, history), `clock` a monotonic one (limits, caches)."""
    db = database or Database(config.database)
    metrics = Metrics()
    verifier = Verifier(
        config.issuers, clock=clock, wall=lambda: now().timestamp(), leeway=config.leeway, get=get
    )
    auth = Authenticator(Accounts(db), verifier, now)
    h = Handlers(
        config, Storage(db, config.limits), auth, Throttle(config.rate, config.burst, clock), metrics, now
    )
    repo = API + "/repos/{repo:path}"
    routes = [  # the longer ones first: {repo:path} takes slashes too
        _route(repo + "/memory", h.memory, "GET"),
        _route(repo + "/memory", h.put, "PUT"),
        _route(repo + "/checksums", h.checksums, "GET"),
        _route(repo + "/prune", h.prune, "POST"),
        _route(repo + "/history/{version:int}", h.version, "GET"),
        _route(repo + "/history", h.history, "GET"),
        _route(repo + "/restore", h.restore, "POST"),
        _route(repo, h.facts, "GET"),
        _route("/healthz", h.healthz, "GET"),
        _route("/metrics", h.metrics_page, "GET"),
        _route("/openapi.json", _openapi(config), "GET"),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guarded, config=config, metrics=metrics)],
        exception_handlers={ServiceError: _service_error, HTTPException: _http_error, Exception: _unexpected},
    )


def from_environment() -> Starlette:
    """For worker processes: the configuration is in the environment."""
    from memdir.team.service.run import set_up_logging

    set_up_logging()
    return create_app(from_environ(os.environ))


def _route(path: str, handler: Handler, method: str) -> Route:
    async def endpoint(request: Request) -> Response:
        request.scope["state"]["route"] = path
        return await handler(request)

    return Route(path, endpoint, methods=[method], name=f"{method} {path}")


def _openapi(config: ServiceConfig) -> Handler:
    async def openapi(_: Request) -> Response:
        return JSONResponse(describe(config.limits))

    return openapi


async def _service_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, ServiceError)
    return JSONResponse(error.body(), error.status, headers=error.headers)


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = NOT_FOUND if error.status_code in (404, 405) else INVALID
    headers = dict(error.headers or {})
    return JSONResponse(
        {"error": {"code": code, "message": error.detail}}, error.status_code, headers=headers
    )


async def _unexpected(_: Request, error: Exception) -> Response:
    log.error("unexpected", exc_info=error)
    return JSONResponse(
        {"error": {"code": UNAVAILABLE, "message": "The service failed; its log says why."}}, 500
    )
