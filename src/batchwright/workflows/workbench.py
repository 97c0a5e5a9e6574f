"""What every workflow works with: the service, the memory of ids, the watch over jobs, someone to tell."""

from collections.abc import Callable
from dataclasses import dataclass

from batchwright.api.connection import Service
from batchwright.workflows.remembering import Memory
from batchwright.workflows.watching import Watching

Tell = Callable[[str], None]
"""Is told in one sentence what has just happened or is about to."""


@dataclass(frozen=True)
class Workbench:
    """Handed to every workflow; made for one connection and one workspace."""

    service: Service
    workspace_id: str
    memory: Memory
    watching: Watching
    tell: Tell
