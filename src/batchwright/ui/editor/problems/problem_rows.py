"""The rows of the list of problems: icon, rule code, place, message and fix button of each."""

from batchwright.base.i18n import _
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules.problems import Problem, Severity
from batchwright.ui.editor.core.fix_commands import FIX_KEYS
from batchwright.ui.editor.core.problem_signs import SEVERITY_ICONS
from batchwright.ui.theme import TextRole
from batchwright.ui.theme.tips import shortcut_text
from batchwright.ui.widgets.rows.values import ListRow, RowButton, RowIcon, RowLook, RowStyle, RowText

STYLE = RowStyle(RowLook.RULED, left=18, right=14, gutter=26)
_CODE_PX, _PLACE_PX = 54, 210


def problem_row(problem: Problem, place: str) -> ListRow:
    """The row of a problem at a place."""
    kinds = {Severity.ERROR: _("Error"), Severity.UNFILLED: _("To fill in"), Severity.ADVICE: _("Hint")}
    button = None
    if problem.fix is not None:
        label, keys = problem.fix.label, shortcut_text(FIX_KEYS)
        button = RowButton(label, _("{keys} fixes it: {what}").format(keys=keys, what=label))
    texts = (
        RowText(problem.code, TextRole.CAPTION, "text2", _CODE_PX),
        RowText(place, tone="text2", width=_PLACE_PX),
        RowText(problem.message),
    )
    icon = RowIcon(*SEVERITY_ICONS[problem.severity], label=kinds[problem.severity])
    return ListRow(texts, icon=icon, button=button)


def place_label(path: NodePath) -> str:
    """The place of a node, such as `Page 2, row 3, item 1`; the first column of a row is omitted."""
    label = (path._replace(column=None) if not path.column else path).label
    return label[:1].upper() + label[1:]
