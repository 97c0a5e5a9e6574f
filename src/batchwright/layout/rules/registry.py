"""How a rule is written down: a code, a title, examples, and the function that finds what breaks it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from batchwright.layout.item_types.base import Item
from batchwright.layout.nodes import Node, NodePath
from batchwright.layout.rules.examples import Example
from batchwright.layout.rules.page_index import LayoutIndex, PageIndex
from batchwright.layout.rules.problems import AttributePath, Fix, Problem, RefusalStatus, Severity

Subject = TypeVar("Subject", PageIndex, LayoutIndex)


@dataclass(frozen=True)
class Finding:
    """Something that breaks a rule; `entry` is what stands at the place.

    `attribute` is which of its attributes is at fault, where the rule itself does not say so.
    """

    path: NodePath
    node: Node | None
    template: str
    values: Mapping[str, object] = field(default_factory=dict)
    fix: Fix | None = None
    attribute: AttributePath | None = None


Find = Callable[[Subject], Iterable[Finding]]


@dataclass(frozen=True)
class Rule(Generic[Subject]):
    """One rule, for a page or for the layout as a whole.

    The title is English, to be translated when it is shown, and says what is right. Each of the
    layouts in `passes` keeps the rule, each of those in `fails` breaks it. `attribute` is the one that
    the rule is about, if it is a single one; `is_unfilled` that it only asks for something to be filled in.
    """

    code: str
    title: str
    severity: Severity
    refusal: RefusalStatus | None
    passes: tuple[Example, ...]
    fails: tuple[Example, ...]
    find: Find[Subject]
    attribute: str = ""
    is_unfilled: bool = False

    def problem(self, found: Finding) -> Problem:
        """What was found, as a problem of this rule."""
        item = found.node if isinstance(found.node, Item) else None
        return Problem(
            self.code,
            found.path,
            self.severity,
            self.refusal,
            found.template,
            found.values,
            item.kind if item else None,
            item.text("field") or None if item and item.kind == "dataset_field" else None,
            found.fix,
            found.attribute or AttributePath(self.attribute),
            self.is_unfilled,
        )


def rule(
    code: str,
    title: str,
    refusal: RefusalStatus | None = None,
    *,
    passes: Sequence[Example],
    fails: Sequence[Example],
    attribute: str = "",
    is_unfilled: bool = False,
) -> Callable[[Find[Subject]], Rule[Subject]]:
    """Make a function that finds something into a rule; without a refusal it is advice."""
    severity = Severity.ERROR if refusal else Severity.ADVICE

    def named(find: Find[Subject]) -> Rule[Subject]:
        return Rule(code, title, severity, refusal, tuple(passes), tuple(fails), find, attribute, is_unfilled)

    return named
