"""The window takes the GIL from computing threads soon, as long as it runs."""

import sys

from batchwright.ui.core.thread_switching import short_switch_interval


def test_the_interval_is_short_within_the_block_and_as_before_afterwards() -> None:
    usual = sys.getswitchinterval()
    with short_switch_interval():
        assert sys.getswitchinterval() <= usual / 5
    assert sys.getswitchinterval() == usual
