"""The documentation of the layout rules (Help menu)."""

from collections.abc import Collection, Sequence

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.layout.checking.documentation import AnyRule, as_html, consequence_text, rule_doc
from batchwright.layout.rules import RULES, Severity
from batchwright.ui.shell.chapter_page import ChapterPage
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.dialogs.overlays import ModalOverlay
from batchwright.ui.widgets.rows.values import ListRow, RowIcon, RowText

_CODE_PX = 44


class RulesPage(ChapterPage[AnyRule]):
    """A list of the rules, those with problems first, and the chapter of the selected one."""

    help_address = "rules.md"

    def __init__(self, codes_with_problems: Collection[str] = (), code: str = "") -> None:
        super().__init__(
            _("Layout rules"),
            sorted(RULES, key=lambda rule: (rule.code not in codes_with_problems, rule.code)),
            lambda rule: _row(rule, has_problem=rule.code in codes_with_problems),
            lambda rule: f"{rule.code} {_(rule.title)}",
            lambda rule: as_html(rule_doc(rule)),
            (
                _("Find a rule"),
                _("Rules"),
                _("No matching rules. Try another search term."),
                _("The rule"),
            ),
        )
        self.show_rule(code)

    def show_rule(self, code: str) -> None:
        """Select the rule with this code, if any."""
        codes = [rule.code for rule in self.listed]
        if code in codes:
            self.select(codes.index(code))


def _row(rule: AnyRule, *, has_problem: bool) -> ListRow:
    """Icon, code and title; the icon is coloured if the layout has this problem."""
    is_error = rule.severity is Severity.ERROR
    tone = ("err" if is_error else "warn") if has_problem else "text3"
    texts = (
        RowText(rule.code, TextRole.CAPTION, "text2", _CODE_PX),
        RowText(_(rule.title), TextRole.NAME if has_problem else TextRole.BODY),
    )
    consequence = consequence_text(rule)
    description = (
        _("Violated in this layout. {kind}").format(kind=consequence) if has_problem else consequence
    )
    icon = RowIcon("warning-circle-fill" if is_error else "warning-fill", tone)
    return ListRow(texts, icon=icon, description=description)


def open_rules(host: QWidget, codes_with_problems: Sequence[str] = (), code: str = "") -> ModalOverlay:
    """Show the rules over a window, at a given rule or at the first one with problems."""
    return ModalOverlay(
        host, RulesPage(frozenset(codes_with_problems), code or next(iter(codes_with_problems), ""))
    )
