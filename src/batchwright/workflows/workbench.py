"""What every workflow works with: the service, the memory of ids, the watch over jobs, someone to tell."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # who only names a workbench need not import all that it is made of
    from batchwright.api.connection import Service
    from batchwright.local.trails import Trails
    from batchwright.records.json_values import Json
    from batchwright.workflows.remembering import Memory
    from batchwright.workflows.trail import Trail
    from batchwright.workflows.watching import Watching

Tell = Callable[[str], None]
"""Is told in one sentence what has just happened or is about to."""


@dataclass(frozen=True)
class Workbench:
    """Handed to every workflow; made for one connection and one workspace."""

    service: "Service"
    workspace_id: str
    memory: "Memory"
    watching: "Watching"
    trails: "Trails"
    tell: Tell

    def trail(self, *about: "Json") -> "Trail":
        """How far the same work has come here before; `about` tells it from every other."""
        from batchwright.workflows.trail import Trail

        return Trail(self.trails, self.memory.connection, self.workspace_id, *about)
