"""Errors in methods that Qt calls are reported at once; Qt continues with a default value.

PySide would keep such an error until Qt returns to the Python code that called it. If Qt calls another
method of the program before that, for example one of the style, PySide cannot create the arguments of that
call while there is an error, and the program ends (PySide 6.11 with Python 3.11 and 3.12).
"""

import functools
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FunctionType
from typing import Any

from shiboken6 import Shiboken

Method = Callable[..., Any]


def report_errors_of_overrides() -> None:
    """Report errors in methods that override methods of Qt, in all classes defined from now on."""
    Shiboken.Object.__init_subclass__ = classmethod(_guard_overrides)  # type: ignore[arg-type, assignment, method-assign]


def _guard_overrides(cls: type, **options: Any) -> None:
    super(Shiboken.Object, cls).__init_subclass__(**options)  # type: ignore[misc]  # called with subclasses only
    if not cls.__module__.startswith("batchwright."):
        return
    for name, method in list(vars(cls).items()):
        if isinstance(method, FunctionType) and not name.startswith("__") and _is_override(cls, name):
            setattr(cls, name, _guarded(cls, name, method))


def _is_override(cls: type, name: str) -> bool:
    bases = (vars(base) for base in cls.__mro__[1:])
    return any(name in members and not isinstance(members[name], FunctionType) for members in bases)


def _guarded(cls: type, name: str, method: Method) -> Method:
    is_event = name.lower().endswith("event")

    @functools.wraps(method)
    def call(self: object, *arguments: Any, **options: Any) -> Any:
        try:
            return method(self, *arguments, **options)
        except Exception:
            sys.excepthook(*sys.exc_info())
        if is_event:
            return False
        with suppress(Exception):
            return getattr(super(cls, self), name)(*arguments, **options)
        return None

    return call
