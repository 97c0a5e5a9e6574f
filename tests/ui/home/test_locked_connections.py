"""Cards of connections that the policy of this computer does not allow."""

import pytest

from batchwright.local.connections import Connection
from batchwright.ui.home.connection_cards import HostedCard
from batchwright.ui.widgets.text import Label
from tests.policies import WritePolicy

pytestmark = pytest.mark.gui


@pytest.mark.usefixtures("theme")
def test_a_card_says_that_its_service_is_not_allowed(write_policy: WritePolicy) -> None:
    path = write_policy("[lock]\nservice-url = 'https://lab.example.org'\n")
    texts = {
        url: {label.text() for label in card.findChildren(Label)}
        for url in ("https://lab.example.org", "https://api.example.org")
        for card in [HostedCard(Connection("Account", url, "w1"), is_chosen=False)]
    }
    only = "Only the service at https://lab.example.org is allowed on this computer."
    reason = f"{only} Set by your IT staff in {path}"
    assert reason in texts["https://api.example.org"]
    assert reason not in texts["https://lab.example.org"]
