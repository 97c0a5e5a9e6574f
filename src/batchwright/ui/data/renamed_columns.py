"""Items that show fields which a new file probably has under other names."""

from collections.abc import Mapping

from PySide6.QtWidgets import QCheckBox

from batchwright.base.i18n import _, ngettext
from batchwright.layout.searching.field_references import RenameFields, reference_counts
from batchwright.ui.core.formatting import number
from batchwright.ui.data.context import DataContext
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from batchwright.ui.widgets.text import literal


def offer_update(context: DataContext, renames: Mapping[str, str]) -> None:
    """Offer to update the items that show fields which a new file probably has under other names."""
    uses = reference_counts(context.state.study.layout)
    count = sum(uses.get(name, 0) for name in renames)
    title = ngettext(
        "{count} item shows a field that the file no longer has",
        "{count} items show fields that the file no longer has",
        count,
    )
    old, new = next(iter(renames.items()))
    context.window.notices.show_notice(
        Notice(
            NoticeSeverity.WARNING,
            title.format(count=number(count)),
            _("“{old}” seems to be “{new}” now.").format(old=old, new=new),
            _("Update…"),
            lambda: context.start(update_references, renames),
        )
    )


async def update_references(context: DataContext, renames: Mapping[str, str]) -> None:
    """Ask whether the items that show missing fields show the new ones instead, as one undo step."""
    study, opening = context.state.study, context.state.study.opening
    dialog = UpdateReferencesDialog(renames, reference_counts(study.layout))
    if await dialog.ask(context.window.window) and opening == study.opening:
        study.apply(RenameFields(dialog.chosen))


class UpdateReferencesDialog(Dialog):
    """Lists fields that are missing in a new file, each with the new field that probably replaces it."""

    help_address = "data.md#change-columns"

    def __init__(self, renames: Mapping[str, str], uses: Mapping[str, int]) -> None:
        super().__init__(
            _("Were these columns renamed?"),
            _("Items show fields that the file no longer has. They can show the new fields instead."),
            _("Update items"),
        )
        self._renames = renames
        self._boxes: dict[str, QCheckBox] = {}
        self.chosen = dict(renames)
        """The renames that the user has confirmed."""
        for old, new in renames.items():
            count = uses.get(old, 0)
            text = ngettext(
                "“{old}” is now “{new}” ({count} item)", "“{old}” is now “{new}” ({count} items)", count
            )
            box = self._boxes[old] = QCheckBox(literal(text.format(old=old, new=new, count=number(count))))
            box.setChecked(True)
            box.toggled.connect(self._on_toggled)
            self.add(box)

    def _on_toggled(self) -> None:
        self.chosen = {old: new for old, new in self._renames.items() if self._boxes[old].isChecked()}
        self.accept_button.set_disabled_reason("" if self.chosen else _("Select a field first"))
