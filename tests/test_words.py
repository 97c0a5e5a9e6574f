"""Words for people are looked up when they are shown, so that they come in the language then chosen."""

import subprocess
import sys

import pytest

LOAD_ROOM = """
import gettext, importlib, pkgutil, sys
gettext.dgettext = lambda domain, text: print(text) or text
gettext.dngettext = lambda domain, one, many, number: print(one) or one
room = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
    importlib.import_module(module.name)
"""


@pytest.mark.parametrize("room", ["layout", "wire", "tables", "workflows"])
def test_no_word_is_looked_up_as_a_room_is_loaded(room: str) -> None:
    command = [sys.executable, "-c", LOAD_ROOM, f"batchwright.{room}"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout == ""
