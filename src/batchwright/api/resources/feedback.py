"""Calls about feedback files on completed studies: upload URLs (wire reference, section 11)."""

from batchwright.api.http.transport import Transport
from batchwright.api.http.urls import segment
from batchwright.wire.feedback import FeedbackUploadUrl


class Feedback:
    """Calls about feedback files."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def upload_url(self, filename: str, workspace_id: str) -> FeedbackUploadUrl:
        """Fetch a pre-signed URL for uploading a feedback file, valid for 20 minutes.

        Args:
            filename: with its extension: `.csv`, `.xls`, `.xlsx`, `.json`, `.txt` or `.pdf`.
            workspace_id: the workspace of the study that the file is about.

        Raises:
            BadRequest: the service does not accept files of this type.
        """
        path = f"/api/v1/submissions/signals/upload-url/{segment(filename)}"
        return await self._transport.send(
            "GET", path, model=FeedbackUploadUrl, params={"workspace_id": workspace_id}
        )
