"""Letting participants of a rehearsal see media files of this computer."""

import asyncio

from batchwright.base.local_media import MediaFolder
from batchwright.client.context import WorkflowContext
from batchwright.wire.local_routes import MediaFolderSetting


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
