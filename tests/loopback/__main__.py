"""`python -m tests.loopback [--port N] [--script FILE]`: prints its address, serves until standard input ends or a signal."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.loopback.script import Script, from_json
from tests.loopback.server import Loopback


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.loopback", description="A scripted Messages API on the loopback interface."
    )
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path, help="JSON file: see tests/loopback/script.py, from_json")
    args = parser.parse_args()
    script = from_json(json.loads(args.script.read_text(encoding="utf-8"))) if args.script else Script()
    server = Loopback(script, args.port)
    print(server.url, flush=True)
    try:
        for _ in sys.stdin:
            pass
    except KeyboardInterrupt:
        pass
    server.close()


if __name__ == "__main__":
    main()
