"""How a rule is written down: a code, a title, examples, and the function that finds what breaks it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from batchwright.layout.item_types.base import Item
from batchwright.layout.nodes import Node, NodePath
from batchwright.layout.rules.examples import Example
from batchwright.layout.rules.page_index import LayoutIndex, PageIndex
from batchwright.layout.rules.problems import AttributePath, Fix, Problem, RejectionStatus, Severity

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


CheckFunction = Callable[[Subject], Iterable[Finding]]


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
    rejection: RejectionStatus | None
    passes: tuple[Example, ...]
    fails: tuple[Example, ...]
    check: CheckFunction[Subject]
    attribute: str = ""
    is_unfilled: bool = False

    def problem(self, finding: Finding) -> Problem:
        """What was found, as a problem of this rule."""
        item = finding.node if isinstance(finding.node, Item) else None
        return Problem(
            self.code,
            finding.path,
            self.severity,
            self.rejection,
            finding.template,
            finding.values,
            item.kind if item else None,
            item.text("field") or None if item and item.kind == "dataset_field" else None,
            finding.fix,
            finding.attribute or AttributePath(self.attribute),
            self.is_unfilled,
        )


def rule(
    code: str,
    title: str,
    rejection: RejectionStatus | None = None,
    *,
    passes: Sequence[Example],
    fails: Sequence[Example],
    attribute: str = "",
    is_unfilled: bool = False,
) -> Callable[[CheckFunction[Subject]], Rule[Subject]]:
    """Make a function that finds something into a rule; without a refusal it is advice."""
    severity = Severity.ERROR if rejection else Severity.ADVICE

    def named(check: CheckFunction[Subject]) -> Rule[Subject]:
        return Rule(
            code, title, severity, rejection, tuple(passes), tuple(fails), check, attribute, is_unfilled
        )

    return named
