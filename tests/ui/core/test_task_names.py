"""Names of tasks: a task is not started while one of the same name is running, so each has its own."""

import ast
from collections import defaultdict
from pathlib import Path

import batchwright.ui

SOURCE = Path(batchwright.ui.__file__).parent


def literal_task_names(path: Path) -> list[str]:
    """The names that a module gives to tasks of the window, as far as they are written out."""
    calls = [
        node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)
    ]
    return [
        str(call.args[0].value)
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr in ("start", "restart")
        and ast.unparse(call.func.value).endswith("tasks")
        and call.args
        and isinstance(call.args[0], ast.Constant)
    ]


def test_no_two_modules_give_tasks_the_same_name() -> None:
    modules: defaultdict[str, set[str]] = defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        for name in literal_task_names(path):
            modules[name].add(str(path.relative_to(SOURCE)))
    assert len(modules) > 20
    assert {name: paths for name, paths in modules.items() if len(paths) > 1} == {}
