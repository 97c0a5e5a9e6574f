"""Media files of this computer: participants of a rehearsal see them, those of a hosted service cannot."""

import asyncio
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.base.local_media import LOCAL_MEDIA, MediaFolder
from batchwright.client.context import WorkflowContext
from batchwright.data_files.rows import UnreadableFile
from batchwright.wire.local_routes import MediaFolderSetting

_HOST = LOCAL_MEDIA.split("/")[2]
_NEEDLES = tuple(_HOST.encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))
_BLOCK = 1 << 20


async def share_media(context: WorkflowContext, media: MediaFolder | None) -> None:
    """Tell the service on this computer which files the addresses of records stand for, if there are any.

    Raises:
        OSError: the folder cannot be accessed.
        ApiError: the request failed; the service shows no files of this computer, or the folder is missing.
    """
    if media is not None:
        setting = MediaFolderSetting(folder=str(media.folder.absolute()), files=media.files)
        await context.service.local.set_media_folder(await asyncio.to_thread(_id, media), setting)


def _id(media: MediaFolder) -> str:
    return media.id


async def require_web_addresses(path: Path) -> None:
    """Check that no record of a file for a hosted service refers to media of this computer.

    Raises:
        UnreadableFile: one does.
        OSError: the file cannot be read.
    """
    if await asyncio.to_thread(_has_local_media, path):
        raise UnreadableFile(
            _("Some records refer to pictures, recordings or videos of this computer."),
            _("Open their folder as the data file, and say where on the web the files are."),
        )


def _has_local_media(path: Path) -> bool:
    """Whether the domain of local media is in a file, in one of the usual encodings."""
    overlap, end = max(map(len, _NEEDLES)), b""
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            searched = end + block
            if any(needle in searched for needle in _NEEDLES):
                return True
            end = searched[-overlap:]
    return False
