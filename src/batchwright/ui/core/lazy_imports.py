"""Imports modules in the background while the window is in use.

Modules outside `batchwright.ui` are imported in a worker thread. Those of `batchwright.ui` are imported on
the GUI thread, one at a time, with iterations of the event loop in between: defining a subclass of a Qt class
in another thread can crash the process, because PySide keeps its type information in global tables that Qt
reads without holding the GIL.

The order of the imports is read from the compiled code of the modules. What is imported for type checkers
only is left out. The longest step on the GUI thread, measured on two cores: 770 ms to import the Data stage
at once, 290 ms with its modules in alphabetical order, 7 ms in the order of their imports.
"""

import asyncio
import dis
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any

_OURS, _WINDOW = "batchwright.", "batchwright.ui."


async def import_incrementally(name: str) -> None:
    """Import a module and its dependencies, dependencies first, keeping the window responsive.

    Raises:
        ImportError: the module does not exist.
    """
    remaining = await asyncio.to_thread(_import_but_the_window, name)
    for needed in remaining:
        import_module(needed)
        await asyncio.sleep(0)


def _import_but_the_window(name: str) -> list[str]:
    """Import the dependencies outside `batchwright.ui`; returns the remaining modules in import order."""
    modules = list(_needs(name, set()))
    for module in modules:
        if not module.startswith(_WINDOW):
            import_module(module)
    return [module for module in modules if module.startswith(_WINDOW)]


def _needs(name: str, visited: set[str]) -> Iterator[str]:
    """Yield the modules of this program that importing a module would load, dependencies first."""
    if name in visited or name in sys.modules:
        return
    visited.add(name)
    for needed in _imported_by(name):
        yield from _needs(needed, visited)
    yield name


def _imported_by(name: str) -> list[str]:
    """The parent package of a module, and our modules that its top-level code imports."""
    get_code = getattr(_spec(name).loader, "get_code", None)
    names = _import_names(get_code(name)) if get_code is not None else ()
    return [name.rpartition(".")[0], *(named for named in names if named.startswith(_OURS))]


def _import_names(code: CodeType) -> Iterable[str]:
    """The names in the code of a module, among them those of the modules that it imports when it is run."""
    if "TYPE_CHECKING" not in code.co_names:
        return code.co_names  # the common case, which takes no time
    return _names_outside_type_checking(code)


def _names_outside_type_checking(code: CodeType) -> Iterator[str]:
    is_condition, skipped_until = False, 0
    for step in dis.get_instructions(code):
        if step.offset < skipped_until:
            continue
        if step.opname == "LOAD_NAME" and step.argval == "TYPE_CHECKING":
            is_condition = True
        elif is_condition and step.opname == "POP_JUMP_IF_FALSE":
            is_condition, skipped_until = False, step.argval
        elif step.opname == "IMPORT_NAME":
            yield step.argval


def _spec(name: str) -> ModuleSpec:
    """The spec of a module without importing its parents, as `importlib.util.find_spec` would.

    Raises:
        ImportError: the module does not exist.
    """
    package = name.rpartition(".")[0]
    path = (
        import_module(package).__path__
        if package in sys.modules
        else _spec(package).submodule_search_locations
    )
    specs = (finder.find_spec(name, path) for finder in sys.meta_path)
    spec = next(filter(None, specs), None)
    if spec is None:
        raise ImportError(name=name)
    return spec


class LazyFunctions:
    """Stands for a module of which only functions are used: it is imported when one of them is first called.

    A table of actions names its commands by it, so that listing them imports no command.
    """

    def __init__(self, module: str) -> None:
        self.module = module
        """The name of the module."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*args: object, **options: object) -> Any:
            return getattr(import_module(self.module), name)(*args, **options)

        call.__name__ = name
        return call


def lazy_modules(module: ModuleType) -> list[str]:
    """The names of the modules of which a module uses functions by `LazyFunctions`."""
    return [value.module for value in vars(module).values() if isinstance(value, LazyFunctions)]
