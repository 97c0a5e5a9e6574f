"""Test participants: making one, and where it may take part (specification, Account and participants).

A test participant is its researcher under another address. Like everybody here it meets no fraud
check and no onboarding, and there is no money that it could cash out.
"""

import re
from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.service.auth import Accounts, Feature, StoredAccount
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import bad_request, body_response, feature_off
from batchwright.service.store import participants as store_participants
from batchwright.service.store.batches import StoredBatch
from batchwright.wire.participants import LONGEST_EMAIL, Participant, ParticipantCreate

_EMAIL = re.compile(r"[^@\s\x00-\x1f\x7f]+@[^@\s\x00-\x1f\x7f]+")


def create(call: ApiRequest) -> Response:
    """`POST /researchers/participants/`: for who has the feature in any workspace (wire.md 15)."""
    if not _workspaces(call.parts.accounts, call.account):
        raise feature_off()
    email = call.read(ParticipantCreate).email.strip()
    if len(email) > LONGEST_EMAIL or not _EMAIL.fullmatch(email):
        raise bad_request({"email": [_("This is no e-mail address.")]})
    password = store_participants.random_password()
    with call.parts.database.write(durable=True) as connection:
        known = call.parts.accounts.has_email(email) or store_participants.has_email(connection, email)
        if known:
            raise bad_request({"email": [_("This address already belongs to an account.")]})
        made = store_participants.add(
            connection,
            email=email,
            researcher=call.account.id,
            password=password,
            now=call.parts.clock(),
        )
    return body_response(Participant(participant_id=made.id), HTTPStatus.CREATED)


def may_take_part(accounts: Accounts, connection: Connection, participant: str, study: StoredBatch) -> bool:
    """Whether somebody may take part in a study (participant 2).

    Test participants may in their researcher's workspaces that have the feature; others may anywhere.
    """
    found = store_participants.find(connection, participant)
    if found is None:
        return True
    researcher = accounts.with_id(found.researcher)
    return researcher is not None and study.workspace_id in _workspaces(accounts, researcher)


def _workspaces(accounts: Accounts, account: StoredAccount) -> frozenset[str]:
    """The workspaces of an account that have the feature."""
    return frozenset(
        workspace
        for workspace in account.workspaces
        if accounts.has_feature(workspace, Feature.TEST_PARTICIPANTS)
    )
