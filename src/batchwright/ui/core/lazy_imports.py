"""Imports parts of the window while it is used.

What Qt has no part in is imported by a thread. What has, is imported on the screen's thread, a module at a
time: a class of Qt's objects that another thread defines can end the program, as PySide keeps what it knows
of such classes in one place for all, and Qt asks for it without Python's lock.
"""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import ModuleSpec

_OURS, _WINDOW = "batchwright.", "batchwright.ui."
_SWITCH_S = 0.0005
"""How long, in seconds, the importing thread may go on while the window waits for Python's lock. A paint asks
for it dozens of times, so that Python's usual 5 ms would add up to a window that lags."""
_USUAL_SWITCH_S = sys.getswitchinterval()


async def import_incrementally(name: str) -> None:
    """Import a module and all that it needs, the innermost first, with turns of the loop in between.

    Raises:
        ImportError: there is no such module.
    """
    with _short_turns():
        remaining = await asyncio.to_thread(_import_but_the_window, name)
    for needed in remaining:
        import_module(needed)
        await asyncio.sleep(0)


@contextmanager
def _short_turns() -> Iterator[None]:
    sys.setswitchinterval(_SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(_USUAL_SWITCH_S)


def _import_but_the_window(name: str) -> list[str]:
    """Import what a module needs from the other rooms; the modules of the window that remain, in order."""
    modules = list(_needs(name, set()))
    for module in modules:
        if not module.startswith(_WINDOW):
            import_module(module)
    return [module for module in modules if module.startswith(_WINDOW)]


def _needs(name: str, seen: set[str]) -> Iterator[str]:
    """What importing a module imports of ours, in the order in which it ends to be imported."""
    if name in seen or name in sys.modules:
        return
    seen.add(name)
    for needed in _imported_by(name):
        yield from _needs(needed, seen)
    yield name


def _imported_by(name: str) -> list[str]:
    """The package of a module, and the modules of ours that it names when it is imported."""
    get_code = getattr(_spec(name).loader, "get_code", None)
    names = get_code(name).co_names if get_code is not None else ()
    return [name.rpartition(".")[0], *(named for named in names if named.startswith(_OURS))]


def _spec(name: str) -> ModuleSpec:
    """Where a module is found; unlike `importlib.util.find_spec` it does not import the package it is in.

    Raises:
        ImportError: there is no such module.
    """
    package = name.rpartition(".")[0]
    path = (
        import_module(package).__path__
        if package in sys.modules
        else _spec(package).submodule_search_locations
    )
    found = (finder.find_spec(name, path) for finder in sys.meta_path)
    spec = next(filter(None, found), None)
    if spec is None:
        raise ImportError(name=name)
    return spec
