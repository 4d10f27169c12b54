"""A workspace of a job's own: what the session keeps belongs to its loop, and a job reads the disk anew."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memdir.store.project import Repository
from memdir.store.snapshot import MemoryStore
from memdir.store.workspace import Workspace

if TYPE_CHECKING:
    from memdir.lsp.jobs.site import Site


def own_workspace(site: Site, **settings: Any) -> Workspace:
    """The folder's workspace with stores of its own, for another thread. `settings`: groups of settings to replace."""
    known = site.folder.workspace
    location, configuration = known.location, known.configuration
    if settings:
        configuration = replace(configuration, settings=replace(configuration.settings, **settings))
    roots = tuple(dict.fromkeys((location.top, location.owner)))
    return Workspace(
        location,
        configuration,
        known.problems,
        [MemoryStore(site.root)],
        Repository(roots, memory_dir=site.root, environ=site.server.world.environ),
        known.state_dir,
        known.environment,
    )
