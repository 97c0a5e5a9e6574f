"""Where the ids of a study belong: to the workspace of a connection here, or to a place elsewhere.

A study file names connections, but the service of every computer and every data folder has the same name, and
a connection may have another name on another computer. The workspace tells them apart: each data folder has
one of its own. What belongs to no connection here is kept in the file under a name with its workspace.
"""

from collections.abc import Collection, Mapping
from itertools import chain, count

from batchwright.local.connections import THIS_COMPUTER
from batchwright.local.projects import RemoteBinding


def at_places(
    remotes: Mapping[str, RemoteBinding], workspaces: Mapping[str, str]
) -> dict[str, RemoteBinding]:
    """What a study has at services, each under the name of its connection here.

    Ids of another data folder are moved from the name of this computer to a name of their own. A hosted
    connection keeps ids of another workspace, which its token may have access to.

    Args:
        remotes: as they are in the study file.
        workspaces: the workspace of each connection here, by name; empty if it is unknown.
    """
    placed = dict(remotes)
    for name, workspace_id in workspaces.items():
        if workspace_id:
            _place(placed, name, workspace_id, workspaces)
    return placed


def with_replaced_elsewhere(
    remotes: Mapping[str, RemoteBinding], name: str, remote: RemoteBinding
) -> dict[str, RemoteBinding]:
    """The bindings with a new one; ids of another workspace that it replaces are kept elsewhere."""
    changed = {**remotes, name: remote}
    old = remotes.get(name)
    is_elsewhere = old is not None and remote.workspace_id not in ("", old.workspace_id)
    if old is not None and is_elsewhere and old.resources - remote.resources:
        changed[_name_elsewhere(name, old)] = old
    return changed


def elsewhere(remotes: Mapping[str, RemoteBinding], connections: Collection[str]) -> dict[str, RemoteBinding]:
    """What belongs to no connection here."""
    return {name: other for name, other in remotes.items() if name not in connections and other.resources}


def is_other_data_folder(name: str) -> bool:
    """Whether a name that is no connection here means another data folder or computer."""
    return name.startswith(f"{THIS_COMPUTER.name} (")


def _place(
    remotes: dict[str, RemoteBinding], name: str, workspace_id: str, connections: Collection[str]
) -> None:
    current = remotes.get(name)
    if current is not None and current.resources:
        if name != THIS_COMPUTER.name or current.workspace_id in ("", workspace_id):
            return
        remote = remotes.pop(name)
        remotes[_free_name(remotes, _name_elsewhere(name, remote))] = remote
    others = elsewhere(remotes, connections)
    here = next((key for key, other in others.items() if other.workspace_id == workspace_id), None)
    if here is not None:
        remotes[name] = remotes.pop(here)


def _name_elsewhere(name: str, remote: RemoteBinding) -> str:
    return f"{name} ({remote.workspace_id or min(remote.resources)})"


def _free_name(names: Collection[str], name: str) -> str:
    candidates = chain([name], (f"{name} {number}" for number in count(2)))
    return next(candidate for candidate in candidates if candidate not in names)
