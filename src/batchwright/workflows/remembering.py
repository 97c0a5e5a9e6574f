"""Remembering what was made: each id goes into the register as soon as it has arrived."""

import asyncio
from dataclasses import dataclass

from batchwright.local.register import Kind, Known, Register


@dataclass(frozen=True)
class Memory:
    """The register, as far as it is about one connection and workspace."""

    register: Register
    connection: str
    workspace_id: str

    async def keep(self, kind: Kind, id: str, name: str = "", *, parent_id: str | None = None) -> None:
        """Keep something made just now; `parent_id` is the dataset of an import, the batch of an export."""
        known = Known(
            connection=self.connection,
            kind=kind,
            id=id,
            name=name,
            workspace_id=self.workspace_id,
            parent_id=parent_id,
            was_made=True,
        )
        await asyncio.to_thread(self.register.keep, known)

    async def knows(self, kind: Kind, id: str) -> bool:
        """Whether something has been kept before."""
        return await asyncio.to_thread(self.register.find, self.connection, kind, id) is not None
