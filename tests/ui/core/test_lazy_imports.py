"""Parts of the window are imported while it is used: Qt's on the screen's thread, a little at a time."""

import asyncio
import subprocess
import sys

import pytest

from batchwright.ui.core.lazy_imports import import_incrementally

WATCHED = """
import asyncio, builtins, sys, threading

define, made = builtins.__build_class__, {True: [], False: []}

def watch(body, name, *bases, **keywords):
    defined = define(body, name, *bases, **keywords)
    if any(base.__module__.startswith("PySide6") for base in getattr(defined, "__mro__", ())):
        made[threading.current_thread() is threading.main_thread()].append(name)
    return defined

builtins.__build_class__ = watch
from batchwright.ui.stages import load_stage

async def load():
    turns, loading = 0, asyncio.ensure_future(load_stage(sys.argv[1]))
    while not loading.done():
        turns += 1
        await asyncio.sleep(0)
    await loading
    return turns

turns = asyncio.run(load())
package = "editor" if sys.argv[1] == "layout" else sys.argv[1]
modules = [name for name in sys.modules if name.startswith(f"batchwright.ui.{package}.")]
print(turns > len(modules) > 3, len(made[True]) > 3, made[False])
"""


@pytest.mark.parametrize("stage", ["data", "layout", "run"])
def test_what_is_qts_is_imported_on_the_screens_thread(stage: str) -> None:
    ran = subprocess.run([sys.executable, "-c", WATCHED, stage], capture_output=True, text=True, check=False)
    assert not ran.returncode, ran.stderr
    assert ran.stdout == "True True []\n"


def test_a_module_that_is_not_there_is_told() -> None:
    with pytest.raises(ImportError):
        asyncio.run(import_incrementally("batchwright.ui.nowhere"))
