"""A team service with a teammate, as a process for the editor scenarios: commands come on standard input, answers go out.

It begins with the address, a token and a look-alike of a credential. `write KEY TEXT`: the teammate changes a file and sends
it; `read KEY`: what the teammate has, after a pull. Texts are JSON.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from memdir.team.service.config import ServiceConfig
from tests.core.fake_secrets import Fakes
from tests.team.machines import Machine
from tests.team.served import REPO, running


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        running(ServiceConfig(str(Path(folder) / "team.db"))) as service,
    ):
        mate = Machine(Path(folder) / "mate", service.url, service.token("mara"))
        say(
            {
                "url": service.url,
                "repository": REPO,
                "token": service.token("ada"),
                "secret": Fakes(4).crc("npm_"),
            }
        )
        for line in sys.stdin:
            command, key, *rest = json.loads(line)
            mate.sync()
            if command == "write":
                mate.write(key, rest[0])
                mate.sync()
            say(mate.files().get(key))
        mate.close()


def say(value: object) -> None:
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    main()
