"""Upload addresses for feedback files (specification, Submission feedback upload; wire.md 11)."""

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
"""How long a feedback upload address is valid (specification, Limits)."""


def upload_url(call: ApiRequest) -> Response:
    """`GET /submissions/signals/upload-url/{filename}?workspace_id=`."""
    workspace_id = lookups.require_workspace(call, _workspace(call))
    filename = validated_filename(call.path["filename"])
    if not is_feedback_file(filename):
        raise bad_request(
            _("Feedback files are of the types {types}; “{name}” is none of them.").format(
                types=", ".join(EXTENSIONS), name=filename
            )
        )
    with call.parts.database.write(durable=True) as connection:
        file = feedback.add(connection, workspace_id, filename, call.parts.clock())
    path = f"/storage/feedback/{file.number}/{url_quoted(filename)}"
    signed = call.parts.signer.sign("PUT", path, UPLOAD_LIFETIME)
    return json_response(
        {
            "upload_url": call.parts.address(signed),
            "http_method": "PUT",
            "expires_at": timestamp(signed.expires_at),
        },
        HTTPStatus.CREATED,
    )


def _workspace(call: ApiRequest) -> str:
    """The workspace that the request names; without one, the first of the token's owner.

    Raises:
        HttpError: the name is empty (400), or the owner has no workspace (403).
    """
    if "workspace_id" in call.query:
        return call.required("workspace_id")
    if not call.account.workspaces:
        raise forbidden()
    return call.account.workspaces[0]
