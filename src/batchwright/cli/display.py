"""Detects whether there is a screen: without one, Qt ends the program without a message.

Uses only the standard library, so that `packaging/start.py` can import it before anything is set up.
"""

import ctypes
import os
import sys


def has_screen() -> bool:
    """Whether a window can be shown; true outside Linux, and if `QT_QPA_PLATFORM` selects a platform."""
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("WAYLAND_DISPLAY")) or _x_server_answers()


def _x_server_answers() -> bool:
    if not os.environ.get("DISPLAY"):
        return False
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # cannot be checked; opening the window will show it
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    answers = not xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return answers
