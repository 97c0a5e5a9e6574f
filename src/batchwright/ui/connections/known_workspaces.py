"""The workspaces that are known on this computer, offered where the id of one is entered."""

from collections.abc import Iterable
from dataclasses import dataclass

from batchwright.local.connections import Connection
from batchwright.local.recent_studies import Recent


@dataclass(frozen=True)
class KnownWorkspace:
    """A workspace of a hosted service."""

    id: str
    source: str
    """The connection or the study that names it."""
    url: str = ""
    """The service that it belongs to; empty if unknown: studies do not contain it."""

    def may_be_at(self, url: str) -> bool:
        """Whether the service with this URL may have it."""
        return self.url.rstrip("/") in ("", url.strip().rstrip("/"))


def known_workspaces(
    connections: Iterable[Connection], recents: Iterable[Recent]
) -> tuple[KnownWorkspace, ...]:
    """The workspaces of connections, then those of studies that no connection has."""
    found = [KnownWorkspace(other.workspace_id, other.title, other.url) for other in connections if other.url]
    ids = {workspace.id for workspace in found}
    for recent in recents:
        new = [KnownWorkspace(id, recent.name) for id in recent.workspace_ids if id not in ids]
        found += new
        ids.update(workspace.id for workspace in new)
    return tuple(found)
