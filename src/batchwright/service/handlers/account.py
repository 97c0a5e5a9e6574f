"""The account check (wire.md 3.1)."""

from starlette.responses import Response

from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import body_response
from batchwright.wire.users import User


def me(call: ApiRequest) -> Response:
    """`GET /users/me/`: whose token this is."""
    account = call.account
    return body_response(
        User(
            id=account.id,
            email=account.email,
            name=account.name,
            first_name=account.first_name,
            last_name=account.last_name,
        )
    )
