"""Words for people are looked up when they are shown, so that they come in the language then chosen."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import batchwright

SOURCES = Path(batchwright.__file__).parent
IMPORT = re.compile(r"^\s*(from|import) gettext\b", re.MULTILINE)

LOAD_ROOM = """
import gettext, importlib, pkgutil, sys
gettext.NullTranslations.gettext = lambda catalogue, text: print(text) or text
gettext.NullTranslations.ngettext = lambda catalogue, one, many, number: print(one) or one
room = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
    importlib.import_module(module.name)
"""


SCREEN = ("shell", "home", "kit", "data", "run", "results", "jobs", "feedback")


@pytest.mark.parametrize(
    "room", ["layout", "wire", "data_files", "workflows", *(f"ui.{stage}" for stage in SCREEN)]
)
def test_no_word_is_looked_up_as_a_room_is_loaded(room: str) -> None:
    command = [sys.executable, "-c", LOAD_ROOM, f"batchwright.{room}"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout == ""


WIRE_LITERALS = re.compile(r"""\b_\(\s*["'][^"']*( \(Copy\)|permission to access this feature)""")
"""What other programs recognise: the name of a copy (Batches rule 8), a feature that is off (wire.md 2.4)."""


def test_no_literal_of_the_wire_is_translated() -> None:
    translated = [
        f"{path.name}: {found[0]}"
        for path in SOURCES.rglob("*.py")
        for found in WIRE_LITERALS.finditer(path.read_text(encoding="utf-8"))
    ]
    assert translated == []


def test_only_one_module_asks_for_translations() -> None:
    asking = {path for path in SOURCES.rglob("*.py") if IMPORT.search(path.read_text(encoding="utf-8"))}
    assert asking == {SOURCES / "words.py"}
