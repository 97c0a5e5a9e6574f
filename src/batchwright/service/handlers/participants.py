"""Creating test participants (specification, Account and participants).

A test participant is its researcher under another e-mail address. Like every participant of the local
service it needs no fraud check and no onboarding, and has no earnings to cash out.
"""

import re
from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.i18n import _
from batchwright.service.auth import Feature
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import bad_request, body_response, feature_off
from batchwright.service.store import participants
from batchwright.wire.participants import LONGEST_EMAIL, Participant, ParticipantCreate

_EMAIL = re.compile(r"[^@\s\x00-\x1f\x7f]+@[^@\s\x00-\x1f\x7f]+")


def create(call: ApiRequest) -> Response:
    """`POST /researchers/participants/`: for who has the feature in any workspace (wire.md 15)."""
    if not call.parts.accounts.workspaces_with(call.account, Feature.TEST_PARTICIPANTS):
        raise feature_off()
    email = call.read(ParticipantCreate).email.strip()
    if len(email) > LONGEST_EMAIL or not _EMAIL.fullmatch(email):
        raise bad_request({"email": [_("This is no e-mail address.")]})
    password = participants.random_password()
    with call.parts.database.write(durable=True) as connection:
        known = call.parts.accounts.has_email(email) or participants.has_email(connection, email)
        if known:
            raise bad_request({"email": [_("This address already belongs to an account.")]})
        made = participants.add(
            connection,
            email=email,
            researcher=call.account.id,
            password=password,
            now=call.parts.clock(),
        )
    return body_response(Participant(participant_id=made.id), HTTPStatus.CREATED)
