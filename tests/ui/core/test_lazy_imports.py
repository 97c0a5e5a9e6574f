"""Stages are imported while the window is in use: Qt classes on the GUI thread, one or two modules a turn."""

import asyncio
import subprocess
import sys

import pytest

from batchwright.ui.core.lazy_imports import import_incrementally

TRACKED_MODULES = """
import asyncio, builtins, sys, threading

define, made = builtins.__build_class__, {True: [], False: []}

def watch(body, name, *bases, **keywords):
    defined = define(body, name, *bases, **keywords)
    if any(base.__module__.startswith("PySide6") for base in getattr(defined, "__mro__", ())):
        made[threading.current_thread() is threading.main_thread()].append(name)
    return defined

builtins.__build_class__ = watch
from batchwright.ui.stages import load_stage

package = "editor" if sys.argv[1] == "layout" else sys.argv[1]

def imported():
    return sum(name.startswith(f"batchwright.ui.{package}.") for name in tuple(sys.modules))

class CountingLoop(asyncio.SelectorEventLoop):
    def _run_once(self):
        super()._run_once()
        counts.append(imported())

counts = [imported()]
with asyncio.Runner(loop_factory=CountingLoop) as runner:
    runner.run(load_stage(sys.argv[1]))
most = max(after - before for before, after in zip(counts, counts[1:]))
print(counts[-1] > 3, most <= 2, len(made[True]) > 3, made[False])
"""


@pytest.mark.parametrize("stage", ["data", "layout", "run"])
def test_qt_classes_are_defined_on_the_gui_thread_at_most_two_modules_per_loop_iteration(
    stage: str,
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", TRACKED_MODULES, stage], capture_output=True, text=True, check=False
    )
    assert not ran.returncode, ran.stderr
    assert ran.stdout == "True True True []\n"


def test_a_missing_module_raises_an_import_error() -> None:
    with pytest.raises(ImportError):
        asyncio.run(import_incrementally("batchwright.ui.nowhere"))
