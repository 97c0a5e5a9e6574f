"""Feedback files about completed studies: addresses to send them to (wire reference, 11)."""

from batchwright.api.transport import Transport
from batchwright.api.urls import segment
from batchwright.wire.feedback import FeedbackUploadUrl


class Feedback:
    """Calls about feedback files."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def upload_url(self, filename: str, workspace_id: str) -> FeedbackUploadUrl:
        """An address to send a feedback file to, good for 20 minutes.

        Args:
            filename: with its extension: `.csv`, `.xls`, `.xlsx`, `.json`, `.txt` or `.pdf`.
            workspace_id: the workspace whose study the file is about.

        Raises:
            BadRequest: the service takes no files of this type.
        """
        path = f"/api/v1/submissions/signals/upload-url/{segment(filename)}"
        return await self._transport.send(
            "GET", path, into=FeedbackUploadUrl, params={"workspace_id": workspace_id}
        )
