"""Upload URLs for feedback files (specification, Submission feedback upload; wire reference, section 11)."""

from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.i18n import _
from batchwright.service import clock
from batchwright.service.clock import timestamp
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import bad_request, forbidden, json_response
from batchwright.service.http.upload_filenames import url_quoted, validated_filename
from batchwright.service.store import feedback
from batchwright.wire.feedback import EXTENSIONS, is_feedback_file

UPLOAD_LIFETIME = 20 * clock.MINUTE
"""How long an upload URL is valid, in milliseconds (specification, Limits)."""


def upload_url(request: ApiRequest) -> Response:
    """`GET /submissions/signals/upload-url/{filename}?workspace_id=`: a URL to upload a feedback file to."""
    workspace_id = lookups.require_workspace(request, _workspace(request))
    filename = validated_filename(request.path_params["filename"])
    if not is_feedback_file(filename):
        raise bad_request(
            _("Feedback files must be of the types {types}; “{name}” is not.").format(
                types=", ".join(EXTENSIONS), name=filename
            )
        )
    with request.state.database.write(durable=True) as connection:
        file = feedback.add(connection, workspace_id, filename, request.state.clock())
    path = f"/storage/feedback/{file.row_id}/{url_quoted(filename)}"
    signed = request.state.signer.sign("PUT", path, UPLOAD_LIFETIME)
    return json_response(
        {
            "upload_url": request.state.absolute_url(signed),
            "http_method": "PUT",
            "expires_at": timestamp(signed.expires_at),
        },
        HTTPStatus.CREATED,
    )


def _workspace(request: ApiRequest) -> str:
    """The workspace of the request, by default the first one of the account.

    Raises:
        HttpError: the parameter is empty (400), or the account has no workspace (403).
    """
    if "workspace_id" in request.query:
        return request.require_query("workspace_id")
    if not request.account.workspaces:
        raise forbidden()
    return request.account.workspaces[0]
