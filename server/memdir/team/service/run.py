"""Starting the service: where it may listen, how it logs, one process or several."""

from __future__ import annotations

import logging
import os
import socket
import sys
from dataclasses import dataclass

from memdir.core.i18n import msg
from memdir.store.errors import StoreError
from memdir.team.service.config import VARIABLE, ServiceConfig
from memdir.team.service.errors import ServiceError
from memdir.team.service.middleware import JsonLines, is_loopback, log


@dataclass(frozen=True, slots=True)
class Listen:
    """Where to listen, and the files for TLS if the service ends it itself."""

    host: str = "127.0.0.1"
    port: int = 8787
    certificate: str | None = None
    key: str | None = None
    workers: int = 1


def check_listen(listen: Listen, config: ServiceConfig) -> None:
    """StoreError when tokens could cross a network unencrypted."""
    if listen.certificate or config.proxies or _is_local(listen.host):
        return
    raise StoreError(
        msg(
            "{host} is reachable from other machines, and plain HTTP would show tokens on the way. Give --tls-cert and --tls-key, or --proxy ADDRESS of a reverse proxy that ends TLS.",
            host=listen.host,
        )
    )


def _is_local(host: str) -> bool:
    try:
        return all(is_loopback(str(info[4][0])) for info in socket.getaddrinfo(host, None))
    except OSError:
        return False


def serve(config: ServiceConfig, listen: Listen) -> None:
    """Run until stopped (SIGTERM lets requests finish). Migrates the database first. Raises StoreError, OSError."""
    import uvicorn

    from memdir.team.service.database import Database, normalise

    check_listen(listen, config)
    target = normalise(config.database)
    if target.startswith("sqlite:///"):
        path = target.removeprefix("sqlite:///")
        if not os.path.exists(path):  # what a team writes is nobody else's business on this machine
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    try:
        Database(config.database).close()
    except ServiceError as error:
        raise StoreError(
            msg("The database {url} can't be opened.", url=config.database.rpartition("@")[2])
        ) from error
    set_up_logging()
    os.environ[VARIABLE] = config.to_json()
    uvicorn.run(
        "memdir.team.service.app:from_environment",
        factory=True,
        host=listen.host,
        port=listen.port,
        workers=listen.workers,
        ssl_certfile=listen.certificate,
        ssl_keyfile=listen.key,
        proxy_headers=False,  # we judge forwarding headers ourselves, see middleware
        server_header=False,
        access_log=False,
        log_level="warning",
        timeout_keep_alive=30,
        timeout_graceful_shutdown=10,
        limit_concurrency=1000,
        h11_max_incomplete_event_size=64 * 1024,
    )


def set_up_logging() -> None:
    """JSON lines on stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    log.handlers[:] = [handler]
    log.setLevel(logging.INFO)
    log.propagate = False
