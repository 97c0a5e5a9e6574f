"""The account of a token, and test participants (wire reference, section 3).

A test participant is its researcher under another e-mail address. Like every participant of the local
service, it needs no fraud check and no onboarding, and has no earnings to pay out.
"""

import re
from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.i18n import _
from batchwright.service.auth import Feature
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import bad_request, body_response, feature_off
from batchwright.service.store import participants
from batchwright.wire.account import MAX_EMAIL_CHARS, Participant, ParticipantCreate, User


def me(request: ApiRequest) -> Response:
    """`GET /users/me/`: the account of the token."""
    account = request.account
    return body_response(
        User(
            id=account.id,
            email=account.email,
            name=account.name,
            first_name=account.first_name,
            last_name=account.last_name,
        )
    )


_EMAIL = re.compile(r"[^@\s\x00-\x1f\x7f]+@[^@\s\x00-\x1f\x7f]+")


def create_participant(request: ApiRequest) -> Response:
    """`POST /researchers/participants/`: creates a test participant.

    It requires the feature in any workspace of the account (wire reference, section 15).
    """
    if not request.state.accounts.workspaces_with(request.account, Feature.TEST_PARTICIPANTS):
        raise feature_off()
    email = request.parse_body(ParticipantCreate).email.strip()
    if len(email) > MAX_EMAIL_CHARS or not _EMAIL.fullmatch(email):
        raise bad_request({"email": [_("This is not an e-mail address.")]})
    password = participants.random_password()
    with request.state.database.write(durable=True) as connection:
        is_in_use = request.state.accounts.has_email(email) or participants.has_email(connection, email)
        if is_in_use:
            raise bad_request({"email": [_("This e-mail address already belongs to an account.")]})
        participant = participants.add(
            connection,
            email=email,
            researcher=request.account.id,
            password=password,
            now=request.state.clock(),
        )
    return body_response(Participant(participant_id=participant.id), HTTPStatus.CREATED)
