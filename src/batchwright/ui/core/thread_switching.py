"""Lets the window take the GIL from a computing thread sooner than Python does by default.

While a thread computes, the event loop may have to wait for the GIL at every virtual method that Qt calls,
and a paint event calls dozens. With Python's default of 5 ms these waits add up: the longest iteration that
painted sixty widgets while a thread computed took 77 to 105 ms, and 21 to 27 ms with a shorter interval (two
cores, shared with other programs). The thread computed as fast as before.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_SWITCH_S = 0.0005
"""How long a thread may keep the GIL while another one waits for it, in seconds."""


@contextmanager
def short_switch_interval() -> Iterator[None]:
    """Let threads keep the GIL only for a short time while the `with` block runs."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)
