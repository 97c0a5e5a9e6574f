"""Problems that a service reported for a layout, shown at their items until these are changed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from batchwright.layout.model import Layout
from batchwright.layout.nodes import Node, NodePath
from batchwright.layout.rules import Problem, Severity


@dataclass(frozen=True)
class ServerProblem:
    """A problem that a service found, and the entry that it found it at."""

    problem: Problem
    entry: Node


def is_server_problem(problem: Problem) -> bool:
    """Whether a service found a problem: its code is an HTTP status, not the code of a rule."""
    return problem.code.isdecimal()


def attach_server_problems(layout: Layout, problems: Iterable[Problem]) -> tuple[ServerProblem, ...]:
    """The problems whose paths exist in a layout, each with the node at its path."""
    return tuple(
        ServerProblem(problem, entry) for problem in problems if (entry := _at(layout, problem.path))
    )


def merge_problems(
    layout: Layout, problems: Iterable[Problem], refused: Iterable[ServerProblem]
) -> tuple[Problem, ...]:
    """All problems in reading order.

    A problem reported by a service follows its item when that is moved. It is dropped once the item has
    changed, or once a local rule reports an error at the same place.
    """
    merged = tuple(problems)
    current = list(_current_problems(layout, refused))
    if not current:
        return merged
    error_paths = {problem.path for problem in merged if problem.severity is Severity.ERROR}
    reported = [problem for problem in current if problem.path not in error_paths]
    return tuple(sorted([*merged, *reported], key=lambda problem: problem.path.indices))


def _current_problems(layout: Layout, refused: Iterable[ServerProblem]) -> Iterator[Problem]:
    for server_problem in refused:
        path = layout.paths((server_problem.entry.key,)).get(server_problem.entry.key)
        if path is not None and layout.at(path) is server_problem.entry:
            yield replace(server_problem.problem, path=path)


def _at(layout: Layout, path: NodePath) -> Node | None:
    try:
        return layout.at(path)
    except (IndexError, ValueError):
        return None
