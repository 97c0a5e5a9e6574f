"""Test participants: one per address, if the workspace has the feature (wire reference, 3.2)."""

from pathlib import Path
from uuid import uuid4

import pytest

from batchwright.api.http.errors import BadRequest, FeatureOff
from batchwright.service.process import ServiceAddress
from batchwright.wire.account import ParticipantCreate
from tests.api.error_responses import rejection_message
from tests.api.studies import client_of
from tests.service.accounts import ANN, write_accounts


def new_participant() -> ParticipantCreate:
    """A request with an unused email address."""
    return ParticipantCreate(email=f"tester+{uuid4().hex}@example.org")


@pytest.mark.spec("P-01")
async def test_a_test_participant_is_created_once_for_each_address(running: ServiceAddress) -> None:
    request = new_participant()

    async with client_of(running) as service:
        created = await service.participants.create(request)
        assert len(created.participant_id) == 24
        assert "email" in await rejection_message(service.participants.create(request), BadRequest, 400)


@pytest.mark.spec("P-03")
async def test_no_test_participant_is_created_without_the_feature(
    account_without_features: ServiceAddress, accounts: Path
) -> None:
    request = new_participant()
    async with client_of(account_without_features) as service:
        messages = await rejection_message(service.participants.create(request), FeatureOff, 404)
    assert "The workspace does not have this feature" in messages
    write_accounts(accounts, [ANN], [])
    async with client_of(account_without_features) as service:
        created = await service.participants.create(request)
    assert created.participant_id, "a used address would be rejected"
