"""The definition of rules: a code, a title, examples, and the function that finds violations."""

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
    """A violation of a rule by the node at a path.

    `attribute` is the invalid attribute, unless the rule itself names it.
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
    """A rule, for a page or for the layout as a whole.

    The title is English, to be translated when it is shown, and states the valid case. Each of the
    layouts in `passes` satisfies the rule, each of those in `fails` violates it. `attribute` is the attribute
    that the rule is about, if there is only one; `is_unfilled` means that it reports missing input.
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
        """A finding as a problem of this rule."""
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
    """Decorator: register a check function as a rule; without `rejection` it is a hint."""
    severity = Severity.ERROR if rejection else Severity.ADVICE

    def named(check: CheckFunction[Subject]) -> Rule[Subject]:
        return Rule(
            code, title, severity, rejection, tuple(passes), tuple(fails), check, attribute, is_unfilled
        )

    return named
