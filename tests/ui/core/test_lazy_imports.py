"""Stages are imported while the window is in use: Qt classes on the GUI thread, one or two modules a turn."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from batchwright.ui.core.lazy_imports import LazyFunctions, import_incrementally

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


def test_modules_that_only_type_checkers_need_are_not_imported(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from batchwright.ui.unneeded import x\n"
        "else:\n    from batchwright.ui.other import x\n"
        "import batchwright.ui.second\n"
    )
    for name in ("second", "other", "unneeded"):
        (tmp_path / f"{name}.py").write_text("x = 1\n")
    program = (
        "import asyncio, sys\n"
        "from batchwright.ui.core.lazy_imports import import_incrementally\n"
        "import batchwright.ui\n"
        f"batchwright.ui.__path__.insert(0, {str(tmp_path)!r})\n"
        "asyncio.run(import_incrementally('batchwright.ui.first'))\n"
        "names = ('first', 'second', 'other', 'unneeded')\n"
        "print(*(name for name in names if f'batchwright.ui.{name}' in sys.modules))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["first", "second", "other"]


def test_functions_are_imported_when_they_are_first_called() -> None:
    formatting = LazyFunctions("batchwright.ui.core.formatting")
    assert formatting.number(3) == "3"
    assert formatting.number.__name__ == "number"
