"""`memdir team serve`: the team service."""

from __future__ import annotations

import argparse

from memdir.cli.env import CliEnv
from memdir.core.i18n import msg


def serve_arguments(parser: argparse.ArgumentParser) -> None:
    """Database, address, TLS or proxies, issuers, limits."""
    parser.add_argument(
        "--database",
        metavar="URL|FILE",
        default="memdir-team.db",
        help=str(msg("SQLite file, or postgresql:// address.")),
    )
    parser.add_argument("--host", default="127.0.0.1", help=str(msg("Address to listen on.")))
    parser.add_argument("--port", type=int, default=8787, help=str(msg("Port to listen on.")))
    parser.add_argument("--workers", type=int, default=1, metavar="N", help=str(msg("Processes.")))
    parser.add_argument("--tls-cert", metavar="FILE", help=str(msg("Certificate chain, to end TLS here.")))
    parser.add_argument("--tls-key", metavar="FILE", help=str(msg("Private key of the certificate.")))
    parser.add_argument(
        "--proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help=str(msg("Address of a reverse proxy that ends TLS; may be repeated.")),
    )
    parser.add_argument(
        "--issuer",
        action="append",
        default=[],
        metavar="URL",
        help=str(msg("OIDC issuer whose tokens are accepted; may be repeated.")),
    )
    parser.add_argument(
        "--audience", metavar="NAME", help=str(msg("Audience that the issuers' tokens must name."))
    )
    parser.add_argument(
        "--algorithm",
        action="append",
        default=[],
        metavar="NAME",
        help=str(msg("Signature algorithm accepted (RS256 and ES256 by default).")),
    )
    parser.add_argument(
        "--subject-claim", default="sub", metavar="NAME", help=str(msg("Claim that names the person."))
    )
    parser.add_argument(
        "--rate", type=float, default=20.0, metavar="N", help=str(msg("Requests per second and person."))
    )
    parser.add_argument(
        "--burst", type=int, default=100, metavar="N", help=str(msg("Requests that may come at once."))
    )
    parser.add_argument(
        "--no-scan", action="store_true", help=str(msg("Don't refuse uploads that hold secrets."))
    )
    parser.add_argument(
        "--open-metrics", action="store_true", help=str(msg("Serve /metrics to other machines too."))
    )


_SYMMETRIC = ("HS256", "HS384", "HS512", "none")


def serve(args: argparse.Namespace, env: CliEnv) -> int:
    """Runs until stopped; 2 when it can't start."""
    from memdir.team.service.config import Issuer, ServiceConfig
    from memdir.team.service.oidc import secure_url
    from memdir.team.service.run import Listen
    from memdir.team.service.run import serve as run_service

    if args.issuer and not args.audience:
        return env.error(
            msg("--issuer needs --audience, or a token for any other service would open this one.")
        )
    if any(a in _SYMMETRIC for a in args.algorithm):
        return env.error(
            msg("Only signatures with a public key are accepted, such as RS256, ES256 or EdDSA.")
        )
    if not all(secure_url(url) for url in args.issuer):
        return env.error(msg("An issuer must be reached over https."))
    if bool(args.tls_cert) != bool(args.tls_key):
        return env.error(msg("--tls-cert and --tls-key go together."))
    if args.rate <= 0 or args.burst < 1 or args.workers < 1:
        return env.error(msg("Rates and counts must be positive."))
    algorithms = tuple(args.algorithm) or ("RS256", "ES256")
    config = ServiceConfig(
        args.database,
        issuers=tuple(Issuer(url, args.audience, algorithms, args.subject_claim) for url in args.issuer),
        rate=args.rate,
        burst=args.burst,
        proxies=tuple(args.proxy),
        scan=not args.no_scan,
        open_metrics=args.open_metrics,
    )
    try:
        run_service(config, Listen(args.host, args.port, args.tls_cert, args.tls_key, args.workers))
    except OSError as error:
        return env.error(msg("The service can't start: {error}", error=error.strerror or str(error)))
    except RuntimeError as error:  # a database made by a newer version
        return env.error(msg("The service can't start: {error}", error=str(error)))
    return 0
