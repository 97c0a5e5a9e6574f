"""What every workflow works with: the service, the memory of ids, the watch over jobs, someone to tell."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # who only names a workbench need not import all that it is made of
    from batchwright.api.client import Service
    from batchwright.base.json_values import Json
    from batchwright.client.checkpoint import Trail
    from batchwright.client.id_recorder import Memory
    from batchwright.client.job_monitoring.connection_jobs import Watching
    from batchwright.local.checkpoints import Trails

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
        from batchwright.client.checkpoint import Trail

        return Trail(self.trails, self.memory.connection, self.workspace_id, *about)
